#!/usr/bin/env python3
"""One test of the guard: guard_test.py NAME FAIRLEAD DIRECTORY-OF-PROGRAMS.

Programs go wrong whenever they are told `bad`, unless the guard holds the early
thread back. The limit of a stall is far beyond what any of them takes, so that
a busy machine changes nothing.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
from resource import RLIMIT_AS, RLIMIT_DATA, RLIMIT_FSIZE, setrlimit

NAME, FAIRLEAD, PROGRAMS = sys.argv[1:]
PATIENT = ["--stall-us", "20000000", "--budget-ms", "60000"]


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=120,
                          check=False, **options)


def program(name):
    return str(pathlib.Path(PROGRAMS, name))


def learn(name, *arguments):
    got = run(FAIRLEAD, "guard", "learn", "--runs", "6", "--settled", "3", "--",
              program(name), *arguments)
    assert got.returncode == 0, got.stderr
    return got


def guarded(name, *arguments, options=()):
    return run(FAIRLEAD, "guard", "run", *PATIENT, *options, "--",
               program(name), *arguments)


def log(name):
    path = pathlib.Path(".fairlead/guard", name + ".log")
    return path.read_text().splitlines() if path.exists() else []


def survives(name, end="resolved"):
    """Plain it fails, guarded it does not, and a good run is not stalled."""
    assert run(program(name), "good").returncode == 0
    learn(name, "good")
    assert run(program(name), "bad").returncode != 0, "bad is not bad"
    assert guarded(name, "good").returncode == 0
    assert log(name) == [], log(name)
    got = guarded(name, "bad")
    assert got.returncode == 0, (got, log(name))
    assert any(end in line for line in log(name)), log(name)
    # Who only observes changes nothing.
    assert guarded(name, "bad", options=["--observe"]).returncode != 0


def cross():
    learn("cross", "good")
    got = run(FAIRLEAD, "guard", "run", "--", program("cross"), "bad")
    assert got.returncode == 0, got
    assert any("hopeless" in line for line in log("cross")), log("cross")


class Server:
    """A guarded program that waits for us."""

    def __init__(self, *arguments, options=()):
        self.process = subprocess.Popen(
            [FAIRLEAD, "guard", "run", *options, "--", program("server"),
             *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self.process.stdout.readline().strip()

    def status(self):
        got = run(FAIRLEAD, "guard", "status", "--json", self.pid)
        assert got.returncode == 0, got.stderr
        return json.loads(got.stdout)[0]

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        assert self.process.wait(timeout=60) == 0


def switches():
    learn("server", "good")
    server = Server()
    assert server.status()["state"] == "guarding", server.status()
    text = run(FAIRLEAD, "guard", "status", "--prometheus", server.pid).stdout
    assert f'fairlead_guard_on{{pid="{server.pid}"' in text, text
    assert run(FAIRLEAD, "guard", "update", server.pid).returncode == 0
    assert run(FAIRLEAD, "guard", "off", server.pid).returncode == 0
    assert server.status()["state"] == "off", server.status()
    server.end()
    # Its board goes with it.
    assert run(FAIRLEAD, "guard", "status", server.pid).returncode == 2
    # A child of fork has a board of its own.
    child = Server("fork")
    assert int(child.pid) != child.process.pid
    assert child.status()["state"] == "guarding", child.status()
    child.end()
    # A program without sites, that it starts, hears nothing.
    silent = run(FAIRLEAD, "guard", "run", "--print-environment", "--",
                 program("server"))
    variables = dict(line.split("=", 1) for line in silent.stdout.splitlines())
    child = run("sh", "-c", "true", env={**os.environ, **variables})
    assert child.returncode == 0 and child.stderr == "", child
    # Nothing of it reaches a program that it is switched off for.
    plain = run(FAIRLEAD, "guard", "run", "--", program("server"),
                env=dict(os.environ, FAIRLEAD_GUARD_OFF="1"), input="")
    assert plain.returncode == 0 and "FAIRLEAD_GUARD_OFF" in plain.stderr, plain


def wrong_rules():
    """Whatever is wrong with the rules: one line, and the program runs on."""
    learn("order", "good")
    got = run(FAIRLEAD, "guard", "run", "--print-environment", "--",
              program("order"))
    variables = dict(line.split("=", 1) for line in got.stdout.splitlines())
    rules = pathlib.Path(variables["FAIRLEAD_GUARD"])
    whole = rules.read_bytes()

    def start(name="order"):
        got = run(program(name), "good", env={**os.environ, **variables},
                  input="")
        assert got.returncode == 0, got
        return got.stderr

    assert start() == "", start()
    damaged = bytearray(whole)
    damaged[-1] ^= 1
    newer = bytearray(whole)
    newer[8] = 99
    for wrong in [b"", b"x", whole[:50], whole[:-8], whole + b"12345678",
                  bytes(damaged), bytes(newer), whole[:16] + b"\xff" * 8 +
                  whole[24:]]:
        rules.write_bytes(wrong)
        said = start()
        assert "fairlead guard: off:" in said and said.count("\n") == 1, said
    rules.write_bytes(whole)
    assert "another program" in start("server")
    rules.unlink()
    assert "cannot be read" in start()
    # Nobody will ever write into it.
    os.mkfifo(rules)
    assert "cannot be read" in start()


def facts():
    """Sets are facts: shown, taken away, and brought back by a file."""
    learn("order", "good")
    shown = run(FAIRLEAD, "facts", "show", "order").stdout
    assert "worker at" in shown and "after main at" in shown, shown
    exported = run(FAIRLEAD, "facts", "export", "order", "--out", "o.facts")
    assert exported.returncode == 0, exported.stderr
    assert run(FAIRLEAD, "facts", "forget", "order").returncode == 0
    # Nobody knows what to guard: the program runs all the same.
    without = run(FAIRLEAD, "guard", "run", "--", program("order"), "good")
    assert without.returncode == 0 and "guard learn" in without.stderr, without
    assert guarded("order", "bad",
                   options=["--facts", "o.facts"]).returncode == 0


def add():
    """From a finding of `fairlead test` to a guard for its sites."""
    found = run(FAIRLEAD, "test", "--stop-at-first", "--time", "60s", "--",
                program("racy"))
    assert found.returncode == 1, found.stderr
    added = run(FAIRLEAD, "guard", "add", "--runs", "20", "--settled", "3", "1")
    assert added.returncode == 0, added.stderr
    places = added.stdout
    assert "worker at" in places and "main at" in places, places
    assert guarded("racy").returncode == 0
    # What the failing execution did that good runs did not.
    run(FAIRLEAD, "replay", "1", "--trace", "1.trace")
    said = run(FAIRLEAD, "guard", "check", "1.trace")
    assert said.returncode == 1, said
    assert "racy.c:10 the last access of another thread was none yet" in \
        said.stdout and "in good runs it was main at" in said.stdout, said


def log_read():
    """What a guard has met is told in words, and proposed if that is wanted."""
    learn("order", "good")
    assert guarded("order", "bad").returncode == 0
    told = run(FAIRLEAD, "guard", "log", ".fairlead/guard/order.log",
               "--propose", "--", program("order"))
    assert told.returncode == 0, told.stderr
    assert "1 resolved, 0 not: at worker" in told.stdout, told.stdout
    shown = run(FAIRLEAD, "facts", "show", "order").stdout
    assert "proposed" in shown, shown
    # Nobody has accepted it: the same access is still stalled.
    assert guarded("order", "bad").returncode == 0
    assert run(FAIRLEAD, "facts", "accept", "order").returncode == 0
    assert guarded("order", "bad").returncode != 0


def refuses():
    """What cannot be is refused in words, before anything runs."""
    learn("order", "good")
    for option, value in (("--off-signal", "9"), ("--off-signal", "32"),
                          ("--memory-mb", "0")):
        got = run(FAIRLEAD, "guard", "run", option, value, "--",
                  program("order"), "good")
        assert got.returncode == 2 and f"{option} {value}" in got.stderr, got
    # A judge that says no, and one that is not there.
    got = run(FAIRLEAD, "guard", "learn", "--runs", "2", "--judge", "exit 3",
              "--", program("order"), "good")
    assert got.returncode == 3, got
    assert "the judge said no (3)" in got.stderr, got.stderr
    got = run(FAIRLEAD, "guard", "learn", "--runs", "2", "--judge",
              "/nonexistent/judge", "--", program("order"), "good")
    assert got.returncode == 3, got
    assert "the judge could not be run" in got.stderr, got.stderr


def alone():
    """Threads that share nothing need no guard."""
    got = run(FAIRLEAD, "guard", "learn", "--runs", "3", "--settled", "2", "--",
              program("alone"))
    assert got.returncode == 0 and "nothing to guard" in got.stderr, got
    got = run(FAIRLEAD, "guard", "run", "--", program("alone"))
    assert got.returncode == 0 and "share no memory" in got.stderr, got


def pipe_log():
    """A log that is a pipe nobody reads holds nobody up."""
    learn("order", "good")
    os.mkfifo("log")
    got = guarded("order", "bad", options=["--log", "log"])
    assert got.returncode == 0, got


def filter():
    """A program that filters its system calls is left alone from then on."""
    learn("filtered")
    for how in ("seccomp", "prctl"):
        assert run(program("filtered"), how).returncode == 0
        got = guarded("filtered", how)
        assert got.returncode == 0, got
        assert "off: the program filters system calls" in got.stderr, got
        assert got.stderr.count("\n") == 1, got
        # Nor can it be learnt from, and it is not said to be wrong.
        got = run(FAIRLEAD, "guard", "learn", "--runs", "2", "--",
                  program("filtered"), how)
        assert got.returncode == 3, got
        assert "filters system calls" in got.stderr, got


def jump():
    """A handler that leaves by siglongjmp leaves nothing held."""
    learn("jumps")
    assert run(program("jumps"), "bad").returncode == 0
    got = run(FAIRLEAD, "guard", "run", "--", program("jumps"), "bad")
    assert got.returncode == 0, got
    learn("jumps", "bad")


def limits():
    """What the program is short of is its own: the guard does without."""
    learn("order", "good")
    environment = run(FAIRLEAD, "guard", "run", "--print-environment", "--",
                      program("order")).stdout
    variables = dict(line.split("=", 1) for line in environment.splitlines())

    def under(resource, amount, **more):
        return run(program("order"), "good",
                   env={**os.environ, **variables, **more},
                   preexec_fn=lambda: setrlimit(resource, (amount, amount)))

    for bytes_of_files in (0, 512, 8192):
        got = under(RLIMIT_FSIZE, bytes_of_files)
        assert got.returncode == 0, got
    # Nor is there room for the rules themselves.
    pathlib.Path(variables["FAIRLEAD_GUARD"]).unlink()
    got = run(FAIRLEAD, "guard", "run", "--", program("order"), "good",
              preexec_fn=lambda: setrlimit(RLIMIT_FSIZE, (0, 0)))
    assert got.returncode == 0 and "unguarded" in got.stderr, got
    assert run(FAIRLEAD, "guard", "run", "--", program("order"),
               "good").returncode == 0
    for megabytes in (80, 90, 100):
        for resource in (RLIMIT_AS, RLIMIT_DATA):
            got = under(resource, megabytes << 20)
            assert got.returncode == 0, got
            assert "off: the memory of the program is limited" in got.stderr, \
                got
    got = run(FAIRLEAD, "guard", "learn", "--runs", "2", "--",
              program("order"), "good", preexec_fn=lambda: setrlimit(
                  RLIMIT_DATA, (1 << 33, 1 << 33)))
    assert got.returncode == 3 and "is limited" in got.stderr, got


def full():
    """Without room for a board there is none; learning says where it was."""
    learn("order", "good")
    shell = ("mount -t tmpfs -o size=64k none /dev/shm || exit 99; "
             "head -c 64k /dev/zero > /dev/shm/full 2> /dev/null; " + '"$@"')
    def in_full(*command):
        return run("unshare", "-m", "sh", "-c", shell, "sh", *command)
    got = in_full(FAIRLEAD, "guard", "run", "--", program("order"), "good")
    if got.returncode in (1, 99) and "unshare" in got.stderr + got.stdout or \
            got.returncode == 99:
        print("not allowed here")
        sys.exit(0)
    assert got.returncode == 0, got
    got = in_full(FAIRLEAD, "guard", "learn", "--runs", "2", "--",
                  program("order"), "good")
    assert got.returncode == 3 and "/dev/shm" in got.stderr, got


def left():
    """What a learner that was killed has left is removed by the next one."""
    ended = subprocess.Popen(["true"])
    ended.wait()
    path = pathlib.Path("/dev/shm", f"fairlead-learn-{ended.pid}-abcdef")
    path.mkdir()
    path.joinpath("board").write_bytes(b"x")
    kept = pathlib.Path("/dev/shm", f"fairlead-learn-{os.getpid()}-abcdef")
    kept.mkdir()
    learn("order", "good")
    assert kept.exists(), "its owner lives"
    kept.rmdir()
    assert not path.exists(), path


def plugin():
    """Libraries that are opened later are guarded, each time anew."""
    library = program("plugin.so")
    learn("opener", library)
    got = guarded("opener", library)
    assert got.returncode == 0 and got.stderr == "", got
    process = subprocess.Popen(
        [FAIRLEAD, "guard", "run", "--", program("opener"), library, "wait"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "open\n"
    status = json.loads(run(FAIRLEAD, "guard", "status", "--json",
                            str(process.pid)).stdout)[0]
    process.communicate("")
    assert process.returncode == 0
    assert status["state"] == "guarding", status


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        if NAME in ("order", "update", "locked", "freed"):
            survives(NAME)
        else:
            globals()["log_read" if NAME == "log" else NAME]()


main()
