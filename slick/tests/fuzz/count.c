// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Counts what was fuzzed, since a number of runs says little of a target that tries several frames
 * a run.
 */
#include "fuzz.h"

unsigned long long fuzz_frames, fuzz_good;

static void tell(void)
{
	fprintf(stderr, "%s: %llu fuzzed, %llu of them good\n", fuzz_name, fuzz_frames, fuzz_good);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	atexit(tell);
	return 0;
}
