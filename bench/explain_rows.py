#!/usr/bin/env python3
"""Whether `fairlead show` has what a person needs to mend each bug of the zoo.

usage: bench/explain_rows.py [--build DIR] [--only NAME] [--keep DIR]
                             [--at-least N]

Of each specimen the bug and its fixed twin are compared, comments left out.
A function counts as changed if a line of its body is removed, added or moved;
lines that only make a lock ready do not count. Where the twin holds a lock over
lines that the bug does not, these lines, and the functions that they call, name
the variables that the new lock protects.

`fairlead test` looks for the bug, `fairlead show` explains the first finding.
It passes if it has a sentence, at most 12 rows, a row in each changed function,
and, for a lock, a row with one of the protected variables.
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "zoo"))
from specimen import all_specimens  # noqa: E402

MOST_ROWS = 12
TAKES = re.compile(r"pthread_(mutex_lock|rwlock_(rd|wr)lock|spin_lock)\(|"
                   r"\.Enter\(\)|flockfile\(")
GIVES = re.compile(r"pthread_(mutex|rwlock|spin)_unlock\(|\.Leave\(\)|"
                   r"funlockfile\(")
SCOPED = re.compile(r"\b(Synchronized|(std::)?(lock_guard|unique_lock|"
                    r"scoped_lock|shared_lock))\b[^;()]*\(")
READIES = re.compile(r"_init\(|_INITIALIZER|_destroy\(")
IS_LOCK = re.compile(r"lock|mutex|monitor|cond", re.I)
WORD = re.compile(r"\b[A-Za-z_]\w*\b")
NOT_FUNCTIONS = {"if", "for", "while", "switch", "return", "sizeof", "do"}


def without_comments(text):
    """The same lines, with blanks for comments."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    return re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)


class Code:
    """The functions of a source file, and which lines hold a lock."""

    def __init__(self, path):
        text = without_comments(path.read_text(encoding="utf-8"))
        self.lines = [line.rstrip() for line in text.splitlines()]
        self.function = [None] * len(self.lines)  # by line: name or None
        self.begins = {}
        self.held = [0] * len(self.lines)
        self.declared = set()
        self._read()

    def _read(self):
        depth, inside, head = 0, None, ""
        scopes, explicit = [], 0
        for number, line in enumerate(self.lines):
            head += " " + line.strip()
            if inside is not None:
                self.function[number] = inside[0]
                if TAKES.search(line):
                    explicit += 1
                if SCOPED.search(line):
                    scopes.append(depth)
                self.held[number] = explicit + len(scopes)
                if GIVES.search(line):
                    explicit = max(0, explicit - 1)
            elif line.strip().endswith(";") and "(" not in line.split("=")[0]:
                words = WORD.findall(re.sub(r"=.*|\{.*|\[.*", "", line))
                self.declared.update(words[-1:])
            for at, char in enumerate(line):
                if char == "{":
                    if inside is None and not re.match(
                            r".*\b(struct|class|union|enum|namespace)\b[^()]*$",
                            head.split("{")[0]):
                        name = re.search(r"([~\w:]+)\s*\([^{]*$",
                                         head.rsplit("{", 1)[0])
                        first = re.search(r"([~\w:]+)\s*\(", head)
                        name = first or name
                        if name and name.group(1) not in NOT_FUNCTIONS:
                            inside = (name.group(1), depth)
                            self.begins.setdefault(name.group(1), number)
                            self.function[number] = name.group(1)
                            if SCOPED.search(line[at:]):
                                scopes.append(depth + 1)
                                self.held[number] = 1
                    depth += 1
                elif char == "}":
                    depth -= 1
                    scopes = [each for each in scopes if each <= depth]
                    if inside is not None and depth == inside[1]:
                        inside, scopes, explicit = None, [], 0
                        head = ""
            if line.strip().endswith((";", "}", ":")) and inside is None:
                head = ""

    def words_in(self, numbers):
        """Words in these lines and in the functions that they call."""
        words, todo = set(), [(n, 0) for n in numbers]
        seen = set(numbers)
        while todo:
            number, level = todo.pop()
            for word in WORD.findall(self.lines[number]):
                words.add(word)
                for name in self.begins:
                    if name.split("::")[-1] != word or level > 3:
                        continue
                    for other, function in enumerate(self.function):
                        if function == name and other not in seen:
                            seen.add(other)
                            todo.append((other, level + 1))
        return words


def compare(bug, fixed):
    """Changed functions of the bug; variables that the fix's lock protects."""
    changed, protected = set(), set()
    strip = lambda code: [" ".join(line.split()) for line in code.lines]
    matcher = difflib.SequenceMatcher(None, strip(bug), strip(fixed), False)
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag == "equal":
            for a, b in zip(range(a1, a2), range(b1, b2)):
                if fixed.held[b] > bug.held[a] and fixed.lines[b].strip():
                    protected.add(b)
            continue
        lines = bug.lines[a1:a2] + fixed.lines[b1:b2]
        if all(not line.strip() or READIES.search(line) for line in lines):
            continue
        around = range(a1, a2) if a2 > a1 else (a1 - 1, a1)
        if not any(bug.lines[n].strip() for n in around if n < len(bug.lines)):
            around = (a1 - 1, a1, a2)
        names = {bug.function[n] for n in around
                 if 0 <= n < len(bug.lines)} - {None}
        if a2 == a1 and len(names) > 1:  # a new function between two
            names = {fixed.function[b] for b in range(b1, b2)} & names
        changed |= names
        for b in range(b1, b2):
            if fixed.held[b] and not TAKES.search(fixed.lines[b]):
                twin = [a for a in range(len(bug.lines))
                        if strip(bug)[a] == strip(fixed)[b]]
                if not any(bug.held[a] for a in twin):
                    protected.add(b)
    variables = fixed.words_in(protected) & fixed.declared & bug.declared
    locks = {word for word in variables if IS_LOCK.search(word)}
    return changed, variables - locks


def shown(specimen, options, directory):
    tool = f"{options.build}/bin/fairlead"
    store = os.path.join(directory, "s.db")
    test = [tool, "test", "--quiet", "--seed", options.seed, "--executions",
            "20000", "--time", "60s", "--store", store, "--",
            str(specimen.program(options.build, "bug"))]
    ran = subprocess.run(test, capture_output=True, text=True, cwd=directory,
                         stdin=subprocess.DEVNULL, errors="replace")
    if ran.returncode != 1:
        return None
    show = [tool, "show", "1", "--store", store, "--width"]
    texts = [subprocess.run(show + [width], capture_output=True, text=True,
                            errors="replace").stdout
             for width in ("500", "140")]
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        with open(f"{options.keep}/{specimen.name}.txt", "w",
                  encoding="utf-8") as file:
            file.write(texts[1])
    return texts[0]


def rows_of(text):
    """The rows of the table, which stand below its head, each with its note."""
    rows, inside = [], False
    for line in text.splitlines():
        if re.match(r"\s+step\s", line):
            inside = True
        elif inside and not line.strip():
            break
        elif inside and "└─" in line and rows:
            rows[-1] += line
        elif inside:
            rows.append(line)
    return rows


def judge(specimen, options, directory):
    text = shown(specimen, options, directory)
    if text is None:
        return "not found"
    bug, fixed = (Code(specimen.source(which)) for which in ("bug", "fixed"))
    changed, variables = compare(bug, fixed)
    rows = rows_of(text)
    name = re.escape(specimen.source("bug").name)
    # A caller in the same file is named by its line alone.
    lines = {int(own or caller) for row in rows for own, caller in
             re.findall(rf"{name}:(\d+)|, line (\d+)", row)}
    present = {bug.function[n - 1] for n in lines if n <= len(bug.lines)}
    words = {word for row in rows for word in WORD.findall(
        row.split(specimen.source("bug").name + ":")[0])}
    problems = []
    if len(rows) > MOST_ROWS:
        problems.append(f"{len(rows)} rows")
    if not re.search(r"^  why: ", text, re.M):
        problems.append("no sentence")
    if changed - present:
        problems.append("no row in " + " ".join(sorted(changed - present)))
    if variables and not variables & words:
        problems.append("no row with " + "|".join(sorted(variables)))
    return "; ".join(problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--seed", default="1")
    parser.add_argument("--keep", help="leave what is shown in this directory")
    parser.add_argument("--at-least", type=int, default=0)
    parser.add_argument("--compare", action="store_true",
                        help="only say what the twins change")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    good = total = 0
    for specimen in all_specimens(options.only):
        if specimen.harmless:
            continue
        if options.compare:
            codes = [Code(specimen.source(w)) for w in ("bug", "fixed")]
            print(specimen.name, *compare(*codes))
            continue
        total += 1
        with tempfile.TemporaryDirectory() as directory:
            problem = judge(specimen, options, directory)
        good += not problem
        print(f"{specimen.name:22} {problem or 'ok'}", flush=True)
    print(f"{good} of {total}")
    return 1 if good < options.at_least else 0


sys.exit(main())
