#!/usr/bin/env python3
"""Requests against serial orders, from end to end.

usage: pike_test.py --bin DIR --programs DIR

Each bug is found, as the kind that it is, and repeats; its fixed twin is silent
under the same budget. What differs by itself is masked and named; what cannot
be judged is said, with exit code 4.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest

BIN = PROGRAMS = ""
BUDGET = "400"

# Program, kind, and words of the message.
BUGS = [
    ("queue", "wrong-answer", "'take' of"),
    ("cache", "corrupted-state", "cache has 'x = 1' as well"),
    ("bank", "corrupted-state", "accounts has"),
    ("lru", "corrupted-state", "entries has 'a' as well"),
    ("ids", "wrong-answer", "answered"),
    ("logins", "wrong-answer", "refused with error 3 'not logged in'"),
]


class Test(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.here = self.directory.name

    def tearDown(self):
        self.directory.cleanup()

    def run_tool(self, *arguments):
        return subprocess.run(
            [f"{BIN}/fairlead", *arguments], cwd=self.here,
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=False)

    def campaign(self, program, *options, executions=BUDGET):
        done = self.run_tool("test", "--quiet", "--json", "result.json",
                             "--executions", executions, *options, "--",
                             f"{PROGRAMS}/{program}")
        with open(os.path.join(self.here, "result.json"),
                  encoding="utf8") as file:
            return done, json.load(file)

    def test_bugs_are_found_as_what_they_are_and_repeat(self):
        for program, kind, words in BUGS:
            with self.subTest(program):
                done, result = self.campaign(program, "--store", f"{program}.db")
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                found = result["findings"][0]
                self.assertEqual(found["kind"], kind)
                self.assertIn(words, found["message"])
                self.assertEqual(found["verdict"], "confirmed")
                again = self.run_tool("replay", "1", "--store",
                                      f"{program}.db")
                self.assertEqual(again.returncode, 1, again.stderr)

    def test_twins_are_silent(self):
        for program, _, _ in BUGS:
            with self.subTest(program):
                done, result = self.campaign(f"{program}_fixed", executions="200")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("executions judged", result["requests"][0])

    # Who overlaps whom, which order fits how far, what is missing and extra.
    def test_the_report_has_history_orders_and_elements(self):
        self.campaign("cache")
        shown = self.run_tool("show", "1").stdout
        for line in ("  ann                               bob",
                     "  > get x",
                     "  answers yes  state no   ann: get x; bob: set x 2",
                     "  answers no   state no   bob: set x 2; ann: get x (differs)",
                     "  cache: extra   x = 1"):
            self.assertIn(line, shown)

    def test_what_differs_by_itself_is_masked_and_named(self):
        done, result = self.campaign("own_ways", executions="100")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = "\n".join(result["requests"])
        self.assertIn("differs by itself: the answer to 'time'; numbers", lines)
        self.assertIn("differs by itself: the answer to 'dice'; numbers", lines)
        self.assertIn("differs by itself: component log; numbers", lines)
        self.assertIn("stale annotation? no execution changed component stale",
                      lines)

    def test_orders_that_block_leave_it_unknown(self):
        done, result = self.campaign("waits", executions="20")
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertIn("every order of the requests, one at a time, blocks",
                      done.stdout)
        self.assertEqual(result["result"], "unknown")

    def test_work_in_the_background_is_done_between_requests(self):
        done, _ = self.campaign("background", executions="100")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_rules_take_back_what_is_not_promised(self):
        with open(os.path.join(self.here, "fairlead.facts"), "w",
                  encoding="utf8") as file:
            file.write("component cache sequential-within-concurrent\n"
                       "component table ignore\n"
                       "commutes a b\n")
        done, result = self.campaign("cache", executions="200")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = "\n".join(result["requests"])
        self.assertIn("filtered: component cache sequential-within-concurrent",
                      lines)
        self.assertIn("filter without use: commutes a b", lines)


def main():
    global BIN, PROGRAMS
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--programs", required=True)
    arguments, rest = parser.parse_known_args()
    BIN, PROGRAMS = arguments.bin, arguments.programs
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
