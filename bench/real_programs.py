#!/usr/bin/env python3
"""Programs of the distribution under control: do they do what they always do?

Runs each program plainly once, then under control with several seeds, and
compares the results byte by byte: what compressors and `sort` write, what
a threaded Python script prints, what servers answer to a scripted client on
loopback. One more execution is kept as a schedule and replayed from it: programs
must write the same bytes again, servers do without their client. As root it
starts them without privileges; address randomisation stays as it is.

  bench/real_programs.py [--build DIR] [--seeds N] [--quick] [--keep-user]
                         [NAME…]

Exit code 0: every result was equal; 1 otherwise; 3 when a program is missing.
"""

import argparse
import hashlib
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
NOBODY = 65534

PYTHON = """
import queue, threading
work, results = queue.Queue(), []
lock = threading.Lock()
def run():
    while (n := work.get()) is not None:
        with lock:
            results.append((n, sum(i * i for i in range(n * 50))))
threads = [threading.Thread(target=run) for _ in range(3)]
for thread in threads: thread.start()
for n in range(60): work.put(n)
for _ in threads: work.put(None)
for thread in threads: thread.join()
print(sorted(results))
"""


def text_of(kilobytes):
    """Compressible lines, the same in every run."""
    draw = random.Random(7)
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz",
                                  k=draw.randint(2, 9))) for _ in range(3000)]
    lines = []
    size = 0
    while size < kilobytes * 1024:
        lines.append(" ".join(draw.choices(words, k=6)) + "\n")
        size += len(lines[-1])
    return "".join(lines).encode()


def filters(data, script):
    """Name and command of the programs whose result is what they write."""
    return {
        "pigz": ["pigz", "-n", "-p", "3", "-c", data],
        "pbzip2": ["pbzip2", "-p3", "-b1", "-c", data],
        "lbzip2": ["lbzip2", "-n3", "-1", "-c", data],
        "zstd": ["zstd", "-q", "-T3", "-B524288", "-c", data],
        "xz": ["xz", "-T3", "-1", "--block-size=262144", "-c", data],
        "sort": ["sort", "--parallel=3", "-S", "4M", data],
        "python": ["/usr/bin/python3", "-I", script],
    }


def use_unpacked():
    """Also finds what `scripts/setup` unpacked and did not install."""
    bin_of = HERE.parent / "build" / "unpacked" / "usr" / "bin"
    os.environ["PATH"] += f"{os.pathsep}{bin_of}"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Client:
    """A connection over which one request after the other is made."""

    def __init__(self, port, deadline):
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), 60)
                break
            except ConnectionRefusedError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")

    def send(self, data):
        self.socket.sendall(data)

    def line(self):
        return self.file.readline()

    def close(self):
        self.file.close()
        self.socket.close()


def ask_memcached(port, requests, spent=None):
    """Sets, gets, increments; four connections in turn. Adds to `spent` how
    long the requests took, without the server's start and end."""
    draw = random.Random(11)
    deadline = time.monotonic() + 15
    clients = [Client(port, deadline) for _ in range(4)]
    begin = time.perf_counter()
    answers = []
    for i in range(requests):
        client = clients[i % 4]
        key = f"key{draw.randrange(50)}"
        kind = draw.randrange(3)
        if kind == 0:
            value = str(draw.randrange(10**6))
            client.send(f"set {key} 0 0 {len(value)}\r\n{value}\r\n".encode())
            answers.append(client.line())
        elif kind == 1:
            client.send(f"get {key}\r\n".encode())
            while True:
                answers.append(client.line())
                if answers[-1] in (b"END\r\n", b""):
                    break
        else:
            client.send(f"incr {key} 3\r\n".encode())
            answers.append(client.line())
    if spent is not None:
        spent.append(time.perf_counter() - begin)
    clients[0].send(b"shutdown\r\n")
    for client in clients:
        client.close()
    return b"".join(answers)


def ask_http(port, requests):
    """Sums, over four connections in turn; then the end."""
    draw = random.Random(13)
    deadline = time.monotonic() + 15
    clients = [Client(port, deadline) for _ in range(4)]
    answers = []

    def get(client, path):
        client.send(f"GET {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
        answers.append(client.line())
        length = 0
        while (line := client.line()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        answers.append(client.file.read(length))

    for i in range(requests):
        get(clients[i % 4], f"/add/{draw.randrange(1000)}")
    get(clients[0], "/quit")
    for client in clients:
        client.close()
    return b"".join(answers)


KEEP_USER = False


def as_nobody():
    """How a process of ours is started without privileges."""
    if os.getuid() != 0 or KEEP_USER:
        return {}
    return {"user": NOBODY, "group": NOBODY, "extra_groups": [], "cwd": "/"}


LAST = []  # the program and its arguments that were run last


def run_filter(prefix, command):
    LAST[:] = command
    done = subprocess.run(prefix + command, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=300, **as_nobody())
    return done.returncode, done.stdout, done.stderr


def run_server(prefix, command, port, ask, requests):
    LAST[:] = command
    server = subprocess.Popen(prefix + command, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, **as_nobody())
    try:
        answers = ask(port, requests)
        _, errors = server.communicate(timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        server.kill()
        _, errors = server.communicate()
        return 1, b"", str(error).encode() + errors
    return server.returncode, answers, errors


def jobs(scratch, options):
    """Name, and a function that runs it behind a prefix of a command."""
    data, script = f"{scratch}/data", f"{scratch}/script.py"
    pathlib.Path(data).write_bytes(text_of(400 if options.quick else 2000))
    pathlib.Path(script).write_text(PYTHON)
    found = {name: lambda prefix, command=command: run_filter(prefix, command)
             for name, command in filters(data, script).items()}

    def memcached(prefix):
        port = free_port()
        # It wants to be told that it is to be root.
        user = ["-u", "root"] if KEEP_USER and os.getuid() == 0 else []
        return run_server(prefix, ["memcached", *user, "-A", "-U", "0", "-t", "3",
                                    "-l", "127.0.0.1", "-p", str(port)],
                          port, ask_memcached, 200 if options.quick else 2000)

    def http(prefix):
        port = free_port()
        return run_server(prefix, [f"{scratch}/http_server", str(port), "3"],
                          port, ask_http, 100 if options.quick else 1000)

    found["memcached"] = memcached
    found["http_server"] = http
    return found


def replays(name, run, expected, options, fairlead):
    """Whether an execution comes again from its schedule; else why not."""
    with tempfile.TemporaryDirectory() as kept:
        os.chmod(kept, 0o777)
        schedule = f"{kept}/schedule"
        limits = [fairlead, "run", "--quiet", "--timeout", "120"]
        run([*limits, "--seed", "1", "--schedule-out", schedule,
             *options.with_options, "--"])
        code, result, errors = run_filter(
            [*limits, "--schedule", schedule, "--"], list(LAST))
        is_server = name in ("memcached", "http_server")
        if code == 0 and (is_server or result == expected):
            return ""
        return errors.decode(errors="replace").strip().split("\n")[-1]


def check(name, run, options, fairlead):
    """One line of the table; whether all was well."""
    begin = time.perf_counter()
    code, expected, errors = run([])
    plain = time.perf_counter() - begin
    if code != 0:
        print(f"{name}: fails plainly: {errors.decode(errors='replace')}")
        return False
    spent, wrong = [], []
    for seed in range(1, options.seeds + 1):
        command = [fairlead, "run", "--quiet", "--timeout", "120",
                   "--seed", str(seed), *options.with_options, "--"]
        begin = time.perf_counter()
        code, result, errors = run(command)
        spent.append(time.perf_counter() - begin)
        if code != 0 or result != expected:
            last = errors.decode(errors="replace").strip().split("\n")[-1]
            wrong.append(f"seed {seed}: exit code {code}, "
                         f"{'equal' if result == expected else 'other'} "
                         f"result: {last}")
    equal = options.seeds - len(wrong)
    why = replays(name, run, expected, options, fairlead)
    if why:
        wrong.append(f"replay: {why}")
    digest = hashlib.sha256(expected).hexdigest()[:12]
    median = sorted(spent)[len(spent) // 2]
    print(f"{name:12} {len(expected):9} bytes {digest}  "
          f"{equal} of {options.seeds} equal  "
          f"{'not replayed' if why else 'replayed'}  "
          f"plain {plain:6.2f} s  controlled {median:6.2f} s", flush=True)
    for line in wrong[:3]:
        print(f"  {line}")
    return not wrong


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--build", default=str(HERE.parent / "build"))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--quick", action="store_true",
                        help="small inputs, few requests")
    parser.add_argument("--keep-user", action="store_true",
                        help="also as root, with all privileges")
    parser.add_argument("--with", dest="with_options", action="append",
                        default=[], help="another option for fairlead run")
    options = parser.parse_args()
    global KEEP_USER
    KEEP_USER = options.keep_user
    fairlead = str(pathlib.Path(options.build) / "bin" / "fairlead")
    use_unpacked()
    with tempfile.TemporaryDirectory() as scratch:
        os.chmod(scratch, 0o755)
        subprocess.run(["cc", "-O2", "-pthread", "-o", f"{scratch}/http_server",
                        str(HERE / "programs" / "http_server.c")], check=True)
        everything = jobs(scratch, options)
        names = options.names or list(everything)
        for name in names:
            if name not in everything:
                parser.error(f"no program called '{name}'")
            if name not in ("python", "http_server") and not shutil.which(name):
                print(f"real_programs.py: {name} is missing; run: "
                      "scripts/setup", file=sys.stderr)
                sys.exit(3)
        aslr = pathlib.Path("/proc/sys/kernel/randomize_va_space").read_text()
        user = as_nobody().get("user", os.getuid())
        print(f"user {user}, address randomisation {aslr.strip()}", flush=True)
        good = [check(name, everything[name], options, fairlead)
                for name in names]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
