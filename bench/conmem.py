#!/usr/bin/env python3
"""ConMem's tables on the zoo: which bugs one passing execution foretells.

  bench/conmem.py                     ten bugs, 20 seeds (Tables 7 and 8)
  bench/conmem.py --seeds 5 --all     also every specimen and twin (Table 9)

For each bug and seed: one execution, in which older threads go first (what
`fairlead predict` does; --strategy random for others), with that seed for all
that is drawn. If it fails by itself it says nothing about prediction, and the
next seed is taken. What it predicts is forced, six attempts each. Columns: predicted and
confirmed (something that a user can tell came of it) of the seeds, and the
same for Race and Atom, counted by whether they predict anything that is
confirmed. Of twins: predictions that are likely and not confirmed, and
confirmed ones, which must be none.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parent.parent
TEN = [("mysql-3596", "MySQL-1"), ("mysql-2", "MySQL-2"),
       ("pbzip2-null", "PBZIP2-1"), ("apache-1", "Apache-1"),
       ("mozilla-multi", "Mozilla"), ("pbzip2-dangling", "PBZIP2-2"),
       ("apache-25520", "Apache-2"), ("cherokee-326", "Cherokee"),
       ("transmission-1660", "Transmission"), ("fft", "FFT")]
CONMEM = "dangling,null,uninit,overflow"
OBSERVABLE = {"crash", "deadlock", "wrong end", "hang"}


def predict(build, program, analyses, strategy, seed, scratch):
    """The predictions, forced; None for an execution that fails by itself."""
    ran = subprocess.run(
        [build / "bin/fairlead", "predict", "--strategy", strategy, "--seed",
         str(seed), "--analyses", analyses, "--force", "--all", "--json",
         "--store", f"{scratch}/store", "--", program],
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
        errors="replace", timeout=600)
    report = json.loads(ran.stderr[ran.stderr.rindex('{\n  "command"'):])
    if not report["execution"].startswith("ok"):
        return None
    return report["predictions"]


def confirmed(predictions):
    return any(each["outcome"] in OBSERVABLE for each in predictions)


def ten_bugs(options, scratch):
    print(f"{'bug':18} {'in the paper':13} passing  predicted  confirmed  "
          "Race  Atom")
    for name, paper in TEN:
        program = options.build / "zoo" / name / "bug"
        counts = {"passing": 0, "predicted": 0, "confirmed": 0, "race": 0,
                  "atom": 0}
        for seed in range(1, 10 * options.seeds):
            if counts["passing"] == options.seeds:
                break
            found = predict(options.build, program, CONMEM, options.strategy,
                            seed, scratch)
            if found is None:
                continue
            counts["passing"] += 1
            counts["predicted"] += bool(found)
            counts["confirmed"] += confirmed(found)
            if not options.comparators:
                continue
            for column, analyses in (("race", "race,hybrid"),
                                     ("atom", "atomicity")):
                other = predict(options.build, program, analyses,
                                options.strategy, seed, scratch)
                counts[column] += other is not None and confirmed(other)
        if not options.comparators:
            counts |= {"race": "-", "atom": "-"}
        print(f"{name:18} {paper:13} {counts['passing']:7}  "
              f"{counts['predicted']:9}  {counts['confirmed']:9}  "
              f"{counts['race']:>4}  {counts['atom']:>4}", flush=True)


def whole_zoo(options, scratch):
    print(f"\n{'specimen':18} bug: true/other        twin: confirmed/likely")
    sums = [0, 0, 0, 0]
    for manifest in sorted((ROOT / "zoo").glob("*/manifest.toml")):
        name = manifest.parent.name
        row = []
        for variant in ("bug", "fixed"):
            found = predict(options.build, options.build / "zoo" / name /
                            variant, CONMEM, "first", 1, scratch) or []
            true = [p for p in found if p["outcome"] in OBSERVABLE]
            likely = [p for p in found
                      if p["likely"] and p["outcome"] not in OBSERVABLE]
            row += [len(true), len(likely)]
        sums = [a + b for a, b in zip(sums, row)]
        if any(row):
            print(f"{name:18} {row[0]:4} / {row[1]:<4}  {row[2]:16} / {row[3]}")
    print(f"{'sum':18} {sums[0]:4} / {sums[1]:<4}  {sums[2]:16} / {sums[3]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--strategy", default="first")
    parser.add_argument("--comparators", action="store_true",
                        help="also Race and Atom")
    parser.add_argument("--all", action="store_true",
                        help="also every specimen and twin")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        ten_bugs(options, scratch)
        if options.all:
            whole_zoo(options, scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
