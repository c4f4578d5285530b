#!/usr/bin/env python3
"""Repeats every test program of the runtime with one seed and compares digests.

Events and schedule must be the same in all repetitions, and the same on fibers
and on kernel threads.  A program that hears from outside (the ids and ends of
child processes) cannot give them from a seed: its first execution is recorded,
and the others follow its schedule, which holds what it heard.

  bench/determinism.py [--build DIR] [--fibers 500] [--threads 50] [--seed 7]

Left out, for time: what is cut or looked at by a wall clock (time_limit,
outside_silent, spin_outside, blocked_*) or creates thousands of threads
(thread_limit, thread_sequence).  Shown for what they are:
shared_between_processes races with a real process, and clone_thread with threads
that are not ours to control.
"""

import argparse
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LEFT_OUT = {"time_limit", "outside_silent", "spin_outside", "blocked_unknown",
            "blocked_unseen", "blocked_for_ever", "thread_limit",
            "thread_sequence"}
LINE = re.compile(r"digests (\w+) (\w+) carrier (\w+);.* (\d+) of (\d+) differ")


def programs(folder):
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.stat().st_mode & 0o111 and not path.suffix:
            if path.name not in LEFT_OUT:
                yield path


def repeat(build, program, carrier, times, seed, follow=()):
    """(digests, how many differ), or None if it could not be run."""
    command = [build / "tests/runtime/runtime_launch",
               build / "lib/fairlead/libfairlead_rt.so", "--trace",
               "--carrier", carrier, "--seed", str(seed), "--repeat",
               str(times), *follow, "--", program]
    result = subprocess.run([str(part) for part in command],
                            stdin=subprocess.DEVNULL, capture_output=True,
                            errors="replace", text=True)
    found = LINE.search(result.stdout)
    return ((found[1], found[2]), int(found[4])) if found else None


def compare(options, program):
    """What differs between the executions of one seed, or None."""
    fiber = repeat(options.build, program, "fiber", options.fibers,
                   options.seed)
    thread = repeat(options.build, program, "thread", options.threads,
                    options.seed)
    if fiber is None or thread is None:
        return "could not be run"
    if not fiber[1] and not thread[1] and fiber[0] == thread[0]:
        return None
    return (f"fibers {fiber[1]} of {options.fibers} differ, threads "
            f"{thread[1]} of {options.threads}, carriers "
            f"{'agree' if fiber[0] == thread[0] else 'DISAGREE'}")


def differing_replays(options, program):
    """Whether a replay of a schedule differed, on its own or the other carrier."""
    for recorded in ("fiber", "thread"):
        for carrier, times in (("fiber", options.fibers),
                               ("thread", options.threads)):
            found = repeat(options.build, program, recorded, times,
                           options.seed, ("--follow", carrier))
            if found is None or found[1]:
                return True
    return False


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
    same = replayed = different = 0
    for program in programs(folder):
        name = program.relative_to(folder)
        complaint = compare(options, program)
        if not complaint:
            same += 1
        elif not differing_replays(options, program):
            print(f"{name}: from its schedule only", flush=True)
            replayed += 1
        else:
            print(f"{name}: {complaint}", flush=True)
            different += 1
    print(f"{same} programs the same in all {options.fibers} + "
          f"{options.threads} executions, {replayed} when they follow the "
          f"schedule of the first, {different} not")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
