/* SPDX-License-Identifier: BSD-3-Clause */
/* Which memory is mapped for the devices of which kind, and how many of them use it. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../error.h"
#include "vfio.h"

struct mapping {
	const struct vfio_kind *kind;
	const struct ringway_memory *memory;
	uint32_t users;
	struct mapping *next;
};

static struct mapping *mappings;

static struct mapping **find(const struct vfio_kind *kind, const struct ringway_memory *memory)
{
	struct mapping **at = &mappings;

	while (*at && ((*at)->kind != kind || (*at)->memory != memory))
		at = &(*at)->next;
	return at;
}

static int unmap_up_to(const struct vfio_kind *kind, const struct ringway_memory *memory, size_t end)
{
	int error = 0;

	for (struct dma_run run = dma_run_at(memory, 0); run.offset < end; run = dma_run_at(memory, run.offset + run.bytes))
		error = kind->unmap(&run) < 0 ? -EIO : error;
	return error;
}

static int refused(const char *name, const struct ringway_memory *memory, int error)
{
	struct rlimit limit;

	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (error == -ENOMEM)
		return error_set(ENOMEM, "%s: cannot pin %zu MiB of DMA memory, the limit of locked memory is %llu KiB: raise it with "
		                 "`ulimit -l unlimited` (or memlock in /etc/security/limits.conf)", name, memory->bytes >> 20,
		                 (unsigned long long)limit.rlim_cur >> 10);
	if (error == -EEXIST)
		return error_set(ENOTSUP, "%s: another DMA memory is mapped there; devices of one process share one", name);
	return error_set(EIO, "%s: cannot map the DMA memory at 0x%llx: %s", name, (unsigned long long)memory->extent_iova[0],
	                 strerror(-error));
}

int vfio_memory_map(const struct vfio_kind *kind, const char *name, const struct ringway_memory *memory)
{
	struct mapping **at = find(kind, memory), *new;

	if (*at) {
		(*at)->users++;
		return 0;
	}
	for (struct dma_run run = dma_run_at(memory, 0); run.bytes; run = dma_run_at(memory, run.offset + run.bytes)) {
		int error = kind->map(memory, &run);

		if (error < 0) {
			unmap_up_to(kind, memory, run.offset);
			return refused(name, memory, error);
		}
	}
	new = malloc(sizeof(*new));
	if (!new) {
		unmap_up_to(kind, memory, memory->bytes);
		return error_set(ENOMEM, "out of memory");
	}
	*new = (struct mapping){ .kind = kind, .memory = memory, .users = 1 };
	*at = new;
	return 0;
}

int vfio_memory_unmap(const struct vfio_kind *kind, const struct ringway_memory *memory)
{
	struct mapping **at = find(kind, memory), *old = *at;

	if (!old || --old->users)
		return 0;
	*at = old->next;
	free(old);
	return unmap_up_to(kind, memory, memory->bytes);
}
