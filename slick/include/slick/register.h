/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* The interface of the original, in the kernel only: a function is told what comes on a socket. */
#ifndef SLICK_REGISTER_H
#define SLICK_REGISTER_H

#include <linux/types.h>

#include <slick/klibevent.h>

struct socket;

/*
 * `callback` is told of SLICK_READ, SLICK_EOF and SLICK_ERROR, in process context, until
 * unregister_sock(). Whoever registers a socket keeps it until then. Errors as of slick_ev_add().
 */
int register_sock(struct socket *sock, void (*callback)(struct socket *sock, u32 what, void *data),
		  void *data);
/* Once, and of a registered socket only. Behind it the callback does not run, except around it. */
void unregister_sock(struct socket *sock);

#endif
