# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
"""slick-forward-bpf: every message to its key's backend, in order, or the sender is told."""

import json
import os
import select
import signal
import socket
import struct
import subprocess
import threading

from kit import (
    BUILD,
    DEADLINE,
    Service,
    bpf_objects,
    connect,
    expect,
    free_memory,
    read_exactly,
    read_to_end,
    reset,
    tcp_memory,
    wait_for,
    write_until_stopped,
)

PROGRAM = "slick-forward-bpf"
CALL, REPLY, EXCEPTION, ONEWAY = 1, 2, 3, 4
PATIENCE = 60


def string(field, value):
    return struct.pack(">BHI", 11, field, len(value)) + value


def i32(field, value):
    return struct.pack(">BHi", 8, field, value)


def frame(name, kind, body):
    head = struct.pack(">HHI", 0x8001, kind, len(name)) + name + struct.pack(">I", 7)
    return struct.pack(">I", len(head) + len(body) + 1) + head + body + b"\0"


def msg(key, payload):
    return frame(b"msg", ONEWAY, i32(1, key) + string(2, payload))


def read_frame(sock):
    head = read_exactly(sock, 4)
    return head + read_exactly(sock, struct.unpack(">I", head)[0])


class Forwarder(Service):
    """The service, and backends that it was told of."""

    def __init__(self, *arguments):
        super().__init__(PROGRAM, "--control", "0", *arguments)
        self.commands = connect(self.control)

    def command(self, name, body):
        self.commands.sendall(frame(name, CALL, body))
        return read_frame(self.commands)[7]

    def backend(self, key):
        """A socket that gets what is for the key."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.settimeout(DEADLINE)
            body = i32(1, key) + string(2, b"127.0.0.1") + i32(3, listener.getsockname()[1])
            expect(self.command(b"connect", body) == REPLY, f"connect of key {key} was refused")
            sock = listener.accept()[0]
            sock.settimeout(DEADLINE)
            return sock

    def disconnect(self, key):
        return self.command(b"disconnect", i32(1, key))


def expect_failed(sock, key, word):
    answer = read_frame(sock)
    expect(b"failed" in answer and i32(1, key) in answer, f"no word of a failure: {answer!r}")
    expect(word in answer, f"another reason than {word!r}: {answer!r}")


def routing(_):
    """All payload sizes, whole and in pieces, to three keys: to the right one and nothing else."""
    with Forwarder() as service:
        backends = {key: service.backend(key) for key in (0, 5, -7)}
        with connect(service.port) as sender:
            for number, size in enumerate([*range(0, 70), 777, 4096, 65000, 65536, 70000, 500_000]):
                key = list(backends)[number % 3]
                message = msg(key, os.urandom(size))
                step = len(message) if number % 2 or size > 5000 else 7
                for at in range(0, len(message), step):
                    sender.sendall(message[at : at + step])
                back = read_exactly(backends[key], len(message))
                expect(back == message, f"a payload of {size} bytes came changed")
        stats = service.end()
        expect(stats["messages_bpf"] >= 60, f"the BPF programs did not do the work: {stats}")


def odd_but_good(_):
    """What the BPF programs do not know as a message, the process does; all in order."""
    with Forwarder() as service:
        backend = service.backend(5)
        odd = [
            frame(b"msg", ONEWAY, i32(1, 5)),
            frame(b"msg", ONEWAY, i32(1, 5) + i32(2, 999)),
            frame(b"msg", ONEWAY, string(2, b"first") + i32(1, 5)),
            frame(b"msg", ONEWAY, i32(1, 5) + string(2, b"") + string(3, b"later")),
        ]
        messages = b"".join(one + msg(5, b"usual") for one in odd)
        with connect(service.port) as sender:
            sender.sendall(messages)
            back = read_exactly(backend, len(messages))
            expect(back == messages, "they came changed")
            sender.shutdown(socket.SHUT_WR)
            expect(read_to_end(sender) == b"", "the sender was told something")
        stats = service.end()
        expect(stats["malformed"] == 0, f"{stats}")
        expect(stats["messages_process"] >= len(odd), f"{stats}")


def load(*arguments):
    program = os.path.join(BUILD, "slickload")
    run = subprocess.run(
        [program, "forward", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    result = json.loads(run.stdout.splitlines()[-1])
    bad = {name: result[name] for name in ("lost", "wrong", "reordered", "failed") if result[name]}
    expect(run.returncode == 0 and not bad, f"status {run.returncode}, {bad}, {run.stderr.strip()}")
    return result


def flood(_):
    """8 senders as fast as they can, 20 backends: all arrives, in order, whatever the size."""
    for payload in (32, 1024, 4096):
        with Forwarder() as service:
            result = load(
                "127.0.0.1",
                str(service.port),
                str(service.control),
                "--payload",
                str(payload),
                "--seconds",
                "1",
                "--verify",
                "--patience",
                "20",
            )
            stats = service.end()
            expect(stats["overruns"] == 0, f"senders were given up: {stats}")
            rate = result["messages"] / result["nanoseconds"] * 1e6
            print(
                f"    {payload} bytes: {rate:.0f} k messages/s, of {result['sent']} "
                f"{stats['messages_process']} by the process"
            )


def nobody_reads(_):
    """20 backends that never read take no more than a bounded part of the kernel's memory."""
    with Forwarder() as service:
        backends = [service.backend(key) for key in range(20)]
        senders = [connect(service.port) for _ in range(8)]
        before, tcp_before = free_memory(), tcp_memory()
        data = b"".join(msg(key, os.urandom(4000)) for key in range(20)) * 4
        sent = [write_until_stopped(sock, data, quiet=0.5, most=1 << 30) for sock in senders]
        taken, tcp = before - free_memory(), tcp_memory() - tcp_before
        print(
            f"    8 senders could send {sum(sent) / 2**20:.0f} MiB, then stood still; "
            f"MemAvailable {-taken / 2**20:+.0f} MiB, TCP's own count {tcp / 2**20:+.0f} MiB"
        )
        expect(
            sum(sent) < 400 << 20, f"{sum(sent) >> 20} MiB were taken for backends that do not read"
        )
        other = service.backend(1000)
        with connect(service.port) as sock:
            message = msg(1000, b"not stopped")
            sock.sendall(message)
            expect(read_exactly(other, len(message)) == message, "others were stopped as well")
        total = sum(count + len(data) - count % len(data) for count in sent)
        got = drain(backends, senders, sent, data, total)
        expect(got == total, f"{got} bytes of {total} arrived once the backends read")
        service.end()


def drain(backends, senders, sent, data, total):
    """
    Reads until `total` bytes came and then nothing more, while each sender ends the message that it
    was stopped in. A sender's TCP may wait for as long as it was stopped before it goes on, though
    all of its bytes are written: silence does not mean that this was all.
    """

    def finish(sock, count):
        sock.sendall(data[count % len(data) :])
        sock.shutdown(socket.SHUT_WR)

    threads = [threading.Thread(target=finish, args=one) for one in zip(senders, sent)]
    for sock in senders:
        sock.settimeout(PATIENCE)
    for thread in threads:
        thread.start()
    got, quiet = 0, 0
    while got < total or not quiet or any(thread.is_alive() for thread in threads):
        ready = select.select(backends, [], [], 1)[0]
        quiet = 0 if ready else quiet + 1
        expect(quiet < PATIENCE, f"nothing came for {PATIENCE} s, behind {got} bytes")
        got += sum(len(sock.recv(1 << 20)) for sock in ready)
    return got


def told(_):
    """Unknown key, dead backend, malformed, too long: each sender gets a failure that says so."""
    with Forwarder("--max-frame", "100000") as service:
        with connect(service.port) as sender:
            sender.sendall(msg(9, b"to nobody"))
            expect_failed(sender, 9, b"no backend has this key")
            backend = service.backend(9)
            message = msg(9, b"to somebody")
            sender.sendall(message)
            expect(read_exactly(backend, len(message)) == message, "the next message is changed")
            reset(backend)
            expect_failed(sender, 9, b"the backend has gone")
        for bad, word in (
            (b"\0\0\0\x40" + b"x" * 64, b"that is no"),
            (b"\x7f" + b"x" * 99, b"too long"),
        ):
            with connect(service.port) as sender:
                sender.sendall(bad)
                expect_failed(sender, -1, word)
                expect(read_to_end(sender) == b"", "the connection was not ended")
        stats = service.end()
        expect(stats["malformed"] == 2 and stats["unknown"] == 1 and stats["died"] == 1, f"{stats}")


def half_a_frame(_):
    """The whole messages before it arrive; the half one is counted, and never sent in part."""
    with Forwarder() as service:
        backend = service.backend(1)
        with connect(service.port) as sender:
            whole = msg(1, b"a" * 50)
            sender.sendall(whole * 3 + whole[:30])
            sender.shutdown(socket.SHUT_WR)
            expect(read_exactly(backend, 3 * len(whole)) == whole * 3, "whole messages are changed")
            expect(read_to_end(sender) == b"", "the sender was told something")
        expect(service.disconnect(1) == REPLY, "disconnect was refused")
        expect(read_to_end(backend) == b"", "a part of the half message arrived")
        stats = service.end()
        expect(stats["half"] == 1, f"{stats}")


def commands(_):
    with Forwarder() as service:
        backend = service.backend(3)
        body = i32(1, 3) + string(2, b"127.0.0.1") + i32(3, 1)
        expect(service.command(b"connect", body) == EXCEPTION, "a second backend for one key")
        body = i32(1, 4) + string(2, b"127.0.0.1") + i32(3, 1)
        expect(service.command(b"connect", body) == EXCEPTION, "a connect to where nobody listens")
        body = i32(1, 4) + string(2, b"no address") + i32(3, 1)
        expect(service.command(b"connect", body) == EXCEPTION, "a connect to no address")
        expect(service.disconnect(4) == EXCEPTION, "a disconnect of what is not there")
        expect(service.disconnect(3) == REPLY, "disconnect was refused")
        expect(backend.recv(1) == b"", "the backend is still connected")
        for _ in range(200):
            service.backend(3).close()
            wait_for(lambda: service.disconnect(3) in (REPLY, EXCEPTION))


def leaves_nothing(_):
    for how in (signal.SIGTERM, signal.SIGKILL):
        with Forwarder() as service:
            expect(bpf_objects(), "bpftool does not show the programs while they run")
            backend = service.backend(1)
            service.process.send_signal(how)
            service.process.wait(DEADLINE)
            expect(backend.recv(1) == b"", "the backend's connection outlived the service")
        expect(wait_for(lambda: not bpf_objects()), f"left behind by {how.name}: {bpf_objects()}")


ALL = (routing, odd_but_good, flood, nobody_reads, told, half_a_frame, commands, leaves_nothing)
TESTS = [(f"forward {test.__name__.replace('_', ' ')}", test, []) for test in ALL]
