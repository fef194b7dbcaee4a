/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
#ifndef SLICK_ECHO_KERN_H
#define SLICK_ECHO_KERN_H

#include "echo.h"

/*
 * Echo without a copy: what came is sent back in the pages where it lies. `cfg` has to last as long
 * as the loop. ERR_PTR as slick_listen().
 */
struct slick_ev *slick_echo_strp_listen(struct slick_loop *loop, const struct sockaddr *address,
					int length, struct slick_echo_cfg *cfg);

#endif
