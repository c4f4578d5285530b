#!/usr/bin/env python3
"""iRoots on the zoo: what is predicted, exposed and forced, and what it finds.

  bench/maple.py recall [--executions N] [--seed N] [NAMES]
      Of the iRoots that any strategy exposes in N executions (shared among the
      strategies), how many were predicted; of those, how many the director
      exposes within 6 attempts. On the fixed twins.
  bench/maple.py growth [--executions N] [--seeds N] [--svg FILE] [NAMES]
      iRoots exposed by strategies in the same number of executions, and in
      brackets how many on average along the way. The mean of --seeds N. On the
      fixed twins.
  bench/maple.py cost [--rounds N] [NAMES]
      Seconds of kernels and of a server with its client, plain, and how many
      times that a profile takes, the first one, in which all sites tell, and a
      later one, and the director.

Without a word, all of them. Common: --build DIR. Needs the target maple_driver.
"""

import argparse
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
RECALL = ["stringbuffer", "bankaccount", "hashset", "linkedlist", "cache4j"]
GROWTH = ["bankaccount", "pigz-9ef658babd", "cherokee-326", "cache4j",
          "circularlist", "hashset", "memcached-127"]
SAMPLERS = ["random", "pos", "pct:3", "pctlarge", "surw", "randdelay"]
ATTEMPTS = 6


class Bench:
    def __init__(self, options):
        self.options = options
        self.driver = options.build / "bench" / "maple_driver"
        self.runtime = options.build / "lib" / "fairlead" / "libfairlead_rt.so"

    def program(self, name, which):
        return str(self.options.build / "zoo" / name / which)

    def watch(self, name, which, strategy, executions, seed):
        """Executions by which each iRoot was exposed."""
        text = subprocess.run(
            [self.driver, self.runtime, "watch", strategy, str(seed),
             str(executions), "--", self.program(name, which)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=True).stdout
        exposed = {}
        for line in text.splitlines():
            kind, rest = line.split(" ", 1)
            if kind == "e":
                number, root = rest.split(" ", 1)
                exposed[root] = int(number)
        return exposed

    def predict(self, name, which, seed):
        text = subprocess.run(
            [self.driver, self.runtime, "predict", str(seed), "--",
             self.program(name, which)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=True).stdout
        return set(text.splitlines())

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
    print("| program | exposed | predicted | forced, idiom 1 | others "
          "| exposed / predicted |")
    print("|---|---|---|---|---|---|")
    share = max(1, options.executions // len(SAMPLERS))
    for name in options.names or RECALL:
        exposed = set()
        predicted = bench.predict(name, "fixed", options.seed)
        for strategy in SAMPLERS:
            exposed |= set(bench.watch(name, "fixed", strategy, share,
                                       options.seed))
        both = exposed & predicted
        reached = bench.force(name, "fixed", predicted, options.seed)
        simple = [root for root in both if root[0] == "1"]
        others = [root for root in both if root[0] != "1"]
        count = lambda roots: sum(reached.get(root, 0) != 0 for root in roots)
        rates = []
        for idiom in "123456":
            of_idiom = [root for root in predicted if root[0] == idiom]
            rates.append(percent(count(of_idiom), len(of_idiom)))
        print(f"| {name} | {len(exposed)} "
              f"| {percent(len(both), len(exposed))} "
              f"| {percent(count(simple), len(simple))} "
              f"| {percent(count(others), len(others))} "
              f"| {', '.join(rates)} |", flush=True)


def growth(bench, options):
    strategies = ["auto", "maple", *SAMPLERS, "chess:2"]
    print("| program | " + " | ".join(strategies) + " |")
    print("|---|" + "---|" * len(strategies))
    curves = {}
    seeds = [options.seed + i for i in range(options.seeds)]
    for name in options.names or GROWTH:
        rows = {}
        for each in strategies:
            # What has no seed is the same every time.
            use = seeds[:1] if each.startswith("chess") else seeds
            rows[each] = [bench.watch(name, "fixed", each, options.executions,
                                      seed) for seed in use]
        curves[name] = (rows, options.executions)
        # How many, and how many of them on average so far.
        cells = []
        for each in strategies:
            runs = rows[each]
            count = sum(len(run) for run in runs) / len(runs)
            along = sum(area(run, options.executions) for run in runs) / len(runs)
            cells.append(f"{count:.1f} ({along:.1f})")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    if options.svg:
        options.svg.write_text(svg(curves))


def area(exposed, executions):
    return sum(executions + 1 - at for at in exposed.values()) / executions


KERNELS = {"fft": ["2", "12", "4"], "radix": ["2", "100000", "1"],
           "lu": ["2", "128", "16"], "lz": ["1000000", "1"], "pz": ["2", "8"]}
REQUESTS = 2000


def least(rounds, run):
    """Seconds of the fastest of so many."""
    seconds = []
    for _ in range(rounds):
        began = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def built(options, source, scratch):
    """The paths of a program, plain and for fairlead."""
    plain, program = f"{scratch}/{source.stem}-plain", f"{scratch}/{source.stem}"
    for compiler, output in (("clang-19", plain),
                             (options.build / "bin" / "fairlead-cc", program)):
        subprocess.run([compiler, "-O2", "-g", source, "-pthread", "-lm", "-o",
                        output], check=True)
    return plain, program


def cost_row(bench, options, name, plain_seconds, program, client=()):
    first, later, director, candidates = subprocess.run(
        [bench.driver, bench.runtime, "cost", str(options.seed),
         str(options.rounds), *client, "--", *program], check=True,
        capture_output=True, text=True).stdout.split()
    cells = [f"{float(each) / plain_seconds:.1f}" if float(each) else "-"
             for each in (first, later, director)]
    print(f"| {name} | {plain_seconds:.4f} | {' | '.join(cells)} "
          f"| {candidates} |", flush=True)


def free_port():
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return str(any_port.getsockname()[1])


def cost(bench, options):
    print("| program | plain, s | first profile | later profiles | director "
          "| candidates |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for name, arguments in KERNELS.items():
            if options.names and name not in options.names:
                continue
            plain, program = built(options, HERE / "kernels" / f"{name}.c", scratch)
            seconds = least(options.rounds, lambda: subprocess.run(
                [plain, *arguments], check=True, stdout=subprocess.DEVNULL))
            cost_row(bench, options, " ".join([name, *arguments]), seconds,
                     [program, *arguments])
        if not options.names or "http_server" in options.names:
            server_cost(bench, options, scratch)


def server_cost(bench, options, scratch):
    """Start, four clients in turn, stop."""
    plain, program = built(options, HERE / "programs" / "http_server.c", scratch)
    client, _ = built(options, HERE / "programs" / "http_client.c", scratch)
    port = free_port()
    ask = [client, port, str(REQUESTS)]

    def run():
        with subprocess.Popen([plain, port, "3"],
                              stdout=subprocess.DEVNULL) as server:
            subprocess.run(ask, check=True)
            server.wait()

    cost_row(bench, options, f"http_server, {REQUESTS} requests",
             least(options.rounds, run), [program, port, "3"], [" ".join(ask)])


def svg(curves):
    """A panel for each program, four in a row: iRoots exposed by executions."""
    colours = ["#0062a8", "#a83200", "#2e8b2e", "#8b2e8b", "#8b8b2e", "#2e8b8b",
               "#555555", "#bbbbbb", "#e0a000"]
    width, height, margin, across = 320, 220, 36, 4
    parts = []
    for index, (name, (row, executions)) in enumerate(curves.items()):
        left = index % across * width + margin
        right = left - margin + width - 8
        top = index // across * height
        bottom = top + height - margin
        most = max(1, max(len(run) for runs in row.values() for run in runs))
        parts.append(f'<text x="{left}" y="{top + 18}">{name}: {most} iRoots, '
                     f'{executions} executions</text>'
                     f'<path d="M{left},{top + margin} V{bottom} H{right}" '
                     f'fill="none" stroke="#888"/>')
        for colour, (strategy, runs) in zip(colours, row.items()):
            path = f"M{left},{bottom}"
            all_at = sorted(at for run in runs for at in run.values())
            for number, at in enumerate(all_at, 1):
                count = number / len(runs)
                x = left + (right - left) * at / executions
                y = bottom - (height - 2 * margin) * count / most
                path += f" L{x:.1f},{y:.1f}"
            path += f" H{right}"
            parts.append(f'<path d="{path}" fill="none" stroke="{colour}">'
                         f"<title>{strategy}</title></path>")
    down = (len(curves) + across - 1) // across * height
    legend = "".join(
        f'<text x="{margin + i * 90}" y="{down + 16}" fill="{colour}">{name}'
        "</text>" for i, (colour, name) in enumerate(
            zip(colours, next(iter(curves.values()))[0])))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" '
            f'width="{width * min(across, len(curves))}" height="{down + 30}" '
            f'font-family="sans-serif" font-size="12">'
            + "".join(parts) + legend + "</svg>\n")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", nargs="?", default="all",
                        choices=["recall", "growth", "cost", "all"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--build", type=pathlib.Path,
                        default=HERE.parent / "build")
    parser.add_argument("--executions", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--svg", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    bench = Bench(options)
    benchmarks = {"recall": recall, "growth": growth, "cost": cost}
    for name, benchmark in benchmarks.items():
        if options.what in (name, "all"):
            benchmark(bench, options)


if __name__ == "__main__":
    sys.exit(main())
