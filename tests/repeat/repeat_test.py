#!/usr/bin/env python3
"""Runs a program under `fairlead test` and holds it to its comments:

  // FINDS: assertion crash    kinds of findings, each once, for every seed,
                               other than low ones; nothing behind the colon:
                               none at all
                               without the line: whatever there is
  // SAYS: passed early        every finding's message has this
  // SAYS NOT: passed early    and none has this
  // OPTIONS: --executions 300 of `fairlead test`; without the line, no test
  // SEEDS: 3                  1 to this many; 2 unless told
  // RUNS: --timeout 8         instead of a test: `fairlead run` with these
                               options ends well, on both carriers, for every
                               seed
  // FOLLOWS: random surw      schedules of traced executions by these
                               strategies are followed by untraced ones, and
                               the other way round, for every seed

Every finding is confirmed, and repeated: from the store and from a schedule
file, on both carriers.
"""

import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

CARRIERS = ("fiber", "thread")


def wanted(source):
    """The comments, by key."""
    found = {}
    for line in source.read_text().splitlines():
        key, colon, value = line.removeprefix("// ").partition(":")
        if line.startswith("// ") and colon and key.replace(" ", "").isupper():
            found[key] = value.strip()
    return found


class Tool:
    def __init__(self, fairlead, program, directory):
        self.fairlead = fairlead
        self.program = program
        self.store = ["--store", f"{directory}/bugs.db"]
        self.directory = pathlib.Path(directory)

    def __call__(self, *words):
        done = subprocess.run([self.fairlead, *words], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout + done.stderr

    def test(self, seed, options):
        report = self.directory / "report.json"
        code, said = self("test", "--quiet", "--keep-going", "--seed",
                          str(seed), "--json", str(report), *self.store,
                          *shlex.split(options), "--", self.program)
        check(code in (0, 1), f"seed {seed}: exit code {code}", said)
        findings = json.loads(report.read_text())["findings"]
        return [each for each in findings if each["severity"] != "low"], said

    def repeats(self, finding):
        """What went wrong on the way; "" = nothing."""
        number = str(finding["id"])
        file = str(self.directory / "one.sched")
        self("show", number, *self.store, "--schedule-out", file)
        for carrier in CARRIERS:
            code, said = self("replay", number, *self.store, "--times", "2",
                              "--carrier", carrier)
            if code != 1:
                return f"replay {number} --carrier {carrier}: {code}\n{said}"
            code, said = self("run", "--quiet", "--carrier", carrier,
                              "--schedule", file, "--", self.program)
            if code != 1 or "diverged" in said:
                return f"run --schedule, --carrier {carrier}: {code}\n{said}"
        return ""


def check(holds, claim, said=""):
    if not holds:
        sys.exit(f"{claim}\n{said}")


def test(tool, seed, want):
    findings, said = tool.test(seed, want.get("OPTIONS", ""))
    kinds = sorted(finding["kind"] for finding in findings)
    check("FINDS" not in want or kinds == sorted(want["FINDS"].split()),
          f"seed {seed}: found {kinds}", said)
    for finding in findings:
        check(finding["verdict"] == "confirmed",
              f"seed {seed}: {finding['verdict']}", said)
        check(want.get("SAYS", "") in finding["message"],
              f"seed {seed}: does not say '{want.get('SAYS')}'", said)
        check(want.get("SAYS NOT", "\0") not in finding["message"],
              f"seed {seed}: says '{want.get('SAYS NOT')}'", said)
        problem = tool.repeats(finding)
        check(not problem, f"seed {seed}: {problem}", said)


def run(tool, seed, want):
    for carrier in CARRIERS:
        code, said = tool("run", "--quiet", "--seed", str(seed), "--carrier",
                          carrier, *shlex.split(want["RUNS"]), "--",
                          tool.program)
        check(code == 0, f"seed {seed}, {carrier}: exit code {code}", said)


def follow(tool, seed, want):
    trace = ["--trace", str(tool.directory / "one.trace")]
    file = str(tool.directory / "one.sched")
    for strategy in want["FOLLOWS"].split():
        for first, second in ((trace, []), ([], trace)):
            tool("run", "--quiet", "--strategy", strategy, "--seed", str(seed),
                 *first, "--schedule-out", file, "--", tool.program)
            code, said = tool("run", *second, "--schedule", file, "--",
                              tool.program)
            check(code == 0 and "diverged" not in said,
                  f"{strategy}, seed {seed}: traced "
                  f"{'first' if first else 'second'}: exit code {code}", said)


def main():
    fairlead, program, source = sys.argv[1:]
    want = wanted(pathlib.Path(source))
    for seed in range(1, int(want.get("SEEDS", "2")) + 1):
        with tempfile.TemporaryDirectory() as directory:
            tool = Tool(fairlead, program, directory)
            if "OPTIONS" in want:
                test(tool, seed, want)
            if "RUNS" in want:
                run(tool, seed, want)
            if "FOLLOWS" in want:
                follow(tool, seed, want)


main()
