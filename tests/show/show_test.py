#!/usr/bin/env python3
"""Whether `fairlead show` contains the steps that decided a failure.

usage: show_test.py --bin DIR [--report] [--time T] [--keep DIR] SOURCE...

Each program has one bug. Its comments say what a stranger needs to see:

    // OPTIONS: --same-output   for `fairlead test`
    // SERVER                   it is driven by STEM_client.py beside this file
    // FUNCTIONS: Push Pop      the fix changes these: each has a row
    // HIDES: Shelf             a word that no row has
    // NAMES: Ring::head        words that some row has
    ...code...                  // SHOWS: this line has a row
    ...code...                  // LACKS: known not to have one (not counted)

Nothing of what is drawn is named by a number alone: no raw address, no
`heap#4`, no `name+16`. A table has at most 12 rows; notes do not count.

With --report every program is measured and nothing fails.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_ROWS = 12
BARE = re.compile(r"(?<![\w.])0x[0-9a-f]{6,}|\b(?:heap|local|mutex|condvar|"
                  r"rwlock|semaphore)#\d+|\w+\+\d+\b")

arguments = argparse.ArgumentParser()
arguments.add_argument("--bin", required=True)
arguments.add_argument("--report", action="store_true")
arguments.add_argument("--time")
arguments.add_argument("--seed", default="1")
arguments.add_argument("--keep", help="leave what is shown in this directory")
arguments.add_argument("sources", nargs="+")
options = arguments.parse_args()
BIN = os.path.abspath(options.bin)


class Source:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.file = os.path.basename(path)
        self.stem = os.path.splitext(self.file)[0]
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().splitlines()
        self.functions = self.words("FUNCTIONS")
        self.hides = self.words("HIDES")
        self.names = self.words("NAMES")
        self.options = self.words("OPTIONS")
        self.server = "// SERVER" in self.lines
        self.shows = [number for number, line in enumerate(self.lines, 1)
                      if line.endswith("// SHOWS")]

    def words(self, key):
        mark = f"// {key}: "
        return [word for line in self.lines if line.startswith(mark)
                for word in line[len(mark):].split()]


def fairlead(directory, *command):
    return subprocess.run([f"{BIN}/fairlead", *command], cwd=directory,
                          capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)


def build(source, directory):
    compiler = ["fairlead-cc"] if source.file.endswith(".c") else [
        "fairlead-c++", "-std=c++20"]
    libraries = ["-lgtest", "-lgtest_main"] if source.stem.endswith(
        "_test") else []
    program = os.path.join(directory, source.stem)
    subprocess.run([os.path.join(BIN, compiler[0]), *compiler[1:], "-O1", "-g",
                    "-pthread", source.path, "-o", program, *libraries],
                   check=True)
    return program


def shown(source, directory):
    """What `show` prints of the first finding; None: there is none."""
    program = [build(source, directory)]
    budget = ["--time", options.time] if options.time else [
        "--executions", "2000"]
    client = []
    if source.server:
        budget = ["--executions", "150"]
        program.append("socket")
        client = ["--client", f"{HERE}/{source.stem}_client.py socket"]
    tested = fairlead(directory, "test", "--quiet", *budget, "--seed",
                      options.seed, "--store", "s.db", *source.options, *client,
                      "--", *program)
    if tested.returncode != 1:
        return None, tested.stdout + tested.stderr
    text = fairlead(directory, "show", "1", "--store", "s.db", "--width",
                    "400").stdout
    return text, fairlead(directory, "show", "1", "--store", "s.db", "--width",
                          "140").stdout


def rows_of(text):
    """The rows of the table, which stand below its head."""
    rows = []
    inside = False
    for line in text.splitlines():
        if re.match(r"\s+step\s", line):
            inside = True
        elif inside and not line.strip():
            break
        elif inside:
            rows.append(line)
    return rows


def function_at(source, number):
    """The function, of those that the fix changes, that has the line."""
    best = None
    for i in range(number):
        for name in source.functions:
            short = name.split("::")[-1]
            if re.match(rf".*\b{short}\([^;]*\{{", source.lines[i]):
                best = name
    return best


def misses(source, text):
    """What a stranger misses in what is shown."""
    rows = rows_of(text)
    table = "\n".join(rows)
    lines = {int(n) for n in re.findall(
        rf"{re.escape(source.file)}:(\d+)", table)}
    found = {function_at(source, line) for line in lines}
    missing = {
        "functions": [name for name in source.functions if name not in found],
        "lines": [n for n in source.shows if n not in lines],
        "names": [name for name in source.names if name not in table],
        "hidden": [name for name in source.hides if name in table],
        "bare": sorted({bare.group() for bare in BARE.finditer(table)}),
    }
    events = [row for row in rows if "└─" not in row]
    if len(events) > MOST_ROWS:
        missing["rows"] = [len(events)]
    return len(events), {key: value for key, value in missing.items() if value}


def keep(source, text):
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        with open(os.path.join(options.keep, source.stem + ".txt"), "w",
                  encoding="utf-8") as file:
            file.write(text)


def main():
    failed = False
    counts = {"programs": 0, "functions": 0, "lines": 0, "bare": 0}
    for path in options.sources:
        source = Source(path)
        with tempfile.TemporaryDirectory() as directory:
            text, narrow = shown(source, directory)
        keep(source, narrow)
        counts["programs"] += 1
        if text is None:
            print(f"{source.stem}: no finding\n{narrow[-600:]}")
            failed = True
            continue
        rows, missing = misses(source, text)
        for key in ("functions", "lines", "bare"):
            counts[key] += key not in missing
        what = "; ".join(f"{key} {' '.join(map(str, each))}"
                         for key, each in missing.items())
        print(f"{source.stem}: {rows} rows, {what or 'nothing missing'}",
              flush=True)
        if missing:
            failed = True
            if not options.report:
                print(narrow)
    if options.report:
        print(f"of {counts['programs']}: {counts['functions']} have every "
              f"function of the fix, {counts['lines']} every deciding line, "
              f"{counts['bare']} no bare number")
        return 0
    return 1 if failed else 0


sys.exit(main())
