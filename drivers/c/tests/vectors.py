#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes spec/vectors as the tables of tests/vectors.h, so that the tests need no JSON parser: vectors.py DIRECTORY > vectors.c"""
import json
import pathlib
import sys

LAYOUTS = {"rx_writeback": "IXGBE_RX_WRITEBACK", "tx_data": "IXGBE_TX_DATA", "tx_writeback": "IXGBE_TX_WRITEBACK"}


def load(name):
    return json.loads((pathlib.Path(sys.argv[1]) / name).read_text())


def table(kind, name, rows):
    rows = list(rows)
    print(f"const struct {kind} {name}[] = {{")
    for row in rows:
        print(f"\t{{ {', '.join(row)} }},")
    print(f"}};\nconst size_t {name}_count = {len(rows)};\n")


def descriptor_fields(cases):
    """One row a field: what encoding it gives, and what decoding the words gives."""
    for case in cases:
        prefix = LAYOUTS.get(case["layout"])
        for field, value in case["fields"].items() if prefix else ():
            mask = f"{prefix}_{field}"
            yield [json.dumps(f"{case['layout']}, {case['title']}: {field}"), mask, f"{mask}_QUAD", value,
                   "{ " + ", ".join(case["words"]) + " }"]


ring, descriptors, rss = load("ring.json"), load("descriptors.json"), load("rss.json")
cases = descriptors["cases"]
print('/* Made from spec/vectors by tests/vectors.py. */\n#include "vectors.h"\n\n#include "ixgbe/regs.h"\n')
table("ring_case", "ring_cases",
      ([str(case[key]) for key in ("size", "head", "tail", "used", "free", "next_head", "next_tail")] for case in ring["cases"]))
table("ring_wrap", "ring_wraps", ([str(case[key]) for key in ("size", "index", "slot")] for case in ring["wraps"]))
table("descriptor_field", "descriptor_fields", descriptor_fields(cases))
table("rx_read", "rx_reads",
      ([case["fields"]["BUFFER"], "{ " + ", ".join(case["words"]) + " }"] for case in cases if case["layout"] == "rx_read"
       and int(case["fields"]["HEADER"], 16) == 0))
print("const uint32_t rss_key[10] = {", ", ".join(rss["keys"]["microsoft"]["rssrk"]), "};")
