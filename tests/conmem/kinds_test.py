#!/usr/bin/env python3
"""Memory errors of every kind, as programs and their twins.

usage: kinds_test.py BUILD FOLDER [NAME...]

Every file of the folder is a program; with -DFIXED it is its repaired twin.
kinds/ has one for each kind of error; cases/ has security bugs as they were in
kernels, servers and libraries, cut down to one file. The first line says which
analysis predicts the error (// EXPECT: ANALYSIS); in cases/ another one may as
well. From one execution that passes it must be predicted, and forced (predict
makes six attempts at each) into something that a user can tell; of the twin
nothing is predicted that is likely, and nothing fails.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
ANALYSES = "dangling,null,uninit,overflow"
OBSERVABLE = {"crash", "deadlock", "wrong end", "hang"}


def build(bin_dir, source, out, *flags):
    compiler = "fairlead-cc" if source.suffix == ".c" else "fairlead-c++"
    standard = [] if source.suffix == ".c" else ["-std=c++20"]
    subprocess.run([bin_dir / compiler, "-g", "-O1", "-pthread", *standard,
                    *flags, source, "-o", out], check=True)


def predict(bin_dir, program, where):
    ran = subprocess.run(
        [bin_dir / "fairlead", "predict", "--strategy", "first", "--analyses",
         ANALYSES, "--force", "--all", "--json", "--store", where / "store",
         "--", program], capture_output=True, text=True, timeout=120)
    return json.loads(ran.stderr[ran.stderr.rindex('{\n  "command"'):])


def judge(bin_dir, source, where):
    """What is wrong, in lines."""
    expected = re.match(r"// EXPECT: (\w+)", source.read_text()).group(1)
    program, twin = where / source.stem, where / (source.stem + "_fixed")
    build(bin_dir, source, program)
    build(bin_dir, source, twin, "-DFIXED")
    wrong = []
    found = [each for each in predict(bin_dir, program, where)["predictions"]
             if each["analysis"] == expected or source.parent.name == "cases"]
    if not found:
        wrong.append(f"{source.name}: {expected} predicts nothing")
    elif not any(each["outcome"] in OBSERVABLE for each in found):
        wrong.append(f"{source.name}: forcing shows nothing: "
                     f"{[each['outcome'] for each in found]}")
    for each in predict(bin_dir, twin, where)["predictions"]:
        if each.get("likely", True) or each["outcome"] in OBSERVABLE:
            wrong.append(f"{source.name}, twin: {each['analysis']}, "
                         f"{each['outcome']}")
    return wrong


def main():
    bin_dir = pathlib.Path(sys.argv[1]) / "bin"
    folder = HERE / sys.argv[2]
    names = sys.argv[3:]
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        for source in sorted(folder.iterdir()):
            if names and source.stem not in names:
                continue
            wrong += judge(bin_dir, source, pathlib.Path(scratch))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
