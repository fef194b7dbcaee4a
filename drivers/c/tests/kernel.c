/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel behind the tree: ioctls of VFIO and iommufd, refusals, and a pagemap that knows the mapping. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bus/wire.h"
#include "tests.h"
#include "tree.h"

#define BAR_OFFSET 0x100000 /* of BAR0 in the device's file; the real kernel has another, and says so */

struct kernel kernel;

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
void *__real_mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset);
int __wrap_mlock(const void *address, size_t bytes);

static int refuse(int errnum)
{
	errno = errnum;
	return -1;
}

int __wrap_open(const char *path, int flags, ...)
{
	size_t length = strlen(path), end = kernel.refused_path ? strlen(kernel.refused_path) : 0;
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	if (end && length >= end && strcmp(path + length - end, kernel.refused_path) == 0)
		return refuse(kernel.refusal);
	return __real_open(path, flags, mode);
}

int __wrap_mlock(const void *address, size_t bytes)
{
	(void)address;
	(void)bytes;
	return kernel.no_memlock ? refuse(ENOMEM) : 0;
}

/* Hugepages go downwards in physical memory: none follows the one before. */
static void fill_pagemap(const uint8_t *base, size_t bytes)
{
	int fd = __real_open(bus_paths.pagemap, O_WRONLY | O_CLOEXEC);

	for (size_t page = 0; page < bytes / DMA_PAGE_BYTES; page++) {
		uint64_t extent = page / 512, entry = UINT64_C(1) << 63;

		if (!kernel.hidden_addresses)
			entry |= 0x100000 - extent * 0x400 + page % 512 * (kernel.scattered ? 2 : 1);
		assert_int_equal(pwrite(fd, &entry, sizeof(entry), (off_t)(((uintptr_t)base / DMA_PAGE_BYTES + page) * sizeof(entry))),
		                 sizeof(entry));
	}
	close(fd);
}

void *__wrap_mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	void *base;

	if (flags & MAP_POPULATE && kernel.no_hugepages) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	base = __real_mmap(address, bytes, protection, flags, fd, offset);
	if (flags & MAP_POPULATE && base != MAP_FAILED)
		fill_pagemap(base, bytes);
	return base;
}

/* --- ioctl ------------------------------------------------------------------------------------------------------ */

static int open_device(void)
{
	char path[PATH_MAX];

	if (kernel.in_use)
		return refuse(EBUSY);
	snprintf(path, sizeof(path), "%s/../device", bus_paths.vfio);
	return __real_open(path, O_RDWR | O_CLOEXEC);
}

static int region_info(struct wire_region_info *info)
{
	if (info->argsz < sizeof(*info))
		return refuse(EINVAL);
	info->flags = WIRE_REGION_FLAGS_READ | WIRE_REGION_FLAGS_WRITE;
	info->offset = 0;
	info->size = 256;
	if (info->index == BUS_BAR0) {
		info->flags |= WIRE_REGION_FLAGS_MMAP;
		info->offset = BAR_OFFSET;
		info->size = 0x20000;
	}
	return 0;
}

static int map(uint64_t vaddr, uint64_t iova, uint64_t bytes)
{
	uint32_t n = kernel.map_count;

	if (kernel.no_memlock)
		return refuse(ENOMEM);
	if ((vaddr | iova | bytes) % DMA_PAGE_BYTES || n == TREE_RUNS)
		return refuse(EINVAL);
	kernel.map[n] = (struct dma_run){ .iova = iova, .bytes = bytes };
	kernel.vaddr[n] = (const uint8_t *)(uintptr_t)vaddr;
	kernel.map_count++;
	kernel.maps_now++;
	return 0;
}

static int type1_map(const struct wire_type1_dma_map *call)
{
	return call->argsz == 32 && call->flags == 3 ? map(call->vaddr, call->iova, call->size) : refuse(EINVAL);
}

static int ioas_map(const struct wire_ioas_map *call)
{
	return call->size == 40 && call->flags == 7 && call->ioas_id == 5 ? map(call->user_va, call->iova, call->length) : refuse(EINVAL);
}

static int group_status(struct wire_group_status *status)
{
	status->flags = kernel.not_viable ? 0 : WIRE_GROUP_FLAGS_VIABLE;
	return 0;
}

static int ioas_alloc(struct wire_ioas_alloc *alloc)
{
	alloc->out_ioas_id = 5;
	kernel.iommus++;
	return 0;
}

/* Binds MSI-X vectors, or the one by which the host asks for the function. */
static int set_irqs(const struct wire_irq_set *set)
{
	if (set->argsz != sizeof(*set) + 4 * set->count)
		return refuse(EINVAL);
	if (set->index == WIRE_IRQ_REQ && !kernel.cannot_ask) {
		memcpy(&kernel.wanted_back, set + 1, sizeof(kernel.wanted_back));
		return 0;
	}
	if (set->index != WIRE_IRQ_MSIX)
		return refuse(EINVAL);
	kernel.vectors = set->count;
	return 0;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;

	(void)fd;
	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	switch (request) {
	case WIRE_IOCTL_GET_API_VERSION: return 0;
	case WIRE_IOCTL_CHECK_EXTENSION: return !kernel.no_iommu;
	case WIRE_IOCTL_GROUP_GET_STATUS: return group_status(argument);
	case WIRE_IOCTL_GROUP_SET_CONTAINER: kernel.containers++; return 0;
	case WIRE_IOCTL_SET_IOMMU: kernel.iommus++; return 0;
	case WIRE_IOCTL_GROUP_GET_DEVICE_FD: return open_device();
	case WIRE_IOCTL_DEVICE_GET_REGION_INFO: return region_info(argument);
	case WIRE_IOCTL_DEVICE_SET_IRQS: return set_irqs(argument);
	case WIRE_IOCTL_DEVICE_RESET: kernel.resets++; return 0;
	case WIRE_IOCTL_IOMMU_MAP_DMA: return type1_map(argument);
	case WIRE_IOCTL_IOMMU_UNMAP_DMA: kernel.maps_now--; return 0;
	case WIRE_IOCTL_DEVICE_BIND_IOMMUFD: return kernel.in_use ? refuse(EBUSY) : 0;
	case WIRE_IOCTL_DEVICE_ATTACH_IOMMUFD_PT: return ((struct wire_attach_iommufd_pt *)argument)->pt_id == 5 ? 0 : refuse(EINVAL);
	case WIRE_IOMMU_IOCTL_IOAS_ALLOC: return ioas_alloc(argument);
	case WIRE_IOMMU_IOCTL_IOAS_MAP: return ioas_map(argument);
	case WIRE_IOMMU_IOCTL_IOAS_UNMAP: kernel.maps_now--; return 0;
	default: return refuse(ENOTTY);
	}
}
