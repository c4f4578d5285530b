#!/usr/bin/env python3
"""What control costs programs of the distribution, as ratios to a plain run.

Three ways to run each, taken in turns:

  plain          the distribution's program
  preloaded      the same under `fairlead run`: threads and calls controlled
  instrumented   built from its Debian source by fairlead-cc, under
                 `fairlead run`: accesses controlled as well; after one
                 execution that learns which sites touch nothing shared

The last column is the determinism score of the instrumented program, from
`fairlead doctor` with every site traced, on a smaller file of several blocks; a
server has none, since its client is not under control.

  bench/overhead.py [--build DIR] [--rounds N] [--quick] [NAME…]

The instrumented programs come from `scripts/debian-packages --build-only pbzip2
pigz xz-utils libzstd memcached`; without them their columns are empty.
Exit code 0; 1 when a result differs from the plain one, or a score is below
0.99; 3 when a program is missing.
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

import real_programs as real

HERE = pathlib.Path(__file__).resolve().parent

# Where scripts/debian-packages leaves them.
INSTRUMENTED = {
    "pbzip2": "pbzip2/pbzip2",
    "pigz": "pigz/pigz",
    "xz": "xz-utils/src/xz/.libs/xz",
    "zstd": "libzstd/out/programs/zstd",
    "memcached": "memcached/memcached",
}

# How the score is taken: kilobytes of input, and arguments, so that every
# thread gets work.
SCORED = {
    "pbzip2": (300, ["-p3", "-b1", "-c"]),
    "pigz": (400, ["-n", "-p", "3", "-c"]),
    "xz": (200, ["-T3", "-1", "--block-size=65536", "-c"]),
    "zstd": (1200, ["-q", "-T3", "-B524288", "-c"]),
}


def median(values):
    return sorted(values)[len(values) // 2]


class Job:
    """A program, how it is run, and what came of it."""

    def __init__(self, name, scratch, options):
        self.name = name
        self.options = options
        self.scratch = scratch
        self.data = f"{scratch}/data"
        self.profile = f"{scratch}/{name}.profile"
        path = (pathlib.Path(options.build) / "debian-packages" / "src" /
                INSTRUMENTED[name])
        self.instrumented = str(path) if path.exists() else None

    def command(self, program):
        if self.name == "memcached":
            self.port = real.free_port()
            user = ["-u", "root"] if os.getuid() == 0 else []
            return [program, *user, "-A", "-U", "0", "-t", "3",
                    "-l", "127.0.0.1", "-p", str(self.port)]
        command = real.filters(self.data, "")[self.name]
        return [program] + command[1:]

    def environment(self, program):
        """xz's code is in a library, which only the one of ours is to use."""
        if self.name != "xz" or program != self.instrumented:
            return None
        library = pathlib.Path(program).parents[2] / "liblzma" / ".libs"
        return {**os.environ, "LD_LIBRARY_PATH": str(library)}

    def run(self, prefix, program):
        """Seconds, exit code, result and messages. Of a server, the seconds
        are those of its requests: it ends by its own clock."""
        command = prefix + self.command(program)
        if self.name != "memcached":
            begin = time.perf_counter()
            done = subprocess.run(command, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=600,
                                  env=self.environment(program))
            return (time.perf_counter() - begin, done.returncode, done.stdout,
                    done.stderr)
        server = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE)
        spent = []
        answers = real.ask_memcached(
            self.port, 200 if self.options.quick else 2000, spent)
        _, errors = server.communicate(timeout=120)
        return spent[0], server.returncode, answers, errors


def fairlead(options, *words):
    return [str(pathlib.Path(options.build) / "bin" / "fairlead"), *words]


def score(job, options):
    """The determinism score of the instrumented program; None for servers."""
    if job.name not in SCORED:
        return None
    kilobytes, arguments = SCORED[job.name]
    small = pathlib.Path(job.scratch) / "small"
    small.write_bytes(real.text_of(kilobytes))
    done = subprocess.run(
        fairlead(options, "doctor", "--json", "--timeout", "300", "--seeds",
                 "2", "--repetitions", "3", "--", job.instrumented,
                 *arguments, str(small)),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        env=job.environment(job.instrumented))
    return json.loads(done.stdout)["program"]["score"]


def measure(job, options):
    """One line of the table; whether all was well."""
    run = fairlead(options, "run", "--quiet", "--timeout", "300", "--")
    ways = {"plain": ([], job.name), "preloaded": (run, job.name)}
    if job.instrumented:
        learn = fairlead(options, "run", "--quiet", "--profile-out",
                         job.profile, "--timeout", "300", "--")
        job.run(learn, job.instrumented)
        ways["instrumented"] = (
            fairlead(options, "run", "--quiet", "--timeout", "300",
                     "--profile", job.profile, "--"), job.instrumented)
    spent = {way: [] for way in ways}
    results = {}
    good = True
    for _ in range(options.rounds):
        for way, (prefix, program) in ways.items():
            seconds, code, result, errors = job.run(prefix, program)
            spent[way].append(seconds)
            # Another build may compress otherwise; each must repeat itself.
            kind = "instrumented" if way == "instrumented" else "plain"
            if code != 0 or results.setdefault(kind, result) != result:
                good = False
                print(f"{job.name}: {way}: exit code {code}: "
                      f"{errors.decode(errors='replace')[-300:]}")
    plain = median(spent["plain"])
    ratios = {way: f"{median(times) / plain:.1f}x"
              for way, times in spent.items() if way != "plain"}
    found = score(job, options) if job.instrumented else None
    good = good and (found is None or found >= 0.99)
    print(f"{job.name:10} {plain:8.3f} s  {ratios['preloaded']:>9}  "
          f"{ratios.get('instrumented', '-'):>12}  "
          f"{'-' if found is None else f'{found:.2f}':>5}", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--build", default=str(HERE.parent / "build"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="small inputs")
    options = parser.parse_args()
    names = options.names or list(INSTRUMENTED)
    real.use_unpacked()
    for name in names:
        if name not in INSTRUMENTED:
            parser.error(f"no program called '{name}'")
        if not shutil.which(name):
            print(f"overhead.py: {name} is missing; run: scripts/setup bench",
                  file=sys.stderr)
            sys.exit(3)
    with tempfile.TemporaryDirectory() as scratch:
        pathlib.Path(f"{scratch}/data").write_bytes(
            real.text_of(400 if options.quick else 1200))
        print(f"{'program':10} {'plain':>10}  {'preloaded':>9}  "
              f"{'instrumented':>12}  score")
        good = [measure(Job(name, scratch, options), options)
                for name in names]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
