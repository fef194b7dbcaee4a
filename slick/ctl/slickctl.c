// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "ctl.h"

#include <argp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int ctl_fail(int code, const char *format, ...)
{
	va_list values;

	fputs("slickctl: ", stderr);
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	fputc('\n', stderr);
	return code;
}

struct verb {
	const char *name;
	int least, most;	/* words behind it */
	const char *words, *what;
};

static const struct verb verbs[] = {
	{ "load", 0, 1, "[DIRECTORY]", "installed modules, or those built there" },
	{ "unload", 0, 0, "", "stop all services everywhere, and unload" },
	{ "start", 2, 32, "SERVICE NAME KEY=VALUE...", "echo or forward, in this namespace" },
	{ "stop", 1, 1, "NAME", "end a service, and its connections" },
	{ "set", 2, 8, "NAME KEY=VALUE...", "while it runs: marks=HIGH,LOW of forward" },
	{ "services", 0, 0, "", "what runs, with its figures" },
	{ "loops", 0, 0, "", "event loops" },
	{ "sockets", 0, 0, "", "the sockets on them" },
	{ "counters", 0, 0, "", "what happened so far" },
	{ "doctor", 0, 0, "", "what is missing, and what fixes it" },
};

#define VERBS (sizeof(verbs) / sizeof(verbs[0]))

struct words {
	int count;
	char *word[40];
};

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct words *words = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (words->count == 40)
			argp_error(state, "too many words");
		words->word[words->count++] = text;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_usage(state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static char *list_verbs(int key, const char *text, void *input)
{
	char *all = NULL;
	size_t size, verb;
	FILE *file;

	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	file = open_memstream(&all, &size);
	if (!file)
		return (char *)text;
	fputs("Commands:\n", file);
	for (verb = 0; verb < VERBS; verb++)
		fprintf(file, "  %-8s %-25s %s\n", verbs[verb].name, verbs[verb].words, verbs[verb].what);
	fputs("\nExit codes: 0 done, 1 something is missing, 2 usage, 3 no module, 4 refused.", file);
	fclose(file);
	return all;
}

static const struct argp argp = {
	NULL, parse, "COMMAND [WORD...]", "Services inside the kernel: load, start, look, stop.\v ", NULL, list_verbs, NULL,
};

static int obey(const struct verb *verb, int count, char **words)
{
	if (!strcmp(verb->name, "load"))
		return ctl_load(count ? words[0] : NULL);
	if (!strcmp(verb->name, "unload"))
		return ctl_unload();
	if (!strcmp(verb->name, "doctor"))
		return ctl_doctor();
	if (!verb->most)
		return ctl_show(verb->name);
	return ctl_control(verb->name, count, words);
}

int main(int count, char **arguments)
{
	struct words words = { 0 };
	size_t verb;

	argp_err_exit_status = CTL_USAGE;
	argp_parse(&argp, count, arguments, ARGP_IN_ORDER, NULL, &words);
	for (verb = 0; verb < VERBS; verb++) {
		if (strcmp(words.word[0], verbs[verb].name))
			continue;
		if (words.count - 1 < verbs[verb].least || words.count - 1 > verbs[verb].most)
			return ctl_fail(CTL_USAGE, "usage: slickctl %s %s", verbs[verb].name,
					verbs[verb].words);
		return obey(&verbs[verb], words.count - 1, words.word + 1);
	}
	return ctl_fail(CTL_USAGE, "there is no command '%s': slickctl --help lists them", words.word[0]);
}
