/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * channel -- vfio-user messages over a socket: framing, deadlines, file descriptors
 * One message is one sendmsg; a reply's header is read alone, so that descriptors cannot attach themselves to the wrong one.
 * Packets do not come this way, so a lock costs nothing here: one thread may read counters while others move packets.
 */
#ifndef RINGWAY_SRC_BUS_CHANNEL_H
#define RINGWAY_SRC_BUS_CHANNEL_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define CHANNEL_PAYLOAD_BYTES 4096u
#define CHANNEL_FDS           16u

struct channel {
	int socket;
	uint16_t next_id;
	pthread_mutex_t asking; /* a request and its reply are one thread's at a time */
	const char *peer; /* for messages */
};

struct request {
	uint16_t command;
	const void *payload;
	size_t bytes;
	const int *fds;
	uint32_t fd_count;
};

struct reply {
	uint8_t payload[CHANNEL_PAYLOAD_BYTES];
	size_t bytes;
	int fd; /* -1 if none came; otherwise the caller's to close */
};

/** Connects. -ENOENT if nothing listens there, -EACCES if it may not be reached. */
int channel_connect(struct channel *channel, const char *path);
/**
 * Sends a request and waits for its reply.
 * @return 0; the negative errno of an error reply; -EIO if the peer is gone, silent for two seconds, or not in step
 */
int channel_call(struct channel *channel, const struct request *request, struct reply *reply);
/** 0 while the peer is there, -EIO afterwards. Asks nothing: a reply may be under way to another thread. */
int channel_alive(struct channel *channel);

#endif
