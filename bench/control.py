#!/usr/bin/env python3
"""What control and tracing cost.

Differences between a long and a short execution, so that starting a process
does not count: a scheduling point with a random choice, creating and joining a
thread, an event streamed to a process that reads it. Then the kernels: native,
under clang's ThreadSanitizer, and traced by us after one profiling execution
has set unshared sites idle, as an analysis gets it (without a digest, which only
comparisons need), once with a random choice at each point and once with one
thread going on as long as it can (`first`).

  bench/control.py [--build DIR] [--rounds N]
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
CLANG = os.environ.get("FAIRLEAD_CLANG", "clang-19")
RANDOM, FIRST = "1", "3"  # numbers of src/sched/strategies.inc
KERNELS = {"lu": ["2", "128", "16"], "fft": ["2", "12", "2"],
           "barnes": ["2", "256", "2"], "lz": ["262144", "1"]}


def best(command, rounds, environment=None):
    spent = []
    for _ in range(rounds):
        start = time.perf_counter()
        result = subprocess.run(command, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, env=environment,
                                text=True)
        spent.append(time.perf_counter() - start)
        if result.returncode != 0:
            sys.exit(f"control.py: {' '.join(command)}: exit code "
                     f"{result.returncode}\n{result.stderr}")
    return min(spent)


def compile_with(compiler, source, output):
    subprocess.run([*compiler, "-O2", "-g", str(source), "-o", output,
                    "-pthread", "-lm"], check=True)


def per_unit(make_command, small, large, units, rounds):
    """Seconds per unit between two sizes of one command."""
    difference = (best(make_command(large), rounds) -
                  best(make_command(small), rounds))
    return difference / (units(large) - units(small))


def costs(build, scratch, rounds):
    fairlead = str(build / "bin" / "fairlead")
    launch = [str(build / "tests" / "runtime" / "runtime_launch"),
              str(build / "lib" / "fairlead" / "libfairlead_rt.so")]
    instrumented = [str(build / "bin" / "fairlead-cc")]
    points, threads = f"{scratch}/points", f"{scratch}/create_join"
    compile_with(instrumented, HERE / "programs" / "points.c", points)
    compile_with(instrumented, HERE / "programs" / "create_join.c", threads)

    for number in (2, 4, 8):
        cost = per_unit(
            lambda n: [fairlead, "run", "--quiet", "--", points, str(number),
                       str(n)],
            20_000, 200_000, lambda n: 2 * n * number, rounds)
        print(f"point, random choice, {number} fibers   {cost * 1e9:8.1f} ns")
    cost = per_unit(lambda n: [fairlead, "run", "--quiet", "--", threads, str(n)],
                    1_000, 8_000, lambda n: n, rounds)
    print(f"create and join a fiber           {cost * 1e6:8.2f} us")

    def events(flags):
        return per_unit(
            lambda n: [*launch, *flags, "--no-digest", "--carrier", "fiber", "--strategy", FIRST,
                       "--steps", "1000000000", "--", points, "1", str(n)],
            100_000, 2_000_000, lambda n: 2 * n, rounds)
    traced, untraced = events(["--trace"]), events([])
    print(f"event, streamed and read          {(traced - untraced) * 1e9:8.1f}"
          " ns")


def kernels(build, scratch, rounds):
    fairlead = str(build / "bin" / "fairlead")
    quiet = dict(os.environ, TSAN_OPTIONS="report_bugs=0")
    print(f"\n{'kernel':8}{'native ms':>11}{'tsan':>9}{'traced, first':>16}"
          f"{'traced, random':>16}")
    for kernel, arguments in KERNELS.items():
        source = HERE / "kernels" / f"{kernel}.c"
        programs = {}
        for name, compiler in {"native": [CLANG],
                               "tsan": [CLANG, "-fsanitize=thread"],
                               "ours": [str(build / "bin" / "fairlead-cc")]
                               }.items():
            programs[name] = f"{scratch}/{kernel}-{name}"
            compile_with(compiler, source, programs[name])
        profile = f"{scratch}/{kernel}.profile"
        subprocess.run([fairlead, "run", "--quiet", "--profile-out", profile,
                        "--", programs["ours"], *arguments], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        launch = [str(build / "tests" / "runtime" / "runtime_launch"),
                  str(build / "lib" / "fairlead" / "libfairlead_rt.so"),
                  "--trace", "--no-digest", "--idle", profile, "--carrier", "fiber",
                  "--steps", "1000000000"]
        native = best([programs["native"], *arguments], rounds)
        row = f"{kernel:8}{native * 1e3:11.2f}"
        tsan = best([programs["tsan"], *arguments], rounds, quiet)
        row += f"{tsan / native:8.1f}x"
        for strategy in (FIRST, RANDOM):
            ours = best([*launch, "--strategy", strategy, "--",
                         programs["ours"], *arguments], rounds)
            row += f"{ours / native:15.1f}x"
        print(row)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path,
                        default=HERE.parent / "build")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if not (options.build / "bin" / "fairlead").exists():
        sys.exit(f"control.py: no bin/fairlead in {options.build}: build first "
                 "(scripts/test), or name the build directory with --build")
    with tempfile.TemporaryDirectory() as scratch:
        costs(options.build, scratch, options.rounds)
        kernels(options.build, scratch, options.rounds)


if __name__ == "__main__":
    main()
