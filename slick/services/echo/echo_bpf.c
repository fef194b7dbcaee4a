// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * slick-echo-bpf: accepts connections and gives them to the BPF programs of echo.bpf.c, which do
 * the work.
 */
#include "echo_bpf_server.h"

#include <getopt.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define USAGE                                                                                                       \
	"usage: slick-echo-bpf --port N [--address A] [--path strparser|verdict] [--chunk BYTES] [--window BYTES] " \
	"[--connections N] [--stats] [--verbose]"

#define MESSAGES 1024

struct arguments {
	const char *address;
	u64 port, chunk, window, connections;
	bool verdict, stats, verbose;
	bool given; /* the port */
};

enum { PORT = 1, ADDRESS, PATH, CHUNK, WINDOW, CONNECTIONS, STATS, VERBOSE };

static const struct option options[] = {
	{ "port", required_argument, NULL, PORT },
	{ "address", required_argument, NULL, ADDRESS },
	{ "path", required_argument, NULL, PATH },
	{ "chunk", required_argument, NULL, CHUNK },
	{ "window", required_argument, NULL, WINDOW },
	{ "connections", required_argument, NULL, CONNECTIONS },
	{ "stats", no_argument, NULL, STATS },
	{ "verbose", no_argument, NULL, VERBOSE },
	{},
};

static int set_option(struct arguments *arguments, int option, const char *value)
{
	switch (option) {
	case PORT:
		arguments->given = true;
		return slick_bpf_number(value, 0, 65535, &arguments->port);
	case ADDRESS:
		arguments->address = value;
		return 0;
	case PATH:
		arguments->verdict = !strcmp(value, "verdict");
		return arguments->verdict || !strcmp(value, "strparser") ? 0 : -EINVAL;
	case CHUNK:
		return slick_bpf_number(value, 0, 1 << 30, &arguments->chunk);
	case WINDOW:
		return slick_bpf_number(value, 1 << 17, 1 << 28, &arguments->window);
	case CONNECTIONS:
		return slick_bpf_number(value, 1, 1 << 20, &arguments->connections);
	case STATS:
		arguments->stats = true;
		return 0;
	case VERBOSE:
		arguments->verbose = true;
		return 0;
	default:
		return -EINVAL;
	}
}

static int read_arguments(int count, char **values, struct arguments *arguments)
{
	int option, index;

	opterr = 0;
	while ((option = getopt_long(count, values, "", options, &index)) != -1) {
		if (option == '?')
			return slick_bpf_fail("%s is not understood; " USAGE, values[optind - 1]);
		if (set_option(arguments, option, optarg))
			return slick_bpf_fail("--%s %s is not possible; " USAGE,
					      options[index].name, optarg);
	}
	if (optind < count)
		return slick_bpf_fail("%s is not understood; " USAGE, values[optind]);
	if (!arguments->given)
		return slick_bpf_fail("a port is missing (0: any); " USAGE);
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

	server->listener = slick_bpf_listen(arguments->address, &port);
	if (server->listener == -EINVAL)
		return slick_bpf_fail(
			"%s is no IPv4 or IPv6 address; --address wants a literal one",
			arguments->address);
	if (server->listener < 0)
		return slick_bpf_fail(
			"cannot listen on %s port %u: %s; is another service there? --port 0 takes any",
			arguments->address, port, strerror(-server->listener));
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
	struct arguments arguments = { .address = "::", .window = 1 << 20, .connections = 4096 };
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
