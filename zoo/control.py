"""Runs specimens: plainly, under strategies, and along stored schedules."""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

# A plain run that takes longer hangs; the longest sleeps 300 ms.
HANG_S = 10

# Exit codes of ours that say nothing about the program.
BROKEN = (2, 3, 70)

# Lines of a schedule that name the machine it was recorded on.
PRIVATE = {
    "program": "program: bug",
    "build": "build: - bug",
    "argv": "argv: bug",
    "environment": "environment: 0x0",
    "stdin": "stdin: -",
}


class Verdict:
    """What one controlled execution came to."""

    def __init__(self, code, report):
        self.code = code
        self.word = report.get("verdict", "none")
        self.message = report.get("message", "")
        self.points = report.get("points", 0)
        self.steps = report.get("steps", 0)

    @property
    def failed(self):
        return self.code == 1

    @property
    def passed(self):
        return self.code == 0


def execute(build, program, options):
    """One `fairlead run`."""
    done = subprocess.run(
        [f"{build}/bin/fairlead", "run", "--json", "--max-steps", "2000000",
         "--timeout", "60", *options, "--", program],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, errors="replace")
    if done.returncode in BROKEN:
        raise RuntimeError(f"{program}: {done.stderr.strip()}")
    report = {}
    for line in done.stderr.splitlines():
        if line.startswith('{"command"'):
            report = json.loads(line)
    return Verdict(done.returncode, report)


def plain_failures(program, runs, jobs=1):
    """How many plain runs fail. They run one after the other unless told."""

    def fails(_):
        try:
            done = subprocess.run([program], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, timeout=HANG_S)
            return done.returncode != 0
        except subprocess.TimeoutExpired:
            return True

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return sum(pool.map(fails, range(runs)))


class Search:
    """Executions of a bug, seed after seed, until it fails."""

    def __init__(self, build, specimen, strategy, first_seed=1):
        self.build = build
        self.program = specimen.program(build, "bug")
        self.strategy = strategy
        self.points = 0  # of the last execution
        self.seed = first_seed - 1
        self.executions = 0
        self.seconds = 0.0
        self.verdict = None  # of the execution that failed

    def _planned(self):
        """The strategy, told how long an execution is if it wants to know."""
        if self.strategy in ("pct", "pctlarge") and self.points > 0:
            return f"{self.strategy}:k={self.points}"
        return self.strategy

    def run(self, executions, seconds, schedule_out):
        """Whether it failed. The schedule is kept in the file."""
        begin = time.monotonic()
        while self.executions < executions:
            if time.monotonic() - begin > seconds:
                break
            self.seed += 1
            self.executions += 1
            verdict = execute(self.build, self.program,
                              ["--strategy", self._planned(), "--seed",
                               str(self.seed), "--schedule-out",
                               str(schedule_out)])
            self.points = verdict.points
            if verdict.failed:
                self.verdict = verdict
                break
        self.seconds = time.monotonic() - begin
        return self.verdict is not None


def replay(build, program, schedule, times, carrier="fiber"):
    """The verdicts of following a schedule so often."""
    return [execute(build, program, ["--schedule", str(schedule), "--force",
                                     "--carrier", carrier])
            for _ in range(times)]


def silent_executions(build, specimen, strategy, executions, first_seed=1):
    """(how many ran, the first that did not end well or None)."""
    program = specimen.program(build, "fixed")
    for seed in range(first_seed, first_seed + executions):
        verdict = execute(build, program, ["--strategy", strategy, "--seed",
                                           str(seed)])
        if not verdict.passed:
            return seed - first_seed + 1, (seed, verdict)
    return executions, None


def publish_schedule(recorded, stored):
    """Keeps a schedule without what is private to this machine."""
    lines = []
    for line in pathlib.Path(recorded).read_text().splitlines():
        key = re.match(r"([a-z]+):", line)
        lines.append(PRIVATE.get(key.group(1), line) if key else line)
    pathlib.Path(stored).write_text("\n".join(lines) + "\n")


def scratch_file():
    handle, path = tempfile.mkstemp(suffix=".sched")
    os.close(handle)
    return pathlib.Path(path)
