#!/usr/bin/env python3
"""Compares what the driver reads in a command line with what clang reads.

usage: agreement_test.py BIN

The driver decides from tables of its own: which endings and `-x` mean code,
which `-g` means how much.  Clang tells by `-###` what it would run.  For each
line below, the driver must add the pass exactly if clang would make code for
this machine, and must tell the pass the debug level that clang would use.
"""

import concurrent.futures
import itertools
import os
import re
import subprocess
import sys
import tempfile

ENDINGS = (
    "c i m mi C CC CPP CXX C++ M c++ c++m cc ccm cp cpp cppm cxx cxxm ii iim "
    "mii mm pcm h H hh hpp hxx S s asm bc ll o a so obj lib txt d gch pch "
    "so.1 c.o o.c inc def tcc tpp ipp ixx mpp sx ast f f90 F F90 x y").split()
LANGUAGES = (
    "c c++ cpp-output c++-cpp-output objective-c objective-c++ "
    "objective-c-cpp-output objective-c++-cpp-output c-header c++-header "
    "c++-user-header c++-system-header assembler assembler-with-cpp ir "
    "c++-module none").split()
STOPS = (
    [], ["-c"], ["-S"], ["-E"], ["-M"], ["-MM"], ["-fsyntax-only"],
    ["-c", "-emit-llvm"], ["-c", "-flto"], ["--precompile"], ["-emit-ast"],
    ["--analyze"], ["-c", "-E"], ["-E", "-c"], ["-MD", "-c"], ["--compile"],
    ["--assemble"], ["--preprocess"], ["--dependencies"],
    ["--user-dependencies"], ["-c", "-fsyntax-only"], ["-S", "-c"],
    ["-c", "-S"], ["-verify-pch"], ["-c", "--precompile"])
DEBUG = (
    "-g -g0 -g1 -g2 -g3 -ggdb -ggdb0 -ggdb1 -ggdb2 -ggdb3 -glldb -gsce -gdbx "
    "-gfull -gused -gmodules -gdwarf -gdwarf-2 -gdwarf-3 -gdwarf-4 -gdwarf-5 "
    "-gdwarf32 -gdwarf64 -gz -gz=none -gsplit-dwarf -gsplit-dwarf=single "
    "-gno-split-dwarf -gline-tables-only -gmlt -gline-directives-only "
    "-gcodeview -gcolumn-info -gno-column-info -grecord-gcc-switches "
    "-grecord-command-line -gno-record-command-line -gstrict-dwarf "
    "-gno-strict-dwarf -ginline-line-tables -gno-inline-line-tables "
    "-gpubnames -ggnu-pubnames -gno-pubnames -gsimple-template-names "
    "-gdwarf-aranges -gtemplate-alias -fstandalone-debug "
    "-fno-standalone-debug -flimit-debug-info --debug "
    "-fdebug-info-for-profiling").split()
# One of each effect, to be seen in pairs: the last one wins.
DEBUG_PAIRS = ["-g", "-g0", "-g1", "-gdwarf-4", "-gz", "-gsplit-dwarf"]

LEVELS = {
    "constructor": "full", "limited": "full", "standalone": "full",
    "line-tables-only": "lines", "line-directives-only": "lines", None: "lines",
}


def lines():
    for driver in ("fairlead-cc", "fairlead-c++"):
        for ending in ENDINGS:
            yield driver, ["-c", f"file.{ending}"]
        for language in LANGUAGES:
            yield driver, ["-x", language, "-c", "file.o"]
            yield driver, [f"-x{language}", "-c", "file.o"]
        for stop in STOPS:
            yield driver, [*stop, "file.c"]
            yield driver, [*stop, "file.hpp"]
    for option in DEBUG:
        yield "fairlead-cc", [option, "-c", "file.c"]
    for pair in itertools.permutations(DEBUG_PAIRS, 2):
        yield "fairlead-cc", [*pair, "-c", "file.c"]


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout + done.stderr


def disagreement(bin_: str, driver: str, args: list[str]) -> str | None:
    clang = "clang++-19" if driver.endswith("++") else "clang-19"
    jobs = [job for job in run(clang, "-###", *args).splitlines()
            if '"-cc1"' in job]
    codes = [job for job in jobs if re.search(
        '"-emit-obj"|"-S"|"-emit-llvm-bc"|"-emit-llvm"', job)]
    ours = run(f"{bin_}/{driver}", "--fairlead-print-command", *args)
    if ("-fpass-plugin=" in ours) != bool(codes):
        return "the pass is " + ("missing" if codes else "added to no code")
    if codes:
        kind = re.search('"-debug-info-kind=([a-z-]+)"', codes[0])
        want = f"-fairlead-debug={LEVELS[kind[1] if kind else None]}"
        if want not in ours:
            return f"{want} is missing"
    return None


def main() -> int:
    bin_ = os.path.abspath(sys.argv[1])
    cases = list(lines())
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for ending in {*ENDINGS, "c", "hpp", "o"}:
            open(f"file.{ending}", "w", encoding="utf-8").close()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(
                lambda case: disagreement(bin_, *case), cases))
    for (driver, args), what in zip(cases, found):
        if what:
            print(f"{driver} {' '.join(args)}: {what}")
    failed = sum(what is not None for what in found)
    print(f"{len(cases) - failed} of {len(cases)} lines agree")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
