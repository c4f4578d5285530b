#!/usr/bin/env python3
"""What clang's ThreadSanitizer and Valgrind's Helgrind say about the zoo.

Each bug and its fixed twin is built for both, and run plainly --runs times.
*found*: runs of the bug in which the tool reported something or the program
failed; whether the report is about the bug is not judged. *twin*: runs of the
fixed twin in which it reported something: false reports. *seconds*: of all runs
of both. No schedule is controlled: that is the point of the comparison.

  bench/peers.py [--runs N] [--tool tsan|helgrind]... [--markdown] [NAMES]
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ZOO = HERE.parent / "zoo"
LIMIT_S = 60  # a run that takes longer hangs
REPORT = 97   # an exit code that no specimen has

TOOLS = {
    "tsan": {
        "flags": ["-fsanitize=thread"],
        "through": [],
        "environment": {"TSAN_OPTIONS": f"exitcode={REPORT}:symbolize=0"},
        "sign": re.compile(r"WARNING: ThreadSanitizer"),
    },
    "helgrind": {
        "flags": [],
        "through": ["valgrind", "--tool=helgrind", "-q",
                    f"--error-exitcode={REPORT}"],
        "environment": {},
        "sign": re.compile(r"^==\d+== (Possible data race|Thread #\d+:|"
                           r"Exiting thread still holds)", re.MULTILINE),
    },
}


def build(name, which, tool, out):
    source = ZOO / name / f"{which}.c"
    compiler = "clang-19"
    if not source.exists():
        source = ZOO / name / f"{which}.cc"
        compiler = "clang++-19"
    subprocess.run([compiler, "-O1", "-g", "-pthread", *tool["flags"],
                    str(source), "-o", str(out), "-lm"], check=True)


def run(program, tool):
    """Whether the tool reported something, and whether the program failed."""
    environment = dict(os.environ, **tool["environment"])
    try:
        result = subprocess.run(
            [*tool["through"], str(program)], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            errors="replace", env=environment, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return False, True
    reported = (result.returncode == REPORT or
                tool["sign"].search(result.stderr) is not None)
    return reported, result.returncode not in (0, REPORT)


def row(name, tool, runs, directory):
    counts = {}
    seconds = 0.0
    for which in ("bug", "fixed"):
        program = pathlib.Path(directory) / f"{name}-{which}"
        build(name, which, tool, program)
        start = time.monotonic()
        results = [run(program, tool) for _ in range(runs)]
        counts[which] = (sum(reported for reported, _ in results),
                         sum(failed for _, failed in results),
                         sum(reported or failed for reported, failed in results))
        seconds += time.monotonic() - start
    return counts["bug"], counts["fixed"], seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--tool", action="append", choices=sorted(TOOLS))
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    names = options.names or sorted(
        path.parent.name for path in ZOO.glob("*/manifest.toml"))
    for word in options.tool or sorted(TOOLS):
        found = false = 0
        total = 0.0
        if options.markdown:
            print("| specimen | runs with a report | failed | twin: runs with "
                  f"a report | seconds | ({word})\n|---|---|---|---|---|")
        with tempfile.TemporaryDirectory() as directory:
            for name in names:
                bug, twin, seconds = row(name, TOOLS[word], options.runs,
                                         directory)
                found += bug[2] != 0
                false += twin[0] != 0
                total += seconds
                if options.markdown:
                    print(f"| {name} | {bug[0]} | {bug[1]} | {twin[0]} | "
                          f"{seconds:.1f} |", flush=True)
                else:
                    print(f"{word:9}{name:24}{bug[0]:4}{bug[1]:4}{twin[0]:4}"
                          f"{seconds:8.1f}", flush=True)
        print(f"{word}: something reported or failed in {options.runs} runs of "
              f"{found} of {len(names)} bugs; false reports on {false} twins; "
              f"{total:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
