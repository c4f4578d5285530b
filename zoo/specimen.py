"""The specimens of the zoo: folders with a manifest, a bug and its fixed twin.

A folder of zoo/ with a manifest.toml is a specimen; nothing else registers it.
"""

import os
import pathlib
import subprocess
import tomllib

ZOO = pathlib.Path(__file__).resolve().parent
ROOT = ZOO.parent
CLANG = {".c": "clang-19", ".cc": "clang++-19"}
GCC = {".c": "gcc", ".cc": "g++"}
OURS = {".c": "fairlead-cc", ".cc": "fairlead-c++"}
WARNINGS = ["-Wall", "-Wextra", "-Werror"]

# What the manifest must say, and the words it may choose from.
TEXTS = ["title", "pattern", "oracle", "input", "races", "differs"]
FAILURES = {
    "crash": {"crash"},
    "double free": {"crash", "misuse", "heap"},
    "use after free": {"crash", "misuse", "heap"},
    "assertion": {"crash"},
    "wrong output": {"exit"},
    "corruption": {"exit", "crash", "misuse", "heap"},
    "deadlock": {"deadlock"},
    "hang": {"deadlock", "livelock"},
    "none": set(),
}
TECHNIQUES = ["race", "atomicity", "iroot", "conmem", "ai", "asset"]


class Specimen:
    """One folder. `problem` says what is wrong with it, or is empty."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.name = self.folder.name
        with open(self.folder / "manifest.toml", "rb") as file:
            self.manifest = tomllib.load(file)
        suffixes = [s for s in CLANG if (self.folder / f"bug{s}").exists()]
        self.suffix = suffixes[0] if suffixes else ".c"
        self.problem = self._problem(suffixes)

    def _problem(self, suffixes):
        if len(suffixes) != 1:
            return "needs one of bug.c and bug.cc"
        if not self.source("fixed").exists():
            return f"needs fixed{self.suffix}"
        for key in TEXTS:
            if not isinstance(self.manifest.get(key), str):
                return f"manifest.toml: needs a text '{key}'"
        if self.manifest.get("failure") not in FAILURES:
            return f"manifest.toml: failure must be one of {list(FAILURES)}"
        if not isinstance(self.manifest.get("threads"), int):
            return "manifest.toml: needs a number 'threads'"
        if not self.manifest.get("papers"):
            return "manifest.toml: needs a list 'papers'"
        missing = [t for t in TECHNIQUES
                   if t not in self.manifest.get("expect", {})]
        if missing:
            return f"manifest.toml: [expect] lacks {missing}"
        return ""

    def source(self, which):
        return self.folder / f"{which}{self.suffix}"

    @property
    def failure(self):
        return self.manifest["failure"]

    @property
    def harmless(self):
        """Conflicts that hurt nobody: there is no failure to be found."""
        return self.failure == "none"

    @property
    def schedule(self):
        return self.folder / "bug.sched"

    def program(self, build, which):
        """The instrumented program that CMake builds."""
        return pathlib.Path(build) / "zoo" / self.name / which

    def plain(self, build):
        """The bug built by clang alone; compiled anew when it is older."""
        program = self.program(build, "plain")
        source = self.source("bug")
        newest = max(source.stat().st_mtime, (ZOO / "zoo.h").stat().st_mtime)
        if not program.exists() or program.stat().st_mtime < newest:
            program.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run([CLANG[self.suffix], "-O2", "-pthread", source,
                            "-o", program, "-lm"], check=True)
        return program

    def warnings(self):
        """What clang and gcc say about both sources, when not instrumented.

        clang warns before it optimises, gcc while it does.
        """
        said = []
        for compiler, form in ((CLANG, ["-fsyntax-only"]),
                               (GCC, ["-O1", "-c", "-o", os.devnull])):
            for which in ("bug", "fixed"):
                done = subprocess.run(
                    [compiler[self.suffix], *form, *WARNINGS, "-pthread",
                     self.source(which)], capture_output=True, text=True)
                if done.returncode != 0 or done.stderr:
                    said.append(done.stderr)
        return "".join(said)


def all_specimens(names=()):
    """All specimens by name, or those named. Raises LookupError."""
    folders = sorted(p.parent for p in ZOO.glob("*/manifest.toml"))
    known = {folder.name: folder for folder in folders}
    for name in names:
        if name not in known:
            raise LookupError(f"no specimen called '{name}' in {ZOO}")
    return [Specimen(known[name]) for name in (names or known)]
