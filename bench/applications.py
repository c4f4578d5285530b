#!/usr/bin/env python3
"""Real applications under `fairlead test`: is the time kept, what is found?

Runs memcached, pbzip2, LevelDB, nginx with aio threads and redis with io-threads,
built by `scripts/debian-packages --build-only`, for a minute each, servers with a
client on loopback for each execution (bench/programs/app_client.py), LevelDB
by bench/programs/leveldb_driver.cc. Prints how long it took, the exit code,
executions, and every finding with its severity, verdict and place. Whether a
finding is true is for people to say: docs/reference/programs.md does.

  bench/applications.py [--build DIR] [--time SECONDS] [--seed N] [NAME…]

Exit code 0: every campaign kept its time (5 %, at least a second, besides) and
ended with 0, 1 or 4; 1 otherwise; 3 when an application has not been built.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent

NGINX = """
daemon off; master_process off; worker_processes 1;
error_log /dev/null crit; pid {scratch}/pid;
thread_pool default threads=2 max_queue=16;
events {{ worker_connections 32; }}
http {{
  access_log off; sendfile off; aio threads; output_buffers 2 16k;
  client_body_temp_path {scratch}/b; proxy_temp_path {scratch}/p;
  fastcgi_temp_path {scratch}/f; uwsgi_temp_path {scratch}/u;
  scgi_temp_path {scratch}/s;
  server {{ listen 127.0.0.1:{port}; root {scratch}; }}
}}
"""


class Application:
    """How one is run: a command, and a client if it is a server."""

    def __init__(self, name, sources, scratch, options):
        self.name = name
        self.sources = sources
        self.scratch = scratch
        self.options = options
        self.drive = None

    def memcached(self):
        self.served(21311)
        return [self.sources / "memcached/memcached", "-u", "root", "-U", "0",
                "-t", "3", "-l", "127.0.0.1", "-p", "21311"]

    def redis(self):
        self.served(21312)
        return [self.sources / "redis/src/redis-server", "--port", "21312",
                "--bind", "127.0.0.1", "--save", "", "--io-threads", "3",
                "--io-threads-do-reads", "yes", "--dir", str(self.scratch)]

    def nginx(self):
        self.served(21313)
        (self.scratch / "file").write_bytes(b"0123456789" * 10000)
        (self.scratch / "conf").write_text(
            NGINX.format(scratch=self.scratch, port=21313))
        return [self.sources / "nginx/objs/nginx", "-p", str(self.scratch),
                "-c", str(self.scratch / "conf")]

    def pbzip2(self):
        lines = "".join(f"{i * i % 9973} {i % 17}\n" for i in range(36000))
        (self.scratch / "text").write_text(lines)
        return [self.sources / "pbzip2/pbzip2", "-p3", "-b1", "-k", "-c",
                str(self.scratch / "text")]

    def leveldb(self):
        source = self.sources / "leveldb"
        built = self.scratch / "driver"
        subprocess.run(
            [f"{self.options.build}/bin/fairlead-c++", "-g", "-O1", "-pthread",
             f"-I{source}/include", "-o", built,
             HERE / "programs/leveldb_driver.cc", source / "out/libleveldb.a"],
            check=True)
        return [built, self.scratch / "database"]

    def served(self, port):
        client = HERE / "programs/app_client.py"
        self.drive = f"/usr/bin/python3 -I {client} {self.name} {port}"

    def command(self):
        return [str(word) for word in getattr(self, self.name)()]


def run(application, fairlead, options):
    """One campaign: seconds, exit code, its report or None, what it said."""
    report = application.scratch / "report.json"
    words = [fairlead, "test", "--time", f"{options.time}s", "--keep-going",
             "--seed", str(options.seed), "--json", str(report),
             "--store", str(application.scratch / "store.db")]
    command = application.command()
    if application.drive:
        words += ["--drive", application.drive]
    begin = time.monotonic()
    done = subprocess.run([*words, "--", *command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=20 * options.time)
    seconds = time.monotonic() - begin
    read = json.loads(report.read_text()) if report.exists() else None
    return seconds, done.returncode, read, done.stdout.decode(errors="replace")


def check(application, fairlead, options):
    """Prints what came of one; whether it kept to its time."""
    seconds, code, report, said = run(application, fairlead, options)
    allowed = options.time + max(1.0, options.time / 20)
    good = seconds <= allowed and code in (0, 1, 4) and report is not None
    report = report or {"executions": 0, "cut": 0, "findings": []}
    print(f"{application.name:10} {seconds:6.1f} s  "
          f"{'kept' if seconds <= allowed else 'NOT KEPT'}  exit code {code}  "
          f"{report['executions']} executions, {report['cut']} cut, "
          f"{len(report['findings'])} findings", flush=True)
    for finding in report["findings"]:
        print(f"  [{finding['id']}] {finding['severity']}, {finding['kind']}, "
              f"{finding['verdict']}, {finding['times']} times: "
              f"{finding['message']}")
        for site in finding["sites"]:
            print(f"      {site}")
    if code not in (0, 1) or options.verbose:
        print("  " + "\n  ".join(said.strip().split("\n")[-12:]))
    return good


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    names = ["memcached", "pbzip2", "leveldb", "nginx", "redis"]
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--build", default=str(HERE.parent / "build"))
    parser.add_argument("--time", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true",
                        help="also what was said at the end")
    options = parser.parse_args()
    sources = pathlib.Path(options.build).resolve() / "debian-packages/src"
    fairlead = f"{options.build}/bin/fairlead"
    good = True
    for name in options.names or names:
        if name not in names:
            parser.error(f"no application called '{name}'")
        if not (sources / name).is_dir():
            sys.exit(f"applications.py: {name} is not built; run "
                     f"scripts/debian-packages --build-only {name}")
        with tempfile.TemporaryDirectory() as scratch:
            application = Application(name, sources, pathlib.Path(scratch),
                                      options)
            good &= check(application, fairlead, options)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
