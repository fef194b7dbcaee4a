// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "kit.h"

#include <stdio.h>

static int number(const char *text, const struct slick_bpf_option *option)
{
	char *end;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	*option->number = strtoull(text, &end, 10);
	if (errno || *end || *option->number < option->least || *option->number > option->most)
		return -EINVAL;
	return 0;
}

static const struct slick_bpf_option *find(const struct slick_bpf_option *options, const char *text)
{
	if (strncmp(text, "--", 2))
		return NULL;
	for (; options->name; options++) {
		if (!strcmp(options->name, text + 2))
			return options;
	}
	return NULL;
}

int slick_bpf_options(int count, char **values, const struct slick_bpf_option *options,
		      const char *usage)
{
	const struct slick_bpf_option *option;
	int at;

	for (at = 1; at < count; at++) {
		if (!strcmp(values[at], "--help")) {
			printf("usage: %s\n", usage);
			exit(EXIT_SUCCESS);
		}
		option = find(options, values[at]);
		if (!option)
			return slick_bpf_fail("%s is not understood; usage: %s", values[at], usage);
		if (option->flag) {
			*option->flag = true;
			continue;
		}
		if (++at == count)
			return slick_bpf_fail("%s wants a value; usage: %s", values[at - 1], usage);
		if (option->text)
			*option->text = values[at];
		else if (number(values[at], option))
			return slick_bpf_fail("--%s wants a number from %llu to %llu, not %s",
					      option->name, (unsigned long long)option->least,
					      (unsigned long long)option->most, values[at]);
	}
	return EXIT_SUCCESS;
}
