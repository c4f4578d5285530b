#!/usr/bin/env python3
"""What `fairlead test` finds in the zoo, with its default strategy.

For each specimen: executions until the first finding, and how many predictions
of the first execution were forced. With --replays, each finding is repeated so
often from its schedule, on fibers and on kernel threads. With --twins, the fixed
twins run so many executions and must stay silent.

  bench/find.py [--build DIR] [--time S] [--replays N] [--twins N] [NAMES]
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


REPEATED = re.compile(r"(\d+) of (\d+) failed like finding")


def replays(fairlead, store, times):
    """How many repetitions on either carrier failed the same way."""
    same = 0
    for carrier in ("fiber", "thread"):
        result = subprocess.run(
            [fairlead, "replay", "1", "--store", store, "--times", str(times),
             "--carrier", carrier], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            errors="replace")
        counts = REPEATED.search(result.stderr)
        same += int(counts[1]) if counts else 0
    return same


def campaign(fairlead, program, arguments, times=0):
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "report.json"
        result = subprocess.run(
            [fairlead, "test", "--quiet", "--store", f"{scratch}/store.db",
             "--json", str(report), *arguments, "--", program],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        answer = json.loads(report.read_text()) if report.exists() else {}
        if times and result.returncode == 1:
            answer["repeated"] = replays(fairlead, f"{scratch}/store.db", times)
        return result.returncode, answer


def failures(report):
    """Findings that count here: a race of which nothing came does not."""
    return [each for each in report.get("findings", [])
            if each["severity"] in ("medium", "high")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--build", type=pathlib.Path,
                        default=HERE.parent / "build")
    parser.add_argument("--time", type=int, default=60)
    parser.add_argument("--replays", type=int, default=0)
    parser.add_argument("--twins", type=int, default=0)
    options = parser.parse_args()
    fairlead = str(options.build / "bin" / "fairlead")
    names = options.names or sorted(
        path.parent.name for path in (HERE.parent / "zoo").glob("*/manifest.toml"))
    found = silent = repeated = 0
    print(f"{'bug':22}{'found':16}{'in execution':>13}{'predicted':>10}"
          f"{'realised':>9}  twin")
    for name in names:
        directory = options.build / "zoo" / name
        code, bug = campaign(fairlead, str(directory / "bug"),
                             ["--time", f"{options.time}s", "--fail-on",
                              "medium"], options.replays)
        findings = failures(bug)
        found += code == 1
        kind = findings[0]["kind"] if findings else "no"
        first = findings[0]["first_execution"] if findings else "-"
        line = (f"{name:22}{kind:16}{first:>13}{bug.get('predicted', 0):>10}"
                f"{bug.get('realised', 0):>9}")
        if options.replays and findings:
            line += f"  replayed {bug['repeated']}/{2 * options.replays}"
            repeated += bug["repeated"] == 2 * options.replays
        if options.twins:
            code, twin = campaign(fairlead, str(directory / "fixed"),
                                  ["--executions", str(options.twins)])
            silent += code == 0
            line += ("  silent in " if code == 0 else f"  EXIT {code} after ")
            line += str(twin.get("executions"))
        print(line, flush=True)
    print(f"found {found} of {len(names)}"
          + (f"; {repeated} replayed every time" if options.replays else "")
          + (f"; {silent} twins silent" if options.twins else ""))


if __name__ == "__main__":
    sys.exit(main())
