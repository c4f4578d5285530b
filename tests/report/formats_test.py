#!/usr/bin/env python3
"""What other tools read of our reports is what these formats allow, and holds no
text of the program that would act in them.

usage: formats_test.py --bin DIR --program FILE --cache DIR [--store FILE]

Tests a program whose texts try to be markup, then renders the campaign, the list
of findings, and each finding. SARIF is held against the schema of npm's
@microsoft/jest-sarif where the registry can be reached, else against the parts
of it that are written here. With --store, renders what is in there instead.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import jsonschema

import npm_package

SARIF = ("@microsoft/jest-sarif", "1.0.0-beta.0",
         "A1fOhPd6Ic5iDk4F9YPw1qNB4XF+7+IviR7xl8r2F6QzQkx5cpY9LsGk2rExiFIEcBbjp"
         "VnSmwWGBukASkiQ9A==")
LEVELS = {"none", "note", "warning", "error"}


class Checks:
    def __init__(self, schema):
        self.schema = schema
        self.wrong = []

    def that(self, right, words):
        if not right:
            self.wrong.append(words)

    def text(self, raw: bytes, name):
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as failure:
            self.that(False, f"{name}: not UTF-8: {failure}")
            return ""
        self.that(not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text),
                  f"{name}: a control character as it is")
        return text

    def sarif(self, raw, name):
        log = json.loads(self.text(raw, name))
        if self.schema:
            for error in jsonschema.Draft4Validator(self.schema).iter_errors(log):
                self.that(False, f"{name}: {list(error.path)}: {error.message[:300]}")
        self.that(log["version"] == "2.1.0" and len(log["runs"]) == 1,
                  f"{name}: version and run")
        run = log["runs"][0]
        rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
        for result in run["results"]:
            self.that(result["ruleId"] in rules, f"{name}: rule {result['ruleId']}")
            self.that(result["level"] in LEVELS, f"{name}: level")
            self.that("](" not in result["message"]["text"], f"{name}: a link")
            prints = result["partialFingerprints"]["fairlead/v1"]
            self.that(re.fullmatch("[0-9a-f]{16}", prints), f"{name}: {prints}")
            for flow in result.get("codeFlows", []):
                self.flow(flow, name)
        return run

    def flow(self, flow, name):
        orders = [step["executionOrder"] for thread in flow["threadFlows"]
                  for step in thread["locations"]]
        self.that(sorted(orders) == list(range(1, len(orders) + 1)),
                  f"{name}: execution order {orders}")
        for thread in flow["threadFlows"]:
            own = [step["executionOrder"] for step in thread["locations"]]
            self.that(own == sorted(own), f"{name}: order in a thread {own}")

    def junit(self, raw, name):
        suites = ElementTree.fromstring(self.text(raw, name))
        suite = suites.find("testsuite")
        cases = suite.findall("testcase")
        for word, element in (("failures", "failure"), ("errors", "error"),
                              ("skipped", "skipped")):
            found = sum(case.find(element) is not None for case in cases)
            for each in (suites, suite):
                self.that(int(each.get(word)) == found, f"{name}: {word}")
        self.that(int(suite.get("tests")) == len(cases) > 0, f"{name}: tests")
        self.that(all(case.get("name") and case.get("classname")
                      for case in cases), f"{name}: names")
        return cases

    def markdown(self, raw, name):
        text = self.text(raw, name)
        prose, fence = [], None
        for line in text.split("\n"):
            mark = re.match(r"`{3,}", line)
            if fence is None and mark:
                fence = mark.group()
            elif fence is not None and line == fence:
                fence = None
            elif fence is None:
                prose.append(line)
        self.that(fence is None, f"{name}: a fence stays open")
        rest = re.sub(r"</?(details|summary)>", "", "\n".join(prose))
        self.that(not re.search(r"[<>]|\]\(|@|javascript:", rest),
                  f"{name}: markup of the program: {rest}")

    def github(self, raw, name):
        text = self.text(raw, name)
        for line in text.splitlines():
            self.that(re.match(r"::(error|warning|notice) |nothing found$", line),
                      f"{name}: {line}")
        return text


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("--bin", "--cache"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    parser.add_argument("--program")
    parser.add_argument("--store")
    arguments = parser.parse_args()
    try:
        schema = json.loads((npm_package.fetch(*SARIF, arguments.cache) / "lib" /
                             "schemas" / "sarif-2.1.0-rtm.5.json").read_text())
        kind = "the schema"
    except npm_package.Unreachable as failure:
        print(f"without the schema: {failure}")
        schema, kind = None, "parts of the schema"
    checks = Checks(schema)
    fairlead = str((arguments.bin / "fairlead").resolve())
    with tempfile.TemporaryDirectory(prefix="fairlead-formats-") as here:
        here = pathlib.Path(here)

        def run(*words, codes=(0, 1)):
            done = subprocess.run([fairlead, *words], cwd=here,
                                  stdin=subprocess.DEVNULL, capture_output=True)
            checks.that(done.returncode in codes,
                        f"{words}: {done.returncode} {done.stderr.decode()}")
            return done.stdout

        files = ["--sarif", "o.sarif", "--junit", "o.xml", "--markdown", "o.md"]
        store = ["--store", str(pathlib.Path(arguments.store).resolve())] \
            if arguments.store else []

        def check_files(name):
            cases = checks.junit((here / "o.xml").read_bytes(), name + " junit")
            checks.markdown((here / "o.md").read_bytes(), name + " markdown")
            return (checks.sarif((here / "o.sarif").read_bytes(), name + " sarif"),
                    cases)

        first = None
        if arguments.program:
            out = run("test", "--executions", "200", *files, "--format", "github",
                      "--", str(pathlib.Path(arguments.program).resolve()), codes=(1,))
            annotations = checks.github(out, "test github")
            checks.that("file=" in annotations and "line=" in annotations,
                        "no place in annotations")
            first, cases = check_files("test")
            checks.that(len(first["results"]) == 1 and len(cases) == 1,
                        "one finding")
            checks.that("</script>" in json.dumps(first) and "codeFlows" in
                        first["results"][0], "the interleaving, with its names")
        out = run("bugs", *store, *files, "--format", "github")
        checks.github(out, "bugs github")
        kept, cases = check_files("bugs")
        if first:
            checks.that(kept["results"][0]["partialFingerprints"] ==
                        first["results"][0]["partialFingerprints"],
                        "the fingerprint has changed")
            run("bugs", "--ignore", "1")
            out = run("bugs", *files, "--format", "github")
            checks.that(b"::error" not in out, f"ignored: {out}")
            ignored, cases = check_files("ignored")
            checks.that(ignored["results"][0]["suppressions"][0]["kind"] ==
                        "external", "ignored is a suppression")
            checks.that(any(case.find("skipped") is not None for case in cases),
                        "ignored is skipped")
        names = [each["name"] for each in json.loads(run("bugs", *store, "--json"))]
        for name in names:
            for form in ("sarif", "junit", "markdown", "github"):
                raw = run("show", *store, "--format", form, name)
                getattr(checks, form)(raw, f"show {name} {form}")
    for words in checks.wrong:
        print("wrong:", words)
    print(f"{len(names)} findings in every format, SARIF against {kind}")
    return 1 if checks.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
