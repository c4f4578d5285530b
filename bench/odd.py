#!/usr/bin/env python3
"""Odd programs under control: do they do what they always do?

Builds each program of bench/odd with clang and with fairlead-cc, by the flags in
its comments, and runs the plain one. Then, of the other one: executions with
several seeds, whose output and exit code must be those of the plain run; one
of them kept as a schedule and replayed many times, with the same demand; and
`fairlead test` for a few seconds, which must find nothing, since nothing is wrong.

  bench/odd.py [--build DIR] [--seeds N] [--replays N] [--time SECONDS] [NAME…]

Comments in a program: FLAGS (of the compiler), ALSO (flags of a second build of
the same file, and its name), EXIT (its exit code, if not 0), UNKNOWN (what
must be said of it, since nobody can know: a program that becomes another).
Exit code 0: all was equal, nothing was found; 1 otherwise.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 20  # seconds for one execution, many times what any of them takes

Program = collections.namedtuple("Program", "path flags also exit unknown")


def read_program(path):
    """What the comments of a program say."""
    said = {}
    for line in path.read_text().split("\n"):
        if line.startswith("// ") and ": " in line:
            key, value = line[3:].split(": ", 1)
            said[key] = value
    also = said.get("ALSO")
    return Program(path, said.get("FLAGS", "").split(), also and also.split(),
                   int(said.get("EXIT", "0")), said.get("UNKNOWN"))


def build(program, compilers, to):
    """The program, built below `to`."""
    compiler = compilers[program.path.suffix]
    result = to / program.path.stem
    common = [compiler, "-g", "-pthread", "-w", str(program.path)]
    subprocess.run([*common, "-o", str(result), *program.flags], check=True)
    if program.also:
        *flags, name = program.also
        subprocess.run([*common, "-o", str(to / name), *flags], check=True)
    return str(result)


def run(command, cwd):
    """Exit code, standard output, standard error; as a dead one if it hangs."""
    process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        out, errors = process.communicate(timeout=2 * LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        out, errors = process.communicate()
        errors += b"\nno end in twice the limit"
    return process.returncode, out, errors.decode(errors="replace")


def last_line(text):
    return (text.strip().split("\n") or [""])[-1]


class Check:
    """One program: what went wrong, and the cells of its row."""

    def __init__(self, program, options, scratch):
        self.program = program
        self.options = options
        self.scratch = scratch
        self.fairlead = str(pathlib.Path(options.build) / "bin" / "fairlead")
        self.wrong = []
        compilers = {".c": f"{self.fairlead}-cc", ".cc": f"{self.fairlead}-c++"}
        plainly = {".c": "clang-19", ".cc": "clang++-19"}
        for name in ("plain", "ours"):
            (scratch / name).mkdir()
        self.plain = build(program, plainly, scratch / "plain")
        self.ours = build(program, compilers, scratch / "ours")
        code, self.expected, errors = run([self.plain], scratch)
        if code != program.exit:
            self.wrong.append(f"plain: exit code {code}: {last_line(errors)}")

    def controlled(self, *arguments):
        """Whether an execution is as the plain one; else why not."""
        code, out, errors = run(
            [self.fairlead, "run", "--quiet", "--timeout", str(LIMIT),
             "--ok-exit", str(self.program.exit), *arguments, "--", self.ours],
            self.scratch)
        unknown = self.program.unknown
        known = code == 4 and unknown in errors if unknown else code == 0
        if known and out == self.expected:
            return ""
        same = "same" if out == self.expected else "other"
        return f"exit code {code}, {same} output: {last_line(errors)}"

    def times(self, what, runs):
        """How many of the runs were as the plain one, as text."""
        whys = [self.controlled(*arguments) for arguments in runs]
        for number, why in enumerate(whys):
            if why:
                self.wrong.append(f"{what} {number + 1}: {why}")
        return f"{whys.count('')} of {len(whys)}"

    def search(self):
        """What `fairlead test` says, as text."""
        report = self.scratch / "report.json"
        code, out, errors = run(
            [self.fairlead, "test", "--time", f"{self.options.time}s",
             "--keep-going", "--store", str(self.scratch / "store.db"),
             "--ok-exit", str(self.program.exit), "--json", str(report), "--",
             self.ours], self.scratch)
        if code == 0:
            executions = json.loads(report.read_text())["executions"]
            return f"nothing in {executions}"
        said = out.decode(errors="replace") + errors
        unknown = self.program.unknown
        if code == 4 and unknown is not None and unknown in said:
            return f"unknown: {unknown}"
        self.wrong.append(f"test: exit code {code}: {said.strip()}")
        return f"exit code {code}"

    def row(self):
        options = self.options
        seeds = range(1, options.seeds + 1)
        equal = self.times("seed", [["--seed", str(seed)] for seed in seeds])
        schedule = str(self.scratch / "schedule")
        self.controlled("--seed", "1", "--schedule-out", schedule)
        replayed = self.times(
            "replay", [["--schedule", schedule]] * options.replays)
        return [self.program.path.stem, equal, replayed, self.search()]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--build", default=str(HERE.parent / "build"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--replays", type=int, default=20)
    parser.add_argument("--time", type=int, default=3,
                        help="seconds of fairlead test")
    options = parser.parse_args()
    paths = {path.stem: path for path in sorted((HERE / "odd").glob("*.c*"))}
    for name in options.names:
        if name not in paths:
            parser.error(f"no program called '{name}'")
    # Words that a sanitizer or a locale of the user's would add.
    os.environ["LC_ALL"] = "C"
    bad = []
    begin = time.monotonic()
    for name in options.names or paths:
        with tempfile.TemporaryDirectory() as scratch:
            check = Check(read_program(paths[name]), options,
                          pathlib.Path(scratch))
            row = check.row()
        print("{:24} {:>8}  {:>8}  {}".format(*row), flush=True)
        for line in check.wrong[:3]:
            print(f"    {line}", flush=True)
        bad += [name] if check.wrong else []
    count = len(options.names or paths)
    print(f"{count - len(bad)} of {count} as the plain run, "
          f"{time.monotonic() - begin:.0f} s")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
