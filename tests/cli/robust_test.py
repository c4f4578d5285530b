#!/usr/bin/env python3
"""What may not break fairlead, whatever the program, the machine or a file does:
wild writes into what is shared, processes that get away, refused system calls,
text that a terminal obeys, files without end, stores that may only be read.

usage: robust_test.py --bin DIR --programs DIR

Processes that should be gone are known by a pipe that they hold open: it ends
when the last of them does, so nothing here waits for time to pass.
"""

import argparse
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

BIN = PROGRAMS = ""

# Nothing takes this long; a test that hangs fails instead.
LIMIT = 120

# Calls that a container may refuse, on x86-64.
REFUSED = {"memfd_create": 319, "timer_create": 222, "personality": 135,
           "process_vm_readv": 310, "rt_sigqueueinfo": 129,
           "close_range": 436, "pidfd_open": 434, "ftruncate": 77,
           "setpgid": 109, "setsid": 112, "sigaltstack": 131, "mlock": 149,
           "socketpair": 53, "futex": 202, "dispatch": "dispatch",
           "getrandom": 318, "vfork": 58}

# Without these no program can be run and ended: each is named.
REQUIRED = {"access": 21, "readlink": 89, "fstat": 5, "fcntl": 72, "dup2": 33,
            "pipe2": 293, "socketpair": 53, "recvfrom": 45, "shutdown": 48,
            "ftruncate": 77, "memfd_create": 319, "getpid": 39,
            "getppid": 110, "setpgid": 109, "prctl": 157, "rt_sigaction": 13,
            "rt_sigprocmask": 14, "poll": 7, "ppoll": 271, "wait4": 61,
            "waitid": 247, "kill": 62, "clone": 56}

OBEYED = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")


class Robust(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.here = directory.name

    def run_it(self, *command: str, **options) -> subprocess.CompletedProcess:
        return subprocess.run(command, cwd=self.here, capture_output=True,
                              timeout=LIMIT, **options)

    def fairlead(self, *arguments: str, **options):
        return self.run_it(f"{BIN}/fairlead", *arguments, **options)

    def shell(self, script: str) -> subprocess.CompletedProcess:
        return self.run_it("sh", "-c", script, text=True, env={
            **os.environ, "PATH": f"{BIN}:{PROGRAMS}:{os.environ['PATH']}"})

    def check(self, ended, *codes: int):
        self.assertIn(ended.returncode, codes,
                      f"{ended.stdout}\n{ended.stderr}")

    # What we share.

    def test_a_program_that_scribbles_over_what_we_share(self):
        for seed in range(1, 4):
            for how in range(5):
                ended = self.fairlead("run", "--timeout", "10", "--",
                                      f"{PROGRAMS}/scribbler", str(seed),
                                      str(how))
                with self.subTest(seed=seed, how=how):
                    # A few bytes may have hit nothing that matters.
                    self.check(ended, *([4] if how in (2, 3) else [0, 1, 4]))
                    if how in (2, 3):
                        self.assertIn(b"destroyed what we share", ended.stderr)

    def test_a_campaign_of_such_a_program_ends_as_unknown(self):
        for fork_at in ("main", "never"):
            for how in "24":
                ended = self.fairlead(
                    "test", "--quiet", "--executions", "5", "--fork-at",
                    fork_at, "--", f"{PROGRAMS}/scribbler", "1", how)
                with self.subTest(fork_at=fork_at, how=how):
                    self.check(ended, 4)
                    self.assertNotIn(b"bug in fairlead", ended.stderr)

    # Processes.

    def held_until_gone(self, reader: int) -> bytes:
        """What is written to a pipe until nobody holds it open any more."""
        text = b""
        while True:
            if not select.select([reader], [], [], LIMIT)[0]:
                self.fail("a process was left behind")
            more = os.read(reader, 1000)
            if not more:
                return text
            text += more

    def leave(self, how: str, *options: str) -> tuple[subprocess.Popen, int]:
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        tool = subprocess.Popen(
            [f"{BIN}/fairlead", *options, "--", f"{PROGRAMS}/leaver", how,
             str(writer)], cwd=self.here, pass_fds=[writer],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        return tool, reader

    def test_what_an_execution_started_ends_with_it(self):
        for how in ("child", "daemon"):
            for options in (["run"], ["test", "--executions", "6"],
                            ["test", "--executions", "6", "--fork-at",
                             "never", "--jobs", "2"]):
                with self.subTest(how=how, options=options):
                    tool, reader = self.leave(how, *options)
                    self.held_until_gone(reader)
                    tool.wait()

    def test_what_an_execution_started_ends_with_a_tool_that_is_killed(self):
        for how in ("child", "daemon"):
            for options in ([], ["--fork-at", "never"]):
                with self.subTest(how=how, options=options):
                    tool, reader = self.leave(
                        how, "test", "--time", "1h", *options)
                    for _ in range(3):
                        os.read(reader, 1)
                    tool.send_signal(signal.SIGKILL)
                    tool.wait()
                    self.held_until_gone(reader)

    # The machine.

    def test_a_refused_system_call_is_told_or_done_without(self):
        for name, number in REFUSED.items():
            ended = self.run_it(
                f"{PROGRAMS}/refuse", str(number), f"{BIN}/fairlead", "run",
                "--timeout", "30", "--", f"{PROGRAMS}/hello", text=True)
            with self.subTest(call=name):
                self.check(ended, 0, 3)
                if ended.returncode == 3:
                    self.assertIn("fairlead: ", ended.stderr)
                if name == "futex":
                    self.check(ended, 3)
                    self.assertIn("refuses the call futex", ended.stderr)

    def test_a_call_without_which_nothing_runs_is_named(self):
        for name, number in REQUIRED.items():
            for verb in ("run", "test"):
                ended = self.run_it(
                    f"{PROGRAMS}/refuse", str(number), f"{BIN}/fairlead",
                    verb, "--", f"{PROGRAMS}/hello", text=True)
                with self.subTest(call=name, verb=verb):
                    self.check(ended, 3)
                    self.assertIn(f"the system refuses the call {name}",
                                  ended.stderr)
                    self.assertNotIn("permissions of the file", ended.stderr)

    def test_names_are_made_without_random_numbers_of_the_kernel(self):
        ended = self.run_it(
            f"{PROGRAMS}/refuse", str(REFUSED["getrandom"]),
            f"{BIN}/fairlead", "test", "--executions", "3", "--",
            f"{PROGRAMS}/hello", text=True)
        self.check(ended, 0)

    def test_files_that_are_far_too_large_are_refused_unread(self):
        with open(f"{self.here}/large", "wb") as file:
            file.truncate(300 << 20)
        program = ("--", f"{PROGRAMS}/hello")
        for command in (["force", "large", *program],
                        ["test", "--suppressions", "large", *program],
                        ["test", "--facts", "large", *program],
                        ["test", "--expect-output", "large", *program],
                        ["predict", "--facts", "large", *program],
                        ["run", "--schedule", "large", *program],
                        ["run", "--profile", "large", *program],
                        ["facts", "import", "large"],
                        ["facts", "diff", "large"]):
            with self.subTest(command=command[:2]):
                ended = self.fairlead(*command, text=True)
                self.check(ended, 2)
                self.assertIn("large holds more than", ended.stderr)

    def test_a_word_that_is_far_too_long_is_not_printed_whole(self):
        long = "x" * 100000
        with open(f"{self.here}/long", "w") as file:
            file.write(long)
        program = ("--", f"{PROGRAMS}/hello")
        for command in ([long], ["test", f"--{long}", *program],
                        ["run", "--strategy", long, *program],
                        ["run", "--seed", long, *program],
                        ["test", "--time", long, *program],
                        ["replay", long], ["help", long],
                        ["run", "--schedule", long, *program],
                        ["run", "--", long],
                        ["force", "long", *program],
                        ["test", "--suppressions", "long", *program],
                        ["test", "--facts", "long", *program],
                        ["run", "--schedule", "long", *program],
                        ["trace", "stat", "long"]):
            with self.subTest(command=[each[:9] for each in command]):
                ended = self.fairlead(*command, text=True)
                self.check(ended, 2, 3)
                self.assertLess(len(ended.stdout + ended.stderr), 4000)

    def test_an_alarm_in_a_wait_is_no_call_through_a_null_pointer(self):
        done = self.fairlead("run", "--quiet", "--", f"{PROGRAMS}/rings")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"crash: the program was ended by SIGALRM in thread main",
                      done.stderr)

    def test_repetitions_do_not_wait_for_who_reads_their_output(self):
        done = self.fairlead("run", "--quiet", "--check-determinism", "3",
                             "--", f"{PROGRAMS}/rings", "output")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, b"no pipe\n" * 3)

    def test_a_program_without_a_name_is_refused_in_words(self):
        done = self.fairlead("test", "--", "")
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"the name of the program is empty", done.stderr)

    def test_few_descriptors_are_enough(self):
        for number in (256, 40):
            ended = self.shell(f"ulimit -n {number}; fairlead test --quiet "
                               "--executions 9 --jobs 2 -- $(which hello)")
            with self.subTest(number=number):
                self.check(ended, 0)

    def test_little_address_space_is_enough_or_told(self):
        ended = self.shell("ulimit -v 4000000; fairlead run -- $(which hello)")
        self.check(ended, 0, 3)
        self.assertNotIn("bug in fairlead", ended.stderr)

    def test_a_limit_on_files_is_told(self):
        ended = self.shell("ulimit -f 8; fairlead run -- $(which hello)")
        self.check(ended, 3)
        self.assertIn("File too large", ended.stderr)

    def test_a_finding_that_the_store_has_no_room_for_is_a_file(self):
        test = f"{BIN}/fairlead test --store full/store.db --no-minimize"
        kept = went_on = 0
        for room in (16, 40, 64, 96, 112, 128, 144, 160):
            ended = self.run_it(
                "unshare", "-rm", "sh", "-c",
                "mkdir -p full && mount -t tmpfs -o size=2m none full || "
                "exit 99; "
                f"{test} --quiet --executions 3 -- {PROGRAMS}/hello >&2; "
                "free=$(df --output=avail -k full | tail -1); "
                f"head -c $(((free - {room}) * 1024)) /dev/zero >full/rest; "
                f"{test} -- {PROGRAMS}/lost_update", text=True)
            if ended.returncode == 99:
                self.skipTest("file systems cannot be mounted here")
            with self.subTest(room=room):
                self.check(ended, 1, 3)
                self.assertNotIn("ok: nothing found (it could", ended.stdout)
                self.assertIn("no space left", ended.stderr.lower())
                if "found from now on is printed" in ended.stderr:
                    went_on += 1
                    self.check(ended, 1)
            for name in re.findall(r"fairlead replay (\S+\.flbug)",
                                   ended.stdout):
                self.assertIn("not kept in the store", ended.stdout)
                again = self.fairlead("replay", name, "--",
                                      f"{PROGRAMS}/lost_update")
                # A race that is no failure is not met again by a file.
                self.check(again, 1, 4)
                kept += again.returncode == 1
        self.assertGreater(kept, 0)
        self.assertGreater(went_on, 0)

    def test_a_failure_is_told_though_its_trace_has_no_room(self):
        for option in ("--trace", "--schedule-out"):
            for program, code in (("crash", 1), ("hello", 3)):
                with self.subTest(option=option, program=program):
                    ended = self.fairlead("run", option, "/dev/full", "--",
                                          f"{PROGRAMS}/{program}", text=True)
                    self.check(ended, code)
                    self.assertIn("No space left", ended.stderr)
                    self.assertIn("failed:" if code == 1 else "ok:",
                                  ended.stderr)

    def test_files_that_are_not_whole_are_refused(self):
        with open(f"{self.here}/one", "wb") as file:
            file.write(b"S")
        for verb in (["bugs"], ["test", "--executions", "1"]):
            ended = self.fairlead(*verb, "--store", "one", *(
                ["--", f"{PROGRAMS}/hello"] if verb[0] == "test" else []),
                text=True)
            self.check(ended, 3)
            self.assertIn("no store of fairlead's: it has 1 byte",
                          ended.stderr)
        with open(f"{self.here}/cut.target", "w", encoding="utf-8") as file:
            file.write("fairlead target 1\nkind: race\nobject x\n"
                       "step 1 a: read x")
        ended = self.fairlead("force", "cut.target", "--",
                              f"{PROGRAMS}/lost_update", text=True)
        self.check(ended, 3)
        self.assertIn("is not whole", ended.stderr)
        self.check(self.fairlead("run", "--quiet", "--profile-out", "p", "--",
                                 f"{PROGRAMS}/lost_update"), 0, 1)
        with open(f"{self.here}/p", "a", encoding="utf-8") as file:
            file.write("idle 12\n")
        ended = self.fairlead("run", "--profile", "p", "--",
                              f"{PROGRAMS}/lost_update", text=True)
        self.check(ended, 3)
        self.assertIn("something follows the end", ended.stderr)

    def test_programs_get_the_file_size_signal_as_it_was(self):
        for trap, ignored in (("", False), ("trap '' XFSZ; ", True)):
            ended = self.shell(f"{trap}fairlead run --quiet -- /bin/sh -c "
                               "'grep SigIgn /proc/self/status'")
            got = int(ended.stdout.split()[-1], 16)
            self.assertEqual(bool(got & 1 << (signal.SIGXFSZ - 1)), ignored)

    def test_too_little_address_space_is_told(self):
        for kilobytes in (300000, 400000, 600000):
            ended = self.shell(f"ulimit -v {kilobytes}; "
                               "fairlead run -- $(which hello)")
            self.check(ended, 0, 3)
            if ended.returncode == 3:
                self.assertIn("ulimit -v", ended.stderr)

    def test_without_the_file_system_of_processes(self):
        ended = self.run_it("unshare", "-rm", "sh", "-c",
                            "mount -t tmpfs none /proc || exit 99; "
                            f"{BIN}/fairlead run -- {PROGRAMS}/hello",
                            text=True)
        if ended.returncode in (1, 99):
            self.skipTest("file systems cannot be mounted here")
        self.check(ended, 3)
        self.assertIn("fairlead needs the file system /proc", ended.stderr)

    def test_ignored_signals_stay_ignored(self):
        ended = self.shell("trap '' PIPE; fairlead run --quiet -- /bin/sh -c "
                           "'grep SigIgn /proc/self/status'")
        ignored = int(ended.stdout.split()[-1], 16)
        self.assertTrue(ignored & 1 << (signal.SIGPIPE - 1), ended.stdout)
        self.assertFalse(ignored & 1 << (signal.SIGXFSZ - 1), ended.stdout)

    def test_streams_that_are_closed_stay_closed(self):
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            ended = self.shell("fairlead test --quiet --executions 3 -- "
                               f"$(which hello) {closed}")
            with self.subTest(closed=closed):
                self.check(ended, 3 if " >&-" in f" {closed}" else 0)
            ended = self.shell("fairlead bugs")
            self.check(ended, 0)
            self.assertEqual(ended.stdout, "no open findings\n")

    def test_why_a_result_is_lost_is_told(self):
        for where, why in ((">&-", "Bad file descriptor"),
                           (">/dev/full", "No space left on device")):
            ended = self.shell("fairlead test --executions 3 -- "
                               f"$(which hello) {where}")
            with self.subTest(where=where):
                self.check(ended, 3)
                self.assertIn(f"standard output: {why}", ended.stderr)

    def test_a_program_gets_a_closed_stream_closed(self):
        ended = self.shell("fairlead run --quiet -- /bin/sh -c "
                           "'readlink /proc/self/fd/0 || echo none' <&-")
        self.assertIn("none", ended.stdout)

    def test_nobody_reads_the_result(self):
        ended = self.shell("fairlead run --help | head -1; fairlead test "
                           "--executions 3 -- $(which hello) | true")
        self.check(ended, 0)
        self.check(self.shell("fairlead bugs"), 0)

    def test_no_place_for_temporary_files(self):
        ended = self.shell("TMPDIR=/nonexistent HOME=/nonexistent fairlead "
                           "test --quiet --executions 3 -- $(which hello)")
        self.check(ended, 0)

    # Programs that do what only the kernel sees.

    def test_a_filter_of_system_calls_is_not_blamed_on_the_program(self):
        for how in ("kill", "trap"):
            ended = self.fairlead("test", "--executions", "5", "--",
                                  f"{PROGRAMS}/filtered", how, text=True)
            with self.subTest(how=how):
                self.check(ended, 0, 4)
                self.assertIn("seccomp", ended.stdout + ended.stderr)

    def test_what_holds_for_one_thread_needs_kernel_threads(self):
        program = f"{PROGRAMS}/for_one_thread"
        for how in ("files", "filter", "user"):
            with self.subTest(how=how):
                ended = self.fairlead("run", "--", program, how, text=True)
                self.check(ended, 4)
                self.assertIn("--carrier thread", ended.stderr)
                self.check(self.fairlead("run", "--carrier", "thread", "--",
                                         program, how), 0)
                ended = self.fairlead("test", "--executions", "3", "--",
                                      program, how, text=True)
                self.check(ended, 4)
                self.assertIn("--carrier thread", ended.stdout)
        # What is for all is as it should be.
        self.check(self.fairlead("run", "--", program, "filters"), 0)

    def test_a_ring_of_the_kernel_works_and_is_told(self):
        ended = self.fairlead("run", "--timeout", "30", "--",
                              f"{PROGRAMS}/ringed", text=True)
        if "exit code 77" in ended.stderr:
            self.skipTest("io_uring is not allowed here")
        self.check(ended, 0)
        self.assertEqual(ended.stdout, "1 hi\n")
        self.assertIn("io_uring", ended.stderr)

    def test_a_large_block_grows_without_being_copied(self):
        ended = self.fairlead("run", "--quiet", "--", f"{PROGRAMS}/grown",
                              text=True)
        if "exit code 77" in ended.stderr:
            self.skipTest("there is not enough address space here")
        self.check(ended, 0)
        self.assertEqual(ended.stdout, "kept, few pages\n")

    # Files.

    def test_files_without_end(self):
        hello = f"{PROGRAMS}/hello"
        for arguments in (["run", "--schedule", "/dev/zero", "--", hello],
                          ["run", "--profile", "/dev/zero", "--", hello],
                          ["test", "--suppressions", "/dev/zero", "--", hello],
                          ["test", "--facts", "/dev/zero", "--", hello],
                          ["facts", "import", "/dev/zero"],
                          ["test", "--expect-output", "/dev/zero", "--",
                           hello],
                          ["force", "/dev/zero", "--", hello],
                          ["trace", "print", "/dev/zero"],
                          ["bugs", "--store", "/dev/zero"]):
            ended = self.fairlead(*arguments, text=True)
            with self.subTest(arguments=arguments):
                self.check(ended, 2, 3)
                self.assertIn("fairlead: error: ", ended.stderr)

    def test_a_pipe_is_no_input_for_many_executions(self):
        os.mkfifo(os.path.join(self.here, "pipe"))
        for fork_at in ("main", "never"):
            ended = self.fairlead("test", "--fork-at", fork_at, "--stdin",
                                  "pipe", "--", f"{PROGRAMS}/hello", text=True)
            with self.subTest(fork_at=fork_at):
                self.check(ended, 3)
                self.assertIn("pipe is a pipe", ended.stderr)

    def test_the_other_end_of_a_pipe_is_not_waited_for(self):
        os.mkfifo(os.path.join(self.here, "pipe"))
        hello = f"{PROGRAMS}/hello"
        for arguments in (["run", "--schedule", "pipe", "--", hello],
                          ["run", "--schedule-out", "pipe", "--", hello],
                          ["run", "--trace", "pipe", "--", hello],
                          ["test", "--suppressions", "pipe", "--", hello],
                          ["test", "--json", "pipe", "--", hello],
                          ["trace", "print", "pipe"]):
            ended = self.fairlead(*arguments, text=True)
            with self.subTest(arguments=arguments):
                self.check(ended, 3)
                self.assertIn("pipe", ended.stderr)

    def test_one_file_is_not_written_twice(self):
        for other in ("one", "./one", f"{self.here}/one"):
            ended = self.fairlead("run", "--trace", "one", "--schedule-out",
                                  other, "--", f"{PROGRAMS}/hello", text=True)
            with self.subTest(other=other):
                self.check(ended, 2)
                self.assertIn("would be written twice", ended.stderr)
        self.check(self.fairlead("run", "--trace", "/dev/null",
                                 "--schedule-out", "/dev/null", "--",
                                 f"{PROGRAMS}/hello"), 0)

    def test_a_link_in_the_way_of_a_file_is_not_followed(self):
        victim = os.path.join(self.here, "victim")
        with open(victim, "w") as file:
            file.write("precious")
        tool = subprocess.Popen(
            ["sh", "-c", 'ln -s victim "out.$$.part"; exec "$@"', "sh",
             f"{BIN}/fairlead", "run", "--quiet", "--schedule-out", "out",
             "--", f"{PROGRAMS}/hello"], cwd=self.here,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertEqual(tool.wait(), 0)
        with open(victim) as file:
            self.assertEqual(file.read(), "precious")

    def test_a_link_that_is_named_stays_and_its_target_is_written(self):
        os.mkdir(os.path.join(self.here, "far"))
        hello = f"{PROGRAMS}/hello"
        for command in (["run", "--quiet", "--trace"],
                        ["run", "--quiet", "--schedule-out"],
                        ["test", "--quiet", "--executions", "1", "--json"]):
            link = os.path.join(self.here, "link")
            target = os.path.join(self.here, "far", "target")
            os.symlink("far/target", link)
            for there in (False, True):  # a link to nothing; to a file
                ended = self.fairlead(*command, "link", "--", hello, text=True)
                with self.subTest(command=command, there=there):
                    self.check(ended, 0)
                    self.assertTrue(os.path.islink(link))
                    self.assertGreater(os.path.getsize(target), 0)
                    self.assertEqual(os.listdir(os.path.dirname(target)),
                                     ["target"])
            os.unlink(link)
            os.unlink(target)

    def test_standard_output_is_written_where_it_stands(self):
        ended = self.shell("(echo first; fairlead run --quiet --schedule-out "
                           "/dev/stdout -- hello; echo last) >all; cat all; "
                           "test -L /dev/stdout")
        self.check(ended, 0)
        lines = ended.stdout.splitlines()
        self.assertEqual(lines[0], "first")
        self.assertEqual(lines[-1], "last")
        self.assertIn("fairlead schedule ", ended.stdout)

    def test_a_new_store_on_a_full_disk_is_told(self):
        script = (
            "mkdir full && mount -t tmpfs -o size=64k none full || exit 99; "
            "head -c 64k /dev/zero >full/x 2>/dev/null; fairlead test --quiet "
            "--executions 1 --store full/s.db -- hello; code=$?; rm full/x; "
            "fairlead bugs --store full/s.db; exit $code")
        ended = self.run_it("unshare", "-rm", "sh", "-c", script, text=True,
                            env={**os.environ, "PATH":
                                 f"{BIN}:{PROGRAMS}:{os.environ['PATH']}"})
        if ended.returncode in (1, 99):
            self.skipTest("file systems cannot be mounted here")
        self.check(ended, 3)
        self.assertIn("free some space", ended.stderr)
        self.assertIn("full/s.db is empty: no store yet", ended.stderr)

    def judged_finding(self):
        ended = self.fairlead("test", "--quiet", "--executions", "9",
                              "--judge", "touch ran; echo no good; exit 1",
                              "--", f"{PROGRAMS}/hello")
        self.check(ended, 1)
        os.unlink(os.path.join(self.here, "ran"))

    def test_commands_of_a_store_are_run_only_when_allowed(self):
        self.judged_finding()
        ran = os.path.join(self.here, "ran")
        ended = self.fairlead("replay", "1", text=True)
        self.check(ended, 2)
        self.assertIn("touch ran; echo no good", ended.stderr)
        self.assertIn("--allow-stored-commands", ended.stderr)
        self.assertFalse(os.path.exists(ran))
        self.check(self.fairlead("replay", "1", "--allow-stored-commands"), 1)
        self.assertTrue(os.path.exists(ran))
        self.check(self.fairlead("replay", "1", "--judge",
                                 "echo no good; exit 1"), 1)
        self.check(self.fairlead("replay", "1", "--judge", "true"), 4)

    def test_one_cause_is_one_finding_over_campaigns(self):
        for seed in "1234":
            self.check(self.fairlead(
                "test", "--quiet", "--keep-going", "--executions", "60",
                "--seed", seed, "--", f"{PROGRAMS}/closed_early"), 1)
        found = json.loads(self.fairlead("bugs", "--json").stdout)
        self.assertEqual([(each["kind"], each["campaigns"])
                          for each in found], [("use-after-free", 4)])
        self.check(self.fairlead("test", "--quiet", "--executions", "60", "--",
                                 f"{PROGRAMS}/closed_early", "wait"), 0)

    def test_a_judge_that_fails_says_nothing_of_the_program(self):
        for judge, words in (("kill -9 $PPID", "was ended by SIGKILL"),
                             ("kill -9 $$", "was ended by SIGKILL"),
                             ("kill -9 0", "was ended by SIGKILL"),
                             ("sh -c 'kill -SEGV $$'; exit $?",
                              "was ended by SIGSEGV"),
                             ("/nonexistent", "cannot be run"),
                             ("exit 1", ""), ("exit 255", "")):
            ended = self.fairlead("test", "--quiet", "--executions", "3",
                                  "--store", "judged.db", "--judge", judge,
                                  "--", f"{PROGRAMS}/hello", text=True)
            with self.subTest(judge=judge):
                self.check(ended, 3 if words else 1)
                if words:
                    self.assertIn(f"the judge {words}", ended.stderr)
                os.unlink(os.path.join(self.here, "judged.db"))

    def test_the_program_of_a_store_is_shown_and_must_be_allowed(self):
        ended = self.fairlead("test", "--quiet", "--executions", "9",
                              "--", f"{PROGRAMS}/hello", "3")
        self.check(ended, 1)
        ended = self.fairlead("replay", "1", text=True)
        self.check(ended, 1)
        self.assertIn(f"runs {PROGRAMS}/hello", ended.stderr)
        if os.geteuid() != 0:
            self.skipTest("only root can give a store away")
        os.chown(os.path.join(self.here, ".fairlead/store.db"), 65534, 65534)
        ended = self.fairlead("replay", "1", text=True)
        self.check(ended, 2)
        self.assertIn(f"{PROGRAMS}/hello", ended.stderr)
        self.assertIn("--allow-stored-commands", ended.stderr)
        self.check(self.fairlead("replay", "1", "--allow-stored-commands"), 1)

    def test_a_store_that_may_only_be_read_is_read(self):
        self.judged_finding()
        script = (
            "mount --bind . . && cd $PWD && mount -o remount,ro,bind . || "
            "exit 99; fairlead bugs; fairlead show 1 || exit 3; "
            "fairlead replay 1 --judge 'echo no good; exit 1' 2>&1; "
            "[ $? = 1 ] || exit 5; fairlead bugs --clear 1")
        ended = self.run_it("unshare", "-rm", "sh", "-c", script, text=True,
                            env={**os.environ, "PATH":
                                 f"{BIN}:{os.environ['PATH']}"})
        if ended.returncode in (1, 99):
            self.skipTest("file systems cannot be mounted here")
        self.check(ended, 3)
        self.assertIn("no good", ended.stdout)
        self.assertIn("1 of 1 failed like finding 1", ended.stdout)
        self.assertIn("cannot write to the store", ended.stderr)

    # Text.

    def test_a_terminal_obeys_nothing_of_the_program(self):
        program = f"{PROGRAMS}/escapist"
        ended = self.fairlead("test", "--executions", "4", "--keep-going",
                              "--json", "result.json", "--", program)
        self.check(ended, 1)
        seen = [("test", ended)]
        for arguments in (["bugs"], ["bugs", "--json"], ["show", "1"],
                          ["show", "1", "--json"],
                          ["doctor", "--", program],
                          ["doctor", "--json", "--", program]):
            seen.append((arguments, self.fairlead(*arguments)))
        with open(os.path.join(self.here, "result.json"), "rb") as file:
            json.loads(file.read().decode())
        for arguments, ended in seen:
            with self.subTest(arguments=arguments):
                for text in (ended.stdout, ended.stderr):
                    self.assertIsNone(OBEYED.search(text), text)
                    text.decode()
                if "--json" in arguments:
                    json.loads(ended.stdout)
        self.assertIn(b"\\x1b[31m", seen[3][1].stdout)

    def test_names_of_programs_stay_on_one_line(self):
        name = "a\n\x1b[31mb"
        shutil.copy(f"{PROGRAMS}/hello", os.path.join(self.here, name))
        for arguments in (["run", "--", f"./{name}"],
                          ["run", "--", f"./{name}c"],
                          ["test", "--executions", "3", "--", f"./{name}",
                           "3"],
                          ["bugs"], ["show", "1"], ["replay", "1"]):
            ended = self.fairlead(*arguments)
            with self.subTest(arguments=arguments):
                told = ended.stdout + ended.stderr
                self.assertIsNone(OBEYED.search(told), told)
                self.assertNotIn(b"a\n", told)

    def test_nor_when_the_program_is_repeated(self):
        program = f"{PROGRAMS}/escapist"
        self.fairlead("test", "--executions", "4", "--", program)
        ours, theirs = pty.openpty()
        tool = subprocess.Popen([f"{BIN}/fairlead", "replay", "1"],
                                cwd=self.here, stdout=theirs, stderr=theirs)
        os.close(theirs)
        text = b""
        try:
            while more := os.read(ours, 1000):
                text += more
        except OSError:  # how a terminal tells that nobody is left
            pass
        os.close(ours)
        self.assertEqual(tool.wait(), 1)
        self.assertIsNone(OBEYED.search(text.replace(b"\r\n", b"\n")), text)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--bin", required=True)
    arguments.add_argument("--programs", required=True)
    known, rest = arguments.parse_known_args()
    BIN = os.path.abspath(known.bin)
    PROGRAMS = os.path.abspath(known.programs)
    unittest.main(argv=[sys.argv[0], *rest])
