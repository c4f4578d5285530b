#!/usr/bin/env python3
"""Explains the bug of a program, and checks its patches.

usage: explain_test.py --bin DIR --programs DIR SOURCE

The source says in its first comment what check-fix is to say of each patch:

    // patch fixed    1  one lock around both sides
    // patch wrong    2  a lock around one side only
    // patch unknown  6  nobody adds any more

`wrong` is anything but fixed.  Programs are PROGRAMS/NAME_N, and NAME_moved is
the bug after edits that do not touch it, by which a bug file must replay.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

PATCH = re.compile(r"// patch (\w+) +(\d+) ")


class Checker:
    def __init__(self, options, directory):
        self.fairlead = options.bin.resolve() / "fairlead"
        self.programs = options.programs.resolve()
        self.name = options.source.stem
        self.source = options.source.read_text()
        self.directory = directory
        self.problems = []

    def run(self, *words):
        done = subprocess.run([self.fairlead, *map(str, words)],
                              cwd=self.directory, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              check=False)
        return done.returncode, done.stdout, done.stderr

    def expect(self, what, found, wanted, text=""):
        if found != wanted:
            self.problems.append(f"{what}: {found}, not {wanted}\n{text}")

    def program(self, variant):
        return self.programs / f"{self.name}_{variant}"

    def check_small(self):
        code, out, err = self.run("minimize", "1", "--json")
        self.expect("minimize", code, 0, out + err)
        if code != 0:
            return
        small = json.loads(out)
        self.expect("fibers", small["fibers"]["failed"], 20, out)
        self.expect("threads", small["threads"]["failed"], 20, out)
        if small["after"]["preemptions"] > 1:
            self.problems.append(f"too many preemptions: {out}")
        ordering = small["ordering"]
        if ordering is None:
            self.problems.append(f"no orders: {small['no_ordering']}")
            return
        self.expect("forced", ordering["forced"]["failed"], 50, out)
        if len(ordering["target"]["edges"]) > 2:
            self.problems.append(f"too many orders: {out}")

    def check_portable(self):
        self.expect("export", self.run("export", "1", "-o", "bug.flbug")[0], 0)
        for variant, by in (("0", "schedule"), ("moved", "orders")):
            code, out, err = self.run("replay", "bug.flbug", "--json", "--",
                                      self.program(variant))
            self.expect(f"replay of {variant}", code, 1, out + err)
            if code == 1:
                self.expect(f"replay of {variant}", json.loads(out)["by"], by)

    def check_hostile(self):
        """Nothing that a bug file names is run, entered or opened."""
        bug = json.loads((self.directory / "bug.flbug").read_text())
        mark = self.directory / "mark"
        shell = f"touch {mark}"
        (self.directory / "away").mkdir()
        bug["command"] |= {"argv": ["sh", "-c", shell], "judge": shell,
                           "before": shell, "stdin": "/dev/zero",
                           "directory": str(self.directory / "away")}
        evil = self.directory / "evil.flbug"
        evil.write_text(json.dumps(bug))
        program = self.program("0")
        self.expect("no program", self.run("replay", "evil.flbug")[0], 2)
        self.expect("a command ahead",
                    self.run("replay", "evil.flbug", "--", program)[0], 2)
        bug["command"]["before"] = ""
        bug["finding"]["kind"] = "judge"
        evil.write_text(json.dumps(bug))
        for verb in ("replay", "check-fix"):
            self.expect(f"{verb}: a judge",
                        self.run(verb, "evil.flbug", "--", program)[0], 2)
        for text in ("", "[]", "{", '{"fairlead_bug": 2}',
                     '{"fairlead_bug": 1}'):
            evil.write_text(text)
            self.expect(f"a file with '{text}'",
                        self.run("replay", "evil.flbug", "--", program)[0], 3)
        if mark.exists():
            self.problems.append("a command of the file was run")

    def check_patches(self):
        for wanted, number in PATCH.findall(self.source):
            code, out, err = self.run(
                "check-fix", "bug.flbug", "--search-time", "0", "--json", "--",
                self.program(number))
            if code not in (0, 1, 4):
                self.problems.append(f"patch {number}: exit {code}\n{out}{err}")
                continue
            said = json.loads(out)["result"]
            right = said != "fixed" if wanted == "wrong" else said == wanted
            if not right:
                self.problems.append(
                    f"patch {number}: {said}, should be {wanted}\n{out}")

    def check(self):
        code, out, err = self.run("test", "--executions", "2000", "--quiet",
                                  "--no-minimize", "--", self.program("0"))
        self.expect("test", code, 1, out + err)
        self.check_small()
        if not self.problems:
            self.check_portable()
        if not self.problems:
            self.check_hostile()
        if not self.problems:
            self.check_patches()
        return self.problems


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("source", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        problems = Checker(options, pathlib.Path(directory)).check()
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
