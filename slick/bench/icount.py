#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
"""Reads what the guest of icount.sh said; writes JSON, prints tables of instructions per message.

The JSON is an object:
  guests       one for each processor that QEMU played:
      cpu           what QEMU was told
      guest         what ran: kernel release and clock
      calibration   a list of {instructions, nanoseconds}: a loop of known length as the guest's clock saw it; they have to be the same;
                    and {rep_movsb_bytes, nanoseconds}: what a copied byte counts
  cells        a list, one for each processor, table, contender, granularity and size:
      cpu           which guest
      table         "echo" or "forward"
      contender     kernel-CONTEXT, kernel-strparser, kernel (the forwarder); user-LOOP
      granularity   "message": one read and one send a message; "read": what one read brought; "1", "8": what so many reads brought
      size          bytes of the message, or of its payload
      instructions  per message, of each run; median is the one that the tables show
      spread        (most - least) / median
      idle          the largest share of a run in which the processor had nothing to do
      failed        runs in which messages were lost or wrong, or that did not end

icount.py OUTPUT CPU=CONSOLE...
"""

import json
import re
import statistics
import sys

LINE = re.compile(r"^icount: (\S+) (\S+) (\S+) (\S+) (\d+) (\d+) (-?\d+) (\{.*\})$")
HONEST = 0.01  # how far the clock may be from the instructions, and runs from each other


def read(path):
    guest, calibration, runs, done = "", [], {}, False
    for line in open(path, encoding="utf-8", errors="replace"):
        done = done or line.startswith("icount: done")
        if line.startswith("icount: guest "):
            guest = line[len("icount: guest "):].strip()
        match = LINE.match(line)
        if not match:
            continue
        table, contender, granularity, size, _, code, idle, text = match.groups()
        said = json.loads(text)
        if table == "calibration":
            calibration.append(said)
        else:
            runs.setdefault((table, contender, granularity, int(size)), []).append((int(code), int(idle), said))
    return guest, calibration, runs, done


def cell(cpu, key, runs):
    good = [(idle, said) for code, idle, said in runs if code == 0 and said.get("messages")]
    each = [round(said["nanoseconds"] / said["messages"], 1) for _, said in good]
    return {
        "cpu": cpu, "table": key[0], "contender": key[1], "granularity": key[2], "size": key[3],
        "instructions": each,
        "median": statistics.median(each) if each else None,
        "spread": round((max(each) - min(each)) / statistics.median(each), 4) if each else None,
        "idle": round(max((idle / said["nanoseconds"] for idle, said in good), default=0), 4),
        "failed": len(runs) - len(good),
    }


def show(cells):
    of = {(one["contender"], one["size"]): one["median"] for one in cells}
    sizes = sorted({size for _, size in of})
    print("\n{table}, granularity {granularity}, -cpu {cpu}: guest instructions per message".format(**cells[0]))
    print("| |" + "|".join(f" {size} " for size in sizes) + "|")
    print("| --- |" + " ---: |" * len(sizes))
    for contender in dict.fromkeys(key[0] for key in of):
        row = [of.get((contender, size)) for size in sizes]
        print(f"| {contender} |" + "".join(" - |" if value is None else f" {value:.0f} |" for value in row))


def judge(guest, calibration, cells, done):
    """What makes the figures void, and what only has to be known of them."""
    notes, problems = [], [] if done else ["the guest did not get to its end"]
    loops = [said for said in calibration if "instructions" in said]
    problems += [f"the clock does not count instructions: {said}" for said in loops
                 if abs(said["nanoseconds"] / said["instructions"] - 1) > HONEST]
    if not loops:
        problems.append("there is no calibration")
    for one in cells:
        where = "{table} {contender} {granularity} {size}".format(**one)
        if one["failed"]:
            problems.append(f"{where}: {one['failed']} runs failed")
        if one["spread"] is not None and one["spread"] > HONEST:
            notes.append(f"{where}: runs differ by {100 * one['spread']:.1f} %")
        if one["idle"] > 5 * HONEST:
            notes.append(f"{where}: idle for {100 * one['idle']:.1f} % of the time, which counts as instructions here")
    return [[f"-cpu {guest['cpu']}: {said}" for said in of] for of in (problems, notes)]


def main(output, *pairs):
    guests, all_cells, problems, notes = [], [], [], []
    for cpu, console in (pair.rsplit("=", 1) for pair in pairs):
        ran, calibration, runs, done = read(console)
        cells = [cell(cpu, key, of) for key, of in runs.items()]
        guests.append({"cpu": cpu, "guest": ran, "calibration": calibration})
        all_cells += cells
        for to, of in zip((problems, notes), judge(guests[-1], calibration, cells, done)):
            to += of
        for group in dict.fromkeys((one["table"], one["granularity"]) for one in cells):
            show([one for one in cells if (one["table"], one["granularity"]) == group])
        for said in calibration[:3]:
            what, much = next(iter(said.items()))
            print(f"calibration: {much} {what} took {said['nanoseconds']} ns of the guest's clock")
    with open(output, "w", encoding="utf-8") as file:
        json.dump({"guests": guests, "cells": all_cells}, file, indent=1)
    for note in notes:
        print(f"icount: note: {note}")
    for problem in problems:
        print(f"icount: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
