#!/usr/bin/env python3
"""The client of one execution of a server: a few requests over three
connections on loopback, each answer checked; exit code 0 when all were right.

  app_client.py memcached|redis|nginx PORT

A server that does not answer in time is not called wrong here: exit code 0 and
a word on standard error, since a slow machine is no bug of the server's.
"""

import socket
import sys

SECONDS = 60
CONNECTIONS = 3
FILE_BYTES = 100000


class Peer:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), SECONDS)
        self.file = self.socket.makefile("rb")

    def say(self, data):
        self.socket.sendall(data)

    def line(self):
        return self.file.readline()


def want(condition, what):
    if not condition:
        sys.exit(f"app_client: {what}")


def ask_memcached(peers):
    for number, peer in enumerate(peers):
        peer.say(b"set k%d 0 0 1\r\n1\r\n" % number)
    for peer in peers:
        want(peer.line() == b"STORED\r\n", "not stored")
    for peer in peers:
        peer.say(b"incr k0 1\r\nincr k1 1\r\nget k2\r\n")
    sums = [0, 0]
    for peer in peers:
        sums[0] += int(peer.line())
        sums[1] += int(peer.line())
        want(peer.line() == b"VALUE k2 0 1\r\n", "no value")
        want(peer.line() == b"1\r\n" and peer.line() == b"END\r\n", "value")
    want(sums == [2 + 3 + 4] * 2, f"increments were lost: {sums}")


def ask_redis(peers):
    # Twelve commands a connection, written in pieces, so that more than one
    # is pending and threads are used.
    for peer in peers:
        for part in range(3):
            peer.say(b"INCR n\r\n" * 3 + b"RPUSH list %d\r\n" % part)
    seen = []
    for peer in peers:
        for _ in range(3):
            for _ in range(3):
                seen.append(int(peer.line()[1:]))
            want(peer.line().startswith(b":"), "not pushed")
    want(sorted(seen) == list(range(1, 28)), f"increments were lost: {seen}")
    peers[0].say(b"LLEN list\r\n")
    want(peers[0].line() == b":9\r\n", "list")


def ask_nginx(peers):
    for peer in peers:
        peer.say(b"GET /file HTTP/1.1\r\nHost: here\r\n\r\n")
    for peer in peers:
        want(peer.line().startswith(b"HTTP/1.1 200 "), "no such file")
        while peer.line() != b"\r\n":
            pass
        body = peer.file.read(FILE_BYTES)
        want(body == b"0123456789" * (FILE_BYTES // 10), "file")


def main():
    name, port = sys.argv[1], int(sys.argv[2])
    ask = {"memcached": ask_memcached, "redis": ask_redis, "nginx": ask_nginx}
    try:
        ask[name]([Peer(port) for _ in range(CONNECTIONS)])
    except socket.timeout:
        print("app_client: no answer in time", file=sys.stderr)


if __name__ == "__main__":
    main()
