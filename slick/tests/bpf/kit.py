# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
"""What the tests of the BPF services share: a service, sockets with a deadline, its traces."""

import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import time

BUILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build")
DEADLINE = 20


class Skip(Exception):
    """The test cannot be made here; the text says why."""


class Service:
    """A service with `--stats`, on a port that the kernel chose."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen(
            [os.path.join(BUILD, program), "--port", "0", "--stats", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.line = self.process.stdout.readline().strip()
        numbers = [int(number) for number in re.findall(r"(?:port|control) (\d+)", self.line)]
        if not numbers:
            self.process.wait(DEADLINE)
            raise RuntimeError(f"{program} did not start: {self.process.stderr.read().strip()}")
        self.port, self.control = numbers[0], numbers[-1]
        programs = programs_of(self.process.pid)
        expect(programs, f"{program} has no BPF program")
        OURS.update(programs)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def end(self, how=signal.SIGTERM):
        """Ends it as a user would; what it counted."""
        self.process.send_signal(how)
        out, err = self.process.communicate(timeout=DEADLINE)
        expect(self.process.returncode == 0, f"status {self.process.returncode}, {err.strip()}")
        expect(not err, f"it said {err.strip()}")
        return json.loads(out.splitlines()[-1])


def expect(condition, otherwise):
    if not condition:
        raise AssertionError(otherwise)


def connect(port, address="127.0.0.1"):
    sock = socket.create_connection((address, port), timeout=DEADLINE)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def read_exactly(sock, length):
    pieces, left = [], length
    while left:
        piece = sock.recv(min(left, 1 << 20))
        expect(piece, f"the end came {left} bytes of {length} too early")
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def read_to_end(sock):
    pieces = []
    while True:
        piece = sock.recv(1 << 20)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


def reset(sock):
    """Closes with RST instead of FIN."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


def write_until_stopped(sock, data, quiet=1.0, most=1 << 30):
    """Sends `data` again and again until nothing was taken for `quiet` seconds; how many bytes."""
    sock.setblocking(False)
    sent = 0
    while sent < most:
        at = sent % len(data)
        try:
            sent += sock.send(data[at : at + (1 << 18)])
        except BlockingIOError:
            if not select.select([], [sock], [], quiet)[1]:
                break
    sock.settimeout(DEADLINE)
    return sent


def free_memory():
    """Bytes that the machine could still give away."""
    with open("/proc/meminfo") as meminfo:
        return int(re.search(r"MemAvailable:\s+(\d+)", meminfo.read()).group(1)) * 1024


def wait_for(condition, seconds=DEADLINE):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def programs_of(pid):
    """The numbers of the BPF programs that a process has."""
    numbers = set()
    for entry in os.listdir(f"/proc/{pid}/fdinfo"):
        try:
            with open(f"/proc/{pid}/fdinfo/{entry}") as info:
                numbers.update(map(int, re.findall(r"^prog_id:\s*(\d+)", info.read(), re.M)))
        except FileNotFoundError:
            pass
    return numbers


OURS = set()


def bpf_objects():
    """Those programs of the services started here that the kernel has: others may run beside us."""
    tool = "/usr/sbin/bpftool"
    out = subprocess.run(
        [tool, "-j", "prog", "list"], capture_output=True, text=True, check=True, timeout=DEADLINE
    ).stdout
    return [entry.get("name", "?") for entry in json.loads(out) if entry["id"] in OURS]


def tcp_memory():
    """Bytes that TCP counts as its own."""
    with open("/proc/net/sockstat") as sockstat:
        return int(re.search(r"TCP:.* mem (\d+)", sockstat.read()).group(1)) * 4096
