#!/usr/bin/env python3
"""The scoreboard of the zoo in its full form, as a table for docs/.

Every bug is searched for with each strategy in turn for a minute, its schedule
followed ten times, its twin executed 10,000 times, and the plain program run
3,000 times. That takes hours; the options of zoo/run make it shorter, and are
passed on.

  bench/zoo.py [OPTIONS OF zoo/run]
"""

import datetime
import os
import pathlib
import shlex
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FULL = ["--strategy", "pct", "--strategy", "pos", "--strategy", "random",
        "--time", "60", "--replays", "10", "--twin", "10000", "--plain", "3000",
        "--markdown", "--json", str(ROOT / "build" / "zoo.json")]


def main():
    if sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__)
        return
    arguments = FULL + sys.argv[1:]
    shown = shlex.join(["bench/zoo.py", *sys.argv[1:]])
    print(f"`{shown}`, {datetime.date.today()}, {os.cpu_count()} cores\n",
          flush=True)
    os.execv(ROOT / "zoo" / "run", ["zoo/run", *arguments])


if __name__ == "__main__":
    main()
