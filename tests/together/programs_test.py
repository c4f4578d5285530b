#!/usr/bin/env python3
"""Data that belongs together and is changed or seen apart, and repaired twins.

usage: programs_test.py BUILD [NAME...]

Every file of programs/ is a program without a data race of its own making; with
-DFIXED it is its repaired twin. From an execution that passes, `fairlead test
--look-for together` must predict what is wrong, force it, and find it: by a
failure, or by a state that no order of the two units gives. Of the twin it must
find nothing, and nothing may be predicted. A file that begins with "PREDICTED"
says why what is predicted of it is not found.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent


def build(bin_dir, source, out, *flags):
    compiler = "fairlead-cc" if source.suffix == ".c" else "fairlead-c++"
    standard = [] if source.suffix == ".c" else ["-std=c++20"]
    subprocess.run([bin_dir / compiler, "-g", "-O1", "-pthread", *standard,
                    *flags, source, "-o", out], check=True)


def look(bin_dir, program, where):
    """The report of a campaign that forces what is predicted, and stops."""
    report = where / (program.name + ".json")
    ran = subprocess.run(
        [bin_dir / "fairlead", "test", "--look-for", "together",
         "--executions", "60", "--time", "60", "--seed", "1", "--keep-going",
         "--store", where / (program.name + ".db"), "--json", report, "--",
         program], capture_output=True, text=True, timeout=120)
    if ran.returncode not in (0, 1):
        sys.exit(f"{program.name}: exit code {ran.returncode}\n{ran.stderr}")
    return json.loads(report.read_text())


def predicted(bin_dir, program, where):
    ran = subprocess.run(
        [bin_dir / "fairlead", "predict", "--strategy", "first", "--analyses",
         "together", "--json", "--store", where / "predict.db", "--", program],
        capture_output=True, text=True, timeout=120)
    return json.loads(ran.stderr[ran.stderr.rindex('{\n  "command"'):])[
        "predictions"]


def judge(bin_dir, source, where):
    program, twin = where / source.stem, where / (source.stem + "_fixed")
    build(bin_dir, source, program)
    build(bin_dir, source, twin, "-DFIXED")
    found = look(bin_dir, program, where)["findings"]
    wrong = []
    if not predicted(bin_dir, program, where):
        wrong.append(f"{source.name}: nothing is predicted")
    if bool(found) == source.read_text().startswith("// PREDICTED"):
        wrong.append(f"{source.name}: {len(found)} findings")
    for each in predicted(bin_dir, twin, where):
        wrong.append(f"{source.name}, twin, predicted: {each['message']}")
    for each in look(bin_dir, twin, where)["findings"]:
        wrong.append(f"{source.name}, twin: {each['message']}")
    return wrong


def main():
    build_dir = pathlib.Path(sys.argv[1])
    wrong = []
    for source in sorted((HERE / "programs").iterdir()):
        if sys.argv[2:] and source.stem not in sys.argv[2:]:
            continue
        with tempfile.TemporaryDirectory() as where:
            wrong += judge(build_dir / "bin", source, pathlib.Path(where))
    print("\n".join(wrong) or "all found, all twins silent")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
