// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Runs a known number of instructions and says how many nanoseconds the guest's clock saw: with
 * -icount shift=0 they are the same. With a second number it copies so many bytes by one `rep
 * movsb` instead, of which each byte counts as an instruction here, though on a processor it is
 * none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int copy(size_t length)
{
	char *from = calloc(1, length), *to = calloc(1, length);
	size_t left = length;
	long long begin, end;

	if (!from || !to)
		return 1;
	begin = now();
	__asm__ volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(left)::"memory");
	end = now();
	printf("{\"rep_movsb_bytes\":%zu,\"nanoseconds\":%lld}\n", length, end - begin);
	return 0;
}

int main(int count, char **words)
{
	unsigned long long rounds = count > 1 ? strtoull(words[1], NULL, 10) : 100000000,
			   left = rounds;
	long long begin, end;

	if (count > 2)
		return copy(strtoull(words[2], NULL, 10));
	begin = now();
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(left)::"cc");
	end = now();
	printf("{\"instructions\":%llu,\"nanoseconds\":%lld}\n", 2 * rounds, end - begin);
	return 0;
}
