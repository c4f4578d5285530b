#!/usr/bin/env python3
"""Steps from calls to stubs look as abi/step.h says, at every level, and calls
of them take no relocation.

  steps_test.py BIN
"""

import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = """
int counter;
double total;
int step(int *p, double d) {
  counter += *p;
  total += d;
  return __atomic_add_fetch(&counter, 1, __ATOMIC_SEQ_CST);
}
"""
STEP = re.compile(r"488d05.{8}4801c[67]"
                  r"(f64[67].{4}0f84.{8}ff25.{8}|e9.{8})")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


def code_of(objdump, name):
    """The bytes of a function, as hexadecimal digits."""
    body = re.search(rf"<{name}>:\n((?:.+\n)+)", objdump)[1]
    return "".join(line.split("\t")[1].replace(" ", "")
                   for line in body.splitlines() if "\t" in line)


def check(binaries, level, scratch):
    source, made = scratch / "a.c", scratch / "a.o"
    source.write_text(SOURCE)
    output(binaries / "fairlead-cc", level, "-fPIC", "-c", source, "-o", made)
    shown = output("objdump", "-d", made)
    steps = [name for name in re.findall(r"<(__fl_\w+)>:", shown)
             if name != "__fl_module_constructor"]
    assert "__fl_load4" in steps and "__fl_after_rmw" in steps, steps
    for name in steps:
        assert STEP.match(code_of(shown, name)), f"{level}: {name}\n{shown}"
    # Each step leads to one stub; nothing else names one.
    named = re.findall(r"R_X86_64_PLT32 +\w+ +(__fl_[\w.]+)",
                       output("readelf", "-rW", made))
    stubs = [re.sub(r"\.\d+$", "", name) for name in named
             if name != "__fl_module_loaded"]
    assert sorted(stubs) == sorted(steps), f"{level}: {stubs}, {steps}"


def main():
    with tempfile.TemporaryDirectory() as scratch:
        for level in ("-O0", "-O1", "-O2"):
            check(pathlib.Path(sys.argv[1]), level, pathlib.Path(scratch))


if __name__ == "__main__":
    main()
