#!/usr/bin/env python3
"""Repeats every test program of the runtime with one seed and compares digests.

Events and schedule must be the same in all repetitions, and the same on fibers
and on kernel threads.

  bench/determinism.py [--build DIR] [--fibers 500] [--threads 50] [--seed 7]

Left out: what is cut by a wall clock (time_limit) or creates thousands of
threads (thread_limit, thread_sequence), for time; shared_between_processes
races with a real process and is shown for what it is.
"""

import argparse
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LEFT_OUT = {"time_limit", "thread_limit", "thread_sequence"}
LINE = re.compile(r"digests (\w+) (\w+) carrier (\w+);.* (\d+) of (\d+) differ")


def programs(folder):
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.stat().st_mode & 0o111 and not path.suffix:
            if path.name not in LEFT_OUT:
                yield path


def repeat(build, program, carrier, times, seed):
    """(digests, how many differ), or None if it could not be run."""
    command = [build / "tests/runtime/runtime_launch",
               build / "lib/fairlead/libfairlead_rt.so", "--trace",
               "--carrier", carrier, "--seed", str(seed), "--repeat",
               str(times), "--", program]
    result = subprocess.run([str(part) for part in command],
                            stdin=subprocess.DEVNULL, capture_output=True,
                            errors="replace", text=True)
    found = LINE.search(result.stdout)
    return ((found[1], found[2]), int(found[4])) if found else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path,
                        default=HERE.parent / "build")
    parser.add_argument("--fibers", type=int, default=500)
    parser.add_argument("--threads", type=int, default=50)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    folder = options.build / "tests/runtime/programs"
    if not folder.exists():
        sys.exit(f"determinism.py: no tests/runtime/programs in "
                 f"{options.build}: build first (scripts/test)")
    same = different = 0
    for program in programs(folder):
        fiber = repeat(options.build, program, "fiber", options.fibers,
                       options.seed)
        thread = repeat(options.build, program, "thread", options.threads,
                        options.seed)
        name = program.relative_to(folder)
        if fiber is None or thread is None:
            print(f"{name}: could not be run")
            different += 1
        elif fiber[1] or thread[1] or fiber[0] != thread[0]:
            print(f"{name}: fibers {fiber[1]} of {options.fibers} differ, "
                  f"threads {thread[1]} of {options.threads}, carriers "
                  f"{'agree' if fiber[0] == thread[0] else 'DISAGREE'}")
            different += 1
        else:
            same += 1
    print(f"{same} programs the same in all {options.fibers} + "
          f"{options.threads} executions, {different} not")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
