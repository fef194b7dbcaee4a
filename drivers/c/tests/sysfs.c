/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "tests.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ixgbe/ixgbe.h"
#include "tree.h"

#define NIC      "devices/" TREE_NIC
#define COMMAND  4
#define UNBIND   "drivers/ixgbe/unbind"
#define BIND     "drivers/ixgbe/bind"

static struct tree tree;
static struct ringway_memory *memory;

static int set_up(void **state)
{
	(void)state;
	memory = NULL;
	tree_begin(&tree);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	ringway_memory_destroy(memory);
	tree_end(&tree);
	return 0;
}

static void huge_memory(void)
{
	if (!memory)
		assert_int_equal(ringway_memory_create_huge(8u << 20, &memory), 0);
}

static int open_nic(const char *address, struct ringway_device **device)
{
	huge_memory();
	return ringway_open(address, memory, &(struct ringway_options){ .ring_slots = 64, .pool_slots = 256 }, device);
}

static void assert_refused(const char *address, int error, const char *first, const char *second)
{
	struct ringway_device *device;

	assert_int_equal(open_nic(address, &device), error);
	assert_error_names(first);
	assert_error_names(second);
	assert_null(strchr(ringway_error(), '\n'));
}

static void assert_untouched(void)
{
	assert_string_equal(tree_read(&tree, UNBIND), "");
	assert_string_equal(tree_read(&tree, BIND), "");
	assert_int_equal(tree_word(&tree, NIC "/config", COMMAND), 0);
}

static void opens_and_gives_the_function_back(void **state)
{
	struct ringway_device *device;

	(void)state;
	card_begin(&tree, NIC "/resource0", 0);
	assert_int_equal(open_nic("03:00.0", &device), 0);
	assert_string_equal(ringway_way(device), "sysfs");
	assert_memory_equal(ringway_mac(device), "\x02\x11\x22\x33\x44\x55", 6);
	assert_string_equal(tree_read(&tree, UNBIND), TREE_NIC);
	assert_string_equal(tree_read(&tree, BIND), "");
	assert_int_equal(tree_word(&tree, NIC "/config", COMMAND), 6);
	assert_int_equal(tree_word(&tree, NIC "/resource0", IXGBE_RDT(0)), 63); /* registers are in the file */
	ringway_close(device);
	card_end();
	assert_string_equal(tree_read(&tree, BIND), TREE_NIC);
	assert_int_equal(tree_word(&tree, NIC "/config", COMMAND), 0);
}

static void a_failed_open_gives_the_function_back(void **state)
{
	(void)state; /* no card: the reset never ends */
	assert_refused(TREE_NIC, -ETIMEDOUT, "CTRL", " ms ");
	assert_string_equal(tree_read(&tree, UNBIND), TREE_NIC);
	assert_string_equal(tree_read(&tree, BIND), TREE_NIC);
	assert_int_equal(tree_word(&tree, NIC "/config", COMMAND), 0);
}

static void a_function_without_driver_stays_without(void **state)
{
	(void)state;
	tree_bind(&tree, TREE_NIC, NULL);
	assert_refused(TREE_NIC, -ETIMEDOUT, "CTRL", " ms ");
	assert_untouched();
}

static void registers_get_physical_addresses(void **state)
{
	struct ringway_device *device;
	uint32_t low, high;

	(void)state;
	card_begin(&tree, NIC "/resource0", 0);
	assert_int_equal(open_nic(TREE_NIC, &device), 0);
	assert_int_equal(mmio_read(device->bus, IXGBE_RDBAL(0), &low), 0);
	assert_int_equal(mmio_read(device->bus, IXGBE_RDBAH(0), &high), 0);
	assert_true(((uint64_t)high << 32 | low) == dma_iova(memory, device->rx[0].ring));
	assert_true(memory->extent_iova[0] == UINT64_C(0x100000) << 12);
	assert_true(memory->extent_iova[1] == (UINT64_C(0x100000) - 0x400) << 12);
	ringway_close(device);
	card_end();
}

static void a_removed_card_is_gone(void **state)
{
	struct ringway_device *device;

	(void)state;
	card_begin(&tree, NIC "/resource0", 0);
	assert_int_equal(open_nic(TREE_NIC, &device), 0);
	assert_int_equal(device->bus->ops->alive(device->bus), 0);
	assert_int_equal(device->bus->ops->write(device->bus, BUS_CONFIG, 8, 4, UINT32_MAX), 0);
	assert_int_equal(device->bus->ops->alive(device->bus), -EIO);
	assert_error_names("removed");
	ringway_close(device);
	card_end();
}

/* --- bad input -------------------------------------------------------------------------------------------------- */

static void what_is_no_address(void **state)
{
	static const char *const words[] = { "eth0", "", "0000:03:00", "03:00.8", "03:20.0", "0000:03:00.0x", " 03:00.0", "0x03:00.0" };

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_refused(words[i], -ENOENT, words[i], "0000:03:00.0");
}

static void nothing_at_the_address(void **state)
{
	(void)state;
	assert_refused("0000:05:00.0", -ENOENT, "0000:05:00.0", "lspci");
}

static void ringway_sysfs_replaces_the_directory(void **state)
{
	(void)state;
	setenv("RINGWAY_SYSFS", "/nonexistent/devices", 1);
	assert_refused(TREE_NIC, -ENOENT, "/nonexistent/devices", TREE_NIC);
	setenv("RINGWAY_SYSFS", bus_paths.devices, 1);
	bus_paths.devices = "/nonexistent";
	assert_refused(TREE_DISK, -ENOTSUP, "Ethernet", TREE_DISK);
	unsetenv("RINGWAY_SYSFS");
}

static void something_that_is_no_nic(void **state)
{
	(void)state;
	assert_refused(TREE_DISK, -ENOTSUP, "no Ethernet controller", "0x010802");
	assert_string_equal(tree_read(&tree, "drivers/nvme/unbind"), "");
	assert_int_equal(tree_word(&tree, "devices/" TREE_DISK "/config", COMMAND), 0);
}

static void a_nic_that_is_no_82599(void **state)
{
	(void)state;
	tree_write(&tree, NIC "/config", "\x86\x80\x33\x15");
	assert_refused(TREE_NIC, -ENOTSUP, "8086:1533", TREE_NIC);
	assert_string_equal(tree_read(&tree, UNBIND), "");
}

static void a_nic_whose_interface_is_up(void **state)
{
	(void)state;
	assert_int_equal(mkdir(tree_path(&tree, NIC "/net"), 0755), 0);
	assert_int_equal(mkdir(tree_path(&tree, NIC "/net/enp3s0"), 0755), 0);
	tree_write(&tree, NIC "/net/enp3s0/flags", "0x1003\n");
	assert_refused(TREE_NIC, -EACCES, "enp3s0", "ip link set enp3s0 down");
	assert_untouched();
	tree_write(&tree, NIC "/net/enp3s0/flags", "0x1002\n");
	assert_refused(TREE_NIC, -ETIMEDOUT, "CTRL", "");
}

/* An IOMMU would stop what the card writes to physical addresses, and nobody should look for hugepages in vain. */
static void a_nic_behind_an_iommu_that_translates(void **state)
{
	static const char *const modes[] = { "DMA\n", "DMA-FQ\n", "blocked\n", "auto\n" };

	(void)state;
	tree_group(&tree, TREE_NIC, "12");
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		tree_write(&tree, "groups/12/type", modes[i]);
		assert_false(ringway_needs_hugepages(TREE_NIC));
		assert_refused(TREE_NIC, -ENOTSUP, "an IOMMU translates", "use VFIO: sudo ringway bind " TREE_NIC " --user $USER");
		assert_untouched();
	}
	assert_error_names("(auto)");
	tree_write(&tree, "groups/12/type", "identity\n");
	assert_true(ringway_needs_hugepages(TREE_NIC));
	assert_refused(TREE_NIC, -ETIMEDOUT, "CTRL", "");
}

static void a_nic_that_another_driver_has(void **state)
{
	int fd = open(tree_path(&tree, NIC "/resource0"), O_RDWR | O_CLOEXEC);

	(void)state;
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_refused(TREE_NIC, -EACCES, "in use", "stop that one");
	assert_untouched();
	close(fd);
}

static void no_permission(void **state)
{
	static const char *const files[] = { NIC "/config", NIC "/resource0", UNBIND };

	(void)state;
	kernel.refusal = EACCES;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		kernel.refused_path = files[i];
		assert_refused(TREE_NIC, -EACCES, files[i], "as root");
		kernel.refused_path = NULL;
		assert_untouched();
	}
}

static void a_bar_that_is_too_small(void **state)
{
	(void)state;
	assert_int_equal(truncate(tree_path(&tree, NIC "/resource0"), 0x10000), 0);
	assert_refused(TREE_NIC, -ENOTSUP, "128 KiB", TREE_NIC);
	assert_untouched();
}

static void memory_that_is_not_of_hugepages(void **state)
{
	(void)state;
	assert_true(ringway_needs_hugepages(TREE_NIC));
	assert_false(ringway_needs_hugepages("unix:/tmp/x"));
	assert_false(ringway_needs_hugepages("eth0"));
	assert_false(ringway_needs_hugepages(TREE_DISK));
	assert_int_equal(ringway_memory_create(8u << 20, &memory), 0);
	assert_refused(TREE_NIC, -ENOMEM, "hugepages", TREE_NIC);
	assert_untouched();
}

static void assert_no_memory(int error, const char *first, const char *second)
{
	assert_int_equal(ringway_memory_create_huge(8u << 20, &memory), error);
	assert_error_names(first);
	assert_error_names(second);
	memory = NULL;
}

static void hugepages_that_cannot_be_had(void **state)
{
	(void)state;
	bus_paths.hugepages_type++;
	assert_no_memory(-ENOMEM, "no hugetlbfs", "mount -t hugetlbfs");
	bus_paths.hugepages_type--;
	kernel.no_hugepages = true;
	assert_no_memory(-ENOMEM, "8 MiB", "echo 4 | sudo tee");
	kernel.no_hugepages = false;
	kernel.no_memlock = true;
	assert_no_memory(-ENOMEM, "cannot lock 8 MiB", "ulimit -l");
	kernel.no_memlock = false;
	kernel.hidden_addresses = true;
	assert_no_memory(-EACCES, "hides physical addresses", "root");
	kernel.hidden_addresses = false;
	kernel.scattered = true;
	assert_no_memory(-ENOMEM, "not contiguous", "hugetlbfs");
	kernel.scattered = false;
	kernel.refused_path = "pagemap";
	kernel.refusal = EACCES;
	assert_no_memory(-EACCES, "pagemap", "root");
}

static void hugepages_leave_no_file(void **state)
{
	(void)state;
	huge_memory();
	assert_int_equal(rmdir(tree_path(&tree, "huge")), 0); /* only an empty directory goes */
}

int test_sysfs(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(opens_and_gives_the_function_back), TEST(a_failed_open_gives_the_function_back),
		TEST(a_function_without_driver_stays_without), TEST(registers_get_physical_addresses), TEST(a_removed_card_is_gone),
		TEST(what_is_no_address), TEST(nothing_at_the_address), TEST(ringway_sysfs_replaces_the_directory),
		TEST(something_that_is_no_nic), TEST(a_nic_that_is_no_82599), TEST(a_nic_whose_interface_is_up),
		TEST(a_nic_behind_an_iommu_that_translates),
		TEST(a_nic_that_another_driver_has), TEST(no_permission), TEST(a_bar_that_is_too_small),
		TEST(memory_that_is_not_of_hugepages), TEST(hugepages_that_cannot_be_had), TEST(hugepages_leave_no_file),
	};

	return cmocka_run_group_tests_name("bus/sysfs", tests, NULL, NULL);
}
