/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* Two connected TCP sockets on the loopback of the first network namespace. */
#ifndef SLICK_KUNIT_PAIR_H
#define SLICK_KUNIT_PAIR_H

#include <linux/net.h>

struct slick_pair {
	struct socket *ours;	/* for a loop */
	struct socket *peer;	/* the test's own */
	int window;		/* bytes that the peer buffers; 0: as usual. Before it is opened */
};

int slick_pair_open(struct slick_pair *pair);
/* What is left of it. */
void slick_pair_close(struct slick_pair *pair);

/* One that listens there, or an ERR_PTR; the loopback has to be up. */
struct socket *slick_new_listener(void);
/* A connection to who listens there, or an ERR_PTR. */
struct socket *slick_connect_to(const struct socket *listener, int window);
/* 0, or an error: on time, or -EAGAIN. */
int slick_say(struct socket *sock, void *bytes, size_t length);
/* How many came before the end, or an error. */
int slick_hear(struct socket *sock, void *bytes, size_t length);

#endif
