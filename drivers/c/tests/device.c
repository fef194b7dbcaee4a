/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests.h"

#include <errno.h>
#include <string.h>

#include "device/device.h"
#include "fake.h"
#include "vectors.h"

static struct fake *fake;
static struct ringway_memory *memory;

static int set_up(void **state)
{
	(void)state;
	fake = fake_begin();
	return ringway_memory_create(16u << 20, &memory);
}

static int tear_down(void **state)
{
	(void)state;
	ringway_memory_destroy(memory);
	fake_end(fake);
	return 0;
}

static int open_with(const struct ringway_options *options)
{
	struct ringway_device *device;
	int error = ringway_open("fake:", memory, options, &device);

	if (error == 0)
		ringway_close(device);
	return error;
}

static void opens_and_gives_everything_back(void **state)
{
	struct ringway_device *device;
	struct ringway_slots slots;
	static const uint8_t mac[] = { 0x02, 0x11, 0x22, 0x33, 0x44, 0x55 };

	(void)state;
	assert_int_equal(ringway_open("fake:", memory, NULL, &device), 0);
	assert_memory_equal(ringway_mac(device), mac, 6);
	assert_string_equal(ringway_way(device), "fake");
	assert_true(fake->mapped);
	assert_int_equal(fake->config[1] & 6, 6); /* memory space, bus master */
	ringway_slots(device, &slots);
	assert_int_equal(slots.rx, 511);
	assert_int_equal(slots.pool + slots.rx, 2048);
	ringway_close(device);
	assert_true(fake->closed);
	assert_false(fake->mapped);
	for (uint32_t slot = 0; slot < memory->slots; slot++)
		assert_true(memory->home[slot] == 0 || memory->home[slot] == DMA_NOBODYS);
	for (uint32_t page = 0; page < memory->pages; page++)
		assert_int_equal(memory->page_used[page], 0);
}

static void key_and_table_are_those_of_the_vectors(void **state)
{
	(void)state;
	assert_int_equal(open_with(&(struct ringway_options){ .rx_queues = 3, .pool_slots = 2048 }), 0);
	for (uint32_t i = 0; i < sizeof(rss_key) / sizeof(rss_key[0]); i++)
		assert_int_equal(fake->reg[IXGBE_RSSRK(i) / 4], rss_key[i]);
	assert_int_equal(fake->reg[IXGBE_RETA(0) / 4], 0x00020100);
	assert_int_equal(fake->reg[IXGBE_RETA(1) / 4], 0x01000201);
}

static void options_are_checked_before_the_device_is_touched(void **state)
{
	static const struct {
		struct ringway_options options;
		int error;
		const char *names;
	} cases[] = {
		{ { .rx_queues = 17 }, -ENOTSUP, "17 receive" },
		{ { .tx_queues = 33 }, -ENOTSUP, "33 transmit" },
		{ { .ring_slots = 100 }, -ENOTSUP, "100" },
		{ { .ring_slots = 56 }, -ENOTSUP, "56" },
		{ { .ring_slots = 4104 }, -ENOTSUP, "4104" },
		{ { .max_frame = 15873 }, -ENOTSUP, "15873" },
		{ { .pool_slots = 511 }, -ENOMEM, "511" },
		{ { .pool_slots = 1023, .rx_queues = 2 }, -ENOMEM, "2 receive rings of 512" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(open_with(&cases[i].options), cases[i].error);
		assert_error_names(cases[i].names);
	}
	assert_int_equal(fake->reads + fake->writes, 0);
}

static void another_card_is_refused_by_name(void **state)
{
	(void)state;
	fake->config[0] = 0x15338086;
	assert_int_equal(open_with(NULL), -ENOTSUP);
	assert_error_names("8086:1533");
	assert_int_equal(fake->writes, 0);
}

/* Each bit that opening waits for: what is said if it never comes. */
static void each_wait_names_its_register(void **state)
{
	static const struct {
		uint32_t offset, mask, value;
		const char *name;
	} waits[] = {
		{ IXGBE_STATUS, IXGBE_STATUS_GIO, IXGBE_STATUS_GIO, "STATUS" },
		{ IXGBE_CTRL, IXGBE_CTRL_RST, IXGBE_CTRL_RST, "CTRL" },
		{ IXGBE_EEC, IXGBE_EEC_ARD, 0, "EEC" },
		{ IXGBE_RDRXCTL, IXGBE_RDRXCTL_DMAIDONE, 0, "RDRXCTL" },
		{ IXGBE_TXDCTL(0), IXGBE_TXDCTL_ENABLE, 0, "TXDCTL" },
		{ IXGBE_RXDCTL(0), IXGBE_RXDCTL_ENABLE, 0, "RXDCTL" },
		{ IXGBE_SECRXSTAT, IXGBE_SECRXSTAT_RDY, 0, "SECRXSTAT" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		fake_stick(fake, waits[i].offset, waits[i].mask, waits[i].value);
		fake->closed = false;
		assert_int_equal(open_with(NULL), -ETIMEDOUT);
		assert_error_names(waits[i].name);
		assert_true(fake->closed);
		assert_false(fake->mapped);
	}
}

static void closing_disables_the_queues_and_resets(void **state)
{
	struct ringway_device *device;
	uint32_t from;
	int rx, tx, reset;

	(void)state;
	assert_int_equal(ringway_open("fake:", memory, NULL, &device), 0);
	from = fake->writes;
	ringway_close(device);
	rx = fake_find_write(fake, from, IXGBE_RXDCTL(0), IXGBE_RXDCTL_ENABLE, 0);
	tx = fake_find_write(fake, from, IXGBE_TXDCTL(0), IXGBE_TXDCTL_ENABLE, 0);
	reset = fake_find_write(fake, from, IXGBE_CTRL, IXGBE_CTRL_RST, IXGBE_CTRL_RST);
	assert_true(rx >= 0 && tx > rx && reset > tx);
}

/* What was handed over leaves before the queue is disabled; a ring that does not move holds nothing up for long. */
static void closing_waits_for_what_is_being_sent(void **state)
{
	struct ringway_device *device;
	uint32_t reads, from;

	(void)state;
	assert_int_equal(ringway_open("fake:", memory, NULL, &device), 0);
	assert_int_equal(ringway_drain(device, 1000), 0);
	fake_stick(fake, IXGBE_TDH(0), IXGBE_TDH_TDH, 7);
	assert_int_equal(ringway_drain(device, 5), -ETIMEDOUT);
	assert_error_names("TDH");
	reads = fake->reads;
	from = fake->writes;
	ringway_close(device);
	assert_true(fake->reads - reads > 100);
	assert_true(fake_find_write(fake, from, IXGBE_TXDCTL(0), IXGBE_TXDCTL_ENABLE, 0) >= 0);
	assert_true(fake->closed);
}

static void once_gone_it_stays_gone(void **state)
{
	struct ringway_device *device;
	struct ringway_stats stats;
	struct ringway_link link;

	(void)state;
	assert_int_equal(ringway_open("fake:", memory, NULL, &device), 0);
	fake->gone = true;
	assert_int_equal(ringway_stats(device, &stats), -EIO);
	fake->gone = false;
	assert_int_equal(ringway_link(device, &link), -EIO);
	assert_int_equal(ringway_promiscuous(device, true), -EIO);
	ringway_close(device);
	assert_true(fake->closed);
}

static void counters_add_up(void **state)
{
	struct ringway_device *device;
	struct ringway_stats stats;

	(void)state;
	fake->reg[IXGBE_GPRC / 4] = 1000; /* counted before open */
	assert_int_equal(ringway_open("fake:", memory, NULL, &device), 0);
	fake->reg[IXGBE_GPRC / 4] = 3;
	fake->reg[IXGBE_GORCL / 4] = 0xFFFFFFFF;
	fake->reg[IXGBE_GORCH / 4] = 0xFFFFFFF1; /* four bits count */
	assert_int_equal(ringway_stats(device, &stats), 0);
	assert_int_equal(ringway_stats(device, &stats), 0);
	assert_true(stats.rx_packets == 6);
	assert_true(stats.rx_bytes == 2 * UINT64_C(0x1FFFFFFFF));
	ringway_close(device);
}

int test_device(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(opens_and_gives_everything_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(key_and_table_are_those_of_the_vectors, set_up, tear_down),
		cmocka_unit_test_setup_teardown(options_are_checked_before_the_device_is_touched, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_card_is_refused_by_name, set_up, tear_down),
		cmocka_unit_test_setup_teardown(each_wait_names_its_register, set_up, tear_down),
		cmocka_unit_test_setup_teardown(closing_disables_the_queues_and_resets, set_up, tear_down),
		cmocka_unit_test_setup_teardown(closing_waits_for_what_is_being_sent, set_up, tear_down),
		cmocka_unit_test_setup_teardown(once_gone_it_stays_gone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(counters_add_up, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
