/* SPDX-License-Identifier: BSD-3-Clause */
/* fetch -- has a cache line brought that will be written soon, without waiting for it */
#ifndef RINGWAY_SRC_FETCH_H
#define RINGWAY_SRC_FETCH_H

/**
 * Lines that the device has written come from another core's cache or from memory, at once for many but slowly for each. Asked
 * for to be written, a line comes in one transaction; read first and written then, it takes two.
 */
static inline void fetch_to_write(const volatile void *line)
{
#if defined(__x86_64__)
	/* GCC makes PREFETCHW of __builtin_prefetch only if told of the processor; those that lack it take it for a NOP. */
	__asm__ volatile("prefetchw %0" : : "m"(*(const volatile char *)line));
#else
	__builtin_prefetch((const void *)line, 1);
#endif
}

#endif
