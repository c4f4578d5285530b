#!/usr/bin/env python3
"""Compiles a program with Fairlead, runs it under the probe, and holds what
the probe saw against what the program's own comments expect.

usage: run_program.py BIN PROBE PROGRAM

A program says at its top, one a line and all optional:

  // Languages: c c++         by default, from the file's name
  // Levels: 0 1 2 3          of -O; default all four
  // Flags: -std=c++20        given to the compiler
  // With: other.c other.h    further translation units, and headers to check
  // Library: other.c         built as a shared object, named by argv[1]
  // Probe: before,after      what the probe switches on (probe/hooks.h)
  // Only: name               the one function to watch; the others stay idle

and beside the lines that matter, for exactly these lines:

  // fires load=1 x3, store@Account.balance x1
       what accesses happened, each counted by the first item that fits: kind, /size, =value or =old->new, !old for a
       compare-and-swap that failed, @type.field, ~order, " in" chain of
       callers; or at=N, the thread's instruction count; and how often (default x1; x* = any number).  Values
       may be $name, for a line "name value" that the program prints.
       `fires[O0 c++]` holds at these levels and languages only.
  // function this,const class=Account params=0:Account x1
  // type Account size=16 class
  // field balance offset=8 size=4 flags=atomic
  // site load flags=volatile      one record of that kind has these
  // nothing                       has no site (as all lines without comment)

An access on a line that no comment expects fails the test, and so does a site
record on such a line: the program must be accounted for completely.
"""

import os
import re
import subprocess
import sys
import tempfile

MASK = (1 << 64) - 1
ITEM = re.compile(
    r"^(?P<kind>[a-z-]+)(/(?P<size>\d+))?"
    r"(=(?P<value>[-$\w]+)(->(?P<now>[-$\w]+))?|!(?P<failed>[-$\w]+))?"
    r"(\((?P<pointers>[^)]*)\))?"
    r"(@(?P<place>[\w:<>, ()]+?\.\w+))?(~(?P<order>\w+))?"
    r"( in (?P<chain>\S+))?( x(?P<count>\*|[-$\w+]+))?$")
ORDERS = {"plain": 0, "relaxed": 2, "consume": 3, "acquire": 4, "release": 5,
          "acq_rel": 6, "seq_cst": 7}
NOT_ACCESSES = ("call", "alloc")


class Failure(Exception):
    pass


def read_program(path):
    """The directives and the expectations of one source file."""
    directives, expected = {}, []
    with open(path, encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            if m := re.match(r"// (Languages|Levels|Flags|With|Library|Probe|Only):"
                             r" (.*)", line):
                directives[m[1]] = m[2].strip()
            for m in re.finditer(
                    r"// (fires|function|type|field|site|nothing)"
                    r"(\[([^\]]*)\])? ?((?:(?! // ).)*)", line):
                if line.startswith("// "):
                    continue
                expected.append({"file": os.path.basename(path),
                                 "line": number, "what": m[1],
                                 "when": (m[3] or "").split(),
                                 "text": m[4].strip()})
    return directives, expected


def read_fields(path):
    rows = []
    if not os.path.exists(path):
        return rows
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            word, *fields = line.rstrip("\n").split("\t")
            rows.append({"word": word,
                         **dict(f.split("=", 1) for f in fields)})
    return rows


def number_of(text, names, size):
    sign = -1 if text.startswith("-") else 1
    text = text.lstrip("-")
    if text.startswith("$"):
        if text[1:] not in names:
            raise Failure(f"the program printed no {text[1:]}")
        value = names[text[1:]]
    else:
        value = int(text, 0)
    bits = 8 * int(size) if size and 0 < int(size) < 8 else 64
    return (sign * value) & ((1 << bits) - 1)


def count_of(text, names):
    return sum(number_of(part, names, 8) for part in text.split("+"))


def matches(item, event, names):
    size = event.get("size")
    if event["kind"] != item["kind"]:
        return False
    if item["size"] and size != item["size"]:
        return False
    if item["order"] and event["order"] != str(ORDERS[item["order"]]):
        return False
    if item["place"]:
        place = event.get("type", "") + "." + event.get("field", "")
        if place != item["place"]:
            return False
    if item["chain"] and event.get("in", "") != item["chain"]:
        return False
    if item["pointers"] is not None:
        wanted = [str(number_of(p.strip(), names, 8))
                  for p in item["pointers"].split(",")]
        if event.get("pointers", "").split(",") != wanted:
            return False
    if item["failed"]:
        return (event.get("success") == "0" and
                int(event["old"]) == number_of(item["failed"], names, size))
    value = item["now"] or item["value"]
    if value and int(event.get("value", -1)) != number_of(value, names, size):
        return False
    if item["now"]:
        old = number_of(item["value"], names, size)
        return event.get("success") == "1" and int(event["old"]) == old
    return True


def parse_items(text):
    for part in text.split(", "):
        m = ITEM.match(part.strip())
        if m is None:
            raise Failure(f"cannot read the expectation '{part}'")
        yield part.strip(), m.groupdict()


def where(row):
    return f"{row['file']}:{row['line']}"


def check_events(expected, events, names, when, count_before):
    """Every event of the program's own files is expected, and the reverse."""
    by_line, told = {}, {}
    for event in events:
        if event["word"] == "instructions":
            event.update(word="event", kind="at", value=event["total"],
                         when=when)
        if event["word"] == "backwards":
            raise Failure(f"the instruction count ran backwards: {event}")
        if event["word"] != "event" or event["library"] == "1":
            continue
        if event["line"] == "0":  # a function that the compiler made up
            continue
        lines = by_line if event["when"] == when else told
        lines.setdefault(where(event), []).append(event)
    for want in expected:
        if want["what"] != "fires":
            continue
        here = by_line.pop(where(want), [])
        left = list(here)
        for text, item in parse_items(want["text"]):
            taken = [e for e in left if matches(item, e, names)]
            left = [e for e in left if e not in taken]
            seen = sum(int(e["count"]) for e in taken)
            wanted = item["count"] or "1"
            if wanted != "*" and seen != count_of(wanted, names):
                raise Failure(f"{where(want)}: {text}: fired {seen} times\n"
                              + show(here))
        if left:
            raise Failure(f"{where(want)}: more fired than expected\n"
                          + show(left))
        total = sum(int(e["count"]) for e in here)
        # What was told behind an access was told ahead of it as well.
        before = sum(int(e["count"]) for e in told.pop(where(want), []))
        frames = sum(int(e["count"]) for e in here
                     if e["kind"] in ("enter", "exit", "unwound", "at"))
        if count_before and before != total - frames:
            raise Failure(f"{where(want)}: {total} told behind the access, "
                          f"{before} ahead of it")
    for key, here in by_line.items():
        raise Failure(f"{key}: nothing was expected to fire\n" + show(here))


def show(events):
    return "".join("    " + " ".join(f"{k}={v}" for k, v in e.items()
                                     if k not in ("word", "library"))
                   + "\n" for e in events)


def check_record(want, rows):
    words = want["text"].split()
    count = 1
    exact = False
    if words and re.fullmatch(r"x\d+", words[-1]):
        count, exact = int(words.pop()[1:]), True
    fields, flags = {}, None
    for word in words:
        if "=" in word:
            name, value = word.split("=", 1)
            fields[name] = value
        elif want["what"] in ("type", "field") and "name" not in fields:
            fields["name"] = word
        elif want["what"] == "site" and "kind" not in fields:
            fields["kind"] = word
        else:
            flags = word
    if flags is not None:
        fields["flags"] = flags
    if fields.get("flags") == "none":
        fields["flags"] = ""
    found = [r for r in rows if r["word"] == want["what"] and
             (want["what"] == "field" or where(r) == where(want)) and
             all(r.get(k, "") == v for k, v in fields.items())]
    if len(found) < count or (exact and len(found) != count):
        near = [r for r in rows if r["word"] == want["what"] and
                (where(r) == where(want) if "line" in r
                 else r.get("name") == fields.get("name"))]
        raise Failure(f"{where(want)}: {want['what']} {want['text']}: "
                      f"{len(found)} such records\n" + show(near))


def check_tables(expected, rows, files):
    spoken = {where(w) for w in expected if w["what"] in ("fires", "site")}
    for row in rows:
        if (row["word"] == "site" and row["kind"] not in NOT_ACCESSES and
                row["file"] in files and where(row) not in spoken):
            raise Failure(f"{where(row)}: a site that nothing speaks of\n"
                          + show([row]))
    for want in expected:
        if want["what"] in ("function", "type", "field", "site"):
            check_record(want, rows)


class Run:
    def __init__(self, bin_dir, probe, program, language, level):
        self.bin, self.probe, self.program = bin_dir, probe, program
        self.language, self.level = language, level
        self.directory = os.path.dirname(program)

    def compile(self, sources, output, extra):
        driver = "fairlead-c++" if self.language == "c++" else "fairlead-cc"
        command = [os.path.join(self.bin, driver), f"-O{self.level}", "-w",
                   "-pthread", "-rdynamic", *extra, "-x", self.language,
                   *sources, "-x", "none", "-o", output]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure("does not compile: " + " ".join(command) + "\n"
                          + done.stderr)

    def execute(self, command, extra):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(("PROBE", "FAIRLEAD"))}
        try:
            done = subprocess.run(command, capture_output=True, text=True,
                                  env={**env, **extra}, timeout=60)
        except subprocess.TimeoutExpired as late:
            raise Failure("did not end within a minute") from late
        if done.returncode != 0:
            raise Failure(f"ended with {done.returncode}\n{done.stderr}")
        return done.stdout

    def check(self, scratch):
        directives, expected = read_program(self.program)
        files = {os.path.basename(self.program)}
        others = {}
        for kind in ("With", "Library"):
            others[kind] = [os.path.join(self.directory, name)
                            for name in directives.get(kind, "").split()]
            for path in others[kind]:
                more = read_program(path)[1]
                expected += more
                files.add(os.path.basename(path))
        expected = [w for w in expected if self.applies(w["when"])]
        flags = directives.get("Flags", "").split()
        program = os.path.join(scratch, "program")
        units = [p for p in others["With"] if not p.endswith(".h")]
        self.compile([self.program, *units], program, flags)
        command = [program]
        if others["Library"]:
            library = os.path.join(scratch, "library.so")
            self.compile(others["Library"], library,
                         ["-shared", "-fPIC", *flags])
            command.append(library)

        self.execute(command, {})  # idle, and without any runtime
        modes = directives.get("Probe", "before,after")
        events = os.path.join(scratch, "events")
        tables = os.path.join(scratch, "tables")
        only = directives.get("Only")
        output = self.execute(command, {
            "LD_PRELOAD": self.probe, "PROBE": modes,
            "PROBE_EVENTS": events, "PROBE_TABLES": tables,
            **({"PROBE_ONLY": only} if only else {})})
        names = {m[1]: int(m[2], 0) for m in
                 re.finditer(r"^(\w+) (\w+)$", output, re.M)}
        check_tables(expected, read_fields(tables), files)
        modes = modes.split(",")
        rows = [{**e, "word": "event", "when": "after"}
                if e["word"] == "count" else e for e in read_fields(events)]
        behind = "after" in modes or "count" in modes or "frames" in modes
        check_events(expected, rows, names, "after" if behind else "before",
                     "before" in modes and "after" in modes)

    def applies(self, when):
        levels = [w for w in when if w.startswith("O")]
        languages = [w for w in when if not w.startswith("O")]
        return ((not levels or f"O{self.level}" in levels) and
                (not languages or self.language in languages))


def main():
    bin_dir, probe, program = sys.argv[1:4]
    directives, _ = read_program(program)
    own = "c" if program.endswith(".c") else "c++"
    failures = 0
    for language in directives.get("Languages", own).split():
        for level in directives.get("Levels", "0 1 2 3").split():
            try:
                with tempfile.TemporaryDirectory() as scratch:
                    Run(bin_dir, probe, program, language, level).check(
                        scratch)
            except Failure as failure:
                failures += 1
                print(f"{os.path.basename(program)} as {language} at "
                      f"-O{level}: {failure}")
                break
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
