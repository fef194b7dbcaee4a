/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * The process beside the forwarder's BPF programs: it accepts and connects, takes the messages that
 * the programs leave to it, answers, and closes.
 */
#ifndef SLICK_FORWARD_BPF_SERVER_H
#define SLICK_FORWARD_BPF_SERVER_H

#include <linux/types.h>
#include <stdio.h>

#include <slick/buffer.h>
#include <slick/list.h>
#include <slick/thrift.h>

#include "../bpf/kit.h"
#include "forward.skel.h"
#include "forward_bpf.h"
#include "protocol.h"

#define NO_KEY (-1)
#define SENDER_WINDOW (256 * 1024)
#define OUT_HIGH (256 * 1024)
#define CONNECT_PATIENCE 10000000000ull /* ns, as all times here */
#define DRAIN_PATIENCE 10000000000ull

struct server;

/* What epoll gives back; the first member of those below. */
struct source {
	void (*event)(struct server *server, struct source *source, u32 events);
};

/* One that sends messages, or commands. */
struct sender {
	struct source source;
	struct list_head busy;
	int fd;
	u32 slot, next;
	u64 cookie;
	bool commands, copied, closing, dead;
	u64 used; /* a bit for each backend that the process gave messages to */
	struct slick_buf in, out;
	u64 parsed, mark, since;
	u32 room, widened;
};

enum backend_phase { BACKEND_FREE, BACKEND_CONNECTING, BACKEND_UP, BACKEND_DRAINING };

struct backend {
	struct source source;
	enum backend_phase phase;
	int fd;
	u32 slot;
	s32 key;
	bool mine; /* shut, and all that was redirected is in the send queue */
	struct slick_buf out;
	struct sender *asker; /* waits for the outcome of the connect */
	s32 sequence;
	u64 since;
};

struct server {
	struct forward_bpf *bpf;
	struct sender_state *sender_states;
	struct backend_state *backend_states;
	struct sender *senders;
	struct backend backends[FORWARD_BACKENDS];
	struct list_head busy;
	struct source listener, control, signals;
	int epoll, listener_fd, control_fd, signals_fd;
	u32 capacity, free;
	struct slick_thrift_limits limits;
	bool stopping, moved;
	u64 redirected_messages, redirected, taken;
	u64 forwarded, unknown, malformed, half, died, undelivered, overruns, refused, lost_answers;
};

u64 now(void);

/* forward_bpf_server.c */
int server_init(struct server *server, u32 capacity);
int server_run(struct server *server);
void server_stats(const struct server *server, FILE *to);
void server_free(struct server *server);

/* forward_bpf_sender.c */
void sender_begin(struct server *server, int fd, bool commands);
void sender_serve(struct server *server, struct sender *sender);
void sender_close(struct server *server, struct sender *sender);
void sender_look_after(struct server *server, struct sender *sender);
/* Bytes for the peer, sent as it takes them. */
void sender_write(struct server *server, struct sender *sender, const void *bytes, size_t length);
void sender_failed(struct server *server, struct sender *sender, s32 key, const char *reason);

static inline struct sender_state *sender_state(struct server *server, const struct sender *sender)
{
	return &server->sender_states[sender->slot];
}

/* forward_bpf_end.c */
/* How long nothing has moved, in ns; a sender whose segments were dropped is helped. */
u64 sender_still(struct server *server, struct sender *sender,
		 const struct slick_bpf_progress *progress);
/* Whether a peer that has ended has nothing more to give and to get. */
bool sender_finished(struct server *server, struct sender *sender,
		     const struct slick_bpf_progress *progress, u64 time);
/* Whether one that was told of its mistake has heard it, or had the time to. */
bool sender_linger(struct sender *sender, const struct slick_bpf_progress *progress, u64 time);

/* forward_bpf_backend.c */
struct backend *backend_find(struct server *server, s32 key);
int backend_connect(struct server *server, s32 key, const struct sockaddr_storage *address,
		    int length, struct sender *asker, s32 sequence);
void backend_disconnect(struct server *server, struct backend *backend);
/* Takes the frame: 0; -EAGAIN: not now; another error, negative: it is dead. */
int backend_give(struct server *server, struct backend *backend, const u8 *frame, size_t length);
void backends_serve(struct server *server);
bool backends_busy(const struct server *server);
void backends_free(struct server *server);
void backends_forget(struct server *server, const struct sender *asker);

/* forward_bpf_command.c: 0, or an error: the connection cannot go on. */
int command_take(struct server *server, struct sender *sender, const struct slick_thrift_msg *msg);
void command_answer(struct server *server, struct sender *sender, const char *name, s32 sequence,
		    const char *failure);

#endif
