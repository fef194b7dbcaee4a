#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
"""run.py [WORD ...] runs the tests of the BPF services whose names hold all of the words."""

import os
import sys
import time

import echo
import forward
import kit

PROGRAMS = ["slick-echo-bpf", "slick-forward-bpf"]


def why_not():
    """Why none of it can be done here, or None."""
    if os.geteuid():
        return "loading BPF programs needs root"
    if not os.path.exists("/sys/kernel/btf/vmlinux"):
        return "this kernel has no BTF (CONFIG_DEBUG_INFO_BTF)"
    release = tuple(int(part) for part in os.uname().release.split(".")[:2])
    if release < (6, 14):
        return f"Linux {os.uname().release} is older than 6.14"
    missing = [name for name in PROGRAMS if not os.path.exists(os.path.join(kit.BUILD, name))]
    return f"{' and '.join(missing)} not built: make bpf" if missing else None


def run(name, test, arguments):
    start = time.monotonic()
    try:
        test(arguments)
        verdict = "ok"
    except kit.Skip as reason:
        verdict = f"skipped: {reason}"
    except Exception as failure:  # pylint: disable=broad-except
        verdict = f"FAILED: {type(failure).__name__}: {failure}"
    print(f"{name}: {verdict} ({time.monotonic() - start:.1f} s)", flush=True)
    return verdict.split(":")[0]


def main():
    reason = why_not()
    if reason:
        print(f"BPF services: skipped: {reason}")
        return 0
    tests = echo.TESTS + forward.TESTS
    tests = [test for test in tests if all(word in test[0] for word in sys.argv[1:])]
    verdicts = [run(*test) for test in tests]
    if not kit.wait_for(lambda: not kit.bpf_objects()):
        left = kit.bpf_objects()
        print(f"nothing left behind: FAILED: {left}")
        verdicts.append("FAILED")
    print(
        f"BPF services: {verdicts.count('ok')} ok, {verdicts.count('skipped')} skipped, "
        f"{verdicts.count('FAILED')} failed"
    )
    return 1 if "FAILED" in verdicts or not verdicts else 0


sys.exit(main())
