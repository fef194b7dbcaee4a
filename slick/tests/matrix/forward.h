/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
#ifndef SLICK_MATRIX_FORWARD_H
#define SLICK_MATRIX_FORWARD_H

#include "matrix.h"

/* One backend with a key, and one sender. */
bool pair_open(struct backend *backend, int *sender, int32_t key, int buffers);
void pair_close(struct backend *backend, int sender);
/* A message goes from the sender to the backend. */
bool passes(struct backend *backend, int sender, uint32_t index);

/* A new connection sends a message and then this: it is told failed(-1) and ended, and the message
 * has arrived. */
bool told_and_ended(struct backend *backend, const struct frame *frame, const char *what);

/* forward_wrong.c, forward_malformed.c: messages that cannot be delivered */
bool unknown_key(void);
bool unread_failures(void);
bool dead_backend(void);
bool oversized(void);
bool malformed(void);
bool odd_but_good(void);
bool talking_backend(void);

/* forward_stall.c: backends that do not read */
bool stalled_backend(void);
bool stopped_sender_hangs_up(void);
bool last_to_a_stalled_backend(void);
bool disconnect_when_stalled(void);

/* forward_control.c: commands */
bool reconnect(void);
bool disconnect_drains(void);
bool connect_refused(void);
bool pipelined_commands(void);
bool commands_at_the_wrong_port(void);
bool broken_commands(void);

#endif
