# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
"""Medians, ratios within a round, the table and the drawings."""
import os
from statistics import median


def kept(windows):
    return [window for window in windows if window['kept'] and window['load'] == 'flood' and window['rate'] is not None]


def point(window):
    return window['service'], window['mode'], window['size']


def broken(result):
    return bool(result['lost'] or result['wrong'] or result['reordered'] or result['failed'])


def medians(windows):
    groups, base = {}, {}
    for window in kept(windows):
        groups.setdefault((*point(window), window['contender']), []).append(window)
        if window['contender'] == 'libevent':
            base[(*point(window), window['round'])] = window['rate']
    rows = []
    for (service, mode, size, name), group in groups.items():
        rates = [window['rate'] for window in group]
        ratios = [window['rate'] / base[key] for window in group
                  if base.get(key := (*point(window), window['round']))]
        rows.append({
            'service': service, 'mode': mode, 'contender': name, 'size': size,
            'rate': median(rates), 'low': min(rates), 'high': max(rates), 'windows': len(rates),
            'bad': sum(broken(window['result']) for window in group),
            'ratio': median(ratios) if ratios else None,
            'ratio_low': min(ratios) if ratios else None, 'ratio_high': max(ratios) if ratios else None,
        })
    return rows


def short(rate):
    if rate >= 999500:
        return f'{rate / 1e6:.2f}M'
    return f'{rate / 1e3:.0f}k' if rate >= 9995 else f'{rate / 1e3:.2g}k' if rate >= 1000 else f'{rate:.0f}'


def cell(row):
    if not row:
        return '-'
    spread = (row['high'] - row['low']) / row['rate'] / 2 if row['rate'] else 0
    ratio = f" x{row['ratio']:.2f}" if row['ratio'] is not None and row['contender'] != 'libevent' else ''
    return f"{short(row['rate'])} ±{spread:.0%}{ratio}{'!' if row['bad'] else ''}"


def in_order(values):
    return list(dict.fromkeys(values))


def print_table(rows):
    for service, mode in in_order((row['service'], row['mode']) for row in rows):
        part = {(row['contender'], row['size']): row for row in rows
                if (row['service'], row['mode']) == (service, mode)}
        sizes = sorted({size for _, size in part})
        names = in_order(name for name in ('epoll', 'libevent', 'io_uring', 'bpf') if any(n == name for n, _ in part))
        cells = [['bytes'] + names]
        cells += [[str(size)] + [cell(part.get((name, size))) for name in names] for size in sizes]
        widths = [max(len(line[i]) for line in cells) for i in range(len(names) + 1)]
        print(f'\n{service}, {mode}: messages a second, half of the spread, ratio to libevent in the same round')
        for line in cells:
            print('  ' + '  '.join(text.rjust(width) for text, width in zip(line, widths)))
        if any(row['bad'] for row in part.values()):
            print('  ! lost messages, or had them wrong, out of order or refused')
    print()


def print_knees(rows):
    if not rows:
        return
    print('open loop: the highest rate that still worked')
    for row in rows:
        knee = short(row['knee']) if row['knee'] else 'none'
        broke = f"{short(row['broke'])}: {row['why']}" if row['broke'] else row['why'] or ''
        print(f"  {row['service']:8}{row['mode']:8}{row['contender']:9}{row['size']:6}  {knee:>7}   broke at {broke}")
    print()


def plot(rows, folder):
    try:
        import matplotlib
    except ImportError:
        print('no drawings: matplotlib is not installed (apt-get install python3-matplotlib)')
        return
    matplotlib.use('svg')
    from matplotlib import pyplot
    os.makedirs(folder, exist_ok=True)
    for service, mode in in_order((row['service'], row['mode']) for row in rows):
        figure, axes = pyplot.subplots()
        part = [row for row in rows if (row['service'], row['mode']) == (service, mode)]
        for name in in_order(row['contender'] for row in part):
            line = sorted((row['size'], row['rate'], row['low'], row['high'])
                          for row in part if row['contender'] == name)
            sizes, rates, lows, highs = zip(*line)
            axes.plot(sizes, rates, marker='o', label=name)
            axes.fill_between(sizes, lows, highs, alpha=0.2)
        axes.set(xscale='log', yscale='log', xlabel='bytes', ylabel='messages a second', title=f'{service}, {mode}')
        axes.legend()
        figure.savefig(os.path.join(folder, f'{service}-{mode}.svg'))
        pyplot.close(figure)
