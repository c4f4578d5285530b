#!/usr/bin/env python3
"""`fairlead test --drive`: a server, its client, and who is to blame.

usage: drive_test.py --bin DIR --programs DIR
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

arguments = argparse.ArgumentParser()
arguments.add_argument("--bin", required=True)
arguments.add_argument("--programs", required=True)
options = arguments.parse_args()
FAIRLEAD = os.path.abspath(os.path.join(options.bin, "fairlead"))
SERVER = os.path.abspath(os.path.join(options.programs, "server"))
SEEN_SERVER = os.path.abspath(os.path.join(options.programs, "seen_server"))
CLIENT = os.path.abspath(os.path.join(options.programs, "client"))


def run(*command):
    return subprocess.run([FAIRLEAD, *command], capture_output=True, text=True)


def check(condition, what, *evidence):
    if condition:
        return
    print(f"not so: {what}")
    for each in evidence:
        print(each)
    sys.exit(1)


def test(mode, *more, executions=150):
    """A campaign against the server in that mode: its exit code and JSON."""
    finished = run(
        "test", "--quiet", "--executions", str(executions), "--store",
        f"{mode}.db", "--json", f"{mode}.json", "--drive", f"{CLIENT} s",
        *more, "--", SERVER, "s", mode)
    check(finished.returncode in (0, 1), f"{mode}: the campaign runs",
          finished.stdout, finished.stderr)
    with open(f"{mode}.json") as file:
        return finished.returncode, json.load(file)


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)

    # What the client says is a failure of its own kind, and the schedule alone
    # takes the server there again, without the client.
    code, result = test("lost")
    check(code == 1, "a lost hit is found", result)
    finding = result["findings"][0]
    check(finding["kind"] == "client", "the client found it", finding)
    # Nobody asks the client again, so that it fails again is not confirmed.
    check(finding["verdict"] == "unknown" and finding["repeated"] == 0 and
          finding["followed"] == 5, "the server repeats itself", finding)
    again = run("replay", "1", "--times", "20", "--store", "lost.db")
    check("unknown: 20 of 20 went like finding 1" in again.stderr and
          "its client was not run" in again.stderr,
          "the server is repeated", again.stderr)
    check("failed like" not in again.stderr and again.returncode == 4,
          "an execution that is ok has not failed", again.stderr)
    shown = run("show", "1", "--store", "lost.db").stdout
    check("it said: 1 hits counted" in shown, "the client is heard", shown)

    # Of a server whose accesses are seen, the lost update is drawn, although
    # the one who ended it had nothing to do with it.
    finished = run(
        "test", "--quiet", "--executions", "150", "--store", "seen.db",
        "--drive", f"{CLIENT} s", "--", SEEN_SERVER, "s", "lost")
    check(finished.returncode == 1, "a lost hit is found", finished.stdout)
    shown = run("show", "1", "--store", "seen.db", "--width", "200").stdout
    check("read hits = 0" in shown and "write hits = 1" in shown,
          "the increments are drawn", shown)
    check("unseen" in shown, "one takes the other away", shown)

    # What could go wrong with it is told, too.
    finished = run("predict", "--drive", f"{CLIENT} s", "--", SEEN_SERVER, "s",
                   "lost")
    check(finished.returncode == 0 and "hits" in finished.stderr,
          "the hits are predicted to be lost", finished.stderr)
    finished = run("predict", "--drive", "true", "--timeout", "2", "--", CLIENT)
    check(finished.returncode == 4 and "the client never ran" in finished.stderr,
          "nobody listens", finished.stderr)
    finished = run("predict", "--force", "--drive", "true", "--", CLIENT)
    check(finished.returncode == 2, "--force is refused", finished.stderr)

    # A server that dies is to blame, not its client.
    code, result = test("abort", "--fork-at", "never")
    check(code == 1, "the abort is found", result)
    check(result["findings"][0]["kind"] == "abort", "as an abort", result)
    again = run("replay", "1", "--times", "20", "--store", "abort.db")
    check("20 of 20" in again.stderr, "it is repeated", again.stderr)

    # One that is right is ended by us in every execution, which is no failure.
    code, result = test("fixed", executions=60)
    check(code == 0, "nothing is found in the fixed one", result)
    check(result["executions"] == 60 and result["cut"] == 0,
          "every execution comes to its end", result)

    # One that ends by itself may be quicker than its client, which is waited for
    # and judged; not for ever.
    finished = run(
        "test", "--quiet", "--executions", "5", "--store", "three.db", "--json",
        "three.json", "--client", f"{CLIENT} s && sleep 0.1", "--", SERVER, "s",
        "three")
    with open("three.json") as file:
        result = json.load(file)
    check(finished.returncode == 0 and result["clients"] == 5,
          "its client ends behind it", finished.stdout, result)
    finished = run(
        "test", "--quiet", "--executions", "5", "--store", "three.db",
        "--client", f"{CLIENT} s && sleep 0.1 && exit 7", "--", SERVER, "s",
        "three")
    check("exit code 7" in finished.stdout, "what it says counts",
          finished.stdout)
    finished = run(
        "test", "--quiet", "--executions", "1", "--store", "three.db",
        "--client", f"{CLIENT} s && sleep 60", "--", SERVER, "s", "three")
    check(finished.returncode == 4 and
          "the client never ran to its end" in finished.stdout,
          "a client without end is given up", finished.stdout)

    # A server that handles SIGTERM ends by itself.
    finished = run(
        "test", "--quiet", "--executions", "5", "--store", "own.db", "--drive",
        f"{CLIENT} s", "--judge", 'grep -q goodbye "$FAIRLEAD_STDOUT"', "--",
        SERVER, "s", "fixed", "own")
    check(finished.returncode == 0, "its own handler runs", finished.stdout)

    # A client that failed because the machine was busy is no finding, and does
    # not end the campaign: here, the server is another one when it is repeated.
    finished = run(
        "test", "--quiet", "--executions", "20", "--store", "busy.db", "--json",
        "busy.json", "--drive",
        f"test -e busy || {{ touch busy; exit 7; }}; {CLIENT} s", "--", SERVER,
        "s", "busy")
    check(finished.returncode == 0, "no finding", finished.stdout,
          finished.stderr)
    with open("busy.json") as file:
        result = json.load(file)
    check(result["lost_clients"] == 1, "it is counted", result)
    check(result["findings"] == [] and result["clients"] >= 20,
          "the campaign goes on", result)
    check("exit code 7" in finished.stdout, "it is told", finished.stdout)

    # Servers at once would want the same port.
    finished = run("test", "--jobs", "2", "--drive", "true", "--", SERVER)
    check(finished.returncode == 2, "--jobs is refused", finished.stderr)
