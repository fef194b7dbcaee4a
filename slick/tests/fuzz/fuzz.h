/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* What the fuzz targets have in common. */
#ifndef SLICK_TESTS_FUZZ_H
#define SLICK_TESTS_FUZZ_H

#include <slick/port.h>

#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* A finding: the fuzzer keeps the input that led here. */
#define must(condition)									\
	do {										\
		if (!(condition)) {							\
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__,	\
				#condition);						\
			abort();							\
		}									\
	} while (0)

/* What was tried, told at the end of a run. */
extern unsigned long long fuzz_frames, fuzz_good;
extern const char *fuzz_name;

/* An input that is used up piece by piece; what is behind its end is 0. */
struct input {
	const u8 *at;
	size_t left;
};

static inline u8 take_u8(struct input *input)
{
	if (!input->left)
		return 0;
	input->left--;
	return *input->at++;
}

static inline u32 take_u16(struct input *input)
{
	u32 high = take_u8(input);

	return high << 8 | take_u8(input);
}

#endif
