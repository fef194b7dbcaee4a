/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "region.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "../error.h"
#include "wire.h"

struct answer {
	const char *address;
	int fd;
	const uint8_t *data;
	size_t bytes;
};

int region_map_area(struct bus *bus, const char *address, int fd, uint64_t file_offset, uint64_t offset, uint64_t bytes)
{
	void *base;

	if (offset > UINT32_MAX || bytes > UINT32_MAX - offset)
		return error_set(EIO, "%s: it says that a part of BAR0 lies at 0x%llx", address, (unsigned long long)offset);
	if (bus->areas == BUS_AREAS)
		return 0; /* what is not mapped is trapped: slower, not wrong */
	base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)(file_offset + offset));
	if (base == MAP_FAILED)
		return error_set(EIO, "%s: cannot map 0x%llx bytes of BAR0: %s", address, (unsigned long long)bytes,
		                 strerror(errno));
	bus->area[bus->areas++] = (struct bus_area){ .offset = (uint32_t)offset, .bytes = (uint32_t)bytes, .base = base };
	return 0;
}

static int map_areas(struct bus *bus, const struct answer *answer, uint64_t file_offset, size_t at, uint32_t areas)
{
	for (uint32_t i = 0; i < areas; i++, at += sizeof(struct wire_sparse_area)) {
		struct wire_sparse_area area;
		int error;

		if (at + sizeof(area) > answer->bytes)
			break;
		memcpy(&area, answer->data + at, sizeof(area));
		error = region_map_area(bus, answer->address, answer->fd, file_offset, area.offset, area.size);
		if (error < 0)
			return error;
	}
	return 0;
}

/* Walks the capability chain for sparse areas; without any, all of the region may be mapped. */
static int map_mappable(struct bus *bus, const struct answer *answer, const struct wire_region_info *info)
{
	size_t at = info->flags & WIRE_REGION_FLAGS_CAPS ? info->cap_offset : 0;

	for (int hops = 0; at && hops < 16; hops++) {
		struct wire_sparse_mmap sparse;
		struct wire_cap_header header;

		if (at + sizeof(sparse) > answer->bytes)
			break;
		memcpy(&header, answer->data + at, sizeof(header));
		memcpy(&sparse, answer->data + at, sizeof(sparse));
		if (header.id == WIRE_REGION_CAP_SPARSE_MMAP)
			return map_areas(bus, answer, info->offset, at + sizeof(sparse), sparse.nr_areas);
		at = header.next;
	}
	return region_map_area(bus, answer->address, answer->fd, info->offset, 0, info->size);
}

int region_map(struct bus *bus, const char *address, int fd, const uint8_t *data, size_t bytes)
{
	const struct answer answer = { address, fd, data, bytes };
	struct wire_region_info info = { 0 };

	if (bytes >= sizeof(info))
		memcpy(&info, data, sizeof(info));
	if (info.size < BAR0_BYTES)
		return error_set(ENOTSUP, "%s: BAR0 is smaller than the 128 KiB of an 82599", address);
	return fd >= 0 && info.flags & WIRE_REGION_FLAGS_MMAP ? map_mappable(bus, &answer, &info) : 0;
}

void region_unmap(struct bus *bus)
{
	for (uint32_t i = 0; i < bus->areas; i++)
		munmap((void *)bus->area[i].base, bus->area[i].bytes);
	bus->areas = 0;
}
