/* SPDX-License-Identifier: BSD-3-Clause */
/* Error answers: what the library says, in the protocol's words. */
#include <errno.h>
#include <stdio.h>

#include "conform.h"

static const char *kind_of(int error)
{
	switch (-error) {
	case ETIMEDOUT: return "Timeout";
	case ENOENT: return "NoSuchDevice";
	case EACCES: return "PermissionDenied";
	case ENOTSUP: return "Unsupported";
	case ENOMEM: return "OutOfMemory";
	case EINVAL: return "Usage";
	default: return "DeviceFailed";
	}
}

void answer_error(int error)
{
	printf("error %s %s\n", kind_of(error), ringway_error());
}

void usage(const char *what, const char *word)
{
	printf("error Usage %s: %s\n", what, word ? word : "missing");
}
