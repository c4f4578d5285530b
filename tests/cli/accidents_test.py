#!/usr/bin/env python3
"""What may happen to a campaign while it runs: its fork server is killed, the
disk is full; and what else needs a whole campaign to be seen.

usage: accidents_test.py --bin DIR --programs DIR --sanitized DIR

A judge that writes into a pipe tells that an execution is over, so nothing here
waits for time to pass.
"""

import argparse
import fcntl
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import termios
import unittest

BIN = PROGRAMS = SANITIZED = ""


def children(parent: int) -> list[int]:
    try:
        with open(f"/proc/{parent}/task/{parent}/children") as file:
            return [int(word) for word in file.read().split()]
    except FileNotFoundError:
        return []


def executes(process: int, program: str) -> bool:
    try:
        return os.readlink(f"/proc/{process}/exe") == program
    except OSError:
        return False


class Campaign:
    """A `fairlead test` without end, once it has judged an execution."""

    def __init__(self, here: str, program: str, *options: str):
        self.program = os.path.realpath(f"{PROGRAMS}/{program}")
        fifo = os.path.join(here, "judged")
        os.mkfifo(fifo)
        self.judged = os.open(fifo, os.O_RDWR)
        self.errors = open(os.path.join(here, "errors"), "w+")
        self.tool = subprocess.Popen(
            [f"{BIN}/fairlead", "test", "--time", "1h", "--judge",
             "echo x >judged", *options, "--", self.program],
            cwd=here, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self.errors, text=True)

    def await_executions(self, number: int):
        for _ in range(number):
            os.read(self.judged, 2)

    def server(self) -> int:
        while True:
            for keeper in children(self.tool.pid):
                for child in children(keeper):
                    if executes(child, self.program):
                        return child

    def finish(self) -> tuple[int, str, str]:
        self.tool.send_signal(signal.SIGINT)
        output, _ = self.tool.communicate()
        os.close(self.judged)
        self.errors.seek(0)
        with self.errors:
            return self.tool.returncode, output, self.errors.read()


class Accidents(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.here = directory.name

    def fairlead(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run([f"{BIN}/fairlead", *arguments], cwd=self.here,
                              capture_output=True, text=True)

    def test_another_server_takes_the_place_of_one_that_is_killed(self):
        campaign = Campaign(self.here, "hello")
        campaign.await_executions(3)
        os.kill(campaign.server(), signal.SIGKILL)
        campaign.await_executions(20)
        code, output, errors = campaign.finish()
        self.assertEqual(code, 4, output)
        self.assertIn("another one takes its place", errors)
        self.assertIn("stopped by the user", output)

    def test_a_full_disk_ends_a_campaign_with_a_word(self):
        script = (
            "mkdir full && mount -t tmpfs -o size=1m none full || exit 99; "
            f"{BIN}/fairlead test --time 1h --store full/s.db --judge "
            "'head -c 2m /dev/zero >>full/x; true' "
            f"-- {PROGRAMS}/hello; code=$?; rm full/x; "
            f"{BIN}/fairlead bugs --store full/s.db >&2; exit $code")
        ended = subprocess.run(["unshare", "-rm", "sh", "-c", script],
                               cwd=self.here, capture_output=True, text=True)
        if ended.returncode in (1, 99):
            self.skipTest("file systems cannot be mounted here")
        self.assertEqual(ended.returncode, 3, ended.stdout + ended.stderr)
        self.assertIn("full", ended.stderr)
        self.assertIn("free some space", ended.stderr)

    def campaign_with_an_accident(self, accident: str, *options: str):
        """A campaign during which `accident`, a command, happens once."""
        shutil.copy(f"{PROGRAMS}/hello", f"{self.here}/app")
        shutil.copy(f"{PROGRAMS}/order", f"{self.here}/other")
        return self.fairlead(
            "test", "--quiet", "--executions", "30", "--judge",
            f"mkdir happened 2>/dev/null && {{ {accident}; }}; true",
            *options, "--", "./app")

    def test_a_program_that_is_built_anew_ends_the_campaign(self):
        ended = self.campaign_with_an_accident("mv other app")
        self.assertEqual(ended.returncode, 4, ended.stdout + ended.stderr)
        self.assertIn("/app was built anew, or replaced, while it was tested",
                      ended.stderr)
        self.assertIn("(it could not go on)", ended.stdout)

    def test_a_program_that_is_removed_ends_the_campaign(self):
        for fork_at in ("main", "never"):
            with self.subTest(fork_at):
                ended = self.campaign_with_an_accident(
                    "rm app", "--fork-at", fork_at)
                os.rmdir(f"{self.here}/happened")
                self.assertEqual(ended.returncode, 4,
                                 ended.stdout + ended.stderr)
                self.assertIn("/app was removed while it was tested",
                              ended.stderr)

    def test_a_store_that_is_removed_is_put_back(self):
        ended = self.campaign_with_an_accident("rm -r .fairlead")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertIn("was removed or replaced meanwhile", ended.stderr)
        with sqlite3.connect(f"{self.here}/.fairlead/store.db") as store:
            self.assertEqual(
                store.execute("SELECT ending FROM campaigns").fetchall(),
                [("budget",)])

    def test_a_store_that_is_replaced_is_kept_beside_the_other(self):
        ended = self.campaign_with_an_accident(
            "rm -r .fairlead; mkdir .fairlead; echo mine >.fairlead/store.db")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertIn("is in .fairlead/store.db.replaced", ended.stderr)
        with open(f"{self.here}/.fairlead/store.db") as file:
            self.assertEqual(file.read(), "mine\n")

    def test_a_store_that_was_copied_alone_finds_its_program(self):
        os.mkdir(f"{self.here}/project")
        shutil.copy(f"{PROGRAMS}/hello", f"{self.here}/project/app")
        made = self.fairlead("test", "--quiet", "--executions", "9", "--store",
                             "project/.fairlead/store.db", "--",
                             "project/app", "3")
        self.assertEqual(made.returncode, 1, made.stdout + made.stderr)
        shutil.copytree(f"{self.here}/project/.fairlead",
                        f"{self.here}/elsewhere/.fairlead")
        ended = self.fairlead("replay", "1", "--store",
                              "elsewhere/.fairlead/store.db")
        self.assertEqual(ended.returncode, 1, ended.stdout + ended.stderr)
        self.assertIn("/project/app", ended.stderr)

    def test_every_execution_reads_the_whole_input(self):
        path = os.path.join(self.here, "input")
        with open(path, "w") as file:
            file.write("".join(f"line {i}\n" for i in range(100)))
        ended = self.fairlead(
            "test", "--quiet", "--executions", "40", "--jobs", "2", "--stdin",
            path, "--judge", 'test $(wc -l <"$FAIRLEAD_STDOUT") = 101', "--",
            f"{PROGRAMS}/readers")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)

    def output_read_late(self, *arguments: str) -> bytes:
        """What `fairlead run` writes to a pipe that is read when it is full."""
        reader, writer = os.pipe()
        tool = subprocess.Popen([f"{BIN}/fairlead", "run", "--quiet",
                                 *arguments], cwd=self.here, stdout=writer)
        os.close(writer)
        room = fcntl.fcntl(reader, fcntl.F_GETPIPE_SZ)
        held = bytearray(4)
        while int.from_bytes(held, sys.byteorder) < room:
            fcntl.ioctl(reader, termios.FIONREAD, held)
        with open(reader, "rb") as file:
            output = file.read()
        self.assertEqual(tool.wait(), 0)
        return output

    def test_a_replay_waits_for_who_reads_its_output(self):
        program = f"{PROGRAMS}/flood"
        first = self.output_read_late("--schedule-out", "kept", "--", program)
        self.assertEqual(len(first), 300000)
        again = self.output_read_late("--schedule", "kept", "--", program)
        self.assertEqual(again, first)

    def test_a_report_of_a_sanitizer_is_a_finding(self):
        ended = self.fairlead(
            "test", "--quiet", "--executions", "50", "--json", "result.json",
            "--", SANITIZED)
        self.assertEqual(ended.returncode, 1, ended.stdout + ended.stderr)
        with open(os.path.join(self.here, "result.json")) as file:
            finding = json.load(file)["findings"][0]
        self.assertEqual(finding["kind"], "sanitizer")
        self.assertEqual(finding["verdict"], "confirmed")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--bin", required=True)
    arguments.add_argument("--programs", required=True)
    arguments.add_argument("--sanitized", required=True)
    known, rest = arguments.parse_known_args()
    BIN = os.path.abspath(known.bin)
    PROGRAMS = os.path.abspath(known.programs)
    SANITIZED = os.path.abspath(known.sanitized)
    unittest.main(argv=[sys.argv[0], *rest])
