#!/usr/bin/env python3
"""Edits a program mechanically and counts the anchors that survive.

usage: anchors_test.py BIN PROBE OPEN

Prints the share of the application's anchors that are found again after each
edit, and fails where it is below 95 %. An anchor counts as found only if no
two sites share it. What was lost is listed with PRINT_LOST=1.
"""

import os
import subprocess
import sys
import tempfile

from edits import EDITS

NEEDED = 0.95
HERE = os.path.dirname(os.path.abspath(__file__))


def sites_of(tools, text, level, scratch):
    """The application's sites, by anchor."""
    bin_dir, probe, opener = tools
    os.makedirs(scratch)
    source = os.path.join(scratch, "program.cc")
    library = os.path.join(scratch, "program.so")
    tables = os.path.join(scratch, "tables")
    with open(source, "w", encoding="utf-8") as out:
        out.write(text)
    # What the pass sees at a level is what the front end writes for it; what
    # the optimizer does later, and the code around accesses, leave the tables
    # as they are. Doing without both makes this test many times faster.
    bare = os.path.join(scratch, "program.bc")
    compiler = os.path.join(bin_dir, "fairlead-c++")
    env = {**os.environ, "FAIRLEAD_ROOT": scratch}
    subprocess.run([compiler, "--fairlead-off", "-g", "-fstandalone-debug",
                    "-fPIC", f"-O{level}", "-Xclang", "-disable-llvm-passes",
                    "-c", "-emit-llvm", source, "-o", bare],
                   check=True, env=env)
    subprocess.run([compiler, "-O0", "-g", "-mllvm", "-fairlead-accesses=false",
                    "-mllvm", "-fairlead-frames=false", "-mllvm",
                    "-fairlead-idle-copies=false", "-shared", "-fPIC", bare,
                    "-o", library], check=True, env=env)
    subprocess.run([opener, library], check=True,
                   env={**os.environ, "LD_PRELOAD": probe,
                        "PROBE_TABLES": tables})
    sites = {}
    with open(tables, encoding="utf-8") as rows:
        for row in rows:
            word, *fields = row.rstrip("\n").split("\t")
            site = dict(field.split("=", 1) for field in fields)
            if word == "site" and site["library"] == "0":
                sites.setdefault(site["anchor"], []).append(site)
    return sites


def main():
    tools = [os.path.abspath(path) for path in sys.argv[1:4]]
    with open(os.path.join(HERE, "program.cc"), encoding="utf-8") as source:
        text = source.read()
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        before = sites_of(tools, text, 0, os.path.join(scratch, "before"))
        shared = sum(len(sites) for sites in before.values()) - len(before)
        print(f"{len(before)} anchors, {shared} of them of more than one site")
        failures += shared > 0
        for number, (name, edit, level) in enumerate(EDITS):
            edited = edit(text)
            if edited == text and edit.__name__ != "unchanged":
                print(f"{name}: the edit found nothing to edit")
                failures += 1
                continue
            after = sites_of(tools, edited, level,
                             os.path.join(scratch, str(number)))
            lost = [site[0] for anchor, site in before.items()
                    if len(after.get(anchor, [])) != 1]
            share = 1 - len(lost) / len(before)
            verdict = "" if share >= NEEDED else "  TOO FEW"
            print(f"{share:7.1%}  {name}{verdict}")
            failures += share < NEEDED
            if os.environ.get("PRINT_LOST"):
                for site in lost:
                    print("      ", site["function"], site["line"],
                          site["column"], site["kind"], site["linkage"])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
