/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* `key=value key=value ...` of a line written to /proc/net/slick/control, for services' modules. */
#ifndef SLICK_ARGUMENTS_H
#define SLICK_ARGUMENTS_H

#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/string.h>

/*
 * Takes the next pair off the front of the line: 1, 0 at its end, or -EINVAL where there is no `=`.
 */
static inline int slick_arguments_next(char **line, char **key, char **value)
{
	char *word;

	do {
		word = strsep(line, " \t\n");
	} while (word && !*word);
	if (!word)
		return 0;
	*key = strsep(&word, "=");
	*value = word;
	return word ? 1 : -EINVAL;
}

/* HIGH,LOW */
static inline int slick_arguments_marks(char *text, u32 *high, u32 *low)
{
	char *first = strsep(&text, ",");

	if (!text || kstrtou32(first, 10, high) || kstrtou32(text, 10, low))
		return -EINVAL;
	return *high && *low <= *high ? 0 : -EINVAL;
}

#endif
