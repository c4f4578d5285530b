#!/usr/bin/env python3
"""Data races that `fairlead test` tells, and those that it must not.

usage: races_test.py --bin DIR --programs DIR SOURCE...

The comments of a program in programs/races say what is to be told about it:

    // RACES: none               nothing; the exit code is 0
    // RACES: low PLACE PLACE    one race of that severity, between these lines
    // ALL: info                 with --all, races of no higher severity
    // POSSIBLE: FILE            with --all, a race there is called possible
    // FIXED: none               as RACES, of the program NAME_fixed
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

arguments = argparse.ArgumentParser()
arguments.add_argument("--bin", required=True)
arguments.add_argument("--programs", required=True)
arguments.add_argument("sources", nargs="+")
options = arguments.parse_args()
FAIRLEAD = os.path.abspath(os.path.join(options.bin, "fairlead"))
PROGRAMS = os.path.abspath(options.programs)
EXECUTIONS = "40"


def run(*command):
    return subprocess.run([FAIRLEAD, *command], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)


def check(condition, what, *evidence):
    if condition:
        return
    print(f"not so: {what}")
    for each in evidence:
        print(each)
    sys.exit(1)


def campaign(program, *more, seed=1):
    """A campaign: its exit code and JSON."""
    if os.path.exists("s.db"):
        os.remove("s.db")
    finished = run("test", "--quiet", "--executions", EXECUTIONS, "--seed",
                   str(seed), "--store", "s.db", "--json", "s.json", *more,
                   "--", *program)
    # A task of clang's OpenMP may spin for another one where nobody sees it
    # (docs/reference/limits.md): such executions are cut.
    stuck = (finished.returncode == 4 and "team_clang" in program[0] and
             "spins in a loop without points" in finished.stdout)
    check(finished.returncode in (0, 1) or stuck,
          f"{program}: the campaign runs", finished.stdout, finished.stderr)
    with open("s.json", encoding="utf-8") as file:
        code = 0 if stuck else finished.returncode
        return code, json.load(file), finished.stdout


def places(finding):
    return sorted(f"{os.path.basename(site['file'])}:{site['line']}"
                  for site in finding["sites"])


def compare(name, wanted):
    for seed in (1, 7):
        code, result, text = campaign([f"{PROGRAMS}/{name}"], seed=seed)
        findings = result["findings"]
        if wanted == ["none"]:
            check(code == 0 and not findings, f"{name} {seed}: nothing is told",
                  text)
            continue
        check(code == 1, f"{name} {seed}: the exit code is 1", text)
        check(len(findings) == 1, f"{name} {seed}: one cause, one finding", text)
        finding = findings[0]
        check(finding["kind"] == "race" and finding["severity"] == wanted[0],
              f"{name} {seed}: its kind and severity", text)
        check(places(finding) == sorted(wanted[1:]),
              f"{name} {seed}: its places", text)
        check(finding["verdict"] == "confirmed", f"{name} {seed}: confirmed",
              text)
        check(result["ending"] == "budget", f"{name}: the search went on", text)


def source(path):
    name = os.path.splitext(os.path.basename(path))[0]
    with open(path, encoding="utf-8") as file:
        wanted = dict(re.findall(r"^// ([A-Z]+): (.*)$", file.read(), re.M))
    compare(name, wanted["RACES"].split())
    if "FIXED" in wanted:
        compare(f"{name}_fixed", wanted["FIXED"].split())
    if "ALL" not in wanted and "POSSIBLE" not in wanted:
        return
    code, result, text = campaign([f"{PROGRAMS}/{name}"], "--all")
    check(code == 0, f"{name}: --all does not change the exit code", text)
    severities = {finding["severity"] for finding in result["findings"]}
    check(severities <= {wanted.get("ALL")}, f"{name}: a remark at most", text)
    check(("ALL" in wanted) == bool(severities), f"{name}: it is told", text)
    for sentence in result["possible_races"]:
        check(wanted.get("POSSIBLE", "?") in sentence, f"{name}: {sentence}")
    check("POSSIBLE" not in wanted or result["possible_races"],
          f"{name}: what is possible is told", text)


def what_can_be_done():
    """With a race that was found."""
    count = f"{PROGRAMS}/plain_count"
    code, result, text = campaign([count])
    check(code == 1 and re.search(r"low, new: data race: main/\d writes hits at ",
                                  text) or "reads hits" in text,
          "both accesses are told", text)
    again = run("replay", "1", "--times", "5", "--store", "s.db")
    check(again.returncode == 1 and "5 of 5 showed the race of finding 1"
          in again.stderr, "it is repeated", again.stderr)
    shown = run("show", "1", "--store", "s.db").stdout
    check(len(re.findall(r"(read|write) hits", shown)) >= 2,
          "both accesses are drawn", shown)
    listed = run("bugs", "--store", "s.db").stdout
    check("data race" in listed, "it is listed", listed)
    code, _, text = campaign([count], "--fail-on", "medium")
    check(code == 0 and "low, new: data race" in text,
          "--fail-on decides the exit code alone", text)
    with open("quiet", "w", encoding="utf-8") as file:
        file.write("race */plain_count.c\nrace plain_count.c\n")
    code, result, text = campaign([count], "--suppressions", "quiet")
    check(code == 0 and not result["findings"], "it can be suppressed", text)
    code, result, text = campaign([count, "benign"])
    check(code == 0 and not result["findings"], "it can be declared", text)
    alone = run("run", "--quiet", "--", count)
    check(alone.returncode == 0, "run keeps its exit codes", alone.stderr)


with tempfile.TemporaryDirectory() as work:
    listed = [os.path.abspath(path) for path in options.sources]
    os.chdir(work)
    for each in listed:
        source(each)
    if any(path.endswith("plain_count.c") for path in listed):
        what_can_be_done()
