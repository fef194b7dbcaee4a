/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What the shared sources (buffer, thrift, bsock, tsock, and the services) need of the world that
 * they are built in: types, memory, byte order. They include this and nothing else of the kernel's
 * or of libc's.
 */
#ifndef SLICK_PORT_H
#define SLICK_PORT_H

#ifdef __KERNEL__

#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/types.h>

struct socket;
typedef struct socket *slick_sock_t;

/* Never from a softirq: buffers are given their full size before a socket gets there. */
static inline void *slick_alloc(size_t size)
{
	/* Who asks is told, and tells: a peer that opens connections must not fill the log. */
	return kvmalloc(size, GFP_KERNEL | __GFP_NOWARN);
}

static inline void slick_free(const void *memory)
{
	kvfree(memory);
}

/* A number that several processors count in. */
struct slick_tally {
	atomic64_t value;
};

static inline void slick_tally_add(struct slick_tally *counter)
{
	atomic64_inc(&counter->value);
}

static inline u64 slick_tally_read(const struct slick_tally *counter)
{
	return atomic64_read(&counter->value);
}

#else /* user space */

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

typedef int slick_sock_t;

#define EXPORT_SYMBOL_GPL(symbol) extern int slick_exports_nothing

#ifndef likely
#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)
#endif

/* For what another thread may change meanwhile. */
#define READ_ONCE(value) __atomic_load_n(&(value), __ATOMIC_RELAXED)
#define WRITE_ONCE(value, to) __atomic_store_n(&(value), to, __ATOMIC_RELAXED)

/* Errors as pointers, as in the kernel: the last page of the address space holds nothing. */
static inline void *ERR_PTR(long error)
{
	return (void *)error;
}

static inline long PTR_ERR(const void *pointer)
{
	return (long)pointer;
}

static inline bool IS_ERR(const void *pointer)
{
	return (unsigned long)pointer >= (unsigned long)-4095;
}

static inline void *slick_alloc(size_t size)
{
	return malloc(size);
}

static inline void slick_free(void *memory)
{
	free(memory);
}

struct slick_tally {
	u64 value;
};

static inline void slick_tally_add(struct slick_tally *counter)
{
	__atomic_fetch_add(&counter->value, 1, __ATOMIC_RELAXED);
}

static inline u64 slick_tally_read(const struct slick_tally *counter)
{
	return __atomic_load_n(&counter->value, __ATOMIC_RELAXED);
}

#endif

/*
 * A few bytes, word by word: a kernel's memcpy() is made for many (its string instructions take
 * long to begin), and a call by itself. They may not overlap.
 */
static inline void slick_copy(u8 *to, const u8 *from, size_t length)
{
	u64 word;
	size_t at;

	if (length < sizeof(word)) {
		for (at = 0; at < length; at++)
			to[at] = from[at];
		return;
	}
	for (at = 0; at + sizeof(word) <= length; at += sizeof(word)) {
		__builtin_memcpy(&word, from + at, sizeof(word));
		__builtin_memcpy(to + at, &word, sizeof(word));
	}
	/* The last word may lie over the one before. */
	at = length - sizeof(word);
	__builtin_memcpy(&word, from + at, sizeof(word));
	__builtin_memcpy(to + at, &word, sizeof(word));
}

static inline u32 slick_get_be32(const u8 *at)
{
	return (u32)at[0] << 24 | (u32)at[1] << 16 | (u32)at[2] << 8 | at[3];
}

static inline void slick_put_be32(u8 *at, u32 value)
{
	at[0] = (u8)(value >> 24);
	at[1] = (u8)(value >> 16);
	at[2] = (u8)(value >> 8);
	at[3] = (u8)value;
}

#endif
