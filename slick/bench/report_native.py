# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
"""The part of the page that native.py's figures make."""
import html

from report_html import figure, number, table

# Slick on Linux 2.6.35: throughput of the kernel's echo over that of the user process, one message a read.
ORIGINAL_ECHO = {32: 1.58, 64: 1.38, 128: 1.30, 256: 1.24, 512: 1.29, 1024: 1.40, 2048: 1.00, 4096: 0.94, 8192: 0.99, 16384: 1.03}
# What the project promises of itself: throughput of the BPF echo over libevent's, each message by itself.
PROMISED, PROMISED_SIZES = 1.5, (32, 64, 128, 256)


def native_table(native, service, mode):
    cells = [c for c in native["medians"] if (c["service"], c["mode"]) == (service, mode)]
    sizes = sorted({c["size"] for c in cells})
    of = {(c["contender"], c["size"]): c for c in cells}
    rows = []
    for contender in dict.fromkeys(c["contender"] for c in cells):
        row = [html.escape(contender)]
        for size in sizes:
            c = of.get((contender, size))
            if not c:
                row.append("-")
                continue
            ratio = f"{c['ratio']:.2f} [{c['ratio_low']:.2f} {c['ratio_high']:.2f}]" if c.get("ratio") else ""
            row.append(f"{number(c['rate'])}<br><small>{ratio}</small>")
        rows.append(row)
    if service == "echo" and mode == "message":
        rows.append(["<small>the original, kernel over user</small>"]
                    + [f"<small>{ORIGINAL_ECHO.get(size, '-')}</small>" for size in sizes])
    return table(["messages/s (over libevent)"] + [f"{size} B" for size in sizes], rows) if cells else ""


def knees(native):
    rows = [[html.escape(f"{k['service']} {k['mode']} {k['contender']}"), f"{k['size']} B", number(k["knee"]), number(k["broke"]),
             number(k["p99_us"]), html.escape(k["why"] or "")] for k in native.get("knees", [])]
    return table(["open loop", "size", "in time, messages/s", "no more at", "p99, us", "why"], rows) if rows else ""


def native_figure(native, service, mode):
    series = {}
    for c in native["medians"]:
        if (c["service"], c["mode"]) == (service, mode) and c.get("ratio"):
            series.setdefault(c["contender"], {})[c["size"]] = c["ratio"]
    if service == "echo" and series:
        series["the original, kernel over user"] = ORIGINAL_ECHO
    return figure(f"{service}, one message at a time: throughput over libevent", series, "more is better") if series else ""


def ratios(native):
    """{size: ratio} of the BPF echo to libevent, one message at a time."""
    return {c["size"]: c["ratio"] for c in native["medians"]
            if (c["service"], c["mode"], c["contender"]) == ("echo", "message", "bpf") and c.get("ratio")}


def promise(native):
    known = {size: ratio for size, ratio in ratios(native).items() if size in PROMISED_SIZES}
    if len(known) < len(PROMISED_SIZES):
        verdict = ("not measured", "bad")
    else:
        verdict = ("kept", "good") if min(known.values()) >= PROMISED else ("not kept", "bad")
    return table(["promise", "measured", ""],
                 [[f"BPF echo, 32 to 256 B, one message at a time: at least {PROMISED} times libevent's messages",
                   ", ".join(f"{size} B: {known[size]:.2f}" for size in sorted(known)) or "-", verdict]])


def native_part(native):
    host = native["host"]
    said = ", ".join(f"{key} {value}" for key, value in host.items())
    out = [f"<h2>Natively</h2><p class=note>{html.escape(said)}. Service on one processor, load on the other, a veth pair between; "
           f"a processor with nothing to do {'polls' if native.get('polling') else 'halts'}. "
           "Medians of interleaved windows; in brackets the spread of the ratio within a round.</p>", promise(native)]
    modes = list(dict.fromkeys((c["service"], c["mode"]) for c in native["medians"]))
    for service, mode in modes:
        out.append(f"<h3>{service}, {mode}</h3>")
        if mode == "message":
            out.append(native_figure(native, service, mode))
        out.append(native_table(native, service, mode))
    out.append(knees(native))
    for lack in native.get("missing", []):
        out.append(f"<p class=note>Missing: {html.escape(lack['contender'])}, {html.escape(lack['why'])}</p>")
    return out
