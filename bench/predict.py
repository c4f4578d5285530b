#!/usr/bin/env python3
"""What one passing execution of each bug of the zoo foretells, and what forcing
the predictions shows.

For each specimen: the first seed whose execution passes is traced, every
prediction of `fairlead predict` becomes a target, and `fairlead force` tries each
(up to --limit of them). Confirmed: forcing one made the program fail. The fixed
twin is treated the same; it must not fail. At the end, by kind of bug, as the
manifests tell it.

  bench/predict.py [--build DIR] [--limit N] [NAMES]
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
SEEDS = range(1, 21)


# Kinds of bugs, in the order of the table.
LOCK_ORDER = "lock-order deadlock"
CONDVAR = "condition variable"
RACE = "data race"
LOCKED = "atomicity, one variable, all accesses locked or atomic"
HARMLESS = "data race without harm"
OTHER = "of none of these kinds"
KINDS = (LOCK_ORDER, CONDVAR, RACE, LOCKED, HARMLESS, OTHER)


def kind_of(name):
    """What the manifest says that the classic analyses should see."""
    with open(HERE.parent / "zoo" / name / "manifest.toml", "rb") as file:
        manifest = tomllib.load(file)
    expect = manifest["expect"]
    if manifest["failure"] == "none":
        return HARMLESS
    if manifest["pattern"].startswith("lock "):
        return LOCK_ORDER
    if "condition variable" in manifest["pattern"]:
        return CONDVAR
    if not expect["race"].startswith("no"):
        return RACE
    atomicity = expect["atomicity"]
    if atomicity.startswith("yes") and "two variables" not in atomicity:
        return LOCKED
    return OTHER


def run(command, timeout=120):
    return subprocess.run(command, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, timeout=timeout)


def last_json(text):
    lines = [line for line in text.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else {}


def passing_seed(fairlead, program):
    for seed in SEEDS:
        if run([fairlead, "run", "--quiet", "--seed", str(seed), "--",
                program]).returncode == 0:
            return seed
    return None


def predicted(fairlead, program, seed, directory):
    run([fairlead, "predict", "--seed", str(seed), "--targets", directory,
         "--store", f"{directory}/store.db", "--", program])
    return sorted(pathlib.Path(directory).glob("*.target"),
                  key=lambda path: int(path.stem) if path.stem.isdigit() else 0)


def forced(fairlead, program, targets):
    """Realised and failing among `targets`, and the verdicts of failures."""
    realised, verdicts = 0, []
    for target in targets:
        result = run([fairlead, "force", "--json", "--timeout", "20",
                      str(target), "--", program])
        answer = last_json(result.stderr)
        realised += answer.get("result") == "realised"
        if result.returncode == 1:
            verdicts.append(answer.get("verdict", "?"))
    return realised, verdicts


def row(fairlead, program, limit):
    seed = passing_seed(fairlead, program)
    if seed is None:
        return None
    with tempfile.TemporaryDirectory() as directory:
        targets = predicted(fairlead, program, seed, directory)
        realised, verdicts = forced(fairlead, program, targets[:limit])
        return len(targets), realised, verdicts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--build", type=pathlib.Path,
                        default=HERE.parent / "build")
    parser.add_argument("--limit", type=int, default=20)
    options = parser.parse_args()
    fairlead = str(options.build / "bin" / "fairlead")
    zoo = options.build / "zoo"
    names = options.names or sorted(
        path.parent.name for path in (HERE.parent / "zoo").glob("*/manifest.toml"))
    confirmed = false_alarms = 0
    by_kind = {kind: [0, 0, 0, 0] for kind in KINDS}
    print(f"{'bug':24}{'predicted':>10}{'realised':>10}  {'confirmed':14}"
          f"{'twin: predicted':>16}{'realised':>10}  failed")
    for name in names:
        bug = row(fairlead, str(zoo / name / "bug"), options.limit)
        twin = row(fairlead, str(zoo / name / "fixed"), options.limit)
        cells = f"{name:24}"
        counts = by_kind[kind_of(name)]
        counts[0] += 1
        counts[1] += bug is not None and bug[0] != 0
        counts[2] += bug is not None and bool(bug[2])
        counts[3] += twin is not None and bool(twin[2])
        if bug is None:
            cells += f"{'no passing execution':>34}"
        else:
            confirmed += bool(bug[2])
            verdict = f"{bug[2][0]} ({len(bug[2])})" if bug[2] else "no"
            cells += f"{bug[0]:10}{bug[1]:10}  {verdict:14}"
        if twin is not None:
            false_alarms += bool(twin[2])
            cells += f"{twin[0]:16}{twin[1]:10}  {', '.join(twin[2]) or 'no'}"
        print(cells, flush=True)
    print(f"\n{'kind':58}{'bugs':>5}{'predicted':>10}{'confirmed':>10}"
          f"{'twins failed':>13}")
    for kind, counts in by_kind.items():
        print(f"{kind:58}{counts[0]:5}{counts[1]:10}{counts[2]:10}"
              f"{counts[3]:13}")
    print(f"confirmed {confirmed} of {len(names)}; twins that failed: "
          f"{false_alarms}")


if __name__ == "__main__":
    sys.exit(main())
