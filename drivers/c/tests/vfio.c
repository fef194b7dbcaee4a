/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "tests.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ixgbe/ixgbe.h"
#include "tree.h"

#define BAR_OFFSET 0x100000

static struct tree tree;
static struct ringway_memory *memory;

static int set_up(void **state)
{
	(void)state;
	tree_begin(&tree);
	tree_bind(&tree, TREE_NIC, "vfio-pci");
	tree_bind(&tree, TREE_SIBLING, "vfio-pci");
	tree_group(&tree, TREE_NIC, "12");
	tree_group(&tree, TREE_SIBLING, "12");
	return ringway_memory_create(8u << 20, &memory);
}

static int tear_down(void **state)
{
	(void)state;
	ringway_memory_destroy(memory);
	tree_end(&tree);
	return 0;
}

/* The same functions with nodes of their own and iommufd. */
static int set_up_nodes(void **state)
{
	int error = set_up(state);

	mkdir(tree_path(&tree, "devices/" TREE_NIC "/vfio-dev"), 0755);
	mkdir(tree_path(&tree, "devices/" TREE_NIC "/vfio-dev/vfio3"), 0755);
	tree_write(&tree, "iommu", "");
	return error ? error : link(tree_path(&tree, "device"), tree_path(&tree, "vfio/devices/vfio3"));
}

static int open_nic(const char *address, struct ringway_device **device)
{
	return ringway_open(address, memory, &(struct ringway_options){ .ring_slots = 64, .pool_slots = 256 }, device);
}

static void assert_refused(int error, const char *first, const char *second)
{
	struct ringway_device *device;

	assert_int_equal(open_nic(TREE_NIC, &device), error);
	assert_error_names(error == -ETIMEDOUT ? "CTRL" : TREE_NIC);
	assert_error_names(first);
	assert_error_names(second);
	assert_null(strchr(ringway_error(), '\n'));
	assert_int_equal(kernel.maps_now, 0);
	assert_string_equal(tree_read(&tree, "drivers/vfio-pci/unbind"), "");
}

static void assert_mapped_once(void)
{
	assert_int_equal(kernel.maps_now, 1);
	assert_ptr_equal(kernel.vaddr[0], memory->base);
	assert_true(kernel.map[0].iova == memory->extent_iova[0]);
	assert_int_equal(kernel.map[0].bytes, memory->bytes);
}

static void opens_and_gives_back(void)
{
	struct ringway_device *device;

	card_begin(&tree, "device", BAR_OFFSET);
	assert_int_equal(open_nic(TREE_NIC, &device), 0);
	assert_string_equal(ringway_way(device), "vfio");
	assert_memory_equal(ringway_mac(device), "\x02\x11\x22\x33\x44\x55", 6);
	assert_int_equal(tree_word(&tree, "device", 4) & 6, 6);
	assert_int_equal(tree_word(&tree, "device", BAR_OFFSET + IXGBE_RDT(0)), 63);
	assert_mapped_once();
	assert_int_equal(device->bus->ops->bind_vectors(device->bus, 0, (int[]){ 3, 4 }, 2), 0);
	assert_int_equal(kernel.vectors, 2);
	assert_int_equal(device->bus->ops->bind_vectors(device->bus, 0, NULL, 0), 0);
	assert_int_equal(kernel.vectors, 0);
	assert_int_equal(device->bus->ops->reset(device->bus), 0);
	assert_int_equal(kernel.resets, 1);
	ringway_close(device);
	card_end();
	assert_int_equal(kernel.maps_now, 0);
	assert_int_equal(kernel.iommus, 1);
}

static void opens_by_its_group(void **state)
{
	(void)state;
	opens_and_gives_back();
	assert_int_equal(kernel.containers, 1);
}

static void opens_by_its_node(void **state)
{
	(void)state;
	opens_and_gives_back();
	assert_int_equal(kernel.containers, 0);
}

static void two_ports_share_group_and_mapping(void **state)
{
	struct ringway_device *first, *second;

	(void)state;
	card_begin(&tree, "device", BAR_OFFSET);
	assert_int_equal(open_nic(TREE_NIC, &first), 0);
	assert_int_equal(open_nic(TREE_SIBLING, &second), 0);
	assert_int_equal(kernel.containers, 1);
	assert_mapped_once();
	ringway_close(first);
	assert_mapped_once();
	ringway_close(second);
	assert_int_equal(kernel.maps_now, 0);
	card_end();
}

static void a_dead_device_unmaps_too(void **state)
{
	struct ringway_device *device;

	(void)state;
	card_begin(&tree, "device", BAR_OFFSET);
	assert_int_equal(open_nic(TREE_NIC, &device), 0);
	device->dead = true;
	ringway_close(device);
	card_end();
	assert_int_equal(kernel.maps_now, 0);
}

/* The ids stay: the kernel remembers them. */
static void a_card_that_was_pulled_out_is_noticed(void **state)
{
	struct ringway_device *device;

	(void)state;
	card_begin(&tree, "device", BAR_OFFSET);
	assert_int_equal(open_nic(TREE_NIC, &device), 0);
	assert_int_equal(device->bus->ops->alive(device->bus), 0);
	assert_int_equal(device->bus->ops->write(device->bus, BUS_CONFIG, 8, 4, UINT32_MAX), 0);
	assert_int_equal(device->bus->ops->alive(device->bus), -EIO);
	assert_error_names(TREE_NIC ": the device is gone: it was removed");
	ringway_close(device);
	card_end();
}

/* A program that only polls its ring is told too, within the time of two looks. */
static void a_function_that_the_host_wants_back_is_let_go(void **state)
{
	struct ringway_batch *batch = ringway_batch_create(memory, 4);
	struct ringway_device *device;
	time_t late;
	int count = 0;

	(void)state;
	card_begin(&tree, "device", BAR_OFFSET);
	assert_int_equal(open_nic(TREE_NIC, &device), 0);
	assert_int_equal(ringway_receive(device, 0, batch), 0);
	assert_int_equal(eventfd_write(kernel.wanted_back, 1), 0);
	for (late = time(NULL) + 10; count == 0 && time(NULL) < late;)
		count = ringway_receive(device, 0, batch);
	assert_int_equal(count, -EIO);
	assert_error_names(TREE_NIC ": the device is gone: the host wants it back");
	ringway_close(device);
	ringway_batch_destroy(batch);
	card_end();
	assert_int_equal(kernel.maps_now, 0);
}

static void a_kernel_that_cannot_ask_will_do(void **state)
{
	kernel.cannot_ask = true;
	opens_by_its_group(state);
}

static void hugepages_are_mapped_piece_by_piece(void **state)
{
	struct ringway_device *device;

	(void)state;
	ringway_memory_destroy(memory);
	assert_int_equal(ringway_memory_create_huge(8u << 20, &memory), 0);
	card_begin(&tree, "device", BAR_OFFSET);
	assert_int_equal(open_nic(TREE_NIC, &device), 0);
	assert_int_equal(kernel.maps_now, 4);
	for (uint32_t i = 0; i < 4; i++) {
		assert_true(kernel.map[i].iova == memory->extent_iova[i]);
		assert_ptr_equal(kernel.vaddr[i], memory->base + ((size_t)i << DMA_EXTENT_SHIFT));
	}
	ringway_close(device);
	card_end();
	assert_int_equal(kernel.maps_now, 0);
}

static void a_failed_open_leaves_nothing(void **state)
{
	(void)state; /* no card: the reset never ends */
	assert_refused(-ETIMEDOUT, "CTRL", " ms ");
	assert_refused(-ETIMEDOUT, "CTRL", " ms "); /* container and group can be had again */
	assert_int_equal(kernel.containers, 2);
}

/* --- bad input -------------------------------------------------------------------------------------------------- */

static void another_card(void **state)
{
	(void)state;
	tree_write(&tree, "device", "\x86\x80\x33\x15");
	assert_int_equal(truncate(tree_path(&tree, "device"), BAR_OFFSET + 0x20000), 0);
	assert_refused(-ENOTSUP, "8086:1533", "no Intel 82599");
}

static void a_kernel_without_vfio(void **state)
{
	(void)state;
	kernel.refused_path = "vfio/vfio";
	kernel.refusal = ENOENT;
	assert_refused(-ENOTSUP, "no VFIO", "modprobe vfio-pci");
}

static void no_iommu(void **state)
{
	(void)state;
	kernel.no_iommu = true;
	assert_refused(-ENOTSUP, "no IOMMU", "intel_iommu=on");
	kernel.no_iommu = false;
	tree_write(&tree, "vfio/noiommu-12", "");
	assert_refused(-ENOTSUP, "no IOMMU", "intel_iommu=on");
}

static void no_group(void **state)
{
	(void)state;
	assert_int_equal(unlink(tree_path(&tree, "devices/" TREE_NIC "/iommu_group")), 0);
	assert_refused(-ENOTSUP, "no IOMMU", "intel_iommu=on");
}

static void a_group_that_is_not_viable(void **state)
{
	(void)state;
	kernel.not_viable = true;
	tree_bind(&tree, TREE_SIBLING, "ixgbe");
	assert_refused(-EACCES, "not viable", TREE_SIBLING);
	assert_error_names("ixgbe");
}

static void a_group_in_use(void **state)
{
	(void)state;
	kernel.refused_path = "vfio/12";
	kernel.refusal = EBUSY;
	assert_refused(-EACCES, "in use", "stop that one");
	kernel.refused_path = NULL;
	kernel.in_use = true;
	assert_refused(-EACCES, "does not open it", "busy");
}

static void a_node_in_use(void **state)
{
	(void)state;
	kernel.in_use = true;
	assert_refused(-EACCES, "in use", "stop that one");
}

static void no_permission(void **state)
{
	(void)state;
	kernel.refused_path = "vfio/12";
	kernel.refusal = EACCES;
	assert_refused(-EACCES, "vfio/12", "chown");
	kernel.refused_path = "vfio/vfio";
	assert_refused(-EACCES, "vfio/vfio", "chmod");
}

static void a_memlock_limit_that_is_too_small(void **state)
{
	(void)state;
	kernel.no_memlock = true;
	assert_refused(-ENOMEM, "cannot pin 8 MiB", "ulimit -l");
}

int test_vfio(void)
{
#define GROUP(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define NODE(name)  cmocka_unit_test_setup_teardown(name, set_up_nodes, tear_down)
	const struct CMUnitTest tests[] = {
		GROUP(opens_by_its_group), NODE(opens_by_its_node), GROUP(two_ports_share_group_and_mapping),
		GROUP(a_card_that_was_pulled_out_is_noticed), GROUP(a_function_that_the_host_wants_back_is_let_go),
		NODE(a_function_that_the_host_wants_back_is_let_go), GROUP(a_kernel_that_cannot_ask_will_do),
		GROUP(a_dead_device_unmaps_too), NODE(a_dead_device_unmaps_too), GROUP(hugepages_are_mapped_piece_by_piece),
		NODE(hugepages_are_mapped_piece_by_piece), GROUP(a_failed_open_leaves_nothing), GROUP(another_card),
		GROUP(a_kernel_without_vfio), GROUP(no_iommu), GROUP(no_group), GROUP(a_group_that_is_not_viable),
		GROUP(a_group_in_use), NODE(a_node_in_use), GROUP(no_permission), GROUP(a_memlock_limit_that_is_too_small),
		NODE(a_memlock_limit_that_is_too_small),
	};

	return cmocka_run_group_tests_name("bus/vfio", tests, NULL, NULL);
}
