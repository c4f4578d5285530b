#!/usr/bin/env python3
"""How small, how certain, how portable explanations of the zoo's bugs are.

For each specimen: `fairlead test` finds the bug, `minimize` makes its schedule
small and looks for the orders that are enough, `export` writes a bug file. The
file is replayed on the bug after each of six mechanical edits
(bench/explain/edits.py), and `check-fix` is asked of the bug and of its twin.
With --chess the fewest preemptions with which the systematic search finds it
within 20,000 executions stand beside (minutes for each).

  bench/explain.py [--build DIR] [--chess] [--search-time 0] [--json FILE] [NAMES]
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "zoo"), str(ROOT / "bench" / "explain")]

import edits  # noqa: E402
import specimen as specimens  # noqa: E402

CHESS = 20_000


def run(command, directory, timeout=600):
    return subprocess.run([str(word) for word in command], cwd=directory,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors="replace", timeout=timeout)


def answer(done):
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {}


class Explained:
    """What is known of one specimen."""

    def __init__(self, specimen, options, directory):
        self.specimen = specimen
        self.options = options
        self.directory = pathlib.Path(directory)
        self.fairlead = options.build / "bin" / "fairlead"
        self.row = {"name": specimen.name}

    def program(self, which):
        return self.specimen.program(self.options.build, which).resolve()

    def find(self):
        done = run([self.fairlead, "test", "--quiet", "--no-minimize", "--time",
                    self.options.time, "--", self.program("bug")],
                   self.directory)
        self.row["found"] = done.returncode == 1
        return self.row["found"]

    def minimize(self):
        done = run([self.fairlead, "minimize", "1", "--json"], self.directory)
        small = answer(done)
        if done.returncode != 0:
            self.row["why"] = done.stderr.strip().splitlines()[-1:]
            return False
        self.row["before"] = small["before"]
        self.row["after"] = small["after"]
        self.row["executions"] = small["executions"]
        ordering = small["ordering"]
        self.row["why"] = small["no_ordering"]
        if ordering is None:
            return False
        self.row["edges"] = len(ordering["target"]["edges"])
        self.row["forced"] = ordering["forced"]["failed"]
        self.row["control"] = ordering["control"]["failed"]
        self.row["reversed"] = [e["reversed"]["failed"]
                                for e in ordering["edges"]]
        self.lines = {s.get("line", 0)
                      for s in ordering["target"]["steps"]}
        return True

    def chess(self):
        for bound in range(4):
            done = run([self.fairlead, "test", "--quiet", "--no-minimize",
                        "--strategy", f"chess:{bound}", "--executions", CHESS,
                        "--store", "chess.db", "--", self.program("bug")],
                       self.directory, timeout=3600)
            if done.returncode == 1:
                self.row["chess"] = bound
                return

    def edited(self, edit, options):
        """The bug after an edit, compiled; None where there is nothing to edit."""
        source = self.specimen.source("bug")
        lines = source.read_text().splitlines()
        changed = edit(lines, getattr(self, "lines", set()))
        if changed is None:
            return None
        folder = self.directory / "zoo" / self.specimen.name
        folder.mkdir(parents=True, exist_ok=True)
        for header in specimens.ZOO.glob("*.h"):
            link = self.directory / "zoo" / header.name
            if not link.exists():
                link.symlink_to(header)
        (folder / source.name).write_text("\n".join(changed) + "\n")
        compiler = self.options.build / "bin" / specimens.OURS[source.suffix]
        done = run([compiler, *options, "-g", "-pthread",
                    "-Wl,--build-id=sha1",
                    f"zoo/{self.specimen.name}/{source.name}", "-o",
                    self.directory / "edited", "-lm"], self.directory)
        return self.directory / "edited" if done.returncode == 0 else None

    def portable(self):
        run([self.fairlead, "export", "1", "-o", "bug.flbug"], self.directory)
        self.row["edits"] = {}
        for name, edit, options in edits.EDITS:
            program = self.edited(edit, options)
            if program is None:
                continue
            done = run([self.fairlead, "replay", "bug.flbug", "--json", "--",
                        program], self.directory)
            said = answer(done)
            self.row["edits"][name] = said.get("result") == "failed"

    def certify(self):
        for which in ("bug", "fixed"):
            done = run([self.fairlead, "check-fix", "bug.flbug", "--json",
                        "--search-time", self.options.search_time, "--",
                        self.program(which)], self.directory)
            said = answer(done)
            self.row[which] = said.get("result", "error")
            self.row[f"{which}_reason"] = said.get("reason", "")

    def all(self):
        if not self.find():
            return self.row
        if self.options.chess:
            self.chess()
        if self.minimize():
            self.portable()
            self.certify()
        return self.row


def text_of(row):
    if not row["found"]:
        return f"| {row['name']} | not found | | | | | | | |"
    small = row.get("after", {})
    before = row.get("before", {})
    moved = row.get("edits", {})
    portable = f"{sum(moved.values())}/{len(moved)}" if moved else ""
    lost = ", ".join(name for name, ok in moved.items() if not ok)
    chess = row.get("chess", "")
    return (f"| {row['name']} | {before.get('preemptions', '?')} / "
            f"{before.get('switches', '?')} | {small.get('preemptions', '?')} / "
            f"{small.get('switches', '?')} | {chess} | {row.get('edges', '')} | "
            f"{row.get('forced', '')} ({row.get('control', '')}) | {portable} "
            f"{lost} | {row.get('bug', '')} | {row.get('fixed', '')} |")


def summary(rows):
    found = [r for r in rows if r["found"]]
    ordered = [r for r in found if "edges" in r]
    pairs = [ok for r in ordered for ok in r.get("edits", {}).values()]

    def part(number, total):
        share = f" ({100 * number / total:.0f} %)" if total else ""
        return f"{number} of {total}{share}"

    print()
    print(f"found: {part(len(found), len(rows))}")
    print("made small:", part(sum("after" in r for r in found), len(found)))
    print("orders, 50 of 50:",
          part(sum(r["forced"] == 50 for r in ordered), len(found)))
    print("at most 4 orders:",
          part(sum(r["edges"] <= 4 for r in ordered), len(found)))
    print("replays after an edit:", part(sum(pairs), len(pairs)))
    print("bug still there:",
          part(sum(r.get("bug") == "still there" for r in ordered), len(found)))
    print("bug fixed (must be 0):", sum(r.get("bug") == "fixed" for r in found))
    print("twin fixed:",
          part(sum(r.get("fixed") == "fixed" for r in ordered), len(found)))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--time", default="60s", help="of each search")
    parser.add_argument("--search-time", default="0")
    parser.add_argument("--chess", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    options.build = options.build.resolve()
    rows = []
    print("| specimen | found: preemptions / switches | small | chess | orders | "
          "fail of 50 (without) | after edits | check-fix: bug | twin |")
    print("|---|---|---|---|---|---|---|---|---|")
    for specimen in specimens.all_specimens(options.names):
        if specimen.harmless:
            continue
        with tempfile.TemporaryDirectory(prefix="fairlead-explain-") as place:
            rows.append(Explained(specimen, options, place).all())
        print(text_of(rows[-1]), flush=True)
        if options.json:
            options.json.write_text(json.dumps(rows, indent=1))
    summary(rows)
    return 0


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    sys.exit(main())
