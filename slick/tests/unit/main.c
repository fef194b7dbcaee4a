// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Runs all unit tests; the last line says how many. */
#include "unit.h"

#include <stdio.h>

unsigned int tests_run, tests_failed;
int allocations_left = -1;
unsigned int allocations;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

/* The linker sends the sources' malloc here (--wrap), so that a test can let it fail. */
void *__wrap_malloc(size_t size)
{
	if (!allocations_left)
		return NULL;
	if (allocations_left > 0)
		allocations_left--;
	allocations++;
	return __real_malloc(size);
}

int main(void)
{
	buffer_tests();
	bsock_read_tests();
	bsock_write_tests();
	bsock_mark_tests();
	lend_tests();
	thrift_tests();
	walk_tests();
	scatter_tests();
	writer_tests();
	tsock_tests();
	forward_tests();
	printf("unit: %u tests, %u failed\n", tests_run, tests_failed);
	return tests_failed ? 1 : 0;
}
