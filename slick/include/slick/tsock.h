/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* ThriftSocket: a BufferedSocket that knows where a message ends. */
#ifndef SLICK_TSOCK_H
#define SLICK_TSOCK_H

#include <slick/bsock.h>
#include <slick/thrift.h>

struct slick_ts {
	struct slick_bs bs;
	struct slick_thrift_limits limits;
	u64 messages_in, messages_out;
};

/*
 * As slick_bs_init(), with buffers that may grow until they hold a frame of the limit. Who gave a
 * buffer all of its memory at once (size and limit the same) gets so much at once; others as
 * messages need it.
 */
int slick_ts_init(struct slick_ts *ts, const struct slick_transport *transport,
		  const struct slick_bs_cfg *cfg, const struct slick_thrift_limits *limits);
void slick_ts_free(struct slick_ts *ts);

/*
 * The message at the front, without taking it: as slick_thrift_parse(). A stream that broke the
 * protocol cannot be read on: each further call says the same.
 */
int slick_ts_next(struct slick_ts *ts, struct slick_thrift_msg *msg);
/* Takes the message that slick_ts_next() showed. */
void slick_ts_discard(struct slick_ts *ts, const struct slick_thrift_msg *msg);
/* A whole frame with its header: all of it or -ENOBUFS. */
int slick_ts_write(struct slick_ts *ts, const void *frame, size_t length);
/*
 * Gives the message that slick_ts_next() showed on `from` to `to`, byte for byte, and takes it.
 * Else the message stays at the front: -EAGAIN: `to` is above its high mark or full, and where it
 * has marks it tells when to try again; -EMSGSIZE: `to` could never hold it; -EPIPE and others:
 * `to` is dead.
 */
int slick_ts_forward(struct slick_ts *from, struct slick_ts *to,
		     const struct slick_thrift_msg *msg);

#endif
