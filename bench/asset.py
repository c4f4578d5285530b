#!/usr/bin/env python3
"""Data that belongs together, on the subjects of AssetFuzzer and their twins.

usage: asset.py [--build DIR] [--seed N] [--executions N] [NAME...]

For each subject of the zoo and its fixed twin: what is predicted from one
execution that passes and what forcing each came to (`fairlead predict --force
--analyses together`), and what `fairlead test --look-for together` finds, by
forcing or by the search after it.
Prints a table for docs/reference/asset.md.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).parent.parent
SUBJECTS = ["account", "stringbuffer", "arraylist", "linkedlist", "hashset",
            "treeset", "linkedhashset", "moldyn", "raytracer", "montecarlo",
            "cache4j", "hedc", "weblech", "jigsaw"]


def predicted(fairlead, program, where):
    """By what forcing each prediction came to, how many."""
    ran = subprocess.run(
        [fairlead, "predict", "--strategy", "first", "--analyses", "together",
         "--force", "--json", "--all", "--store", where / "predict.db", "--",
         program], capture_output=True, text=True, timeout=300)
    start = ran.stderr.rindex('{\n  "command"')
    counts = collections.Counter(
        each["outcome"] for each in
        json.loads(ran.stderr[start:])["predictions"])
    return ", ".join(f"{count} {word}" for word, count in counts.items())


def found(fairlead, program, where, args):
    report = where / "report.json"
    subprocess.run(
        [fairlead, "test", "--look-for", "together", "--keep-going",
         "--executions", str(args.executions), "--seed", str(args.seed),
         "--store", where / "test.db", "--json", report, "--", program],
        capture_output=True, text=True, timeout=300)
    if not report.exists():
        return None
    return [each for each in json.loads(report.read_text())["findings"]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--executions", default=120, type=int)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    fairlead = args.build / "bin" / "fairlead"
    print("| subject | predicted, forced | found by test | twin: predicted, forced | twin: found by test |")
    print("|---|---|---|---|---|")
    for name in args.names or SUBJECTS:
        row = [name]
        for variant in ("bug", "fixed"):
            program = args.build / "zoo" / name / variant
            with tempfile.TemporaryDirectory() as where:
                where = pathlib.Path(where)
                row.append(predicted(fairlead, program, where) or "-")
                shown = found(fairlead, program, where, args)
                kinds = sorted({each["kind"] for each in shown or []})
                row.append("?" if shown is None else ", ".join(kinds) or "-")
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
