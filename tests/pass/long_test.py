#!/usr/bin/env python3
"""Which locals of an active body go to registers: none that would be there in
many blocks, where getting rid of its copies takes the compiler time that grows
with the square of the function's length.

  long_test.py PASS
"""

import subprocess
import sys

OPT = "/usr/lib/llvm-19/bin/opt"


def function(stores, loads, blocks):
    """One that stores to its local first and then loads from it, going on to
    the next block each time until it has run out of them."""
    accesses = [f"store i32 {i}, ptr %local" for i in range(stores)]
    accesses += [f"%v{i} = load i32, ptr %local" for i in range(loads)]
    lines = ["%local = alloca i32"]
    for i in range(max(blocks, len(accesses))):
        if 0 < i < blocks:
            lines += [f"br label %b{i}", f"b{i}:"]
        lines += accesses[i:i + 1]
    lines += ["%all = load i32, ptr @value", "ret i32 %all"]
    return "\n".join(["@value = global i32 0", "define i32 @f() {", *lines,
                      "}\n"])


def body_of(ir, name):
    return ir.split(f" @{name}(", 1)[1].split("\n}", 1)[0]


def check(plugin, stays, **shape):
    ir = subprocess.run([OPT, "-S", "-load-pass-plugin", plugin,
                         "-passes=fairlead"], input=function(**shape),
                        check=True, capture_output=True, text=True).stdout
    active = next(part for part in ir.split("\ndefine ")
                  if " @f.active(" in part.split("\n", 1)[0])
    assert ("%local = alloca" in active) == stays, f"{shape}:\n{active}"
    assert "%local = alloca" in body_of(ir, "f"), "the idle body is changed"


def main():
    plugin = sys.argv[1]
    check(plugin, False, stores=2, loads=61, blocks=2)
    check(plugin, True, stores=2, loads=62, blocks=2)
    check(plugin, True, stores=1, loads=63, blocks=2)
    check(plugin, False, stores=2, loads=8, blocks=511)
    check(plugin, True, stores=2, loads=8, blocks=512)
    check(plugin, False, stores=1, loads=8, blocks=512)


if __name__ == "__main__":
    main()
