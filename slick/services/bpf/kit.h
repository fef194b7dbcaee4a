/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What the processes of the BPF services have in common: loading, listening, and how far a
 * connection is.
 */
#ifndef SLICK_BPF_KIT_H
#define SLICK_BPF_KIT_H

#include <bpf/libbpf.h>
#include <slick/address.h>
#include <slick/port.h>

/* One line on stderr, `PROGRAM: ...`; gives EXIT_FAILURE. */
int slick_bpf_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What can be done about an error of opening or loading, negative. */
const char *slick_bpf_remedy(int error);
/*
 * libbpf says nothing by itself: the remedy does; with `verbose` all that it and the verifier have
 * to say.
 */
void slick_bpf_verbose(bool verbose);

/*
 * Attaches a program to a map of sockets, by a link where the kernel knows such links (6.10). 0 or
 * an error, negative.
 */
int slick_bpf_attach(const struct bpf_program *program, const struct bpf_map *map,
		     enum bpf_attach_type type);

/* Puts a filter on a socket. 0 or an error, negative. */
int slick_bpf_filter(int fd, const struct bpf_program *program);

/* Lets the process have that many descriptors. 0, or an error, negative. */
int slick_bpf_descriptors(unsigned int wanted);

/* A descriptor that listens and does not block, with `port` filled in; or an error, negative. */
int slick_bpf_listen(const char *address, u16 *port);
/* A descriptor that becomes readable with SIGINT or SIGTERM. */
int slick_bpf_signals(void);
int slick_bpf_watch(int epoll, int fd, u32 events, u64 data);

/*
 * Calls the parser of a socket that came into the map with bytes already on it: they have raised
 * their event before.
 */
void slick_bpf_kick(int fd);

/*
 * Buffers of fixed size, whatever net.core.rmem_max and wmem_max say; the kernel doubles the
 * numbers for its own needs.
 */
void slick_bpf_buffers(int fd, u32 receive, u32 send);
/*
 * Room to receive; the kernel doubles it. TCP does not see what waits for its worker, so that
 * whoever reads makes TCP offer room that is not there: with the least while he reads, less.
 */
void slick_bpf_room(int fd, u32 room);
/*
 * How much room it takes for the `waiting` bytes that the worker has for this socket, and some on
 * top. What TCP had offered room for is dropped while the worker fills the buffer, and with it the
 * acknowledgements that segments carry; where both directions stand still nothing else would set
 * them going again.
 */
u32 slick_bpf_wider(int fd, u64 waiting);
/* So that close() sends RST: the peer must not take the end for a good one. */
void slick_bpf_reset(int fd);

struct slick_bpf_progress {
	u64 received; /* bytes from the peer, its FIN not counted */
	u64 written; /* bytes that went into the send queue: never more than there are, maybe fewer
			while acknowledgements come in */
	u64 acked; /* of those, what the peer's kernel has */
	bool ended; /* the peer has sent its FIN */
};

/* 0, or an error, negative: the connection is dead. */
int slick_bpf_progress(int fd, struct slick_bpf_progress *progress);

/* The same, and on an error its line on stderr. */
int slick_bpf_listen_or_say(const char *address, u16 *port);
/* A descriptor that does not block and has begun to connect; or an error, negative. */
int slick_bpf_connect(const struct sockaddr_storage *address, int length, u32 send);

/*
 * An option: a number within bounds, a text, or (where both are NULL) a flag. The last has no name.
 *
 */
struct slick_bpf_option {
	const char *name;
	u64 *number;
	u64 least, most;
	const char **text;
	bool *flag;
};

/* EXIT_SUCCESS, or another status: then it has said why. `--help` ends the program. */
int slick_bpf_options(int count, char **values, const struct slick_bpf_option *options,
		      const char *usage);

#endif
