#!/usr/bin/env python3
"""`fairlead report --serve` answers GET of its own address to who names it, and
nothing else.

usage: server_test.py --bin DIR --programs DIR
"""

import argparse
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.parse


def ask(port, text: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as peer:
        peer.sendall(text)
        answer = b""
        try:
            while piece := peer.recv(65536):
                answer += piece
        except ConnectionResetError:
            pass  # it did not read all that was sent
    return answer


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    fairlead = str((arguments.bin / "fairlead").resolve())
    hello = str((arguments.programs / "hello").resolve())
    wrong = []
    with tempfile.TemporaryDirectory(prefix="fairlead-serve-") as here:
        subprocess.run([fairlead, "test", "--executions", "2", "--", hello], cwd=here,
                       stdin=subprocess.DEVNULL, capture_output=True)
        server = subprocess.Popen([fairlead, "report", "--serve"], cwd=here, text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
        line = server.stdout.readline().strip()
        if not line:
            why = server.communicate()[1]
            print("skipped:" if "without its page" in why else "wrong:", why)
            return 77 if "without its page" in why else 1
        address = urllib.parse.urlparse(line)
        port, path = address.port, address.path
        good = f"Host: 127.0.0.1:{port}"
        cases = [
            ("the page", f"GET {path} HTTP/1.1\r\n{good}", "200"),
            ("by its other name", f"GET {path} HTTP/1.1\r\nhost: localhost:{port}", "200"),
            ("news", f"GET {path}news HTTP/1.1\r\n{good}", "200"),
            ("no token", f"GET / HTTP/1.1\r\n{good}", "404"),
            ("another token", f"GET /{'0' * 32}/ HTTP/1.1\r\n{good}", "404"),
            ("a way out", f"GET {path}../etc/passwd HTTP/1.1\r\n{good}", "404"),
            ("another host", f"GET {path} HTTP/1.1\r\nHost: evil.example", "421"),
            ("no host", f"GET {path} HTTP/1.1\r\nAccept: */*", "421"),
            ("two hosts", f"GET {path} HTTP/1.1\r\n{good}\r\nHost: evil.example", "421"),
            ("a post", f"POST {path} HTTP/1.1\r\n{good}", "405"),
            ("options", f"OPTIONS {path} HTTP/1.1\r\n{good}", "405"),
            ("no request", "nonsense", "400"),
        ]
        for name, request, status in cases:
            answer = ask(port, request.encode() + b"\r\n\r\n")
            head = answer.split(b"\r\n\r\n")[0].decode()
            if not head.startswith(f"HTTP/1.1 {status} "):
                wrong.append(f"{name}: {head[:80]}")
            if "access-control" in head.lower():
                wrong.append(f"{name}: others may read it")
            if status != "200" and path.strip("/").encode() in answer:
                wrong.append(f"{name}: the token is told")
        ask(port, b"\xff" * 20_000 + b"\r\n\r\n")
        if not ask(port, f"GET {path}news HTTP/1.1\r\n{good}\r\n\r\n".encode()):
            wrong.append("it is gone after a request of noise")
        listening = pathlib.Path("/proc/net/tcp").read_text()
        if f" 0100007F:{port:04X} 00000000:0000 0A" not in listening:
            wrong.append("it does not listen on the loopback device only")
        server.send_signal(signal.SIGINT)
        if server.wait(20) not in (0, 4):
            wrong.append(f"^C: {server.returncode}")
    for words in wrong:
        print("wrong:", words)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
