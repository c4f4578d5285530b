#!/usr/bin/env python3
"""Every program that docs/design/outside.md names is there.

usage: shown_where_test.py SOURCE_DIRECTORY
"""

import pathlib
import re
import sys


def main():
    top = pathlib.Path(sys.argv[1])
    text = (top / "docs/design/outside.md").read_text()
    table = text.split("## What is shown where")[1]
    programs = top / "tests/runtime/programs"
    missing = []
    named = 0
    for line in table.splitlines():
        if not line.startswith("| ") or line.startswith("| What"):
            continue
        for name in re.findall(r"`([a-z0-9_/*]+)`", line.split("|")[2]):
            if name.startswith("tests/"):
                continue
            named += 1
            if not list(programs.glob(f"{name}.c*")):
                missing.append(name)
    print(f"{named} programs named, missing: {missing}")
    return 1 if missing or named == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
