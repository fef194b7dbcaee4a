// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * The failure matrix: what a service has to bear, tried against one that runs, in the kernel or in
 * a process. One line a test. slickmatrix echo ADDRESS PORT, slickmatrix thrift ADDRESS PORT (an
 * echo of whole Thrift messages), slickmatrix forward ADDRESS PORT CONTROL. Options before them: --only WORD (tests whose name has it), --patience SECONDS (that a
 * test may take, 60), --list.
 */
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"

struct target target = { .patience = 60 };

static char reason[256];
static const char *only = "";
static bool list;

bool fail(const char *format, ...)
{
	va_list arguments;

	if (reason[0])
		return false;
	va_start(arguments, format);
	vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	return false;
}

bool reword(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	return false;
}

const char *failure(void)
{
	return reason[0] ? reason : "no reason was given";
}

static int usage(const char *why)
{
	fprintf(stderr, "slickmatrix: %s. Use: slickmatrix [--only WORD] [--patience SECONDS] [--list] "
		"echo|thrift ADDRESS PORT | forward ADDRESS PORT CONTROL\n", why);
	return 2;
}

static int number(const char *word, int most)
{
	char *end;
	long value = strtol(word, &end, 10);

	return *word && !*end && value > 0 && value <= most ? (int)value : 0;
}

static int run(const char *what, const struct test *tests)
{
	int64_t start = now();
	int passed = 0, failed = 0;

	for (; tests->name; tests++) {
		if (!strstr(tests->name, only))
			continue;
		if (list) {
			printf("matrix::%s_%s\n", what, tests->name);
			continue;
		}
		reason[0] = 0;
		deadline_begin();
		if (tests->run()) {
			passed++;
			printf("test matrix::%s_%s ... ok\n", what, tests->name);
		} else {
			failed++;
			printf("test matrix::%s_%s ... FAILED (%s)\n", what, tests->name,
			       failure());
		}
		fflush(stdout);
	}
	if (list)
		return 0;
	printf("test result: %s. %d passed; %d failed; finished in %.2fs\n",
	       failed || !passed ? "FAILED" : "ok", passed, failed, (double)(now() - start) / 1000);
	return failed || !passed;
}

static const struct test *tests_of(const char *service)
{
	if (!strcmp(service, "echo"))
		return echo_tests;
	if (!strcmp(service, "thrift"))
		return thrift_tests;
	return !strcmp(service, "forward") ? forward_tests : NULL;
}

int main(int count, char **words)
{
	static const struct option options[] = {
		{ "only", required_argument, NULL, 'o' },
		{ "patience", required_argument, NULL, 'p' },
		{ "list", no_argument, NULL, 'l' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	signal(SIGPIPE, SIG_IGN);
	while ((option = getopt_long(count, words, "+", options, NULL)) != -1) {
		if (option == 'o')
			only = optarg;
		else if (option == 'l')
			list = true;
		else if (option != 'p' || !(target.patience = number(optarg, 3600)))
			return usage("an option is not known, or its value is none");
	}
	words += optind;
	count -= optind;
	if (list && count == 1 && tests_of(words[0]))
		return run(words[0], tests_of(words[0]));
	if (count < 3 || !(target.port = number(words[2], 65535)))
		return usage("a service, an address and a port are wanted");
	target.address = words[1];
	if (strcmp(words[0], "forward") && tests_of(words[0]) && count == 3)
		return run(words[0], tests_of(words[0]));
	if (!strcmp(words[0], "forward") && count == 4 &&
	    (target.control = number(words[3], 65535)))
		return run("forward", forward_tests);
	return usage("echo and thrift want one port, forward two");
}
