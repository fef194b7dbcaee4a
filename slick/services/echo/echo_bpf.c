// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * slick-echo-bpf: accepts connections and gives them to the BPF programs of echo.bpf.c, which do
 * the work.
 */
#include "echo_bpf_server.h"

#include <stdio.h>
#include <sys/mman.h>

#define USAGE                                                                               \
	"slick-echo-bpf --port N [--address A] [--path strparser|verdict] [--chunk BYTES] " \
	"[--window BYTES] [--connections N] [--stats] [--verbose]"

#define MESSAGES 1024
#define NO_PORT UINT64_MAX

struct arguments {
	const char *address, *path;
	u64 port, chunk, window, connections;
	bool verdict, stats, verbose;
};

static int read_arguments(int count, char **values, struct arguments *arguments)
{
	const struct slick_bpf_option options[] = {
		{ .name = "port", .number = &arguments->port, .most = 65535 },
		{ .name = "address", .text = &arguments->address },
		{ .name = "path", .text = &arguments->path },
		{ .name = "chunk", .number = &arguments->chunk, .most = 1 << 30 },
		{ .name = "window",
		  .number = &arguments->window,
		  .least = 1 << 17,
		  .most = 1 << 28 },
		{ .name = "connections",
		  .number = &arguments->connections,
		  .least = 1,
		  .most = 1 << 20 },
		{ .name = "stats", .flag = &arguments->stats },
		{ .name = "verbose", .flag = &arguments->verbose },
		{},
	};
	int status = slick_bpf_options(count, values, options, USAGE);

	if (status)
		return status;
	if (arguments->port == NO_PORT)
		return slick_bpf_fail("a port is missing (0: any); usage: " USAGE);
	arguments->verdict = !strcmp(arguments->path, "verdict");
	if (!arguments->verdict && strcmp(arguments->path, "strparser"))
		return slick_bpf_fail("--path is strparser or verdict, not %s", arguments->path);
	if (arguments->verdict && arguments->chunk)
		return slick_bpf_fail(
			"--chunk needs --path strparser: a verdict alone sees whole skbs only");
	return EXIT_SUCCESS;
}

/*
 * The kernel's worker sends message after message; what comes behind a shut gate waits for it. So
 * that this is not long, no more than so many small messages are under way on a connection.
 */
static u64 window(const struct arguments *arguments)
{
	u64 few = arguments->chunk * MESSAGES;

	return few && few < arguments->window ? few : arguments->window;
}

static int load(struct server *server, const struct arguments *arguments)
{
	struct echo_bpf *bpf = server->bpf;
	int error;

	bpf->rodata->chunk = arguments->chunk;
	bpf->rodata->window = window(arguments);
	bpf_map__set_max_entries(bpf->maps.sockets, arguments->connections);
	bpf_map__set_max_entries(bpf->maps.states, arguments->connections);
	bpf_map__set_max_entries(bpf->maps.slots, arguments->connections);
	bpf_program__set_autoload(bpf->progs.echo_parser, !arguments->verdict);
	bpf_program__set_autoload(bpf->progs.echo_message, !arguments->verdict);
	bpf_program__set_autoload(bpf->progs.echo_skb, arguments->verdict);
	error = echo_bpf__load(bpf);
	if (error)
		return error;
	if (arguments->verdict)
		return slick_bpf_attach(bpf->progs.echo_skb, bpf->maps.sockets, BPF_SK_SKB_VERDICT);
	error = slick_bpf_attach(bpf->progs.echo_parser, bpf->maps.sockets,
				 BPF_SK_SKB_STREAM_PARSER);
	if (error)
		return error;
	return slick_bpf_attach(bpf->progs.echo_message, bpf->maps.sockets,
				BPF_SK_SKB_STREAM_VERDICT);
}

static int prepare(struct server *server, const struct arguments *arguments)
{
	size_t size = sizeof(struct echo_state) * arguments->connections;
	int error;

	server->bpf = echo_bpf__open();
	error = server->bpf ? load(server, arguments) : -errno;
	if (error)
		return slick_bpf_fail("the BPF programs cannot be loaded: %s; %s", strerror(-error),
				      slick_bpf_remedy(error));
	server->states = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
			      bpf_map__fd(server->bpf->maps.states), 0);
	if (server->states == MAP_FAILED)
		return slick_bpf_fail("the map of connections cannot be shared: %s",
				      strerror(errno));
	error = slick_bpf_descriptors(arguments->connections + 64);
	if (error)
		return slick_bpf_fail(
			"%llu connections need as many descriptors: %s; raise `ulimit -n` or lower --connections",
			(unsigned long long)arguments->connections, strerror(-error));
	error = server_init(server, arguments->connections, arguments->window);
	if (error)
		return slick_bpf_fail("%s", strerror(-error));
	return EXIT_SUCCESS;
}

static int serve(struct server *server, const struct arguments *arguments)
{
	u16 port = arguments->port;
	int error;

	server->listener = slick_bpf_listen_or_say(arguments->address, &port);
	if (server->listener < 0)
		return EXIT_FAILURE;
	printf("listening on %s port %u\n", arguments->address, port);
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
	struct arguments arguments = { .address = "::",
				       .path = "strparser",
				       .port = NO_PORT,
				       .window = 1 << 20,
				       .connections = 4096 };
	struct server server = { .listener = -1 };
	int status = read_arguments(count, values, &arguments);

	if (status)
		return status;
	slick_bpf_verbose(arguments.verbose);
	status = prepare(&server, &arguments);
	if (!status)
		status = serve(&server, &arguments);
	server_free(&server);
	echo_bpf__destroy(server.bpf);
	return status;
}
