/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests.h"

#include <string.h>

#include "ringway.h"

void assert_error_names(const char *needle)
{
	if (!strstr(ringway_error(), needle))
		fail_msg("\"%s\" does not name \"%s\"", ringway_error(), needle);
}

int main(void)
{
	int (*const groups[])(void) = { test_ring, test_desc, test_dma, test_packet, test_mmio, test_device, test_rx, test_tx,
		test_sysfs, test_vfio };
	int failed = 0;

	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		failed += groups[i]();
	return failed != 0;
}
