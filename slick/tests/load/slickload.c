// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Loads the echo service or the forwarder and says what came of it. Needs nothing but a kernel
 * below it.
 */
#define _GNU_SOURCE /* sched_setaffinity */
#include "load.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

static const char usage[] =
"slickload echo ADDRESS PORT [--size BYTES] [--connections N] [--depth N]\n"
"  [--frames thrift]   messages of Thrift's, each --size bytes long in all\n"
"slickload forward ADDRESS PORT CONTROL [--payload BYTES] [--senders N] [--backends N]\n"
"  [--first-key N]\n"
"both: --messages N | --seconds T   how much, or how long\n"
"  --rate N        open loop: N messages a second in all, late or not; latency counts from then\n"
"  --verify        compare every byte\n"
"  --split         send in odd pieces\n"
"  --eager         echo: wake up for every answer, not for half a window\n"
"  --cpu N         run on this processor\n"
"  --sched batch   do not interrupt the service where both share a processor\n"
"  --patience T    seconds without progress before what is missing counts as lost (5)\n"
"One JSON object on the last line. Exit: 0 all came, 1 lost, wrong, out of order or failed,\n"
"2 usage, or no service there.\n";

enum {
	SIZE = 1, CONNECTIONS, BACKENDS, FIRST_KEY, DEPTH, MESSAGES, SECONDS, RATE, VERIFY, SPLIT,
	EAGER, FRAMES, CPU, SCHED, PATIENCE, HELP,
};

static const struct option longs[] = {
	{ "size", 1, NULL, SIZE },		{ "payload", 1, NULL, SIZE },
	{ "connections", 1, NULL, CONNECTIONS }, { "senders", 1, NULL, CONNECTIONS },
	{ "backends", 1, NULL, BACKENDS },	{ "first-key", 1, NULL, FIRST_KEY },
	{ "depth", 1, NULL, DEPTH },		{ "messages", 1, NULL, MESSAGES },
	{ "seconds", 1, NULL, SECONDS },	{ "rate", 1, NULL, RATE },
	{ "verify", 0, NULL, VERIFY },		{ "split", 0, NULL, SPLIT },
	{ "eager", 0, NULL, EAGER },		{ "frames", 1, NULL, FRAMES },
	{ "cpu", 1, NULL, CPU },
	{ "sched", 1, NULL, SCHED },		{ "patience", 1, NULL, PATIENCE },
	{ "help", 0, NULL, HELP },		{ 0 },
};

void die(const char *format, ...)
{
	va_list list;

	fprintf(stderr, "slickload: ");
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fprintf(stderr, "\n");
	exit(EXIT_USAGE);
}

void *get_memory(size_t size)
{
	void *memory = calloc(1, size ? size : 1);

	if (!memory)
		die("no memory");
	return memory;
}

static uint64_t number(const char *what, const char *text, uint64_t least, uint64_t most)
{
	uint64_t value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || value < least || value > most)
		die("%s is a number from %" PRIu64 " to %" PRIu64 ", not '%s'", what, least, most,
		    text);
	return value;
}

static uint64_t seconds(const char *what, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value > 0 && value <= 86400))
		die("%s is a number of seconds above 0, not '%s'", what, text);
	return (uint64_t)(value * (double)NS);
}

static void set(struct options *options, int which, const char *text)
{
	switch (which) {
	case SIZE:
		options->size = (uint32_t)number("--size", text, 1, 1 << 20);
		break;
	case CONNECTIONS:
		options->connections = (uint32_t)number("--connections", text, 1, 10000);
		break;
	case BACKENDS:
		options->backends = (uint32_t)number("--backends", text, 1, 1000);
		break;
	case FIRST_KEY:
		options->first_key = (uint32_t)number("--first-key", text, 0, 1 << 30);
		break;
	case DEPTH:
		options->depth = (uint32_t)number("--depth", text, 1, 65536);
		break;
	case MESSAGES:
		options->messages = number("--messages", text, 1, ENDLESS - 1);
		break;
	case SECONDS:
		options->ns = seconds("--seconds", text);
		break;
	case RATE:
		options->rate = number("--rate", text, 1, 1000000000);
		break;
	case PATIENCE:
		options->patience = seconds("--patience", text);
		break;
	case FRAMES:
		if (strcmp(text, "thrift"))
			die("--frames is thrift, not '%s'", text);
		options->thrift = true;
		break;
	case CPU:
		options->cpu = (int)number("--cpu", text, 0, CPU_SETSIZE - 1);
		break;
	case SCHED:
		if (strcmp(text, "batch") && strcmp(text, "other"))
			die("--sched is batch or other, not '%s'", text);
		options->batch = !strcmp(text, "batch");
		break;
	default:
		options->verify |= which == VERIFY;
		options->split |= which == SPLIT;
		options->eager |= which == EAGER;
		break;
	}
}

static void words(struct options *options, int count, char **word)
{
	int wanted;

	if (!count || (strcmp(word[0], "echo") && strcmp(word[0], "forward")))
		die("the first word is echo or forward; --help tells more");
	options->forward = !strcmp(word[0], "forward");
	wanted = options->forward ? 4 : 3;
	if (count != wanted)
		die("%s takes ADDRESS PORT%s", word[0], options->forward ? " CONTROL" : "");
	options->address = word[1];
	options->port = (uint16_t)number("PORT", word[2], 1, 65535);
	if (options->forward)
		options->control = (uint16_t)number("CONTROL", word[3], 1, 65535);
	if (options->forward && options->size < PAYLOAD_LEAST)
		die("--payload is at least %d: a message carries its sender, sequence and time",
		    PAYLOAD_LEAST);
	if (options->thrift && options->forward)
		die("--frames is for echo: a forwarder has no other messages");
	if (options->thrift && options->size < FRAME_EXTRA)
		die("--size is at least %d with --frames", FRAME_EXTRA);
	if (!options->ns && options->messages == ENDLESS)
		die("how much? --messages N or --seconds T");
	if (options->ns && options->messages != ENDLESS)
		die("--messages or --seconds, not both");
}

static void parse(struct options *options, int count, char **word)
{
	int which;

	opterr = 0;
	while ((which = getopt_long(count, word, "", longs, NULL)) != -1) {
		if (which == HELP) {
			fputs(usage, stdout);
			exit(EXIT_GOOD);
		}
		if (which == '?')
			die("unknown or without its value: '%s'; --help tells more",
			    word[optind - 1]);
		set(options, which, optarg);
	}
	words(options, count - optind, word + optind);
}

static void settle(const struct options *options)
{
	const struct sched_param none = { 0 };
	cpu_set_t cpus;

	if (options->cpu >= 0) {
		CPU_ZERO(&cpus);
		CPU_SET((size_t)options->cpu, &cpus);
		if (sched_setaffinity(0, sizeof(cpus), &cpus))
			die("processor %d cannot be had: %s", options->cpu, strerror(errno));
	}
	if (options->batch && sched_setscheduler(0, SCHED_BATCH, &none))
		die("SCHED_BATCH cannot be had: %s", strerror(errno));
	prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
}

static uint64_t cpu_ns(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * NS +
		(uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000;
}

static void print(const struct result *result)
{
	printf("{\"messages\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"nanoseconds\":%" PRIu64
	       ",\"sent\":%" PRIu64 ",\"due\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"wrong\":%" PRIu64
	       ",\"reordered\":%" PRIu64 ",\"failed\":%" PRIu64
	       ",\"latency_us\":{\"p50\":%.1f,\"p99\":%.1f}"
	       ",\"socket_calls\":%" PRIu64 ",\"cpu_nanoseconds\":%" PRIu64 "}\n",
	       result->messages, result->bytes, result->ns, result->sent, result->due,
	       result->lost, result->wrong, result->reordered, result->failed,
	       latency_us(&result->latency, 0.5), latency_us(&result->latency, 0.99),
	       socket_calls, cpu_ns());
}

int main(int count, char **word)
{
	static struct result result;
	struct options options = {
		.size = 32, .connections = 8, .backends = 20, .first_key = 1, .depth = 32,
		.messages = ENDLESS, .patience = 5 * NS, .cpu = -1,
	};

	parse(&options, count, word);
	settle(&options);
	if (options.forward)
		forward_run(&options, &result);
	else
		echo_run(&options, &result);
	print(&result);
	return result.lost || result.wrong || result.reordered || result.failed ? EXIT_BAD_RESULT :
		EXIT_GOOD;
}
