#!/usr/bin/env python3
"""Is this build as fast as an older one?  Processor time, in alternating runs.

Each round runs the old build, the new one and the old one again, in an order
that turns from round to round, on the same work: executions of a search in the
fork server, executions of one that is traced and analysed, one long traced
execution. Of each round it takes new/old and old/old; printed are the geometric
means and their 95 % intervals (bootstrap over rounds). What old/old shows is
what this machine makes of nothing.

  bench/versus.py OLD_BUILD [--build DIR] [--rounds N] [--only WORK]

OLD_BUILD is the build directory of another tree, for instance of a worktree of
an earlier commit (scripts/build there).
"""

import argparse
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# The work: a program of ours, and what the tool does with it.  The number of
# executions is fixed, so time is all that differs.
SEARCH = ["test", "--no-predict", "--strategy", "surw", "--keep-going",
          "--seed", "1", "--quiet"]
WORK = {
    "search": ("programs/two_by_ten.c", [], SEARCH + ["--executions", "1500"]),
    "traced": ("programs/two_by_ten.c", [],
               ["test", "--strategy", "auto", "--keep-going", "--seed", "1",
                "--quiet", "--executions", "400"]),
    "long": ("kernels/fft.c", ["2", "15", "1"],
             ["run", "--seed", "1", "--trace", "TRACE"]),
    "predict": ("kernels/radix.c", ["2", "100000", "1"],
                ["predict", "--seed", "1"]),
}


def compiled(build, source, folder):
    program = folder / (build.parent.name + "-" + source.stem)
    subprocess.run([build / "bin" / "fairlead-cc", "-O2", "-g", "-pthread",
                    HERE / source, "-o", program, "-lm"], check=True)
    return program


def seconds(command, folder):
    """Processor time of the command and all its children."""
    for old in folder.glob("*.db"):
        old.unlink()
    with open(os.devnull, "wb") as nothing:
        process = subprocess.Popen(command, cwd=folder, stdout=nothing,
                                   stderr=subprocess.PIPE)
        words = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"versus.py: {' '.join(map(str, command))} ended with "
                 f"{process.returncode}:\n{words.decode(errors='replace')}")
    return usage.ru_utime + usage.ru_stime


def interval(ratios):
    """Geometric mean and a 95 % interval of it, by bootstrap."""
    logs = [math.log(ratio) for ratio in ratios]
    draw = random.Random(1)
    means = sorted(sum(draw.choices(logs, k=len(logs))) / len(logs)
                   for _ in range(4000))
    return [math.exp(x) for x in (sum(logs) / len(logs), means[100],
                                  means[3899])]


def compare(name, builds, rounds, folder):
    source, inputs, arguments = WORK[name]
    commands = []
    for build in builds:
        program = compiled(build, pathlib.Path(source), folder)
        stated = [str(folder / "t.trace") if word == "TRACE" else word
                  for word in arguments]
        # Both keep their findings, if any, in a store that each run begins anew.
        stored = ["--store", str(folder / "s.db")] if "test" in stated else []
        commands.append([build / "bin" / "fairlead", *stated, *stored, "--",
                         program, *inputs])
    old, new = commands
    runs = {"old": old, "new": new, "again": old}
    for command in (old, new):  # warms caches, and fails early
        seconds(command, folder)
    taken = {key: [] for key in runs}
    orders = [("old", "new", "again"), ("again", "new", "old"),
              ("new", "old", "again"), ("again", "old", "new")]
    for number in range(rounds):
        for key in orders[number % len(orders)]:
            taken[key].append(seconds(runs[key], folder))
    against = interval([n / o for n, o in zip(taken["new"], taken["old"])])
    same = interval([a / o for a, o in zip(taken["again"], taken["old"])])
    print(f"{name:10} new/old {against[0]:.3f} ({against[1]:.3f} to "
          f"{against[2]:.3f})   old/old {same[0]:.3f} ({same[1]:.3f} to "
          f"{same[2]:.3f})   {sum(taken['old']) / rounds:.2f} s a run",
          flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path,
                        default=HERE.parent / "build")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", choices=WORK, action="append")
    options = parser.parse_args()
    builds = [options.old.resolve(), options.build.resolve()]
    for build in builds:
        if not (build / "bin" / "fairlead").exists():
            sys.exit(f"versus.py: {build} has no bin/fairlead: build it first "
                     "(scripts/build in its tree)")
    print(f"processor time, {options.rounds} rounds; below 1 the new build is "
          "faster")
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.only or WORK:
            compare(name, builds, options.rounds, pathlib.Path(scratch))


if __name__ == "__main__":
    main()
