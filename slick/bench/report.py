#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
"""One page out of what icount.py and native.py wrote: report.py ICOUNT.json NATIVE.json -o PAGE.html

The first question that it answers is when a service belongs into the kernel; the answers are sentences that are chosen by the
figures, not written beside them. Either file may be missing ("-").
"""
import argparse
import html
import json
import sys

from report_html import STYLE, figure, number, table
from report_native import native_part, ratios

ORIGINAL_NOTE = ("Slick (Linux 2.6.35, one read and one answer a message): kernel over user process in throughput. "
                 "Its forwarder: about 2 at 32 bytes.")
# What the project promises of itself, in instructions per message against epoll in the same guest.
PROMISES = [
    ("softirq echo, 32 B: at least 20 % under epoll", "echo", "message", "kernel-softirq", "user-epoll", [32], 0.80),
    ("workqueue echo, 32 B: no worse than epoll", "echo", "message", "kernel-percpu", "user-epoll", [32], 1.00),
    ("strparser echo, 8 and 16 KiB: at least 30 % under epoll", "echo", "message", "kernel-strparser", "user-epoll",
     [8192, 16384], 0.70),
    ("forwarder, each message at once: level with libevent or better", "forward", "message", "kernel", "user-libevent", None, 1.00),
    ("forwarder, one read at a time: level with libevent or better", "forward", "1", "kernel", "user-libevent", None, 1.00),
]
GRANULARITIES = {"message": "each message by itself", "read": "all that came", "1": "one read at a time", "8": "eight reads at a time"}


def load(path, kind):
    if path == "-":
        return None
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"report.py: {path}: {error} (it is what {kind} writes)")


class Counts:
    """Instructions per message, on one of the processors that QEMU played."""

    def __init__(self, read, guest):
        cells = [c for c in read["cells"] if c["cpu"] == guest["cpu"]]
        self.of = {(c["table"], c["granularity"], c["contender"], c["size"]): c["median"] for c in cells}
        self.spread = max((c["spread"] or 0 for c in cells), default=0)
        self.runs = max((len(c["instructions"]) for c in cells), default=0)
        self.failed = sum(c["failed"] for c in cells)
        self.guest, self.cpu = guest["guest"], guest["cpu"]
        copies = [c for c in guest["calibration"] if "rep_movsb_bytes" in c]
        self.copy = copies[0]["nanoseconds"] / copies[0]["rep_movsb_bytes"] if copies else None

    def keys(self, name, granularity):
        keys = [key for key in self.of if key[:2] == (name, granularity)]
        return list(dict.fromkeys(key[2] for key in keys)), sorted({key[3] for key in keys})

    def granularities(self, name):
        return list(dict.fromkeys(key[1] for key in self.of if key[0] == name))

    def ratio(self, name, granularity, contender, base, size):
        one, two = (self.of.get((name, granularity, who, size)) for who in (contender, base))
        return one / two if one and two else None

    def table(self, name, granularity, base):
        contenders, sizes = self.keys(name, granularity)
        rows = []
        for contender in contenders:
            row = [html.escape(contender)]
            for size in sizes:
                value = self.of.get((name, granularity, contender, size))
                ratio = self.ratio(name, granularity, contender, base, size)
                kind = None if ratio is None or contender.startswith("user") else "good" if ratio <= 1 else "bad"
                row.append((f"{number(value)}<br><small>{f'{ratio:.2f}' if ratio else ''}</small>", kind))
            rows.append(row)
        return table([f"instructions (and over {base})"] + [f"{size} B" for size in sizes], rows)


def measured(ratios):
    if len(ratios) > 2:
        return f"{min(ratios.values()):.2f} to {max(ratios.values()):.2f}, from {min(ratios)} to {max(ratios)} B"
    return ", ".join(f"{size} B: {ratio:.2f}" for size, ratio in ratios.items()) or "-"


def promises(counts):
    rows, broken = [], 0
    for words, name, granularity, contender, base, sizes, limit in PROMISES:
        sizes = sizes or counts.keys(name, granularity)[1]
        ratios = {size: counts.ratio(name, granularity, contender, base, size) for size in sizes}
        known = {size: ratio for size, ratio in ratios.items() if ratio is not None}
        if not known or len(known) < len(sizes):
            verdict = ("not measured", "bad")
        else:
            # A thousandth is what two runs differ by.
            kept = all(ratio <= limit + 0.001 for ratio in known.values())
            verdict = ("kept", "good") if kept else ("not kept", "bad")
        broken += verdict[0] != "kept"
        rows.append([html.escape(words), measured(known), verdict])
    return table(["promise", "measured", ""], rows), broken


def ratios_figure(counts, name, granularity, base):
    contenders, sizes = counts.keys(name, granularity)
    series = {}
    for contender in contenders:
        of = {size: counts.ratio(name, granularity, contender, base, size) for size in sizes}
        series[contender] = {size: ratio for size, ratio in of.items() if ratio is not None}
    return figure(f"{name}, one message at a time: instructions over {base}", series, f"instructions over {base}, less is better")


def percent(ratio):
    return f"{abs(1 - ratio) * 100:.0f} % {'fewer' if ratio < 1 else 'more'} instructions"


def answer(counts, native):
    """The plain answer, with the figures of these very files in it."""
    says = []
    if counts:
        small = counts.ratio("echo", "message", "kernel-softirq", "user-epoll", 32)
        queue = counts.ratio("echo", "message", "kernel-percpu", "user-epoll", 32)
        large = counts.ratio("echo", "message", "kernel-strparser", "user-epoll", 16384)
        one = counts.of.get(("echo", "message", "user-epoll", 32))
        many = counts.of.get(("echo", "read", "user-epoll", 32))
        if one and many:
            says.append(f"First batch: a user process that reads all that came and answers once needs {one / many:.0f} times fewer "
                        "instructions for a message of 32 bytes than one that reads them one by one. Nothing that moves into the "
                        "kernel comes near to that.")
        if small and queue:
            says.append(f"If each message has to be answered by itself and soon, the softirq path pays: {percent(small)} than epoll at "
                        f"32 bytes. Behind a workqueue it is {percent(queue)}: for that alone no service moves.")
        if large:
            says.append(f"If messages are large and go on unchanged, not copying them pays: {percent(large)} at 16 KiB by the "
                        "strparser.")
    if native:
        bpf = [ratio for size, ratio in ratios(native).items() if size <= 256]
        if bpf:
            says.append(f"Where no module can be loaded, the BPF echo makes {min(bpf):.1f} to {max(bpf):.1f} times libevent's messages up "
                        "to 256 bytes, one at a time. For a forwarder BPF is the wrong tool: services/forward/BPF.md says why.")
    says.append("Else stay in user space.")
    return "<div class=answer>" + "".join(f"<p>{html.escape(sentence)}</p>" for sentence in says) + "</div>"


def repeated(counts):
    if counts.runs < 2:
        return "One run of each"
    return f"Medians of {counts.runs} runs that differ by {counts.spread * 100:.1f} % at most"


def counts_part(counts, first):
    out = [f"<h2>Instructions per message, -cpu {html.escape(counts.cpu)}</h2><p class=note>QEMU counts what the guest's one processor "
           "executes: server, TCP and load. It knows nothing of caches, interrupts between processors or mitigations. "
           f"{html.escape(counts.guest)}. {repeated(counts)}, {counts.failed} failed.</p>"]
    if not first:
        out.append("<p class=note>QEMU counts a string instruction once for every step. With ERMS the kernel copies byte by byte (a real "
                   "processor does many at once), without it word by word: the first weighs copies too heavily, the second almost not at "
                   "all. What holds in both holds.</p>")
    promised, _ = promises(counts)
    out.append(promised)
    for name, base in (("echo", "user-epoll"), ("forward", "user-libevent")):
        for granularity in counts.granularities(name):
            out.append(f"<h3>{name}: {GRANULARITIES.get(granularity, granularity)}</h3>")
            if granularity == "message":
                out.append(ratios_figure(counts, name, granularity, base))
            out.append(counts.table(name, granularity, base))
    return out


def page(every, native):
    counts = every[0] if every else None
    out = ["<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-width'>",
           f"<title>Services inside the kernel</title><style>{STYLE}</style><h1>When should a service move into the kernel?</h1>",
           answer(counts, native), f"<p class=note>{html.escape(ORIGINAL_NOTE)}</p>"]
    for at, one in enumerate(every):
        out += counts_part(one, at == 0)
    if native:
        out += native_part(native)
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("icount", help="what icount.py wrote, or -")
    parser.add_argument("native", help="what native.py wrote, or -")
    parser.add_argument("-o", "--out", default="build/bench.html")
    arguments = parser.parse_args()
    icount, native = load(arguments.icount, "icount.py"), load(arguments.native, "native.py")
    every = [Counts(icount, guest) for guest in icount["guests"]] if icount else []
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write(page(every, native))
    print(arguments.out)


if __name__ == "__main__":
    main()
