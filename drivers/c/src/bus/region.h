/* SPDX-License-Identifier: BSD-3-Clause */
/* bus/region -- mapping BAR0 by an answer to GET_REGION_INFO: the same bytes from a socket and from the kernel. */
#ifndef RINGWAY_SRC_BUS_REGION_H
#define RINGWAY_SRC_BUS_REGION_H

#include <stddef.h>

#include "../bus.h"

/** What an 82599 has; anything smaller is another device. */
#define BAR0_BYTES 0x20000u

/**
 * Maps what may be mapped of BAR0.
 * @param address  for messages
 * @param fd       what to map; -1 if nothing can be
 * @param data     structure region_info and its capabilities, `bytes` of them. They are the peer's: every offset is checked.
 * @return 0, -ENOTSUP if BAR0 is not that of an 82599, -EIO
 */
int region_map(struct bus *bus, const char *address, int fd, const uint8_t *data, size_t bytes);
/** Maps `bytes` of `fd` at `file_offset` as the part of BAR0 from `offset` on. */
int region_map_area(struct bus *bus, const char *address, int fd, uint64_t file_offset, uint64_t offset, uint64_t bytes);
/** Unmaps all of it. */
void region_unmap(struct bus *bus);

#endif
