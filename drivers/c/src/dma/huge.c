/* SPDX-License-Identifier: BSD-3-Clause */
/* Hugepages, for devices without an IOMMU: the kernel never moves them, and each is contiguous. Where they are, pagemap says. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "../bus.h"
#include "../dma.h"
#include "../error.h"

#define PRESENT   (UINT64_C(1) << 63)
#define PFN_MASK  ((UINT64_C(1) << 55) - 1)
#define PAGES     ((1u << DMA_EXTENT_SHIFT) / DMA_PAGE_BYTES)

static int not_mounted(void)
{
	return error_set(ENOMEM, "%s is no hugetlbfs: sudo mkdir -p %s; sudo mount -t hugetlbfs nodev %s", bus_paths.hugepages,
	                 bus_paths.hugepages, bus_paths.hugepages);
}

int huge_file(size_t bytes)
{
	struct statfs mount;
	char path[PATH_MAX];
	int fd;

	if (statfs(bus_paths.hugepages, &mount) < 0 || mount.f_type != bus_paths.hugepages_type)
		return not_mounted();
	snprintf(path, sizeof(path), "%s/ringway-XXXXXX", bus_paths.hugepages);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return error_set(errno == EACCES ? EACCES : ENOMEM, "cannot make a file in %s: %s; run as root", bus_paths.hugepages,
		                 strerror(errno));
	unlink(path); /* the mapping keeps it, and nothing is left behind however the program ends */
	if (ftruncate(fd, (off_t)bytes) < 0) {
		int cause = errno;

		close(fd);
		return error_set(ENOMEM, "cannot make %zu bytes of hugepages: %s", bytes, strerror(cause));
	}
	return fd;
}

static int lock(const struct ringway_memory *memory)
{
	struct rlimit limit;

	if (mlock(memory->base, memory->bytes) == 0)
		return 0;
	getrlimit(RLIMIT_MEMLOCK, &limit);
	return error_set(ENOMEM, "cannot lock %zu MiB of DMA memory, the limit is %llu KiB: run as root, or `ulimit -l unlimited`",
	                 memory->bytes >> 20, (unsigned long long)limit.rlim_cur >> 10);
}

/* The physical address of an extent; its 512 entries must follow each other, or it is no hugepage. */
static int address_of(const struct ringway_memory *memory, int pagemap, uint32_t extent, uint64_t *address)
{
	const uint8_t *first = memory->base + ((size_t)extent << DMA_EXTENT_SHIFT);
	uint64_t entry[PAGES];

	if (pread(pagemap, entry, sizeof(entry), (off_t)((uintptr_t)first / DMA_PAGE_BYTES * sizeof(entry[0]))) != sizeof(entry))
		return error_set(EACCES, "cannot read %s: run as root", bus_paths.pagemap);
	if (!(entry[0] & PRESENT) || (entry[0] & PFN_MASK) == 0)
		return error_set(EACCES, "%s hides physical addresses: run as root (CAP_SYS_ADMIN)", bus_paths.pagemap);
	for (uint32_t i = 1; i < PAGES; i++)
		if ((entry[i] & PFN_MASK) != (entry[0] & PFN_MASK) + i)
			return error_set(ENOMEM, "the pages of %s are not contiguous: it must be a hugetlbfs of 2 MiB pages or larger",
			                 bus_paths.hugepages);
	*address = (entry[0] & PFN_MASK) * DMA_PAGE_BYTES;
	return 0;
}

int huge_addresses(struct ringway_memory *memory)
{
	int error = lock(memory), pagemap;

	if (error < 0)
		return error;
	pagemap = open(bus_paths.pagemap, O_RDONLY | O_CLOEXEC);
	if (pagemap < 0)
		return error_set(EACCES, "cannot open %s: %s; run as root", bus_paths.pagemap, strerror(errno));
	for (uint32_t extent = 0; error == 0 && extent < memory->extents; extent++)
		error = address_of(memory, pagemap, extent, &memory->extent_iova[extent]);
	close(pagemap);
	return error;
}
