# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
"""slick-echo-bpf: what is sent comes back, byte for byte, and by BPF unless it cannot be."""

import os
import signal
import socket
import subprocess
import threading
import time

from kit import (
    BUILD,
    DEADLINE,
    Service,
    bpf_objects,
    connect,
    expect,
    read_exactly,
    read_to_end,
    reset,
    wait_for,
    write_until_stopped,
)

PROGRAM = "slick-echo-bpf"
PATIENCE = 90  # s: a peer whose segments were dropped tries again ever more rarely
WAYS = {"whole": [], "chunk 32": ["--chunk", "32"], "verdict": ["--path", "verdict"]}


def echoed(sock, data, split=None):
    step = split or max(1, len(data))
    for at in range(0, len(data), step):
        sock.sendall(data[at : at + step])
    back = read_exactly(sock, len(data))
    expect(back == data, f"{len(data)} bytes came back changed")


def both_ways(sock, data, shut=True):
    """Sends while it reads, so that neither waits for the other; what came back."""

    def write():
        sock.sendall(data)
        if shut:
            sock.shutdown(socket.SHUT_WR)

    writer = threading.Thread(target=write)
    writer.start()
    back = read_to_end(sock) if shut else read_exactly(sock, len(data))
    writer.join(DEADLINE)
    return back


def sizes(arguments):
    with Service(PROGRAM, *arguments) as service:
        total = 0
        with connect(service.port) as sock:
            for size in [*range(1, 70), 127, 128, 129, 777, 1460, 4095, 4096, 16384, 65535, 65536]:
                echoed(sock, os.urandom(size))
                total += size
        stats = service.end()
        expect(
            stats["bytes_bpf"] + stats["bytes_process"] == total,
            f"{total} bytes were sent, {stats}",
        )
        expect(stats["bytes_bpf"] >= total * 0.3, f"the BPF programs did not do the work: {stats}")


def splits(arguments):
    data = os.urandom(500)
    with Service(PROGRAM, *arguments) as service, connect(service.port) as sock:
        for split in range(1, 70):
            echoed(sock, data, split)


def connections(arguments):
    failures = []

    def one(port):
        try:
            with connect(port) as sock:
                data = os.urandom(3_000_000)
                expect(both_ways(sock, data) == data, "3,000,000 bytes came back changed")
        except Exception as failure:  # pylint: disable=broad-except
            failures.append(failure)

    with Service(PROGRAM, *arguments) as service:
        threads = [threading.Thread(target=one, args=(service.port,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(DEADLINE)
        expect(not failures, f"{failures[:1]}")
        stats = service.end()
        expect(stats["bytes_bpf"] + stats["bytes_process"] == 24_000_000, f"{stats}")


def half_close(arguments):
    with Service(PROGRAM, *arguments) as service:
        for size in (0, 1, 31, 33, 100_000):
            with connect(service.port) as sock:
                data = os.urandom(size)
                expect(
                    both_ways(sock, data) == data,
                    f"{size} bytes and FIN: not all came back before the end",
                )


def short_lived(arguments):
    with Service(PROGRAM, *arguments) as service:
        for number in range(1000):
            with connect(service.port) as sock:
                sock.sendall(b"%d" % number)
                sock.shutdown(socket.SHUT_WR)
                back = read_to_end(sock)
                expect(back == b"%d" % number, f"connection {number}: {back!r}")
        stats = service.end()
        expect(
            stats["accepted"] == 1000 and not stats["refused"] and not stats["timeouts"], f"{stats}"
        )


def ended_before_accept(arguments):
    """Whoever has ended before the service looks cannot go into the map of sockets."""
    with Service(PROGRAM, *arguments) as service:
        service.process.send_signal(signal.SIGSTOP)
        socks = [connect(service.port) for _ in range(20)]
        for number, sock in enumerate(socks):
            sock.sendall(b"early %d" % number)
            if number % 2:
                sock.shutdown(socket.SHUT_WR)
        time.sleep(0.2)
        service.process.send_signal(signal.SIGCONT)
        for number, sock in enumerate(socks):
            expected = b"early %d" % number
            back = read_to_end(sock) if number % 2 else read_exactly(sock, len(expected))
            expect(back == expected, f"connection {number}: {back!r}")
            sock.close()
        stats = service.end()
        expect(stats["by_copy"] == 10, f"{stats}")


def resets(arguments):
    with Service(PROGRAM, *arguments) as service:
        for _ in range(100):
            sock = connect(service.port)
            sock.sendall(os.urandom(10_000))
            reset(sock)
        with connect(service.port) as sock:
            echoed(sock, os.urandom(1000))
        descriptors = f"/proc/{service.process.pid}/fd"
        before = len(os.listdir(descriptors))
        expect(
            wait_for(lambda: len(os.listdir(descriptors)) < 20),
            f"{before} descriptors are still open",
        )
        service.end()


def never_reads(arguments):
    """Peers that send and do not read are stopped, and when they read again nothing was lost."""
    data = os.urandom(1 << 20)
    with Service(PROGRAM, *arguments) as service:
        socks = [connect(service.port) for _ in range(4)]
        sent = [write_until_stopped(sock, data, quiet=0.3, most=256 << 20) for sock in socks]
        expect(
            max(sent) < 40 << 20, f"{max(sent) >> 20} MiB were taken from one that reads nothing"
        )
        with connect(service.port) as other:
            echoed(other, os.urandom(5000))
        start = time.monotonic()
        for sock, count in zip(socks, sent):
            sock.settimeout(PATIENCE)
            back = read_exactly(sock, count)
            expect(back == (data * (count // len(data) + 1))[:count], "bytes came back changed")
            echoed(sock, os.urandom(5000))
            sock.close()
        stats = service.end()
        expect(stats["bytes_process"] > 0, f"the gate was never shut: {stats}")
        print(
            f"    {sum(sent) >> 20} MiB were taken before all four stood still, at most "
            f"{max(sent) >> 20} of one; {time.monotonic() - start:.1f} s to get them back"
        )


def leaves_nothing(arguments):
    for how in (signal.SIGTERM, signal.SIGKILL):
        with Service(PROGRAM, *arguments) as service:
            expect(bpf_objects(), "bpftool does not show the programs while they run")
            sock = connect(service.port)
            echoed(sock, b"alive")
            if how == signal.SIGTERM:
                service.end()
            else:
                service.process.kill()
                service.process.wait(DEADLINE)
            try:
                expect(sock.recv(1) == b"", "the connection outlived the service")
            except ConnectionResetError:
                pass
            sock.close()
        expect(wait_for(lambda: not bpf_objects()), f"left behind by {how.name}: {bpf_objects()}")


def messages(_):
    """Each error: one line on stderr with the cause, no stdout, a status that is not 0."""
    with Service(PROGRAM) as service:
        cases = [
            (["--port", str(service.port)], "another service"),
            (["--port", "0", "--address", "nowhere"], "literal"),
            (["--port", "x"], "number"),
            ([], "port is missing"),
            (["--port", "0", "--path", "verdict", "--chunk", "3"], "chunk"),
            (["--port", "0", "--path", "none"], "verdict"),
            (["--port", "0", "surplus"], "surplus"),
        ]
        for arguments, word in cases:
            run = subprocess.run(
                [os.path.join(BUILD, PROGRAM), *arguments],
                capture_output=True,
                text=True,
                timeout=DEADLINE,
            )
            expect(
                run.returncode != 0 and not run.stdout,
                f"{arguments}: status {run.returncode}, {run.stdout!r}",
            )
            expect(
                run.stderr.count("\n") == 1 and word in run.stderr, f"{arguments}: {run.stderr!r}"
            )
    run = subprocess.run(
        ["setpriv", "--reuid=65534", "--clear-groups", os.path.join(BUILD, PROGRAM), "--port", "0"],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )
    expect(
        run.returncode != 0 and "CAP_BPF" in run.stderr and run.stderr.count("\n") == 1,
        f"without root: {run.stderr!r}",
    )


def both_families(_):
    with Service(PROGRAM) as service:
        for address in ("127.0.0.1", "::1"):
            with connect(service.port, address) as sock:
                echoed(sock, os.urandom(5000))


def full(_):
    with Service(PROGRAM, "--connections", "4") as service:
        socks = [connect(service.port) for _ in range(4)]
        for sock in socks:
            echoed(sock, b"one of four")
        with connect(service.port) as fifth:
            try:
                expect(fifth.recv(1) == b"", "a fifth connection was served")
            except ConnectionResetError:
                pass
        for sock in socks:
            sock.close()

        def served():
            try:
                with connect(service.port) as sock:
                    echoed(sock, b"room again")
                return True
            except (ConnectionResetError, BrokenPipeError, AssertionError):
                return False

        expect(wait_for(served), "the places of closed connections were not given away again")
        service.end()


EVERY_WAY = [
    sizes,
    splits,
    connections,
    half_close,
    short_lived,
    ended_before_accept,
    resets,
    never_reads,
    leaves_nothing,
]
TESTS = [
    (f"echo {test.__name__.replace('_', ' ')}, {way}", test, arguments)
    for way, arguments in WAYS.items()
    for test in EVERY_WAY
]
TESTS += [
    (f"echo {test.__name__.replace('_', ' ')}", test, [])
    for test in (messages, both_families, full)
]
