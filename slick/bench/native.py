#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
"""Measures the services that run natively on this kernel: user processes on epoll, libevent and io_uring, and BPF.

The service has processor 0 and the load processor 1. Between them is a veth pair of two network namespaces, which by
RPS makes each side's receive work its own processor's. A processor with nothing to do polls instead of halting
(/dev/cpu_dma_latency), as on a machine that is tuned for latency. Every window is a fresh process; contenders take
turns within a round, so that what disturbs one disturbs its neighbours. A window in which other processes had more
than the allowed part of a processor is thrown away and repeated.

Modes:
    echo     message    one read and one answer for each message
             read       all that came, up to 64 KiB, answered at once
    forward  message    each message is sent on at once
             read       sent on at the end of each read of up to 64 KiB
             read8      sent on at the end of up to eight reads
io_uring reads ahead into its ring's buffers; in `echo message` a buffer has the size of a message. The BPF echo is the
strparser's program (message) and the one that takes whole socket buffers (read). The BPF forwarder knows only `message`.

The JSON that it writes (bench/report.py reads it beside the instruction counts):
    kind       "native"
    version    1
    host       kernel, processor, processors, date
    settings   all options of this run
    polling    whether idle processors polled
    windows    each window that ran: service, mode, contender, size (bytes of the message or payload), load ("flood" or
               "open"), round, offered (messages a second, null in a flood), rate (messages a second that came),
               foreign (part of one processor that others had), busy (parts of processors 0 and 1 that were busy),
               kept (false: thrown away), why (of an error, else null), result (slickload's object, or null)
    medians    of each flood that has kept windows: service, mode, contender, size, rate (median), low, high, windows,
               bad (how many of them lost messages, or had them wrong, out of order or refused),
               ratio (median of the ratios to libevent in the same mode, size and round; null without one), ratio_low,
               ratio_high
    knees      service, mode, contender, size, knee (the highest offered rate that was sent in time, came whole and had
               its 99th percentile below the limit; null: none did), broke (the lowest that did not; null: none), why,
               p99_us (at the knee)
    missing    contender, why
"""
import argparse
import json
import os
import signal
import sys
import time

from native_place import Place, polling_processors
from native_table import medians, plot, print_knees, print_table
from native_window import Windows

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = {
    'echo': [32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384],
    'forward': [32, 64, 128, 256, 512, 1024, 2048, 4096],
}
QUICK_SIZES = {'echo': [32, 1024, 16384], 'forward': [32, 512, 4096]}
MODES = {'echo': ['message', 'read'], 'forward': ['message', 'read', 'read8']}
QUICK_MODES = {'echo': ['message', 'read'], 'forward': ['message', 'read']}
LOOPS = ['epoll', 'libevent', 'io_uring']


def contenders(service, mode):
    bpf = service == 'echo' or mode == 'message'
    return LOOPS + (['bpf'] if bpf else [])


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0],
                                     epilog='What the JSON holds is at the top of this file.')
    parser.add_argument('--build', default=os.path.join(HERE, '..', 'build'), metavar='FOLDER',
                        help='where slick-echo, slick-forward, slickload and the BPF programs are (../build)')
    parser.add_argument('--output', default='native.json', metavar='FILE')
    parser.add_argument('--plots', metavar='FOLDER', help='SVG drawings as well, where matplotlib is installed')
    parser.add_argument('--quick', action='store_true', help='three sizes, short windows: about three minutes')
    parser.add_argument('--rounds', type=int, default=3, help='windows of each point (3)')
    parser.add_argument('--seconds', type=float, help='length of a window (1.5; quick: 0.6)')
    parser.add_argument('--services', default='echo,forward')
    parser.add_argument('--sizes', help='only these, by comma')
    parser.add_argument('--only', help='only these contenders, by comma')
    parser.add_argument('--modes', help='only these modes, by comma')
    parser.add_argument('--no-knee', action='store_true', help='floods only')
    parser.add_argument('--knee-sizes', help='sizes that the knee is sought at (32,1024; quick: 32)')
    parser.add_argument('--p99', type=float, default=10000, metavar='US',
                        help='a 99th percentile above this is broken (10000)')
    parser.add_argument('--foreign', type=float, default=0.2, help='part of a processor that others may have (0.2)')
    parser.add_argument('--halt', action='store_true', help='let idle processors halt: in a virtual machine that is dear')
    parser.add_argument('--tries', type=int, default=5, help='of a window that is disturbed (5)')
    options = parser.parse_args()
    options.seconds = options.seconds or (0.6 if options.quick else 1.5)
    return options


def refuse(why):
    sys.exit(f'native.py: {why}')


def check(options):
    if os.geteuid():
        refuse('it makes network namespaces, so it has to run as root: sudo bench/native.py')
    if not {0, 1} <= os.sched_getaffinity(0):
        refuse('it needs processors 0 and 1, one for the service and one for the load')
    for name in ('slick-echo', 'slick-forward', 'slickload'):
        if not os.access(os.path.join(options.build, name), os.X_OK):
            refuse(f'{name} is not in {options.build}: run make user first')
    if options.rounds < 1 or options.seconds <= 0:
        refuse('--rounds is at least 1, --seconds more than 0')
    for name in options.services.split(','):
        if name not in MODES:
            refuse(f"--services are echo and forward, not '{name}'")


def plan(options):
    """(service, mode, size) and who contends, in the order of measuring."""
    for service in options.services.split(','):
        sizes = (QUICK_SIZES if options.quick else SIZES)[service]
        if options.sizes:
            sizes = [int(size) for size in options.sizes.split(',')]
        for size in sizes:
            for mode in (QUICK_MODES if options.quick else MODES)[service]:
                if options.modes and mode not in options.modes.split(','):
                    continue
                names = [name for name in contenders(service, mode)
                         if not options.only or name in options.only.split(',')]
                yield service, mode, size, names


def floods(windows, options):
    points = list(plan(options))
    for at in range(options.rounds):
        for service, mode, size, names in points:
            turn = at % len(names) if names else 0
            for name in names[turn:] + names[:turn]:
                windows.flood(service, mode, name, size, at)
        print(f'round {at + 1} of {options.rounds} is done', file=sys.stderr)


def knees(windows, options, rows):
    """From half of what a flood gave, upwards; then twice between the last good rate and the first bad one."""
    wanted = options.knee_sizes or ('32' if options.quick else '32,1024')
    found = []
    for service, mode, size, names in plan(options):
        if str(size) not in wanted.split(','):
            continue
        for name in names:
            rate = {row['contender']: row['rate'] for row in rows
                    if (row['service'], row['mode'], row['size']) == (service, mode, size)}
            base = max(rate.get(name, 0), 0.2 * rate.get('libevent', 0))
            if base:
                found.append(windows.knee(service, mode, name, size, int(base / 2)))
    return [knee for knee in found if knee]


def processor():
    with open('/proc/cpuinfo') as file:
        for line in file:
            if line.startswith('model name'):
                return line.split(':', 1)[1].strip()
    return 'unknown'


def host():
    return {'kernel': os.uname().release, 'processor': processor(), 'processors': os.cpu_count(),
            'date': time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}


def on_term(number, frame):
    raise KeyboardInterrupt


def measure(options):
    report = {'kind': 'native', 'version': 1, 'host': host(), 'settings': vars(options)}
    with Place() as place, polling_processors(not options.halt) as report['polling']:
        windows = Windows(place, options)
        try:
            floods(windows, options)
            rows = medians(windows.all)
            found = [] if options.no_knee else knees(windows, options, rows)
        finally:
            windows.stop()
    report.update(windows=windows.all, medians=rows, knees=found,
                  missing=[{'contender': name, 'why': why} for name, why in windows.missing.items()])
    return report


def main():
    options = arguments()
    check(options)
    signal.signal(signal.SIGTERM, on_term)
    try:
        report = measure(options)
    except KeyboardInterrupt:
        sys.exit('native.py: interrupted; nothing is left behind and nothing was written')
    except RuntimeError as error:
        refuse(error)
    with open(options.output, 'w') as file:
        json.dump(report, file, indent=1)
    print_table(report['medians'])
    print_knees(report['knees'])
    for row in report['missing']:
        print(f"not measured: {row['contender']}: {row['why']}")
    thrown = sum(not window['kept'] for window in report['windows'])
    print(f"{len(report['windows'])} windows, {thrown} of them thrown away; all in {options.output}")
    if options.plots:
        plot(report['medians'], options.plots)


if __name__ == '__main__':
    main()
