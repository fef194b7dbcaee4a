# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
"""What the page is made of: its style, tables and figures."""
import html
import io

STYLE = """
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #b3261e; --soft: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 2.5rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
td small { opacity: .65; } .good { color: var(--good); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; }
.answer { background: var(--soft); padding: .8rem 1.2rem; border-radius: .5rem; } .note { opacity: .8; font-size: .9rem; }
figure { margin: 1rem 0; background: #fff; border-radius: .5rem; padding: .5rem; } figure svg { width: 100%; height: auto; }
"""


def number(value):
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def table(head, rows):
    """rows: lists of (text, class or None) or of texts that are HTML already."""
    def cell(value):
        text, kind = value if isinstance(value, tuple) else (value, None)
        return f"<td{f' class={kind}' if kind else ''}>{text}</td>"
    out = "<table><tr>" + "".join(f"<th>{html.escape(str(word))}</th>" for word in head) + "</tr>"
    return out + "".join("<tr>" + "".join(map(cell, row)) + "</tr>" for row in rows) + "</table>"


def figure(title, series, label):
    """series: {name: {size: value}} as inline SVG; nothing where matplotlib is missing."""
    try:
        import matplotlib
        matplotlib.use("svg")
        import matplotlib.pyplot as plot
    except ImportError:
        return ""
    picture, axes = plot.subplots(figsize=(9, 4.2))
    for name, values in series.items():
        sizes = sorted(values)
        axes.plot(sizes, [values[size] for size in sizes], marker="o", label=name)
    axes.set_xscale("log", base=2)
    axes.set_xticks(sorted({size for values in series.values() for size in values}))
    axes.get_xaxis().set_major_formatter(matplotlib.ticker.ScalarFormatter())
    axes.axhline(1, color="#888", linewidth=.8)
    axes.set(title=title, xlabel="bytes of a message", ylabel=label)
    axes.legend(fontsize=8)
    axes.set_ylim(bottom=0)
    text = io.StringIO()
    picture.savefig(text, format="svg", bbox_inches="tight")
    plot.close(picture)
    svg = text.getvalue()
    return "<figure>" + svg[svg.index("<svg"):] + "</figure>"
