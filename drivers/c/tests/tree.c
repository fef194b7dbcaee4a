/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "tree.h"

#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "ixgbe/regs.h"
#include "tests.h"

#define BAR_BYTES 0x20000

static char paths[5][PATH_MAX];

const char *tree_path(const struct tree *tree, const char *path)
{
	static char full[4][PATH_MAX];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(full[turn], PATH_MAX, "%s/%s", tree->root, path);
	return full[turn];
}

static void make_directory(const struct tree *tree, const char *path)
{
	mkdir(tree_path(tree, path), 0755);
}

void tree_write(const struct tree *tree, const char *path, const char *text)
{
	FILE *file = fopen(tree_path(tree, path), "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

const char *tree_read(const struct tree *tree, const char *path)
{
	static char text[256];
	FILE *file = fopen(tree_path(tree, path), "r");
	size_t bytes = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	text[bytes] = '\0';
	if (file)
		fclose(file);
	return text;
}

uint16_t tree_word(const struct tree *tree, const char *path, long offset)
{
	uint16_t word = 0;
	int fd = open(tree_path(tree, path), O_RDONLY | O_CLOEXEC);

	assert_int_equal(pread(fd, &word, sizeof(word), offset), sizeof(word));
	close(fd);
	return word;
}

/* A file of config space and, from `bar` on unless that is -1, registers. */
static void write_device(const struct tree *tree, const char *path, uint32_t ids, long bar)
{
	const uint32_t config[64] = { ids, 0x00100000 }; /* status: capabilities; command: nothing */
	int fd = open(tree_path(tree, path), O_RDWR | O_CREAT | O_CLOEXEC, 0644);

	assert_int_equal(pwrite(fd, config, sizeof(config), 0), sizeof(config));
	if (bar >= 0)
		assert_int_equal(ftruncate(fd, bar + BAR_BYTES), 0);
	close(fd);
}

static void make_function(const struct tree *tree, const char *name, uint32_t ids, const char *class)
{
	char path[128];

	snprintf(path, sizeof(path), "devices/%s", name);
	make_directory(tree, path);
	snprintf(path, sizeof(path), "devices/%s/class", name);
	tree_write(tree, path, class);
	snprintf(path, sizeof(path), "devices/%s/config", name);
	write_device(tree, path, ids, -1);
	snprintf(path, sizeof(path), "devices/%s/resource0", name);
	tree_write(tree, path, "");
	assert_int_equal(truncate(tree_path(tree, path), BAR_BYTES), 0);
}

void tree_bind(const struct tree *tree, const char *function, const char *driver)
{
	char link[128], path[128];

	snprintf(link, sizeof(link), "devices/%s/driver", function);
	unlink(tree_path(tree, link));
	if (!driver)
		return;
	snprintf(path, sizeof(path), "drivers/%s", driver);
	make_directory(tree, path);
	assert_int_equal(symlink(tree_path(tree, path), tree_path(tree, link)), 0);
	snprintf(path, sizeof(path), "drivers/%s/bind", driver);
	tree_write(tree, path, "");
	snprintf(path, sizeof(path), "drivers/%s/unbind", driver);
	tree_write(tree, path, "");
}

void tree_group(const struct tree *tree, const char *function, const char *number)
{
	char path[128], link[128];

	snprintf(path, sizeof(path), "groups/%s", number);
	make_directory(tree, path);
	snprintf(link, sizeof(link), "devices/%s/iommu_group", function);
	unlink(tree_path(tree, link));
	assert_int_equal(symlink(tree_path(tree, path), tree_path(tree, link)), 0);
	snprintf(path, sizeof(path), "groups/%s/devices", number);
	make_directory(tree, path);
	snprintf(path, sizeof(path), "groups/%s/devices/%s", number, function);
	tree_write(tree, path, "");
	snprintf(path, sizeof(path), "vfio/%s", number);
	tree_write(tree, path, "");
}

static const char *keep(int index, const struct tree *tree, const char *path)
{
	return strcpy(paths[index], tree_path(tree, path));
}

void tree_begin(struct tree *tree)
{
	struct statfs status;

	memset(&kernel, 0, sizeof(kernel));
	strcpy(tree->root, "/tmp/ringway-test-XXXXXX");
	assert_non_null(mkdtemp(tree->root));
	for (const char *const *name = (const char *const[]){ "devices", "drivers", "groups", "vfio", "vfio/devices", "huge", NULL };
	     *name; name++)
		make_directory(tree, *name);
	make_function(tree, TREE_NIC, 0x10FB8086, "0x020000\n");
	make_function(tree, TREE_SIBLING, 0x10FB8086, "0x020000\n");
	make_function(tree, TREE_DISK, 0x00011234, "0x010802\n");
	tree_bind(tree, TREE_NIC, "ixgbe");
	tree_bind(tree, TREE_DISK, "nvme");
	tree_write(tree, "vfio/vfio", "");
	tree_write(tree, "pagemap", "");
	write_device(tree, "device", 0x10FB8086, 0x100000);
	statfs(tree->root, &status);
	tree->saved = bus_paths;
	unsetenv("RINGWAY_SYSFS");
	bus_paths = (struct bus_paths){ .devices = keep(0, tree, "devices"), .vfio = keep(1, tree, "vfio"),
		.iommu = keep(2, tree, "iommu"), .hugepages = keep(3, tree, "huge"), .hugepages_type = status.f_type,
		.pagemap = keep(4, tree, "pagemap") };
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

void tree_end(struct tree *tree)
{
	bus_paths = tree->saved;
	nftw(tree->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* --- the card --------------------------------------------------------------------------------------------------- */

static struct {
	pthread_t thread;
	uint32_t *reg;
	bool stop;
} card;

static void *be_the_card(void *unused)
{
	while (!__atomic_load_n(&card.stop, __ATOMIC_RELAXED)) {
		__atomic_fetch_and(&card.reg[IXGBE_CTRL / 4], ~(IXGBE_CTRL_RST | IXGBE_CTRL_LRST), __ATOMIC_SEQ_CST);
		usleep(100);
	}
	return unused;
}

void card_begin(const struct tree *tree, const char *path, long offset)
{
	int fd = open(tree_path(tree, path), O_RDWR | O_CLOEXEC);

	card.reg = mmap(NULL, BAR_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
	assert_ptr_not_equal(card.reg, MAP_FAILED);
	close(fd);
	card.reg[IXGBE_EEC / 4] = IXGBE_EEC_ARD;
	card.reg[IXGBE_RDRXCTL / 4] = IXGBE_RDRXCTL_DMAIDONE;
	card.reg[IXGBE_SECRXSTAT / 4] = IXGBE_SECRXSTAT_RDY;
	card.reg[IXGBE_RAL(0) / 4] = 0x33221102;
	card.reg[IXGBE_RAH(0) / 4] = 0x80005544;
	card.stop = false;
	assert_int_equal(pthread_create(&card.thread, NULL, be_the_card, NULL), 0);
}

void card_end(void)
{
	__atomic_store_n(&card.stop, true, __ATOMIC_RELAXED);
	pthread_join(card.thread, NULL);
	munmap(card.reg, BAR_BYTES);
}
