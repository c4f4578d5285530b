#!/usr/bin/env python3
"""What sites are called when a file was preprocessed first.

usage: preprocessed_test.py BIN PROBE OPEN

With -fdirectives-only, as compiler caches and distributors use it, ids and
anchors equal those of a direct compile. Of fully preprocessed text, also inside
-save-temps, anchors do; ids do on lines without macros.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = """#include "shared.h"
int value;
int other;
#define TWICE(x) ((x) + (x))
int plain(int *p) { return *p + value; }
int expanded(void) { return TWICE(value) + other; }
int from_header(void) { return bump(&other); }
"""
HEADER = """static inline int bump(int *p) { return ++*p; }
"""


def sites(probe, opener, library, work):
    tables = work / "tables"
    tables.unlink(missing_ok=True)
    subprocess.run([opener, library], check=True,
                   env=dict(os.environ, LD_PRELOAD=probe,
                            PROBE_TABLES=str(tables)))
    found = []
    for line in tables.read_text().splitlines():
        word, *fields = line.split("\t")
        if word != "site":
            continue
        site = dict(field.split("=", 1) for field in fields)
        found.append((site["function"], site["id"], site["anchor"]))
    return found


def main():
    build, probe, opener = sys.argv[1:]
    cc = f"{build}/fairlead-cc"
    failed = False
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        (work / "a.c").write_text(SOURCE)
        (work / "shared.h").write_text(HEADER)
        environment = dict(os.environ, FAIRLEAD_ROOT=directory)

        def make(name, *commands):
            for command in commands:
                subprocess.run([cc, "-O1", "-g", "-fPIC", *command], cwd=work,
                               check=True, env=environment)
            subprocess.run([cc, "-shared", f"{name}.o", "-o", f"{name}.so"],
                           cwd=work, check=True, env=environment)
            return sites(probe, opener, work / f"{name}.so", work)

        direct = make("direct", ["-c", "a.c", "-o", "direct.o"])
        ways = {
            "-fdirectives-only": make(
                "only",
                ["-E", "-fdirectives-only", "a.c", "-o", "only.i"],
                ["-fdirectives-only", "-c", "only.i", "-o", "only.o"]),
            "-E": make("full", ["-E", "a.c", "-o", "full.i"],
                       ["-c", "full.i", "-o", "full.o"]),
            "-save-temps": make("saved", ["-save-temps", "-c", "a.c", "-o",
                                          "saved.o"]),
        }
        for way, got in ways.items():
            for want, have in zip(direct, got, strict=True):
                same_id = want[1] == have[1]
                may_differ = way != "-fdirectives-only" and (
                    want[0] == "expanded")
                if want[2] != have[2] or not (same_id or may_differ):
                    print(f"{way}: {have} instead of {want}")
                    failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
