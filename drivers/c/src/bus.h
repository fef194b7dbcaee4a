/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bus -- how a PCI function is reached (design: three ways, one driver above them)
 * Config space, regions, DMA, interrupts, reset, close. The code above does not know which way it runs on.
 */
#ifndef RINGWAY_SRC_BUS_H
#define RINGWAY_SRC_BUS_H

#include <stdint.h>

#include "ringway.h"

#define BUS_BAR0   0u /* VFIO region numbers */
#define BUS_CONFIG 7u
#define BUS_AREAS  8u

struct bus;

struct bus_ops {
	const char *way; /* what ringway_way() says */
	/** Trapped access of `width` bytes (1, 2 or 4). */
	int (*read)(struct bus *bus, uint32_t region, uint32_t offset, uint32_t width, uint32_t *value);
	int (*write)(struct bus *bus, uint32_t region, uint32_t offset, uint32_t width, uint32_t value);
	/** Takes the function from its present owner, if there is one; close gives it back. NULL if there is nothing to take. */
	int (*claim)(struct bus *bus, const struct ringway_memory *memory);
	/** Lets the device reach the memory, at the addresses that memory->extent_iova says. */
	int (*map_memory)(struct bus *bus, struct ringway_memory *memory);
	int (*unmap_memory)(struct bus *bus, struct ringway_memory *memory);
	/** Binds eventfds to MSI-X vectors first .. first + count - 1; count 0 unbinds all. */
	int (*bind_vectors)(struct bus *bus, uint32_t first, const int *eventfds, uint32_t count);
	/** Function level reset. */
	int (*reset)(struct bus *bus);
	/** 0 while the device is there, -EIO once it is gone. Cheap, but a system call. */
	int (*alive)(struct bus *bus);
	void (*close)(struct bus *bus);
};

/** A part of BAR0 that is reached by loads and stores. */
struct bus_area {
	uint32_t offset;
	uint32_t bytes;
	volatile uint8_t *base;
};

/** What every way has in common; each embeds it as its first member. */
struct bus {
	const struct bus_ops *ops;
	struct bus_area area[BUS_AREAS];
	uint32_t areas;
};

/** Where the kernel's interfaces are. Tests point them elsewhere. */
struct bus_paths {
	const char *devices;   /* RINGWAY_SYSFS goes before it */
	const char *vfio;      /* directory of the container and the groups */
	const char *iommu;     /* iommufd */
	const char *hugepages; /* a mount of hugetlbfs */
	long hugepages_type;   /* what statfs says of one */
	const char *pagemap;
};
extern struct bus_paths bus_paths;

/** Reaches the function at `address`. Nothing of it has changed until it is claimed. */
int bus_open(const char *address, struct bus **bus);

struct pci;
/* The ways, each in the file of its name. */
int vfio_user_open(const char *path, struct bus **bus);
int vfio_open(const struct pci *pci, struct bus **bus);
int sysfs_open(const struct pci *pci, struct bus **bus);

#endif
