// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * slick-forward-bpf: the forwarder whose messages BPF programs pass on. BPF.md says what it cannot
 * do.
 */
#include "forward_bpf_server.h"

#include <stdio.h>
#include <sys/mman.h>

#define USAGE \
	"slick-forward-bpf --port N --control N [--address A] [--window BYTES] [--max-frame BYTES] " \
	"[--senders N] [--stats] [--verbose]"

#define NO_PORT UINT64_MAX

struct arguments {
	const char *address;
	u64 port, control, window, max_frame, senders;
	bool stats, verbose;
};

static int read_arguments(int count, char **values, struct arguments *arguments)
{
	const struct slick_bpf_option options[] = {
		{ .name = "port", .number = &arguments->port, .most = 65535 },
		{ .name = "control", .number = &arguments->control, .most = 65535 },
		{ .name = "address", .text = &arguments->address },
		{ .name = "window", .number = &arguments->window, .most = 1 << 24 },
		{ .name = "max-frame",
		  .number = &arguments->max_frame,
		  .least = 64,
		  .most = 1 << 28 },
		{ .name = "senders", .number = &arguments->senders, .least = 2, .most = 1 << 16 },
		{ .name = "stats", .flag = &arguments->stats },
		{ .name = "verbose", .flag = &arguments->verbose },
		{},
	};
	int status = slick_bpf_options(count, values, options, USAGE);

	if (status)
		return status;
	if (arguments->port == NO_PORT || arguments->control == NO_PORT)
		return slick_bpf_fail("--port and --control are needed (0: any); usage: " USAGE);
	return EXIT_SUCCESS;
}

static int load(struct server *server, const struct arguments *arguments)
{
	struct forward_bpf *bpf = server->bpf;
	int error;

	bpf->rodata->window = arguments->window;
	bpf_map__set_max_entries(bpf->maps.senders, arguments->senders);
	bpf_map__set_max_entries(bpf->maps.sender_states, arguments->senders);
	bpf_map__set_max_entries(bpf->maps.slots, arguments->senders);
	error = forward_bpf__load(bpf);
	if (error)
		return error;
	error = slick_bpf_attach(bpf->progs.forward_parser, bpf->maps.senders,
				 BPF_SK_SKB_STREAM_PARSER);
	if (error)
		return error;
	return slick_bpf_attach(bpf->progs.forward_message, bpf->maps.senders,
				BPF_SK_SKB_STREAM_VERDICT);
}

static void *share(const struct bpf_map *map, size_t size)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
}

static int prepare(struct server *server, const struct arguments *arguments)
{
	int error;

	server->bpf = forward_bpf__open();
	error = server->bpf ? load(server, arguments) : -errno;
	if (error)
		return slick_bpf_fail("the BPF programs cannot be loaded: %s; %s", strerror(-error),
				      slick_bpf_remedy(error));
	server->limits.max_frame = arguments->max_frame;
	server->sender_states = share(server->bpf->maps.sender_states,
				      arguments->senders * sizeof(*server->sender_states));
	server->backend_states = share(server->bpf->maps.backend_states,
				       FORWARD_BACKENDS * sizeof(*server->backend_states));
	if (server->sender_states == MAP_FAILED || server->backend_states == MAP_FAILED)
		return slick_bpf_fail("the maps of connections cannot be shared: %s",
				      strerror(errno));
	error = slick_bpf_descriptors(arguments->senders + FORWARD_BACKENDS + 64);
	if (error)
		return slick_bpf_fail(
			"%llu senders need as many descriptors: %s; raise `ulimit -n` or lower --senders",
			(unsigned long long)arguments->senders, strerror(-error));
	error = server_init(server, arguments->senders);
	return error ? slick_bpf_fail("%s", strerror(-error)) : EXIT_SUCCESS;
}

static int serve(struct server *server, const struct arguments *arguments)
{
	u16 port = arguments->port, control = arguments->control;
	int error;

	server->listener_fd = slick_bpf_listen_or_say(arguments->address, &port);
	if (server->listener_fd < 0)
		return EXIT_FAILURE;
	server->control_fd = slick_bpf_listen_or_say(arguments->address, &control);
	if (server->control_fd < 0)
		return EXIT_FAILURE;
	printf("listening on %s port %u control %u\n", arguments->address, port, control);
	fflush(stdout);
	error = server_run(server);
	if (error)
		return slick_bpf_fail("%s", strerror(-error));
	if (arguments->stats)
		server_stats(server, stdout);
	return EXIT_SUCCESS;
}

int main(int count, char **values)
{
	struct arguments arguments = {
		.address = "::",
		.port = NO_PORT,
		.control = NO_PORT,
		.window = 128 * 1024,
		.max_frame = SLICK_THRIFT_MAX_FRAME,
		.senders = 1024,
	};
	static struct server server;
	int status = read_arguments(count, values, &arguments);

	if (status)
		return status;
	slick_bpf_verbose(arguments.verbose);
	status = prepare(&server, &arguments);
	if (!status)
		status = serve(&server, &arguments);
	server_free(&server);
	forward_bpf__destroy(server.bpf);
	return status;
}
