/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests.h"

#include "ixgbe/desc.h"
#include "vectors.h"

static void decodes_as_the_vectors_do(void **state)
{
	(void)state;
	for (size_t i = 0; i < descriptor_fields_count; i++) {
		uint64_t word = descriptor_fields[i].words[descriptor_fields[i].quad];

		if (RINGWAY_GET(word, descriptor_fields[i].mask) != descriptor_fields[i].value)
			fail_msg("%s", descriptor_fields[i].what);
	}
}

static void encodes_as_the_vectors_do(void **state)
{
	(void)state;
	for (size_t i = 0; i < descriptor_fields_count; i++) {
		uint64_t word = descriptor_fields[i].words[descriptor_fields[i].quad];

		if (RINGWAY_PUT(descriptor_fields[i].mask, descriptor_fields[i].value) != (word & descriptor_fields[i].mask))
			fail_msg("%s", descriptor_fields[i].what);
	}
}

static void arms_as_the_vectors_do(void **state)
{
	(void)state;
	for (size_t i = 0; i < rx_reads_count; i++) {
		struct descriptor descriptor = { { ~UINT64_C(0), ~UINT64_C(0) } }; /* what a write-back may have left */

		desc_rx_arm(&descriptor, rx_reads[i].buffer);
		assert_true(descriptor.word[0] == rx_reads[i].words[0]);
		assert_true(descriptor.word[1] == rx_reads[i].words[1]);
		assert_false(desc_status(&descriptor) & IXGBE_RX_WRITEBACK_DD);
	}
}

int test_desc(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decodes_as_the_vectors_do),
		cmocka_unit_test(encodes_as_the_vectors_do),
		cmocka_unit_test(arms_as_the_vectors_do),
	};

	return cmocka_run_group_tests_name("ixgbe/desc", tests, NULL, NULL);
}
