#!/usr/bin/env python3
"""iRoots on the zoo: what is predicted, exposed and forced, and what it finds.

  bench/maple.py recall [--executions N] [--seed N] [NAMES]
      Of the iRoots that any strategy exposes in N executions (shared among the
      strategies), how many were predicted; of those, how many the director
      exposes within 6 attempts. On the fixed twins.
  bench/maple.py growth [--executions N] [--svg FILE] [NAMES]
      iRoots exposed by strategies in the same number of executions, and in the
      same time as maple takes until it has nothing left to force.
  bench/maple.py find [--seeds N] [--limit N] [NAMES]
      Executions until the first failure, by strategy: the median of the seeds.

Common: --build DIR. Needs the target maple_driver.
"""

import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RECALL = ["stringbuffer", "bankaccount", "hashset", "linkedlist", "cache4j"]
SAMPLERS = ["random", "pos", "pct:3", "pctlarge", "surw", "randdelay"]
FIND = ["auto", "maple", "pct:3", "pctlarge", "randdelay", "chess"]
ATTEMPTS = 6


class Bench:
    def __init__(self, options):
        self.options = options
        self.driver = options.build / "bench" / "maple_driver"
        self.runtime = options.build / "lib" / "fairlead" / "libfairlead_rt.so"
        self.fairlead = options.build / "bin" / "fairlead"

    def program(self, name, which):
        return str(self.options.build / "zoo" / name / which)

    def watch(self, name, which, strategy, executions, seed):
        """Executions by which each iRoot was exposed, predicted ones, the first
        failure, executions and seconds."""
        text = subprocess.run(
            [self.driver, self.runtime, "watch", strategy, str(seed),
             str(executions), "--", self.program(name, which)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=True).stdout
        exposed, predicted, failure, end = {}, set(), None, (0, 0.0)
        for line in text.splitlines():
            kind, rest = line.split(" ", 1)
            if kind == "e":
                number, root = rest.split(" ", 1)
                exposed[root] = int(number)
            elif kind == "p":
                predicted.add(rest)
            elif kind == "f":
                failure = int(rest)
            elif kind == "n":
                number, seconds = rest.split()
                end = (int(number), float(seconds))
        return exposed, predicted, failure, end

    def force(self, name, which, roots, seed):
        text = subprocess.run(
            [self.driver, self.runtime, "force", str(seed), str(ATTEMPTS), "--",
             self.program(name, which)],
            input="".join(root + "\n" for root in sorted(roots)),
            capture_output=True, text=True, check=True).stdout
        reached = {}
        for line in text.splitlines():
            attempt, root = line.split(" ", 1)
            reached[root] = int(attempt)
        return reached


def percent(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "-"


def recall(bench, options):
    print(f"{'program':16}{'exposed':>9}{'predicted':>11}{'forced 1':>10}"
          f"{'forced 2-6':>12}{'exposed/predicted by idiom':>30}")
    share = max(1, options.executions // len(SAMPLERS))
    for name in options.names or RECALL:
        exposed = set()
        _, predicted, _, _ = bench.watch(name, "fixed", "maple", 10 ** 6,
                                         options.seed)
        for strategy in SAMPLERS:
            exposed |= set(bench.watch(name, "fixed", strategy, share,
                                       options.seed)[0])
        both = exposed & predicted
        reached = bench.force(name, "fixed", predicted, options.seed)
        simple = [root for root in both if root[0] == "1"]
        others = [root for root in both if root[0] != "1"]
        count = lambda roots: sum(reached.get(root, 0) != 0 for root in roots)
        rates = []
        for idiom in "123456":
            of_idiom = [root for root in predicted if root[0] == idiom]
            rates.append(percent(count(of_idiom), len(of_idiom)))
        print(f"{name:16}{len(exposed):>9}"
              f"{percent(len(both), len(exposed)):>11}"
              f"{percent(count(simple), len(simple)):>10}"
              f"{percent(count(others), len(others)):>12}"
              f"  {' '.join(rates)}", flush=True)


def growth(bench, options):
    strategies = ["maple", *SAMPLERS, "chess:2"]
    print(f"{'program':16}" + "".join(f"{each:>11}" for each in strategies)
          + "  executions")
    curves = {}
    for name in options.names or RECALL:
        exposed, _, _, (executions, _) = bench.watch(
            name, "fixed", "maple", options.executions, options.seed)
        row = {"maple": exposed}
        for strategy in strategies[1:]:
            row[strategy] = bench.watch(name, "fixed", strategy, executions,
                                        options.seed)[0]
        curves[name] = (row, executions)
        print(f"{name:16}" + "".join(f"{len(row[each]):>11}"
                                     for each in strategies)
              + f"{executions:>12}", flush=True)
    if options.svg:
        options.svg.write_text(svg(curves))


def svg(curves):
    """A panel for each program: iRoots exposed by executions."""
    colours = ["#0062a8", "#a83200", "#2e8b2e", "#8b2e8b", "#8b8b2e", "#2e8b8b",
               "#555555", "#bbbbbb"]
    width, height, margin = 320, 220, 36
    parts = []
    for index, (name, (row, executions)) in enumerate(curves.items()):
        left = index * width
        most = max(1, max(len(exposed) for exposed in row.values()))
        parts.append(f'<text x="{left + margin}" y="18">{name}</text>'
                     f'<path d="M{left + margin},{margin} V{height - margin} '
                     f'H{left + width - 8}" fill="none" stroke="#888"/>')
        for colour, (strategy, exposed) in zip(colours, row.items()):
            path = f"M{left + margin},{height - margin}"
            for count, at in enumerate(sorted(exposed.values()), 1):
                x = left + margin + (width - margin - 8) * at / executions
                y = height - margin - (height - 2 * margin) * count / most
                path += f" L{x:.1f},{y:.1f}"
            path += f" H{left + width - 8}"
            parts.append(f'<path d="{path}" fill="none" stroke="{colour}">'
                         f"<title>{strategy}</title></path>")
    legend = "".join(
        f'<text x="{margin + i * 90}" y="{height + 16}" fill="{colour}">{name}'
        "</text>" for i, (colour, name) in enumerate(
            zip(colours, next(iter(curves.values()))[0])))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" '
            f'width="{width * len(curves)}" height="{height + 30}" '
            f'font-family="sans-serif" font-size="12">'
            + "".join(parts) + legend + "</svg>\n")


def find(bench, options):
    names = options.names or sorted(
        path.parent.name
        for path in (HERE.parent / "zoo").glob("*/manifest.toml"))
    print(f"{'bug':20}" + "".join(f"{each:>11}" for each in FIND))
    within = collections.Counter()
    for name in names:
        cells = []
        for strategy in FIND:
            found = []
            for seed in range(1, options.seeds + 1):
                with tempfile.TemporaryDirectory() as scratch:
                    report = pathlib.Path(scratch) / "report.json"
                    subprocess.run(
                        [bench.fairlead, "test", "--quiet", "--strategy",
                         strategy, "--seed", str(1000 * seed), "--executions",
                         str(options.limit), "--store", f"{scratch}/store.db",
                         "--json", str(report), "--",
                         bench.program(name, "bug")],
                        stdin=subprocess.DEVNULL, capture_output=True)
                    answer = json.loads(report.read_text())
                    first = [each["first_execution"]
                             for each in answer["findings"]]
                    found.append(min(first) if first else options.limit + 1)
            median = statistics.median(found)
            cells.append(f"{median:.0f}" if median <= options.limit else "-")
            if median <= 25:
                within[strategy] += 1
        print(f"{name:20}" + "".join(f"{each:>11}" for each in cells),
              flush=True)
    print(f"{'within 25':20}" + "".join(f"{within[each]:>11}" for each in FIND))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["recall", "growth", "find"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--build", type=pathlib.Path,
                        default=HERE.parent / "build")
    parser.add_argument("--executions", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--limit", type=int, default=2000)
    parser.add_argument("--svg", type=pathlib.Path)
    options = parser.parse_args()
    bench = Bench(options)
    {"recall": recall, "growth": growth, "find": find}[options.what](bench,
                                                                     options)


if __name__ == "__main__":
    sys.exit(main())
