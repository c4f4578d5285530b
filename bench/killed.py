#!/usr/bin/env python3
"""Kills `fairlead` with SIGKILL and looks for what it leaves behind.

The program that it runs has threads and, all the time, children and
grand-children. After each kill, every process of that execution must go away,
and no half-written file and no shared memory may stay.

    bench/killed.py [--times 200] [--seed 1] [--bin DIR] [--program FILE]

Prints a line with what was found; exit code 1 when something was left. With
`--fixed`, the moments are the same each time; otherwise they are drawn from the
first 400 milliseconds.
"""

import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def processes_with(marker):
    """The processes whose arguments hold the marker, zombies not counted."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                if marker.encode() in file.read():
                    found.append(int(entry))
        except OSError:
            continue  # it has just gone
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fixed", action="store_true")
    parser.add_argument("--bin", default=ROOT / "build" / "bin")
    parser.add_argument("--program",
                        default=ROOT / "build/tests/cli/programs/restless")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    shared_before = set(os.listdir("/dev/shm"))
    patience_s = 20  # for the kernel and the guardian, on a busy machine
    left = 0
    slowest_s = 0.0
    with tempfile.TemporaryDirectory() as directory:
        for i in range(options.times):
            marker = f"restless-{os.getpid()}-{i}"
            delay_s = 0.04 * i if options.fixed else rng.uniform(0, 0.4)
            tool = subprocess.Popen(
                [str(pathlib.Path(options.bin) / "fairlead"), "run", "--seed",
                 str(i + 1), "--trace", f"{directory}/{i}.trace",
                 "--", str(options.program), marker],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True)
            time.sleep(delay_s)
            tool.send_signal(signal.SIGKILL)
            tool.wait()
            killed_at = time.monotonic()
            while True:
                running = processes_with(marker)
                files = os.listdir(directory)
                waited_s = time.monotonic() - killed_at
                if not (running or files) or waited_s > patience_s:
                    break
                time.sleep(0.005)
            slowest_s = max(slowest_s, waited_s)
            if running or files:
                left += 1
                print(f"kill {i + 1} after {delay_s * 1000:.0f} ms left "
                      f"processes {running}, files {files}")
            for pid in running:
                os.kill(pid, signal.SIGKILL)
            for name in files:
                os.unlink(os.path.join(directory, name))
    shared = set(os.listdir("/dev/shm")) - shared_before
    print(f"{options.times} kills: {left} left something behind, "
          f"{len(shared)} new entries in /dev/shm; "
          f"all gone within {slowest_s * 1000:.0f} ms")
    return 1 if left or shared else 0


if __name__ == "__main__":
    sys.exit(main())
