/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bus/vfio -- the two ways to a device that is bound to vfio-pci
 * Groups in a container, or a device node and iommufd. Either has one IO address space for all devices of the process: the
 * memory is pinned, and charged to the limit of locked memory, once; and two ports that share a group can both be opened.
 */
#ifndef RINGWAY_SRC_BUS_VFIO_H
#define RINGWAY_SRC_BUS_VFIO_H

#include "../dma.h"
#include "pci.h"

struct vfio_kind {
	/** Opens the function's device. `id` is what leave() wants. The device's descriptor, or a negative errno. */
	int (*join)(const struct pci *pci, uint32_t *id);
	/** The device is closed: what only it used is closed too. */
	void (*leave)(uint32_t id);
	/** Maps `run` of the memory for every device that has joined. 0 or a negative errno, without a message. */
	int (*map)(const struct ringway_memory *memory, const struct dma_run *run);
	int (*unmap)(const struct dma_run *run);
};

extern const struct vfio_kind vfio_group;   /* vfio_group.c */
extern const struct vfio_kind vfio_iommufd; /* vfio_iommufd.c */

/** Whether the kernel has a device node for this function, and an iommufd, that may be opened. */
bool vfio_iommufd_is_there(const struct pci *pci);

/** Maps the memory unless another device has done so (vfio_memory.c). -ENOMEM names the limit of locked memory. */
int vfio_memory_map(const struct vfio_kind *kind, const char *name, const struct ringway_memory *memory);
/** Unmaps it after the last device. */
int vfio_memory_unmap(const struct vfio_kind *kind, const struct ringway_memory *memory);

#endif
