#!/usr/bin/env python3
"""The public header in C and C++, with gcc and clang, linked in many ways.

usage: header_test.py INCLUDE PROBE [BIN]

Every build must be free of warnings, carry one note, do nothing without a
runtime, and reach the probe with every call when it is preloaded. With BIN,
fairlead-cc and fairlead-c++ are compilers like the others.
"""

import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Debian's lld-19 names its linker ld.lld only here, where gcc does not look.
LLD = "/usr/lib/llvm-19/bin"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]

# What is the same in all: compiling, linking, standards of C and C++.
BUILDS = [
    ("unoptimised", ["-O0"], [], "c11", "c++11"),
    ("optimised", ["-O3"], [], "c17", "c++20"),
    ("position-dependent", ["-O1", "-fno-pie"], ["-no-pie"], "c11", "c++14"),
    ("link-time optimised", ["-O2", "-flto"], ["-flto", "-O2"], "c11",
     "c++17"),
    ("sections collected", ["-O2", "-ffunction-sections", "-fdata-sections"],
     ["-Wl,--gc-sections"], "c11", "c++11"),
    ("collected by lld", ["-O2", "-ffunction-sections", "-fdata-sections"],
     ["-Wl,--gc-sections", "-fuse-ld=lld", f"-B{LLD}"], "c11", "c++11"),
    ("static", ["-O2"], ["-static"], "c11", "c++11"),
    ("disabled", ["-O2", "-DFAIRLEAD_DISABLE"], [], "c11", "c++11"),
]

# name, text, number: times told by main.c and other.cc together.
CALLS = {
    ("thread_name", "worker", 0): 1, ("thread_name", "other", 0): 1,
    ("quiet_begin", "", 0): 2, ("quiet_end", "", 0): 2,
    ("acquire", "", 0): 2, ("release", "", 0): 2, ("benign", "", 4): 2,
    ("always", "always", 1): 2, ("sometimes", "sometimes", 0): 1,
    ("sometimes", "sometimes", 1): 1, ("reachable", "reachable", 0): 2,
    ("ready", "", 0): 1, ("quiescent", "", 0): 1, ("mark", "mark", 42): 1,
    ("request_begin", "get", 12): 1, ("request_end", "ok", 12): 1,
    ("request_begin", "put", 34): 1, ("request_end", "done", 34): 1,
    ("request_begin", "drop", 35): 1, ("request_begin", "drop", 36): 1, ("request_end", "", 35): 1,
    ("state_add", "users", 3): 1, ("state_remove", "users", 3): 1,
    ("state_append", "log", 4): 1, ("state_clear", "log", 0): 1,
    ("set_add", "pair", 4): 1, ("set_add", "set", 4): 1,
    ("unit_begin", "transfer", 0): 1, ("unit_end", "transfer", 0): 1,
    ("unit_begin", "unit", 0): 1, ("unit_end", "unit", 0): 1, ("unit_end", "on", 0): 1,
    ("session", "bob", 0): 1,
    # Session 6, as the probe says.
    ("request_status", "no", 100 * 6 + 10 * 2 - 3): 1, ("component", "ages", 4): 1,
    ("state_put", "ages", 32): 1, ("state_set", "leader", 3): 1,
    ("state_walk", "users", 0): 1, ("walk_element", "", 3): 1,
    ("walk_entry", "", 32): 1, ("set_add", "pair", 8): 1,
    ("unit_begin_on", "sum", 1): 1, ("unit_begin_on", "on", 1): 1,
    ("mark_bytes", "", 2): 1, ("request_status", "bad", 365): 1,
    ("guard_address", "", 4): 1, ("choose", "", 7): 1,
    ("choose", "", 5): 1, ("choose", "", 2): 1,
}


def run(command, **extra):
    done = subprocess.run(command, capture_output=True, text=True,
                          env={**os.environ, **extra})
    if done.returncode != 0 or done.stderr:
        raise SystemExit(f"{' '.join(command)}\nended with {done.returncode}\n"
                         f"{done.stderr}")
    return done.stdout


def calls_in(path):
    calls, notes = {}, 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            word, *fields = line.rstrip("\n").split("\t")
            row = dict(field.split("=", 1) for field in fields)
            if word == "call":
                key = (row["name"], row["text"], int(row["number"]))
                calls[key] = int(row["count"])
            notes += word == "annotations"
    return calls, notes


def check(pair, build, include, probe, scratch):
    name, compiling, linking, c, cxx = build
    includes = ["-I", include, "-I", HERE]
    objects = [os.path.join(scratch, "main.o"), os.path.join(scratch, "cc.o")]
    program = os.path.join(scratch, "program")
    events = os.path.join(scratch, "events")
    run([pair[0], f"-std={c}", *WARNINGS, *includes, *compiling, "-c",
         os.path.join(HERE, "main.c"), "-o", objects[0]])
    run([pair[1], f"-std={cxx}", *WARNINGS, *includes, *compiling, "-c",
         os.path.join(HERE, "other.cc"), "-o", objects[1]])
    run([pair[1], *objects, *linking, "-o", program])
    if run([program]) != "attached 0 choices 0 0\n":
        raise SystemExit("has an effect without a runtime")
    wanted, number = {}, 0
    if name not in ("static", "disabled"):  # no preload reaches these
        wanted, number = CALLS, 1
        output = run([program], LD_PRELOAD=probe, PROBE_EVENTS=events)
        if output != "attached 1 choices 6 14\n":
            raise SystemExit(f"under the probe: {output}")
        calls, notes = calls_in(events)
        if calls != wanted:
            differ = dict(set(calls.items()) ^ set(wanted.items()))
            raise SystemExit(f"calls that differ: {differ}")
        if notes != number:
            raise SystemExit(f"{notes} notes instead of one")


def main():
    include, probe, *bins = [os.path.abspath(path) for path in sys.argv[1:]]
    pairs = [("gcc", "g++"), ("clang-19", "clang++-19")]
    pairs += [(os.path.join(b, "fairlead-cc"), os.path.join(b, "fairlead-c++"))
              for b in bins]
    failures = 0
    for pair in pairs:
        for build in BUILDS:
            with tempfile.TemporaryDirectory() as scratch:
                try:
                    check(pair, build, include, probe, scratch)
                except SystemExit as failure:
                    failures += 1
                    print(f"{os.path.basename(pair[0])}, {build[0]}: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
