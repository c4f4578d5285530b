#!/usr/bin/env python3
"""How fast the analyses read events, and how much memory they need.

A made-up program (bench/analysis/workload.h) of --events events through the
decoder and all analyses, and through parts of them. Processor time: a busy
machine still makes caches smaller.

  bench/throughput.py [--build DIR] [--events N]
"""

import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path,
                        default=HERE.parent / "build")
    parser.add_argument("--events", type=int, default=100_000_000)
    options = parser.parse_args()
    program = options.build / "bench" / "bench_throughput"
    subprocess.run(["cmake", "--build", options.build, "--target",
                    "bench_throughput"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, str(options.events)], check=True)
    for part in ("decode", "none", "race", "hybrid", "atomicity", "deadlock",
                 "condvar", "cancel"):
        result = subprocess.run([program, str(options.events // 10), part],
                                check=True, stdout=subprocess.PIPE, text=True)
        lines = [line for line in result.stdout.splitlines()
                 if line[:1].isdigit()]
        print(f"{part:10} {lines[-1].split()[1]} events/s")


if __name__ == "__main__":
    sys.exit(main())
