/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"

#define POOL_SLOTS 2048u /* for each queue */

static const char help[] =
	"usage: ringway-c forward A B  [options]   increments byte 48 of each packet from A to B and from B to A\n"
	"       ringway-c generate A   [options]   sends frames\n"
	"       ringway-c capture A FILE.pcap [options]\n"
	"       ringway-c info A       [options]\n"
	"An address is unix:/path/to/socket, or a PCI function such as 0000:03:00.0: by kernel VFIO if it is bound to vfio-pci,\n"
	"otherwise over sysfs, which wants root and hugepages.\n"
	"  --batch N        packets handled at once [32]\n"
	"  --duration S     ends after S seconds\n"
	"  --packets N      ends after N packets received (generate: sent)\n"
	"  --ring-slots N   descriptors of each ring [512]\n"
	"  --pool-slots N   packets of each device [2048 for each queue]\n"
	"  --queues N       forward, generate: queues of each device; with more than one, each has a thread [1]\n"
	"  --size N         generate: bytes of a frame, with FCS [64]\n"
	"  --core N         runs on this core; several threads run on the cores from this one on, or anywhere if there are fewer\n"
	"  --json           one JSON object a line\n"
	"Exit codes: 0 done, 2 usage, 3 cannot open the device, 4 the device failed.\n";

static int usage(const char *what, const char *word)
{
	fprintf(stderr, "ringway-c: %s%s%s. See ringway-c --help\n", what, word ? ": " : "", word ? word : "");
	return EXIT_USAGE;
}

static bool number(const char *word, uint64_t low, uint64_t high, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(word, &end, 10);
	return errno == 0 && word[0] >= '0' && word[0] <= '9' && *end == '\0' && *value >= low && *value <= high;
}

static bool set_number(struct settings *settings, int option, const char *word)
{
	uint64_t value;

	switch (option) {
	case 'b':
		return number(word, 1, 4096, &value) && (settings->batch = (uint32_t)value);
	case 'n':
		return number(word, 1, UINT64_MAX, &settings->packets);
	case 'r':
		return number(word, 1, UINT32_MAX, &value) && (settings->open.ring_slots = (uint32_t)value);
	case 'p':
		return number(word, 1, UINT32_MAX, &value) && (settings->open.pool_slots = (uint32_t)value);
	case 's':
		return number(word, 64, 1518, &value) && (settings->size = (uint32_t)value);
	case 'q':
		return number(word, 1, APP_QUEUES, &value) && (settings->queues = (uint32_t)value);
	case 'c':
		if (!number(word, 0, 1023, &value))
			return false;
		settings->core = (int)value;
		return true;
	default:
		return false;
	}
}

static bool set_duration(struct settings *settings, const char *word)
{
	char *end;

	settings->duration_s = strtod(word, &end);
	return end != word && *end == '\0' && settings->duration_s > 0;
}

static int positional(int argc, char **argv, struct settings *settings)
{
	static const struct {
		const char *app;
		int devices, files;
	} apps[] = { { "forward", 2, 0 }, { "generate", 1, 0 }, { "capture", 1, 1 }, { "info", 1, 0 } };

	for (size_t i = 0; i < sizeof(apps) / sizeof(apps[0]); i++) {
		if (strcmp(argv[0], apps[i].app) != 0)
			continue;
		if (argc - 1 != apps[i].devices + apps[i].files)
			return usage("wrong number of arguments for", argv[0]);
		if (apps[i].files && settings->queues > 1)
			return usage("a file keeps the order of packets, so there is one queue for", argv[0]);
		settings->app = apps[i].app;
		settings->devices = apps[i].devices;
		for (int d = 0; d < apps[i].devices; d++)
			settings->address[d] = argv[1 + d];
		settings->file = apps[i].files ? argv[2] : NULL;
		return -1;
	}
	return usage("unknown program", argv[0]);
}

/* What follows from other settings. */
static void complete(struct settings *settings)
{
	settings->open.rx_queues = settings->open.tx_queues = (uint16_t)settings->queues;
	if (!settings->open.pool_slots)
		settings->open.pool_slots = POOL_SLOTS * settings->queues;
}

int settings_parse(int argc, char **argv, struct settings *settings)
{
	static const struct option options[] = {
		{ "batch", required_argument, NULL, 'b' }, { "duration", required_argument, NULL, 'd' },
		{ "packets", required_argument, NULL, 'n' }, { "ring-slots", required_argument, NULL, 'r' },
		{ "pool-slots", required_argument, NULL, 'p' }, { "size", required_argument, NULL, 's' },
		{ "queues", required_argument, NULL, 'q' }, { "core", required_argument, NULL, 'c' }, { "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' }, { "version", no_argument, NULL, 'v' }, { 0 },
	};
	int option;

	*settings = (struct settings){ .batch = 32, .size = 64, .queues = 1, .core = -1, .open.promiscuous = true };
	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (option == 'h')
			return fputs(help, stdout), EXIT_DONE;
		if (option == 'v')
			return puts("ringway-c " RINGWAY_VERSION), EXIT_DONE;
		if (option == '?')
			return EXIT_USAGE; /* getopt has said what */
		if (option == 'j')
			settings->json = true;
		else if (option == 'd' ? !set_duration(settings, optarg) : !set_number(settings, option, optarg))
			return usage("not a number that is possible here", optarg);
	}
	if (optind == argc)
		return usage("no program named", NULL);
	complete(settings);
	return positional(argc - optind, argv + optind, settings);
}
