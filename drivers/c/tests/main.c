/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ixgbe/vector.h"
#include "ringway.h"

void assert_error_names(const char *needle)
{
	if (!strstr(ringway_error(), needle))
		fail_msg("\"%s\" does not name \"%s\"", ringway_error(), needle);
}

/* The same tests for both ways to receive and transmit. */
static int test_both_paths(void)
{
	int failed;

	setenv("RINGWAY_C_SCALAR", "1", 1);
	failed = test_rx("ixgbe/rx, scalar") + test_tx("ixgbe/tx, scalar");
	unsetenv("RINGWAY_C_SCALAR");
	if (vector_is_there())
		return failed + test_rx("ixgbe/rx, AVX2") + test_tx("ixgbe/tx, AVX2");
	puts("ixgbe/rx and ixgbe/tx with AVX2: skipped, this processor has none");
	return failed;
}

int main(void)
{
	int (*const groups[])(void) = { test_ring, test_desc, test_dma, test_packet, test_mmio, test_device, test_both_paths,
		test_sysfs, test_vfio };
	int failed = 0;

	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		failed += groups[i]();
	return failed != 0;
}
