#!/usr/bin/env python3
"""Ends `fairlead run`, or its program, from outside in the middle.

usage: interrupt_test.py --bin DIR --programs DIR

Nothing may be left running and nothing lost.  Processes hold the write end of a
pipe for as long as they live, so that their end can be waited for: no sleeps.
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


def open_files(process: int) -> set[str]:
    files = set()
    for number in os.listdir(f"/proc/{process}/fd"):
        try:
            files.add(os.readlink(f"/proc/{process}/fd/{number}"))
        except FileNotFoundError:
            pass  # closed meanwhile
    return files


def children(process: int) -> set[str]:
    """Names of all that it has started, and of what these have."""
    names = set()
    todo = [process]
    while todo:
        try:
            with open(f"/proc/{todo[-1]}/task/{todo.pop()}/children") as file:
                found = list(map(int, file.read().split()))
            for each in found:
                with open(f"/proc/{each}/comm") as file:
                    names.add(file.read().strip())
            todo += found
        except (FileNotFoundError, ProcessLookupError):
            pass  # gone meanwhile
    return names


class Started:
    """A `fairlead run` of the program that waits forever, once it waits."""

    def __init__(self, here: str, *options: str):
        self.life, end = os.pipe()
        os.set_inheritable(end, True)
        self.tool = subprocess.Popen(
            [f"{BIN}/fairlead", "run", "--quiet", *options, "--",
             f"{PROGRAMS}/forever"],
            cwd=here, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, pass_fds=[end], text=True)
        os.close(end)
        self.program, self.child = map(int, self.tool.stdout.readline().split())

    def wait_until_all_are_gone(self):
        # The pipe ends when the last process that has its other end is gone.
        assert os.read(self.life, 1) == b""
        os.close(self.life)

    def finish(self) -> tuple[int, str]:
        _, errors = self.tool.communicate()
        return self.tool.returncode, errors.splitlines()[-1]


class StartedCampaign:
    """A `fairlead test` that has no end, once it has judged an execution."""

    def __init__(self, here: str):
        fifo = os.path.join(here, "judged")
        os.mkfifo(fifo)
        self.tool = subprocess.Popen(
            [f"{BIN}/fairlead", "test", "--quiet", "--time", "1h", "--judge",
             "echo x >judged", "--", f"{PROGRAMS}/counting"],
            cwd=here, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        # Open for both, so that judges never wait for somebody who reads.
        self.judged = os.open(fifo, os.O_RDWR)
        os.read(self.judged, 1)

    def finish(self) -> tuple[int, str]:
        output, _ = self.tool.communicate()
        os.close(self.judged)
        return self.tool.returncode, output.splitlines()[-1]


class Interrupt(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.here = self.directory.name

    def tearDown(self):
        self.directory.cleanup()

    def test_a_signal_to_the_tool_ends_the_group_and_keeps_the_files(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP,
                       signal.SIGQUIT):
            with self.subTest(number):
                started = Started(self.here, "--trace", "t", "--schedule-out",
                                  "s")
                started.tool.send_signal(number)
                code, line = started.finish()
                started.wait_until_all_are_gone()
                self.assertEqual(code, 4)
                self.assertEqual(line, "fairlead: unknown: interrupted: "
                                 "stopped by the user; the program was ended")
                self.assertEqual(sorted(os.listdir(self.here)), ["s", "t"])
                stat = subprocess.run(
                    [f"{BIN}/fairlead", "trace", "stat", "t"], cwd=self.here,
                    stdout=subprocess.PIPE, text=True)
                self.assertEqual(stat.returncode, 0)
                self.assertIn("verdict: interrupted", stat.stdout)

    def test_a_signal_before_anything_has_begun(self):
        pipe = os.path.join(self.here, "pipe")
        os.mkfifo(pipe)
        writer = os.open(pipe, os.O_RDWR)
        tool = subprocess.Popen(
            [f"{BIN}/fairlead", "test", "--suppressions", pipe, "--",
             f"{PROGRAMS}/forever"], cwd=self.here, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while pipe not in open_files(tool.pid):
            self.assertIsNone(tool.poll())
        tool.send_signal(signal.SIGINT)
        out, err = tool.communicate()
        os.close(writer)
        self.assertEqual(tool.returncode, 4, out + err)
        self.assertIn("stopped by the user", err)
        self.assertFalse(os.path.exists(f"{self.here}/.fairlead/store.db"))

    def test_the_program_killed_from_outside_is_told(self):
        started = Started(self.here)
        os.kill(started.program, signal.SIGKILL)
        code, line = started.finish()
        started.wait_until_all_are_gone()
        self.assertEqual(code, 4)
        self.assertEqual(line, "fairlead: unknown: killed: the program was "
                         "ended from outside by SIGKILL")

    def test_a_killed_tool_takes_the_program_with_it(self):
        started = Started(self.here)
        started.tool.kill()
        started.tool.wait()
        started.tool.stdout.close()
        started.tool.stderr.close()
        started.wait_until_all_are_gone()

    def test_a_timeout_ends_a_program_that_does_not_come_to_the_gate(self):
        started = Started(self.here, "--timeout", "0.1")
        code, line = started.finish()
        started.wait_until_all_are_gone()
        self.assertEqual(code, 4)
        self.assertTrue(line.startswith("fairlead: unknown: cut: "), line)

    def test_an_interrupted_campaign_says_what_it_knows(self):
        started = StartedCampaign(self.here)
        started.tool.send_signal(signal.SIGINT)
        code, line = started.finish()
        self.assertEqual(code, 4)
        self.assertEqual(line, "unknown: no answer (stopped by the user)")

    def finding(self, *options: str, program: str):
        """A finding, number 1, in the store of this directory."""
        made = subprocess.run(
            [f"{BIN}/fairlead", "test", "--quiet", "--executions", "9",
             *options, "--", f"{PROGRAMS}/{program}"], cwd=self.here,
            stdout=subprocess.PIPE, text=True)
        self.assertEqual(made.returncode, 1, made.stdout)

    def test_an_interrupted_replay_says_how_far_it_came(self):
        # Each repetition says by its judge that it has come so far, and the
        # third does not end.
        self.finding("--judge", "echo no good; exit 1", program="hello")
        fifo = os.path.join(self.here, "judged")
        os.mkfifo(fifo)
        judged = os.open(fifo, os.O_RDWR)
        with open(f"{self.here}/judge", "w") as script:
            script.write("echo x >judged; echo x >>times\n"
                         "[ $(wc -l <times) -lt 3 ] || exec sleep 1000\n"
                         "echo no good; exit 1\n")
        tool = subprocess.Popen(
            [f"{BIN}/fairlead", "replay", "1", "--times", "1000", "--judge",
             "sh judge"], cwd=self.here, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3):
            os.read(judged, 2)
        tool.send_signal(signal.SIGINT)
        _, errors = tool.communicate()
        os.close(judged)
        self.assertEqual(tool.returncode, 4, errors)
        line = errors.splitlines()[-1]
        self.assertTrue(line.startswith(
            "fairlead: unknown: stopped by the user after 2 of 1000 "
            "repetitions; 2 failed like finding 1: "), line)

    def test_a_doctor_that_is_stopped_says_how_far_it_came(self):
        life, end = os.pipe()
        os.set_inheritable(end, True)
        for options in ([], ["--json"]):
            tool = subprocess.Popen(
                [f"{BIN}/fairlead", "doctor", *options, "--",
                 f"{PROGRAMS}/forever"], cwd=self.here,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, pass_fds=[end], text=True)
            # The program's output is thrown away: its child is what is seen.
            while "forever" not in children(tool.pid):
                self.assertIsNone(tool.poll())
            tool.send_signal(signal.SIGINT)
            out, errors = tool.communicate()
            self.assertEqual(tool.returncode, 4, out + errors)
            if options:
                self.assertTrue(json.loads(out)["program"]["stopped"])
                self.assertEqual(json.loads(out)["exit_code"], 4)
            else:
                self.assertEqual(
                    errors.splitlines()[-1], "fairlead: unknown: stopped by "
                    "the user after 0 of 15 executions")
        os.close(end)
        self.assertEqual(os.read(life, 1), b"")
        os.close(life)
        self.assertEqual(os.listdir(self.here), [])

    def stopped(self, number: int, *command: str) -> tuple[int, str]:
        """Ends a command by a signal when its program waits for ever."""
        tool = subprocess.Popen(
            [f"{BIN}/fairlead", *command, "--", f"{PROGRAMS}/stays",
             "been"], cwd=self.here, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(tool.stdout.readline(), "waits\n")
        tool.send_signal(number)
        _, errors = tool.communicate()
        return tool.returncode, errors.splitlines()[-1]

    def test_a_stopped_forcing_of_predictions_is_unknown(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP,
                       signal.SIGQUIT):
            with self.subTest(number):
                code, line = self.stopped(number, "predict", "--strategy",
                                          "first", "--force")
                os.remove(f"{self.here}/been")
                self.assertEqual(
                    line, "fairlead: unknown: stopped by the user after 0 of "
                    "1 prediction")
                self.assertEqual(code, 4)

    def test_a_stopped_force_is_unknown(self):
        subprocess.run(
            [f"{BIN}/fairlead", "predict", "--strategy", "first", "--targets",
             ".", "--", f"{PROGRAMS}/stays", "been"], cwd=self.here,
            check=True, stderr=subprocess.DEVNULL)
        code, line = self.stopped(signal.SIGINT, "force", "1.target")
        self.assertEqual(line, "fairlead: not-reached: stopped by the user "
                         "after 1 attempt")
        self.assertEqual(code, 4)

    def test_a_doctor_that_is_stopped_blames_no_machine(self):
        # It runs `true`, which has no end here.
        os.symlink(f"{PROGRAMS}/forever", f"{self.here}/true")
        tool = subprocess.Popen(
            [f"{BIN}/fairlead", "doctor"], cwd=self.here, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PATH": f"{self.here}:{os.environ['PATH']}"})
        while not {"forever", "true"} & children(tool.pid):
            self.assertIsNone(tool.poll())
        tool.send_signal(signal.SIGINT)
        out, errors = tool.communicate()
        self.assertEqual(tool.returncode, 4, out + errors)
        self.assertEqual(errors, "fairlead: error: stopped by the user while "
                         "the machine was examined\n")

    def test_the_store_outlives_a_killed_campaign(self):
        started = StartedCampaign(self.here)
        started.tool.kill()
        started.tool.communicate()
        os.close(started.judged)
        again = subprocess.run(
            [f"{BIN}/fairlead", "test", "--quiet", "--executions", "3", "--",
             f"{PROGRAMS}/hello"],
            cwd=self.here, stdout=subprocess.PIPE, text=True)
        self.assertEqual(again.returncode, 0, again.stdout)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--programs", required=True)
    arguments = parser.parse_args()
    BIN = os.path.realpath(arguments.bin)
    PROGRAMS = os.path.realpath(arguments.programs)
    unittest.main(argv=sys.argv[:1])
