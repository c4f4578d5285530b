#!/usr/bin/env python3
"""Runs a recorded session of `fairlead` and compares what comes out.

usage: run_session.py [--update] --bin DIR --programs DIR SESSION

A session is a text of commands and what they print, both streams together:

    # a comment
    $ fairlead run -- hello 3
    hello
    fairlead: failed: exit: the program ended with exit code 3
    ? 1

`? N` is the exit code; without that line it is 0.  Commands run in a shell, one
after the other, in an empty directory, with the programs under test and
`fairlead` on PATH.  Before it is compared, output is normalised: directories of
ours become words (PROGRAMS, HERE), build ids BUILD, other long hexadecimal
numbers 0xN, and how long and how fast a campaign was N.  `--update` writes what came out into the session.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def normalise(text: str, words: dict[str, str]) -> str:
    for directory, word in words.items():
        text = text.replace(directory, word)
    text = re.sub(r"\b[0-9a-f]{40}\b", "BUILD", text)
    text = re.sub(r"0x[0-9a-f]{4,}", "0xN", text)
    text = re.sub(r"in [0-9.]+ s \([0-9]+/s", "in N s (N/s", text)
    return text


def parse(text: str) -> list[dict]:
    """The session as steps; comments, and blank lines before them, stay."""
    steps: list[dict] = []
    lines = text.splitlines()
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if line.startswith("$ "):
            steps.append({"command": line[2:], "lines": [], "exit": 0})
        elif line.startswith("#") or (not line and following.startswith("#")):
            steps.append({"comment": line})
        elif line.startswith("? "):
            steps[-1]["exit"] = int(line[2:])
        else:
            steps[-1]["lines"].append(line)
    return steps


def render(steps: list[dict]) -> str:
    lines = []
    for step in steps:
        if "comment" in step:
            lines.append(step["comment"])
            continue
        lines.append("$ " + step["command"])
        lines += step["lines"]
        if step["exit"]:
            lines.append(f"? {step['exit']}")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--bin", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("session")
    arguments = parser.parse_args()
    session = pathlib.Path(arguments.session)
    wanted = session.read_text()
    steps = parse(wanted)
    # realpath: the tool prints paths with links resolved.
    here = os.path.realpath(tempfile.mkdtemp(prefix="fairlead-session-"))
    programs = os.path.realpath(arguments.programs)
    source = os.path.realpath(session.parent.parent)
    words = {here: "HERE", programs: "PROGRAMS", source: "SOURCE"}
    environment = {
        "PATH": f"{os.path.realpath(arguments.bin)}:{programs}:{os.environ['PATH']}",
        "HOME": here,
        "LC_ALL": "C",
    }
    try:
        for step in steps:
            if "command" not in step:
                continue
            done = subprocess.run(
                ["/bin/sh", "-c", step["command"]],
                cwd=here, env=environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            output = normalise(done.stdout.decode(errors="replace"), words)
            step["lines"] = output.splitlines()
            step["exit"] = done.returncode
    finally:
        shutil.rmtree(here, ignore_errors=True)
    found = render(steps)
    if found == wanted:
        return 0
    if arguments.update:
        session.write_text(found)
        print(f"{session}: updated")
        return 0
    import difflib
    sys.stdout.writelines(difflib.unified_diff(
        wanted.splitlines(True), found.splitlines(True),
        "session", "this build"))
    print(f"\nif this is right: {sys.argv[0]} --update ...")
    return 1


if __name__ == "__main__":
    sys.exit(main())
