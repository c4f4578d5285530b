#!/usr/bin/env python3
"""What is remembered from one input to the next, and coverage at equal time:
Maple's Table 3, Figure 13 and Figure 11.

  bench/maple_inputs.py memo [--seeds N] [NAMES]
      Four bugs of the zoo inside a service (bench/inputs). A memo is built with
      inputs that cannot fail; then the bug is looked for with one that can,
      without the memo and with it: medians of executions and seconds, and all
      seconds with it as a part of those without.
  bench/maple_inputs.py turns [NAMES]
      Eight inputs in turn of the services without their bugs, and of pbzip2 if
      scripts/debian-packages has built it; iRoots of idiom 1 only, until none
      is left: seconds with what earlier inputs left in the memo, as a part of
      those without.
  bench/maple_inputs.py time [--milliseconds N] [NAMES]
      iRoots of the application that strategies expose in the same time, and in
      brackets in how many executions. To watch them is not part of the time.

Without a word, all. Common: --build DIR. Needs the target maple_campaigns.
"""

import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SERVICES = {
    # name: (suffix, an input that can fail, inputs that cannot)
    "apache-25520": ("c", "gwcwspwgw", ["gpscgp", "wgpsc", "spgcpgs"]),
    "mysql-791": ("cc", "gqcqsfpqgq", ["gqcqspqgq", "gfcsfpgf", "qgqpcs"]),
    "aget-2": ("c", "gdcdsipdgd", ["gdcdspdgd", "gicsip", "dgdpcs"]),
    "memcached-127": ("c", "gicisipigi", ["gicsipg", "igicps", "spigcpg"]),
}
EXECUTIONS = 3000  # to build a memo, or to find a bug
LETTERS = {"apache-25520": "w", "mysql-791": "qf", "aget-2": "di",
           "memcached-127": "i"}
PATTERNS = ["gpsc", "gAgpss", "gAABsc", "BspcAs", "AgpAsc", "gBAcpA", "ccsABp",
            "ApAgBs"]  # A, B: letters of the service's own
PBZIP2 = pathlib.Path("debian-packages/src/pbzip2/pbzip2")
STRATEGIES = ["auto", "maple", "random", "pos", "pct:3", "pctlarge", "surw",
              "randdelay", "chess:2"]
TWINS = ["bankaccount", "pigz-9ef658babd", "cherokee-326", "circularlist"]


def compile_service(options, name, which, scratch):
    suffix = SERVICES[name][0]
    compiler = {"c": "fairlead-cc", "cc": "fairlead-c++"}[suffix]
    program = f"{scratch}/{name}-{which}"
    source = HERE.parent / "zoo" / name / f"{which}.{suffix}"
    subprocess.run(
        [options.build / "bin" / compiler, "-O1", "-g", "-pthread", "-w",
         f'-DSPECIMEN="{source}"', HERE / "inputs" / f"{name}.{suffix}",
         "-o", program], check=True)
    return program


def test(options, program, letters, strategy, seed, store, executions):
    report = store.with_suffix(".json")
    subprocess.run(
        [options.build / "bin" / "fairlead", "test", "--quiet", "--strategy",
         strategy, "--seed", str(seed), "--executions", str(executions),
         "--store", store, "--json", report, "--", program, letters],
        stdin=subprocess.DEVNULL, capture_output=True)
    answer = json.loads(report.read_text())
    # A race of which nothing came is no failure.
    first = [each["first_execution"] for each in answer["findings"]
             if each["severity"] in ("medium", "high")]
    return (min(first) if first else None), answer["seconds"]


def median(results):
    found = [each for each in results if each[0] is not None]
    if len(found) <= len(results) / 2:
        return f"found by {len(found)} of {len(results)}"
    executions = statistics.median(
        10 ** 9 if each[0] is None else each[0] for each in results)
    seconds = statistics.median(each[1] for each in found)
    text = f"{executions:.0f} ({seconds:.2f} s)"
    if len(found) != len(results):
        text += f", by {len(found)} of {len(results)}"
    return text


def memo(options):
    print("| bug | strategy | without a memo | with one | seconds, all told |")
    print("|---|---|---|---|---|")
    for name in options.names or SERVICES:
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            program = compile_service(options, name, "bug", scratch)
            _, failing, others = SERVICES[name]
            known = scratch / "known.db"
            for letters in others:
                found, _ = test(options, program, letters, "maple", 1, known,
                                EXECUTIONS)
                if found is not None:
                    sys.exit(f"{name} fails with {letters}")
            for strategy in ("maple", "auto"):
                without, having = [], []
                for seed in range(1, options.seeds + 1):
                    store = scratch / "store.db"
                    for results, begin in ((without, None), (having, known)):
                        for each in scratch.glob("store.*"):
                            each.unlink()
                        if begin:
                            shutil.copy(begin, store)
                        results.append(test(options, program, failing, strategy,
                                            seed, store, EXECUTIONS))
                both = [sum(each[1] for each in results)
                        for results in (having, without)]
                print(f"| {name} | {strategy} | {median(without)} "
                      f"| {median(having)} | {100 * both[0] / both[1]:.0f} % |",
                      flush=True)


def campaigns(options, *words):
    return subprocess.run(
        [options.build / "bench" / "maple_campaigns",
         options.build / "lib" / "fairlead" / "libfairlead_rt.so", *words],
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=True).stdout


def inputs_of(name):
    own = LETTERS[name]
    return [[pattern.replace("A", own[0]).replace("B", own[-1])]
            for pattern in PATTERNS]


def files_for_pbzip2(scratch):
    """Command lines; each has a block more than the one before."""
    lines = []
    for i in range(8):
        path = scratch / f"input-{i}"
        path.write_text("".join(f"{n * n * 7919 % 1000003:x}\n"
                                for n in range(15000 * (i + 2))))
        lines.append(["-1", "-b1", "-p2", "-k", "-c", "-f", str(path)])
    return lines


def turns(options):
    print("| program | " + " | ".join(f"input {i}" for i in range(1, 9))
          + " | executions with input 8 |")
    print("|---|" + "---|" * 9)
    last = []
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for name in options.names or [*SERVICES, "pbzip2"]:
            if name == "pbzip2":
                program = options.build / PBZIP2
                if not program.exists():
                    print("pbzip2 is not built: scripts/debian-packages",
                          file=sys.stderr)
                    continue
                inputs = files_for_pbzip2(scratch)
            else:
                program = compile_service(options, name, "fixed", scratch)
                inputs = inputs_of(name)
            words = [word for each in inputs for word in ("::", *each)][1:]
            lines = [line.split() for line in campaigns(
                options, "turns", "1", "--", program, *words).splitlines()]
            parts = [float(line[3]) / float(line[1]) for line in lines]
            last.append(parts[-1])
            print(f"| {name} | " + " | ".join(
                f"{100 * part:.0f} %" for part in parts)
                + f" | {lines[-1][2]} instead of {lines[-1][0]} |", flush=True)
    print(f"| *mean* | {' | ' * 7} {100 * statistics.mean(last):.0f} % | |")


def equal_time(options):
    print("| program | " + " | ".join(STRATEGIES) + " |")
    print("|---|" + "---|" * len(STRATEGIES))
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.names or [*SERVICES, *TWINS]:
            if name in SERVICES:
                argv = [compile_service(options, name, "fixed", scratch),
                        SERVICES[name][1]]
            else:
                argv = [options.build / "zoo" / name / "fixed"]
            cells = []
            for strategy in STRATEGIES:
                executions, exposed = campaigns(
                    options, "time", strategy, "1", str(options.milliseconds),
                    "--", *argv).split()
                cells.append(f"{exposed} ({executions})")
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", nargs="?", default="all",
                        choices=["memo", "turns", "time", "all"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--build", type=pathlib.Path,
                        default=HERE.parent / "build")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--milliseconds", type=int, default=1000)
    options = parser.parse_args()
    for name, measure in (("memo", memo), ("turns", turns),
                          ("time", equal_time)):
        if options.what in (name, "all"):
            measure(options)


if __name__ == "__main__":
    sys.exit(main())
