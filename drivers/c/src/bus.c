/* SPDX-License-Identifier: BSD-3-Clause */
/* Which way an address takes. */
#include "bus.h"

#include <errno.h>
#include <string.h>

#include "error.h"

int bus_open(const char *address, struct bus **bus)
{
	if (strncmp(address, "unix:", 5) == 0)
		return vfio_user_open(address + 5, bus);
	return error_set(ENOTSUP, "%s: only unix:/path addresses are supported so far, not PCI ones", address);
}
