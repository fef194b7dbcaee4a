/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * The process beside the echo's BPF programs: it accepts, does what they leave to it, and closes.
 *
 */
#ifndef SLICK_ECHO_BPF_SERVER_H
#define SLICK_ECHO_BPF_SERVER_H

#include <linux/types.h>
#include <stdio.h>

#include <slick/list.h>

#include "../bpf/kit.h"
#include "echo.skel.h"
#include "echo_bpf.h"

struct connection {
	struct list_head busy; /* on the server's list while the process has to look after it */
	int fd; /* -1: this slot is free */
	u32 slot;
	u32 next; /* of the free ones */
	u64 cookie;
	bool copied; /* not in the map of sockets: all of it goes through the process */
	u64 sent; /* bytes that went back through the process */
	u8 *buffer;
	size_t head, tail;
	u64 mark; /* how far it was, and since when it has stood still there */
	u64 since;
	u32 room, widened;
};

struct server {
	struct echo_bpf *bpf;
	struct echo_state *states;
	struct connection *connections;
	u32 capacity, free;
	u32 window;
	struct list_head busy;
	int epoll, listener, signals;
	bool stopping, moved;
	u64 accepted, refused, by_copy, timeouts, overruns, messages, redirected, passed;
};

/* echo_bpf_connection.c */
/* Takes over a descriptor that was accepted. */
void connection_begin(struct server *server, int fd);
/* Puts it on the list of those that connection_serve() is called for. */
void connection_look_after(struct server *server, struct connection *connection);
void connection_serve(struct server *server, struct connection *connection);
void connection_close(struct server *server, struct connection *connection);

/* echo_bpf_server.c */
int server_init(struct server *server, u32 capacity, u32 window);
/* Until a signal comes. 0, or an error, negative. */
int server_run(struct server *server);
void server_stats(const struct server *server, FILE *to);
void server_free(struct server *server);

#endif
