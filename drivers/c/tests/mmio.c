/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "tests.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "fake.h"
#include "mmio.h"

#define REGISTER 0x1028u
#define MAPPED   0x1000u

static int set_up(void **state)
{
	*state = fake_begin();
	return 0;
}

static int tear_down(void **state)
{
	fake_end(*state);
	return 0;
}

/* The same function with a page of its BAR mapped. */
static uint32_t *map_page(struct fake *fake)
{
	uint32_t *page = calloc(1024, sizeof(*page));

	fake->bus.area[0] = (struct bus_area){ .offset = MAPPED, .bytes = 4096, .base = (volatile uint8_t *)page };
	fake->bus.areas = 1;
	return page;
}

static void sets_and_clears_bits_alone(void **state)
{
	struct fake *fake = *state;

	fake->reg[REGISTER / 4] = 0xF0;
	assert_int_equal(mmio_set(&fake->bus, REGISTER, 0x3), 0);
	assert_int_equal(fake->reg[REGISTER / 4], 0xF3);
	assert_int_equal(mmio_clear(&fake->bus, REGISTER, 0x31), 0);
	assert_int_equal(fake->reg[REGISTER / 4], 0xC2);
}

static void mapped_addresses_are_loads_and_stores(void **state)
{
	struct fake *fake = *state;
	uint32_t *page = map_page(fake), value;
	struct doorbell doorbell = doorbell_at(&fake->bus, REGISTER);

	assert_int_equal(mmio_write(&fake->bus, REGISTER, 7), 0);
	assert_int_equal(page[(REGISTER - MAPPED) / 4], 7);
	assert_int_equal(doorbell_ring(&doorbell, 9), 0);
	assert_int_equal(mmio_read(&fake->bus, REGISTER, &value), 0);
	assert_int_equal(value, 9);
	assert_int_equal(fake->reads + fake->writes, 0);
	free(page);
}

/* What a card reads as that was pulled out; most registers never do. */
static void a_mapped_card_that_is_gone_reads_as_ones(void **state)
{
	struct fake *fake = *state;
	uint32_t *page = map_page(fake), value;

	page[(REGISTER - MAPPED) / 4] = UINT32_MAX;
	assert_int_equal(mmio_read(&fake->bus, REGISTER, &value), 0);
	fake->gone = true;
	assert_int_equal(mmio_read(&fake->bus, REGISTER, &value), -EIO);
	assert_int_equal(mmio_set(&fake->bus, REGISTER, 1), -EIO);
	free(page);
}

static void around_the_mapped_page_accesses_are_trapped(void **state)
{
	struct fake *fake = *state;
	uint32_t *page = map_page(fake);

	assert_non_null(mmio_mapped(&fake->bus, MAPPED));
	assert_non_null(mmio_mapped(&fake->bus, MAPPED + 4092));
	assert_null(mmio_mapped(&fake->bus, MAPPED - 4));
	assert_null(mmio_mapped(&fake->bus, MAPPED + 4096));
	assert_int_equal(mmio_write(&fake->bus, MAPPED - 4, 1), 0);
	assert_int_equal(fake->writes, 1);
	free(page);
}

static void a_wait_ends_when_the_bit_comes(void **state)
{
	struct fake *fake = *state;

	fake->reg[REGISTER / 4] = 0x80000001;
	assert_int_equal(mmio_wait(&fake->bus, "NAME", REGISTER, 0x1, 0x1, 1000), 0);
	assert_int_equal(fake->reads, 1);
}

static void a_wait_looks_through_the_mapped_page(void **state)
{
	struct fake *fake = *state;
	uint32_t *page = map_page(fake);

	page[(REGISTER - MAPPED) / 4] = 1; /* what the driver itself has just written */
	assert_int_equal(mmio_wait(&fake->bus, "NAME", REGISTER, 0x1, 0x1, 5), -ETIMEDOUT);
	free(page);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void a_wait_has_a_deadline_and_says_what_it_waited_for(void **state)
{
	struct fake *fake = *state;
	double start = seconds();

	fake->reg[REGISTER / 4] = 0x10;
	assert_int_equal(mmio_wait(&fake->bus, "SECRXSTAT", REGISTER, 0x11, 0x01, 30), -ETIMEDOUT);
	assert_true(seconds() - start >= 0.030);
	assert_error_names("SECRXSTAT");
	assert_error_names("mask 0x00000011");
	assert_error_names("0x00000010");
	assert_error_names(" ms ");
}

static void a_wait_ends_when_the_device_goes(void **state)
{
	struct fake *fake = *state;

	fake->gone = true;
	assert_int_equal(mmio_wait(&fake->bus, "NAME", REGISTER, 1, 1, 10000), -EIO);
}

int test_mmio(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sets_and_clears_bits_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(mapped_addresses_are_loads_and_stores, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_mapped_card_that_is_gone_reads_as_ones, set_up, tear_down),
		cmocka_unit_test_setup_teardown(around_the_mapped_page_accesses_are_trapped, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_wait_ends_when_the_bit_comes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_wait_looks_through_the_mapped_page, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_wait_has_a_deadline_and_says_what_it_waited_for, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_wait_ends_when_the_device_goes, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("mmio", tests, NULL, NULL);
}
