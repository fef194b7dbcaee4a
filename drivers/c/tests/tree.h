/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fake of what the kernel shows of PCI functions, in a temporary directory: devices, drivers, VFIO's nodes, hugepages,
 * pagemap. The files are plain; what needs a kernel behind them (ioctl, refusals) is wrapped by the linker.
 */
#ifndef RINGWAY_TESTS_TREE_H
#define RINGWAY_TESTS_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "bus.h"
#include "dma.h"

#define TREE_NIC     "0000:03:00.0" /* an 82599, bound to ixgbe */
#define TREE_SIBLING "0000:03:00.1" /* its other port */
#define TREE_DISK    "0000:04:00.0"
#define TREE_RUNS    16u

struct tree {
	char root[64];
	struct bus_paths saved;
};

/** What the kernel of the tree does and has seen. */
struct kernel {
	/* faults */
	const char *refused_path; /* open of a path that ends so fails with `refusal` */
	int refusal;
	bool no_iommu, not_viable, in_use, no_memlock, no_hugepages, hidden_addresses, scattered;
	bool cannot_ask; /* has no interrupt for a function that it wants back */
	/* what happened */
	uint32_t containers, iommus; /* SET_IOMMU, IOAS_ALLOC */
	uint32_t map_count, maps_now, resets, vectors;
	int wanted_back; /* eventfd that the driver listens to */
	struct dma_run map[TREE_RUNS];
	const uint8_t *vaddr[TREE_RUNS];
};
extern struct kernel kernel;

/** Makes the tree and points bus_paths at it. */
void tree_begin(struct tree *tree);
void tree_end(struct tree *tree);
/** Binds a function to a driver (a new directory of it if need be), or to none. */
void tree_bind(const struct tree *tree, const char *function, const char *driver);
/** Puts a function into an IOMMU group with a node, and into the list of the group's members. */
void tree_group(const struct tree *tree, const char *function, const char *number);
/** The path of something below the root; good for the next three calls. */
const char *tree_path(const struct tree *tree, const char *path);
/** Writes a file below the root, of text. */
void tree_write(const struct tree *tree, const char *path, const char *text);
/** Reads one; "" if it is not there. */
const char *tree_read(const struct tree *tree, const char *path);
/** Two bytes of a file. */
uint16_t tree_word(const struct tree *tree, const char *path, long offset);

/** Acts as the card behind resource0 (or the device file, at `offset`) until card_end: its reset ends. */
void card_begin(const struct tree *tree, const char *path, long offset);
void card_end(void);

#endif
