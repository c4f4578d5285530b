#!/usr/bin/env python3
"""Executions per second of a test of two threads with ten accesses each.

On one core: fresh processes, the fork server, and repetition in one process;
beside them a bare fork whose child takes as many page faults and does nothing
else. All in one run, in turns, the best of each, so that the ratios hold on a
machine that is not idle.

  bench/executions.py [--build DIR] [--rounds N]
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def measure(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                            check=True)
    return [float(word) for word in result.stdout.split()]


def compile_with(compiler, source, output):
    subprocess.run([compiler, "-O2", "-g", "-pthread", f"-I{HERE.parent}/include",
                    str(source), "-o", output], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path,
                        default=HERE.parent / "build")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rate = str(options.build / "bench" / "bench_rate")
    runtime = str(options.build / "lib" / "fairlead" / "libfairlead_rt.so")
    if not (options.build / "CMakeCache.txt").exists():
        sys.exit(f"executions.py: {options.build} is no build: build first "
                 "(scripts/test), or name the build directory with --build")
    subprocess.run(["cmake", "--build", options.build, "--target",
                    "bench_rate"], check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as scratch:
        program, explored = f"{scratch}/two_by_ten", f"{scratch}/explored"
        compilers = options.build / "bin"
        compile_with(str(compilers / "fairlead-cc"),
                     HERE / "programs" / "two_by_ten.c", program)
        compile_with(str(compilers / "fairlead-c++"),
                     HERE / "programs" / "two_by_ten_explored.cc", explored)
        # A bare child takes some faults of its own, ahead of our pages.
        faults = measure([rate, runtime, "fork", program, "100"])[1]
        own = measure([rate, "-", "bare", "0", "100"])[1]
        pages = str(max(0, round(faults - own)))
        best = dict.fromkeys(["fresh", "fork", "bare", "in-process"], 0.0)
        for _ in range(options.rounds):
            for name, command in {
                    "fresh": [rate, runtime, "fresh", program, "100"],
                    "fork": [rate, runtime, "fork", program, "1000"],
                    "bare": [rate, "-", "bare", pages, "1000"],
                    "in-process": [rate, runtime, "in-process", explored,
                                   "200000"]}.items():
                best[name] = max(best[name], measure(command)[0])
    print(f"fresh processes            {best['fresh']:10.0f} /s")
    print(f"fork server                {best['fork']:10.0f} /s"
          f"   ({faults:.0f} page faults each)")
    print(f"bare fork, as many faults  {best['bare']:10.0f} /s"
          f"   (the fork server has {best['fork'] / best['bare'] * 100:.0f} % of"
          " it)")
    print(f"in process                 {best['in-process']:10.0f} /s")


if __name__ == "__main__":
    main()
