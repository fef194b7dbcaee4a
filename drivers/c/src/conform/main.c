/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop: a line in, a line out, until `quit`, the end of input or SIGTERM. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conform.h"

#define MEMORY_BYTES (96u << 20)

struct ringway_memory *memory;
struct ringway_batch *hand;
struct ringway_device *devices[DEVICES];
struct ringway_options opened[DEVICES];
unsigned device_count;

static void do_hello(const struct command *command)
{
	(void)command;
	puts("ok protocol=1 driver=c version=" RINGWAY_VERSION " features=rss,jumbo");
}

static void execute(const struct command *command)
{
	static const struct {
		const char *name;
		void (*run)(const struct command *);
	} table[] = {
		{ "hello", do_hello }, { "open", do_open }, { "receive", do_receive }, { "transmit", do_transmit },
		{ "send", do_send }, { "release", do_release }, { "forward", do_forward }, { "stats", do_stats },
		{ "link", do_link }, { "slots", do_slots }, { "promiscuous", do_promiscuous }, { "close", do_close },
	};
	const char *name = word_at(command, 0);

	for (size_t i = 0; name && i < sizeof(table) / sizeof(table[0]); i++) {
		if (strcmp(name, table[i].name) == 0) {
			table[i].run(command);
			return;
		}
	}
	usage(name ? "unknown command" : "no command", name);
}

static void close_all(void)
{
	for (unsigned i = 0; i < device_count; i++)
		if (devices[i])
			close_device(i);
	ringway_batch_destroy(hand);
	ringway_memory_destroy(memory);
}

static int nothing; /* /dev/null */

/* Input is at its end from here on. A read that waits is interrupted (no SA_RESTART); one that has not begun finds the end. */
static void on_signal(int signal)
{
	(void)signal;
	dup2(nothing, STDIN_FILENO);
}

/* One memory for all devices of a test. Where the judge will name PCI functions it says so, and how many MiB of hugepages. */
static int make_memory(void)
{
	const char *hugepages = getenv("RINGWAY_HUGEPAGES");

	if (hugepages)
		return ringway_memory_create_huge(strtoull(hugepages, NULL, 10) << 20, &memory);
	return ringway_memory_create(MEMORY_BYTES, &memory);
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	static struct command command;
	char *line = NULL;
	size_t capacity = 0;
	bool quit = false;

	nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigaction(SIGTERM, &action, NULL);
	if (make_memory() < 0 || !(hand = ringway_batch_create(memory, HAND_SLOTS))) {
		fprintf(stderr, "%s\n", ringway_error());
		return 1;
	}
	while (!quit && getline(&line, &capacity, stdin) >= 0) {
		split(line, &command);
		quit = command.words > 0 && strcmp(command.word[0], "quit") == 0;
		if (!quit)
			execute(&command);
		fflush(stdout);
	}
	close_all();
	if (quit)
		puts("ok");
	free(line);
	return 0;
}
