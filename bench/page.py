#!/usr/bin/env python3
"""How large the page of a long execution is, and how soon it is drawn.

usage: bench/page.py [--build DIR] [--events N]

Traces a program of three threads with about N events, makes a page of the trace,
and opens it in chromium as the test `page` does. A second, much smaller page says
what the browser takes anyway.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "report"), str(ROOT / "tests" / "page")]
import npm_package  # noqa: E402
from page_test import PLAYWRIGHT  # noqa: E402

PROGRAM = """
#include <pthread.h>
#include <stdlib.h>
static int table[64];
static long turns;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* work(void* own) {
  for (long i = 0; i < turns; ++i) {
    pthread_mutex_lock(&lock);
    table[i % 64] += 1;
    table[(i + (long)own) % 64] += 2;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
int main(int argc, char** argv) {
  pthread_t threads[3];
  turns = argc > 1 ? atol(argv[1]) : 1;
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
"""
EVENTS_OF_A_TURN = 3 * 6  # of three threads: lock, two reads, two writes, unlock


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--events", type=int, default=1_000_000)
    arguments = parser.parse_args()
    chromium = shutil.which("chromium")
    if not chromium or not shutil.which("node"):
        sys.exit("chromium and node are needed")
    playwright = npm_package.fetch(*PLAYWRIGHT, arguments.build / "npm")
    tools = (arguments.build / "bin").resolve()
    with tempfile.TemporaryDirectory(prefix="fairlead-page-") as here:
        here = pathlib.Path(here)
        (here / "many.c").write_text(PROGRAM)
        run = lambda *words: subprocess.run(words, cwd=here, check=True, capture_output=True)
        run(tools / "fairlead-cc", "-g", "-O1", "-pthread", "many.c", "-o", "many")
        jobs = []
        for name, events in (("small", 1_000), ("large", arguments.events)):
            turns = -(-events // EVENTS_OF_A_TURN)
            run(tools / "fairlead", "run", "--max-steps", "0", "--timeout", "600", "--trace",
                f"{name}.trace", "--", "./many", str(turns))
            begun = time.monotonic()
            run(tools / "fairlead", "report", "--trace", f"{name}.trace", "-o", f"{name}.html")
            made = time.monotonic() - begun
            text = run(tools / "fairlead", "trace", "stat", "--json", f"{name}.trace").stdout
            count = json.loads(text)["events"]
            jobs.append({"name": name, "url": f"file://{here}/{name}.html", "looks": ["long"],
                         "events": count, "made": made, "patience": 120_000,
                         "bytes": (here / f"{name}.html").stat().st_size})
        (here / "jobs.json").write_text(json.dumps(jobs))
        done = subprocess.run(
            ["node", ROOT / "tests" / "page" / "browser.mjs", playwright.resolve(), chromium, here,
             here / "jobs.json"], capture_output=True, text=True, env={**os.environ, "HOME": str(here)})
        results = {each["name"]: each for each in map(json.loads, done.stdout.splitlines())}
        for job in jobs:
            result = results.get(job["name"], {"wrong": [done.stderr]})
            print(f"{job['name']}: {job['events']:,} events, {job['bytes'] / 1e6:.1f} MB, made in "
                  f"{job['made']:.1f} s, drawn after {result.get('milliseconds')} ms, "
                  f"{result.get('busy')} of them its own"
                  + "".join(f"\n  wrong: {words}" for words in result["wrong"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
