#!/usr/bin/env python3
"""Maple's Table 2 on the zoo: executions and time until the first failure.

  bench/maple_find.py [--strategies A,B] [--seeds N] [--limit N] --out FILE [BUGS]
      runs `fairlead test` with each strategy and seed, each with a store of its
      own, until the first finding or so many executions; adds to FILE, and
      leaves out what FILE has already.
  bench/maple_find.py --table FILE…
      prints the medians of the seeds as Markdown.

`chess` has no seed and runs once. Of `maple`, profile and test executions are
told apart; the reference execution counts as a profile.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
STRATEGIES = ["auto", "maple", "pct:3", "pctlarge", "randdelay", "chess"]


def bugs():
    """Those that can fail."""
    names = []
    for manifest in sorted((HERE.parent / "zoo").glob("*/manifest.toml")):
        if 'failure = "none"' not in manifest.read_text():
            names.append(manifest.parent.name)
    return names


def one(options, name, strategy, seed):
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "report.json"
        subprocess.run(
            [options.build / "bin" / "fairlead", "test", "--quiet",
             "--strategy", strategy, "--seed", str(seed), "--executions",
             str(options.limit), "--store", f"{scratch}/store.db", "--json",
             str(report), "--", options.build / "zoo" / name / "bug"],
            stdin=subprocess.DEVNULL, capture_output=True)
        answer = json.loads(report.read_text())
    # A race of which nothing came is no failure.
    first = [each["first_execution"] for each in answer["findings"]
             if each["severity"] in ("medium", "high")]
    shares = {each["strategy"]: each["executions"]
              for each in answer.get("shares", [])}
    return {"bug": name, "strategy": strategy, "seed": seed,
            "limit": options.limit, "found": min(first) if first else None,
            "executions": answer["executions"], "seconds": answer["seconds"],
            "forced": shares.get("iroot-force")}


def run(options):
    known = []
    if options.out.exists():
        known = [json.loads(line)
                 for line in options.out.read_text().splitlines()]
    have = {(each["bug"], each["strategy"], each["seed"]) for each in known}
    with options.out.open("a") as out:
        for strategy in options.strategies.split(","):
            seeds = 1 if strategy.startswith("chess") else options.seeds
            for name in options.names or bugs():
                for seed in range(1, seeds + 1):
                    if (name, strategy, seed) in have:
                        continue
                    out.write(json.dumps(one(options, name, strategy, seed))
                              + "\n")
                    out.flush()


def cell(results):
    """The median, and the median of the seconds of those that found it."""
    beyond = 10 ** 9
    median = statistics.median(
        beyond if each["found"] is None else each["found"] for each in results)
    if median >= beyond / 2:
        found = sum(each["found"] is not None for each in results)
        return f"{found}/{len(results)}" if found else "-"
    seconds = statistics.median(each["seconds"] for each in results
                                if each["found"] is not None)
    text = f"{median:.0f}"
    if results[0]["strategy"] == "maple":
        forced = statistics.median(each["forced"] for each in results
                                   if each["found"] is not None)
        text = f"{max(0, median - forced):.0f} + {forced:.0f}"
    return f"{text} ({seconds:.2f} s)"


def table(options):
    results = {}
    for path in options.table:
        for line in path.read_text().splitlines():
            each = json.loads(line)
            results.setdefault((each["bug"], each["strategy"]), []).append(each)
    strategies = [each for each in STRATEGIES
                  if any(strategy == each for _, strategy in results)]
    print("| bug | " + " | ".join(strategies) + " |")
    print("|---|" + "---|" * len(strategies))
    within = {each: [0, 0, 0] for each in strategies}
    names = sorted({name for name, _ in results})
    for name in names:
        cells = []
        for strategy in strategies:
            those = results.get((name, strategy), [])
            cells.append(cell(those) if those else "")
            median = statistics.median(
                [10 ** 9 if each["found"] is None else each["found"]
                 for each in those] or [10 ** 9])
            for i, bound in enumerate((25, 200, 10 ** 8)):
                within[strategy][i] += median <= bound
        print(f"| {name} | " + " | ".join(cells) + " |")
    for i, text in enumerate(("within 25", "within 200", "found")):
        print(f"| *{text}, of {len(names)}* | " + " | ".join(
            str(within[each][i]) for each in strategies) + " |")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--build", type=pathlib.Path,
                        default=HERE.parent / "build")
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--limit", type=int, default=500)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    if options.table:
        table(options)
    elif options.out:
        run(options)
    else:
        parser.error("--out or --table")


if __name__ == "__main__":
    sys.exit(main())
