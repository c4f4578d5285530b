#!/usr/bin/env python3
"""What an instrumented program costs when nobody watches it.

Builds each kernel natively, with fairlead-cc and with clang's ThreadSanitizer,
all at -O2, runs them in turn and prints the ratio of the best times to native.
One run measures all, because machines are noisy: trust the ratios.

  bench/idle.py [--build DIR] [--rounds N]
"""

import argparse
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = ["lu", "fft", "barnes", "lz"]
CLANG = os.environ.get("FAIRLEAD_CLANG", "clang-19")


def variants(build):
    return {
        "native": [CLANG],
        "instrumented": [str(build / "bin" / "fairlead-cc")],
        "tsan": [CLANG, "-fsanitize=thread"],
    }


def seconds(command, environment):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path,
                        default=HERE.parent / "build")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    if not (options.build / "bin" / "fairlead-cc").exists():
        sys.exit(f"idle.py: no bin/fairlead-cc in {options.build}: build first "
                 "(scripts/test), or name the build directory with --build")

    environment = dict(os.environ, TSAN_OPTIONS="report_bugs=0")
    ratios = {name: [] for name in variants(options.build)}
    print(f"{'kernel':8}{'native ms':>12}{'instrumented':>14}{'tsan':>8}")
    with tempfile.TemporaryDirectory() as scratch:
        for kernel in KERNELS:
            best = {}
            programs = {}
            for name, compiler in variants(options.build).items():
                programs[name] = f"{scratch}/{kernel}-{name}"
                subprocess.run(
                    compiler + ["-O2", "-g", str(HERE / "kernels" / f"{kernel}.c"),
                                "-o", programs[name], "-pthread", "-lm"],
                    check=True)
            for _ in range(options.rounds):
                for name, program in programs.items():
                    spent = seconds([program], environment)
                    best[name] = min(best.get(name, spent), spent)
            for name, spent in best.items():
                ratios[name].append(spent / best["native"])
            print(f"{kernel:8}{best['native'] * 1e3:12.1f}"
                  f"{ratios['instrumented'][-1]:13.2f}x"
                  f"{ratios['tsan'][-1]:7.1f}x")
    means = {name: math.exp(sum(map(math.log, values)) / len(values))
             for name, values in ratios.items()}
    print(f"{'geometric mean':20}{means['instrumented']:13.2f}x"
          f"{means['tsan']:7.1f}x")


if __name__ == "__main__":
    main()
