#!/usr/bin/env python3
"""What one passing execution of each bug of the zoo foretells, and what forcing
the predictions shows.

For each specimen: the first seed whose execution passes is traced, every
prediction of `fairlead predict` becomes a target, and `fairlead force` tries each
(up to --limit of them). Confirmed: forcing one made the program fail. The fixed
twin is treated the same; it must not fail.

  bench/predict.py [--build DIR] [--limit N] [NAMES]
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SEEDS = range(1, 21)


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
    run([fairlead, "predict", "--seed", str(seed), "--targets", directory, "--",
         program])
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
    print(f"{'bug':24}{'predicted':>10}{'realised':>10}  {'confirmed':14}"
          f"{'twin: predicted':>16}{'realised':>10}  failed")
    for name in names:
        bug = row(fairlead, str(zoo / name / "bug"), options.limit)
        twin = row(fairlead, str(zoo / name / "fixed"), options.limit)
        cells = f"{name:24}"
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
    print(f"confirmed {confirmed} of {len(names)}; twins that failed: "
          f"{false_alarms}")


if __name__ == "__main__":
    sys.exit(main())
