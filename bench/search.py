#!/usr/bin/env python3
"""How many executions strategies need until hard programs fail.

Programs of bench/search/programs by strategies: the mean number of executions
until the first failure over the seeds, or, where not every seed found it within
the limit, how many did (and the mean with the limit counted for the others).
`plain` are executions without us, how many of them failed.

  bench/search.py [--build DIR] [--seeds N] [--limit N] [--auto-limit N]
                  [--programs A,B] [--strategies A,B] [--json FILE]

The full form (20 seeds, 20,000 executions) takes hours on a small machine;
`--seeds 5 --limit 500` takes minutes.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = [  # name, source, arguments
    ("order-20", "order.c", ["20"]),
    ("order-100", "order.c", ["100"]),
    ("preempt-3", "preempt_3.c", []),
    ("preempt-5", "preempt_5.c", []),
    ("spin", "spin.c", []),
    ("steal", "steal.c", []),
    ("stack-aba", "stack_aba.c", []),
    ("philosophers", "philosophers.c", []),
    ("deep", "deep.c", []),
]
STRATEGIES = ["random", "pct:1", "pct:2", "pct:3", "pctlarge", "randdelay",
              "pos", "surw", "chess", "auto"]
PLAIN_RUNS = 200


def options():
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0])
    parser.add_argument("--build", default=HERE.parent / "build",
                        type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--limit", type=int, default=2000,
                        help="executions of single strategies (2000)")
    parser.add_argument("--auto-limit", type=int, default=20000,
                        help="executions of auto (20000)")
    parser.add_argument("--programs", help="names, with commas between")
    parser.add_argument("--strategies", help="names, with commas between")
    parser.add_argument("--json", type=pathlib.Path)
    return parser.parse_args()


def chosen(names, all_of_them, what):
    if names is None:
        return all_of_them
    known = {name if isinstance(name, str) else name[0]: name
             for name in all_of_them}
    unknown = [name for name in names.split(",") if name not in known]
    if unknown and what == "program":
        sys.exit(f"search.py: no program called {unknown[0]}")
    return [known.get(name, name) for name in names.split(",")]


def build(build_dir, where, source):
    binary = where / source.removesuffix(".c")
    subprocess.run([build_dir / "bin/fairlead-cc", "-O1", "-g", "-pthread",
                    HERE / "search/programs" / source, "-o", binary],
                   check=True)
    return binary


def plain(command):
    """How many executions without us failed."""
    failed = 0
    for _ in range(PLAIN_RUNS):
        try:
            result = subprocess.run(command, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL, timeout=2)
            failed += result.returncode != 0
        except subprocess.TimeoutExpired:
            failed += 1
    return f"{failed}/{PLAIN_RUNS}"


def measure(build_dir, strategy, seeds, limit, command):
    """Executions to the first failure for each seed; 0 = none within limit."""
    result = subprocess.run(
        [build_dir / "bench/search_driver",
         build_dir / "lib/fairlead/libfairlead_rt.so", strategy, "1",
         str(seeds), str(limit), "--", *command],
        stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"search.py: {strategy} on {command[0]} failed")
    return [int(line.split()[0]) for line in result.stdout.splitlines()]


def cell(executions, limit):
    found = [number for number in executions if number != 0]
    mean = (sum(found) + limit * (len(executions) - len(found))) \
        / len(executions)
    if len(found) == len(executions):
        return mean, f"{mean:.1f}" if mean < 100 else f"{mean:.0f}"
    return mean, f"{len(found)}/{len(executions)} ({mean:.0f})"


def main():
    args = options()
    programs = chosen(args.programs, PROGRAMS, "program")
    strategies = chosen(args.strategies, STRATEGIES, "strategy")
    subprocess.run(["ninja", "-C", args.build, "search_driver"], check=True,
                   stdout=subprocess.DEVNULL)
    print("| program | plain | " + " | ".join(strategies) + " | auto/best |")
    print("|---" * (len(strategies) + 3) + "|")
    rows = {}
    with tempfile.TemporaryDirectory() as directory:
        for name, source, arguments in programs:
            binary = build(args.build, pathlib.Path(directory), source)
            command = [os.fspath(binary), *arguments]
            texts, means = [plain(command)], {}
            for strategy in strategies:
                limit = args.auto_limit if strategy == "auto" else args.limit
                # A systematic search has no seed.
                seeds = 1 if strategy.startswith("chess") else args.seeds
                executions = measure(args.build, strategy, seeds, limit,
                                     command)
                means[strategy], text = cell(executions, limit)
                texts.append(text)
            single = [mean for s, mean in means.items() if s != "auto"]
            ratio = "-"
            if "auto" in means and single:
                ratio = f"{means['auto'] / min(single):.1f}"
            print(f"| {name} | " + " | ".join(texts) + f" | {ratio} |",
                  flush=True)
            rows[name] = means
    if args.json:
        args.json.write_text(json.dumps(rows, indent=2) + "\n")


main()
