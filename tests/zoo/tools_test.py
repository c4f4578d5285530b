#!/usr/bin/env python3
"""The zoo's own tools: which folders are specimens, and what is kept."""

import pathlib
import shutil
import tempfile
import unittest

import control
import specimen as specimens


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp()) / "bankaccount"
        shutil.copytree(specimens.ZOO / "bankaccount", self.folder)

    def tearDown(self):
        shutil.rmtree(self.folder.parent)

    def problem(self):
        return specimens.Specimen(self.folder).problem

    def change(self, old, new):
        path = self.folder / "manifest.toml"
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def test_a_whole_one_has_no_problem(self):
        self.assertEqual(self.problem(), "")

    def test_a_twin_is_needed(self):
        (self.folder / "fixed.cc").unlink()
        self.assertIn("fixed.cc", self.problem())

    def test_two_bugs_are_too_many(self):
        (self.folder / "bug.c").write_text("int main(void) { return 0; }\n")
        self.assertIn("one of bug.c and bug.cc", self.problem())

    def test_the_failure_is_one_of_the_list(self):
        self.change('failure = "assertion"', 'failure = "odd"')
        self.assertIn("failure must be one of", self.problem())

    def test_every_technique_is_expected_to_say_something(self):
        self.change("conmem = ", "other = ")
        self.assertIn("conmem", self.problem())

    def test_a_warning_is_seen(self):
        source = self.folder / "bug.cc"
        shutil.copytree(specimens.ZOO, self.folder.parent / "zoo",
                        ignore=lambda where, names: [
                            n for n in names if not n.endswith(".h")])
        text = source.read_text().replace("../zoo.h", "../zoo/zoo.h")
        source.write_text(text.replace("int main() {",
                                       "int main() {\n  int unused;"))
        self.assertIn("unused", specimens.Specimen(self.folder).warnings())


class Schedules(unittest.TestCase):
    def test_nothing_private_is_kept(self):
        with tempfile.TemporaryDirectory() as scratch:
            recorded = pathlib.Path(scratch) / "recorded"
            stored = pathlib.Path(scratch) / "stored"
            recorded.write_text("fairlead schedule 2\n"
                                "program: /home/me/app\n"
                                "build: 5f3c /home/me/app\n"
                                "argv: /home/me/app\n"
                                "environment: 0x1b7\n"
                                "main @ 17 -> main/1  at 0x2e way 0x5c\n"
                                "end: 1 choices, 0 inputs\n")
            control.publish_schedule(recorded, stored)
            text = stored.read_text()
            self.assertNotIn("/home", text)
            self.assertNotIn("0x1b7", text)
            self.assertIn("main @ 17 -> main/1  at 0x2e way 0x5c\n", text)


class Names(unittest.TestCase):
    def test_unknown_ones_are_told(self):
        with self.assertRaises(LookupError):
            specimens.all_specimens(["no-such-bug"])

    def test_every_folder_is_found(self):
        folders = {p.parent.name
                   for p in specimens.ZOO.glob("*/manifest.toml")}
        self.assertEqual({s.name for s in specimens.all_specimens()}, folders)


if __name__ == "__main__":
    unittest.main()
