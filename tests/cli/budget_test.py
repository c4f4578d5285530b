#!/usr/bin/env python3
"""What `fairlead test` spends, and what it says when that was in vain.

usage: budget_test.py --bin DIR --programs DIR

Time and ^C are obeyed wherever the tool is; "ok" is said only where something
was tested; executions begin alike.  Who is waited for tells by a pipe: no
sleeps.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

BIN = PROGRAMS = ""


class Campaign:
    """One `fairlead test` in a directory of its own."""

    def __init__(self, here: str, *arguments: str, **more):
        self.here = here
        split = arguments.index("--")
        command = [f"{BIN}/fairlead", "test", "--json", "result.json",
                   *arguments[:split], *self.program(arguments[split:])]
        self.tool = subprocess.Popen(
            command, cwd=here, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)

    @staticmethod
    def program(words):
        name = words[1]
        path = name if "/" in name else f"{PROGRAMS}/{name}"
        return ["--", path, *words[2:]]

    def finish(self):
        self.output, self.errors = self.tool.communicate()
        self.code = self.tool.returncode
        lines = self.output.splitlines()
        self.last = lines[-1] if lines else ""
        path = os.path.join(self.here, "result.json")
        self.json = None
        if os.path.exists(path):
            with open(path) as file:
                self.json = json.load(file)
        return self


class Test(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.here = self.directory.name

    def tearDown(self):
        self.directory.cleanup()

    def campaign(self, *arguments: str, **more) -> Campaign:
        return Campaign(self.here, *arguments, **more).finish()

    def stored(self) -> str:
        return subprocess.run(
            [f"{BIN}/fairlead", "bugs"], cwd=self.here, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


class Time(Test):
    def test_a_first_execution_that_takes_too_long_is_cut(self):
        done = self.campaign("--time", "0.5s", "--", "counting", "1000000000")
        self.assertEqual(done.code, 4, done.output + done.errors)
        self.assertTrue(done.last.startswith(
            "unknown: every execution was cut short: out of time"), done.last)
        where = "\n".join(done.json["cuts"][0]["where"])
        self.assertIn("counting.c", where)
        self.assertIn("main: waits: join", where)
        self.assertIn("it printed last: counting to 1000000000", where)

    def test_an_execution_that_is_cut_is_not_run_again_to_be_compared(self):
        done = self.campaign("--executions", "1", "--timeout-per-execution",
                             "0.2", "--", "counting", "1000000000")
        self.assertEqual(done.code, 4, done.output + done.errors)
        self.assertEqual(done.json["executions"], 1)

    def test_many_events_do_not_keep_it_from_its_end(self):
        done = self.campaign("--executions", "30", "--time", "4s", "--",
                             "counting", "20000")
        self.assertEqual(done.code, 0, done.output + done.errors)

    def test_a_judge_that_never_answers_is_not_waited_for(self):
        done = self.campaign("--executions", "2", "--timeout-per-execution",
                             "0.1", "--judge", "sleep 1000", "--", "counting")
        self.assertEqual(done.code, 4, done.output + done.errors)
        self.assertIn("the judge did not answer in time", done.last)
        self.assertNotIn("judge", self.stored())


class Stop(Test):
    def begun(self, *arguments: str):
        """A campaign, once somebody in it has written to the pipe."""
        reader, writer = os.pipe()
        os.set_inheritable(writer, True)
        arguments = [word.replace("PIPE", str(writer)) for word in arguments]
        campaign = Campaign(self.here, *arguments, pass_fds=[writer])
        os.close(writer)
        os.read(reader, 1)
        os.close(reader)
        return campaign

    def check_stopped(self, campaign):
        campaign.tool.send_signal(signal.SIGINT)
        done = campaign.finish()
        self.assertEqual(done.code, 4, done.output + done.errors)
        self.assertIn("stopped by the user", done.output + done.errors)
        self.assertNotIn("new", self.stored())

    def test_in_a_first_execution_that_takes_long(self):
        self.check_stopped(self.begun(
            "--time", "1h", "--timeout-per-execution", "0", "--", "counting",
            "1000000000", "PIPE"))

    def test_while_a_judge_runs(self):
        self.check_stopped(self.begun(
            "--time", "1h", "--timeout-per-execution", "0", "--judge",
            "echo x >&PIPE; sleep 1000", "--", "counting"))

    def test_while_the_command_before_an_execution_runs(self):
        self.check_stopped(self.begun(
            "--time", "1h", "--timeout-per-execution", "0", "--before",
            "echo x >&PIPE; sleep 1000", "--", "counting"))


class NeverOk(Test):
    def check(self, code, words, *arguments):
        done = self.campaign("--executions", "3", *arguments)
        self.assertEqual(done.code, code, done.output + done.errors)
        self.assertIn(words, done.last)
        return done

    def test_threads_of_other_processes_only(self):
        self.check(4, "nothing ran under control but one thread, beside",
                   "--", "/bin/sh", "-c", f"{PROGRAMS}/counting; exit $?")
        self.check(4, "became another program",
                   "--", "/bin/sh", "-c", f"exec {PROGRAMS}/counting")
        self.check(4, "beside 1 child process", "--", "company", "popen")
        # A child of fork that makes no threads is none of them.
        self.check(0, "; not controlled: 1 child process", "--", "company",
                   "fork")
        self.check(4, "became another program", "--", "company", "exec")

    def test_a_client_that_never_ran(self):
        self.check(4, "the client never ran", "--drive", "false", "--",
                   "counting")

    def test_company_of_controlled_threads_is_named(self):
        for company in ("popen", "fork"):
            done = self.check(0, "; not controlled: 1 child process", "--",
                              "company", company, "threads")
            self.assertEqual(done.json["uncontrolled"], ["1 child process"])
            self.check(4, "not controlled: 1 child process (--strict)",
                       "--strict", "--", "company", company, "threads")
        done = self.check(0, "ok: nothing found (all executions were run)",
                          "--strict", "--", "company", "none", "threads")
        self.assertEqual(done.json["uncontrolled"], [])

    def test_one_thread(self):
        self.check(0, "ok: nothing found (one thread: nothing to explore)",
                   "--", "company", "none")
        done = self.campaign("--time", "1h", "--", "company", "none")
        self.assertEqual(done.code, 0, done.output)
        self.assertEqual(done.json["ending"], "nothing-to-explore")

    def test_reserved_annotations_say_so(self):
        done = self.check(0, "ok: nothing found", "--", "reserved")
        self.assertEqual(done.json["ignored_annotations"],
                         ["fairlead_atomic_set_add"])
        self.assertIn("without effect: nothing is judged by "
                      "fairlead_atomic_set_add yet",
                      done.output)
        self.assertIn("judged by 1 serial order", done.json["requests"][0])


class Budget(Test):
    def test_executions_are_counted_exactly(self):
        for number in (1, 2, 3, 8):
            runs = os.path.join(self.here, f"runs{number}")
            done = self.campaign(
                "--executions", str(number), "--fork-at", "never", "--before",
                f"echo x >>{runs}", "--", "counting")
            self.assertEqual(done.code, 0, done.output + done.errors)
            with open(runs) as file:
                self.assertEqual(len(file.readlines()), number)

    def test_one_that_always_fails_keeps_to_it(self):
        done = self.campaign("--executions", "3", "--", "hello", "1")
        self.assertEqual(done.code, 1, done.output + done.errors)
        self.assertLessEqual(done.json["executions"], 3)


class Alike(Test):
    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.here, "data"))
        self.changed = os.path.join(self.here, "data", "changed")
        with open(self.changed, "w") as file:
            file.write("as given\n")
        os.symlink("data/changed", os.path.join(self.here, "link"))

    def test_a_program_that_leaves_files_finds_them_otherwise(self):
        done = self.campaign("--executions", "5", "--", "leaves_file")
        self.assertEqual(done.code, 1, done.output + done.errors)

    def test_private_directories_are_the_same_each_time(self):
        for jobs in ("1", "2"):
            done = self.campaign(
                "--fresh-dir", "--jobs", jobs, "--executions", "40", "--judge",
                "test -e left && grep -q program data/changed && "
                "grep -q program link && ! test -e .fairlead",
                "--", "leaves_file")
            self.assertEqual(done.code, 0, done.output + done.errors)
            self.assertEqual(done.json["runner"], "fork server")
        with open(self.changed) as file:
            self.assertEqual(file.read(), "as given\n")
        self.assertEqual(sorted(os.listdir(self.here)),
                         [".fairlead", "data", "link", "result.json"])
        self.assertNotIn("fresh-dirs",
                         os.listdir(os.path.join(self.here, ".fairlead")))

    def test_a_command_before_each_puts_things_right(self):
        done = self.campaign(
            "--before", "rm -f left; echo as given >data/changed",
            "--executions", "40", "--", "leaves_file")
        self.assertEqual(done.code, 0, done.output + done.errors)
        self.assertEqual(done.json["runner"], "fork server")

    def test_a_command_before_each_that_fails_is_told(self):
        done = self.campaign("--before", "echo no disk >&2; exit 7",
                             "--executions", "5", "--", "leaves_file")
        self.assertEqual(done.code, 3, done.output + done.errors)
        self.assertIn("exit code 7): no disk", done.errors)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    BIN = os.path.realpath(arguments.bin)
    PROGRAMS = os.path.realpath(arguments.programs)
    unittest.main(argv=sys.argv[:1] + arguments.names)
