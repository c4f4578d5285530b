#!/usr/bin/env python3
"""`fairlead test --gtest` and the like: each test for itself, one case and one
finding each, named after the test.

usage: frameworks_test.py --bin DIR --gtest FILE --catch2 FILE --other FILE
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("--bin", "--gtest", "--catch2", "--other"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    fairlead = str((arguments.bin / "fairlead").resolve())
    wrong = []

    def check(right, words):
        if not right:
            wrong.append(words)

    with tempfile.TemporaryDirectory(prefix="fairlead-tests-") as here:
        here = pathlib.Path(here)

        def run(*words):
            done = subprocess.run([fairlead, *words], cwd=here, text=True,
                                  stdin=subprocess.DEVNULL, capture_output=True)
            return done

        # Ten tests, two bugs, in the time that was given.
        done = run("test", "--gtest", "--executions", "300", "--no-minimize",
                   "--junit", "o.xml", "--json", "o.json", "--", str(arguments.gtest.resolve()))
        check(done.returncode == 1, f"gtest: {done.returncode} {done.stdout} {done.stderr}")
        bad = {"Bank.KeepsMoney", "Shop.SellsTheLastOneOnce"}
        tests = {each["name"]: each for each in json.loads((here / "o.json").read_text())["tests"]}
        failed = {name for name, each in tests.items() if each["result"] == "failed"}
        check(len(tests) == 10, f"{len(tests)} tests: {sorted(tests)}")
        check(failed == bad, f"failed: {failed}")
        check(tests["Shop.DISABLED_IsLater"]["result"] == "skipped"
              and tests["Shop.DISABLED_IsLater"]["executions"] == 0, "a disabled test")
        for name in ("Shop.AddsUp", "Number/0.Adds", "Number/1.Adds"):
            check(tests[name]["executions"] == 1, f"{name}: {tests[name]['executions']} executions")
        check(tests["Bank.KeepsMoneyUnderALock"]["result"] == "ok"
              and tests["Bank.KeepsMoneyUnderALock"]["executions"] > 1, "a right test is explored")
        check(tests["Some/Sizes.AreCounted/1"]["result"] == "ok", "a parameterised test")
        suites = ElementTree.parse(here / "o.xml").getroot()
        cases = {case.get("name"): case for case in suites.iter("testcase")}
        check(len(cases) == 10 and suites.get("failures") == "2", f"JUnit: {suites.attrib}")
        for name in bad:
            failure = cases[name].find("failure")
            check(failure is not None and name in failure.get("message") + failure.text,
                  f"{name}: {failure.attrib if failure is not None else None}")
        ids = [id for name in bad for id in tests[name]["findings"]]
        kept = {each["id"]: each for each in json.loads(run("bugs", "--json").stdout)}
        check(len(set(ids)) == len(ids) >= 2, f"findings {ids}")
        bugs = run("bugs").stdout
        for name in bad:
            check(name in bugs, f"{name} is not in {bugs}")
            one = min(tests[name]["findings"])
            check(kept[one]["status"] == "open", f"{name}: {kept[one]}")
        one = min(tests["Bank.KeepsMoney"]["findings"])
        check(run("replay", str(one)).returncode == 1, "a finding is not repeated")

        if arguments.catch2.exists():
            done = run("test", "--catch2", "--executions", "200", "--no-minimize", "--json", "-", "--store",
                       "catch.db", "--", str(arguments.catch2.resolve()))
            tests = {each["name"]: each["result"] for each in json.loads(done.stdout)["tests"]}
            check(done.returncode == 1 and tests == {
                "adds, up": "ok", "loses [one] of two": "failed", "keeps both": "ok"},
                f"catch2: {done.returncode} {tests} {done.stderr}")

        other = str(arguments.other.resolve())
        for framework in ("--gtest", "--catch2", "--doctest"):
            done = run("test", framework, "--", other)
            check(done.returncode == 2 and "is no binary of" in done.stderr,
                  f"{framework}: {done.returncode} {done.stderr}")
        done = run("test", "--ctest", str(here))
        check(done.returncode == 2, f"ctest of nothing: {done.returncode} {done.stderr}")
        (here / "CTestTestfile.cmake").write_text(
            f'add_test(right "{other}")\nadd_test(wrong "{other}" 3)\n'
            'add_test(later "/bin/false")\nset_tests_properties(later PROPERTIES DISABLED TRUE)\n')
        done = run("test", "--ctest", str(here), "--executions", "5", "--json", "-", "--store", "ctest.db")
        tests = {each["name"]: each["result"] for each in json.loads(done.stdout)["tests"]}
        check(done.returncode == 1 and tests == {"right": "ok", "wrong": "failed", "later": "skipped"},
              f"ctest: {done.returncode} {tests} {done.stderr}")
    for words in wrong:
        print("wrong:", words)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
