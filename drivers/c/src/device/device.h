/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of `device` know of each other. */
#ifndef RINGWAY_SRC_DEVICE_DEVICE_H
#define RINGWAY_SRC_DEVICE_DEVICE_H

#include "../ixgbe/ixgbe.h"

/** Puts the defaults where an option is 0. */
void options_default(struct ringway_options *options);
/** 0, -ENOTSUP, or -ENOMEM if the pool cannot fill the receive rings. */
int options_check(const struct ringway_options *options);

/** Makes pools and rings by device->options. What was made before an error is left to queues_destroy. */
int queues_create(struct ringway_device *device);
/** Gives slots, pools and rings back. The device must not use them any more. */
void queues_destroy(struct ringway_device *device);

#endif
