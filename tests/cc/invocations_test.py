#!/usr/bin/env python3
"""Runs the command lines of a table with the driver and with plain clang.

usage: invocations_test.py TABLE SOURCES BIN

The form of TABLE is described in invocations.txt.  SOURCES is copied for each
line; BIN holds fairlead-cc and fairlead-c++.  Prints what disagrees, with the
command that repeats it, and exits with 1 if anything does.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LLVM = "/usr/lib/llvm-19/bin"
SECTION = "fl_units"  # abi/site.h


class Line:
    def __init__(self, number: int, text: str):
        self.number = number
        self.may_differ = text.startswith("?")
        self.command, _, tail = text.removeprefix("?").strip().rpartition("=>")
        words = tail.split()
        self.exit = int(words[0])
        self.files = dict(word.rsplit(":", 1) for word in words[1:])


class Outcome:
    """What a command did in its directory."""

    def __init__(self, line: Line, sources: pathlib.Path, cc: str, cxx: str):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="fl-cc-"))
        work = self.directory / "work"
        shutil.copytree(sources, work)
        before = set(work.rglob("*"))
        environment = dict(
            os.environ, CC=cc, CXX=cxx, LC_ALL="C", FAIRLEAD_ROOT=str(work))
        done = subprocess.run(
            ["sh", "-c", line.command], cwd=work, env=environment,
            stdin=None if "<" in line.command else subprocess.DEVNULL,
            capture_output=True)
        self.exit = done.returncode
        self.stdout = self.neutral(done.stdout)
        self.stderr = self.neutral(done.stderr)
        self.made = {
            path.relative_to(work).as_posix(): path
            for path in set(work.rglob("*")) - before if path.is_file()
        }

    def neutral(self, output: bytes) -> str:
        """Without the names that change from run to run."""
        text = output.decode(errors="replace")
        text = text.replace(str(self.directory), "<dir>")
        return re.sub(r"/tmp/(\w+)-[0-9a-f]{6}\b", r"/tmp/\1-<random>", text)

    def remove(self):
        shutil.rmtree(self.directory)


def tool(name: str, *args: str) -> str:
    return subprocess.run(
        [name, *args], capture_output=True, text=True, errors="replace").stdout


def kind_of(path: pathlib.Path) -> str:
    """The kind of a file, with `*` if it holds sites."""
    head = path.read_bytes()[:8]
    if head.startswith(b"\x7fELF"):
        elf = tool(f"{LLVM}/llvm-readelf", "-h", "-S", "-d", str(path))
        mark = "*" if SECTION in elf else ""
        if path.suffix == ".dwo":
            return "dwo" + mark
        if "REL (Relocatable" in elf:
            return "object" + mark
        if "DYN (Shared" in elf and ("SONAME" in elf or ".so" in path.name):
            return "library" + mark
        return "program" + mark
    if head.startswith(b"BC\xc0\xde"):
        text = tool(f"{LLVM}/llvm-dis", "-o", "-", str(path))
        return "bitcode" + ("*" if SECTION in text else "")
    if head.startswith(b"!<arch>"):
        elf = tool(f"{LLVM}/llvm-readelf", "-S", str(path))
        return "archive" + ("*" if SECTION in elf else "")
    if head.startswith(b"CPCH"):
        return "precompiled"
    text = path.read_text(errors="replace")
    mark = "*" if SECTION in text else ""
    if "target triple =" in text:
        return "ir" + mark
    if re.search(r"^\t\.(text|file|ident)\b", text, re.MULTILINE):
        return "assembly" + mark
    return "text" + mark


def problems(line: Line, sources: pathlib.Path, bin_: str) -> list[str]:
    ours = Outcome(line, sources, f"{bin_}/fairlead-cc", f"{bin_}/fairlead-c++")
    clang = Outcome(line, sources, "clang-19", "clang++-19")
    found = []
    if ours.exit != line.exit:
        found.append(f"exit status {ours.exit}, not {line.exit}")
    kinds = {name: kind_of(path) for name, path in ours.made.items()}
    if kinds != line.files:
        found.append(f"made {kinds},\n  not  {line.files}")
    if ours.exit != clang.exit:
        found.append(f"exit status {ours.exit}, but clang's is {clang.exit}")
    if set(ours.made) != set(clang.made):
        found.append(f"made {sorted(ours.made)}, clang {sorted(clang.made)}")
    if not line.may_differ:
        for name in ("stdout", "stderr"):
            if getattr(ours, name) != getattr(clang, name):
                found.append(f"{name} is\n{getattr(ours, name)}\nclang's is\n"
                             f"{getattr(clang, name)}")
    if found and ours.stderr:
        found.append(f"stderr: {ours.stderr}")
    ours.remove()
    clang.remove()
    return found


def main() -> int:
    table, sources, bin_ = sys.argv[1:4]
    lines = [
        Line(number, text)
        for number, text in enumerate(open(table, encoding="utf-8"), 1)
        if text.strip() and not text.startswith("#")
    ]
    only = sys.argv[4:]  # numbers of lines, when looking at one of them
    if only:
        lines = [line for line in lines if str(line.number) in only]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(
            lambda line: problems(line, pathlib.Path(sources), bin_), lines)
        for line, found in zip(lines, results):
            if found:
                failed += 1
                print(f"{table}:{line.number}: {line.command}")
                print(*(f"  {what}" for what in found), sep="\n")
                print(f"  repeat: {' '.join(sys.argv[:4])} {line.number}\n")
    print(f"{len(lines) - failed} of {len(lines)} lines agree")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
