/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * Lists as in the kernel; a user process gets the few functions of them that the services use,
 * under the same names.
 */
#ifndef SLICK_LIST_H
#define SLICK_LIST_H

#ifdef __KERNEL__

#include <linux/list.h>

#else

#include <stdbool.h>
#include <stddef.h>

struct list_head {
	struct list_head *next, *prev;
};

#ifndef container_of
#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))
#endif

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list;
	list->prev = list;
}

static inline bool list_empty(const struct list_head *list)
{
	return list->next == list;
}

static inline void list_add_tail(struct list_head *entry, struct list_head *list)
{
	entry->prev = list->prev;
	entry->next = list;
	list->prev->next = entry;
	list->prev = entry;
}

static inline void list_del_init(struct list_head *entry)
{
	entry->prev->next = entry->next;
	entry->next->prev = entry->prev;
	INIT_LIST_HEAD(entry);
}

#define list_entry(pointer, type, member) container_of(pointer, type, member)
#define list_first_entry(list, type, member) list_entry((list)->next, type, member)

#define list_for_each_entry(at, list, member)				\
	for (at = list_first_entry(list, __typeof__(*at), member);	\
	     &at->member != (list);					\
	     at = list_entry(at->member.next, __typeof__(*at), member))

#define list_for_each_entry_safe(at, after, list, member)			\
	for (at = list_first_entry(list, __typeof__(*at), member),		\
	     after = list_entry(at->member.next, __typeof__(*at), member);	\
	     &at->member != (list);						\
	     at = after, after = list_entry(after->member.next, __typeof__(*at), member))

#endif

#endif
