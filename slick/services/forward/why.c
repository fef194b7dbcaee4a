// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "internal.h"

const char *why(int error)
{
	switch (-error) {
	case ECONNREFUSED:
		return "connection refused: nothing listens there";
	case ECONNRESET:
	case EPIPE:
		return "the connection was reset";
	case ETIMEDOUT:
		return "no answer in time";
	case EHOSTUNREACH:
	case ENETUNREACH:
		return "no route to that address";
	case EADDRNOTAVAIL:
		return "no local address or port is left for it";
	case EACCES:
	case EPERM:
		return "a firewall forbids it";
	case EEXIST:
		return "the key has a backend already: disconnect it first";
	case EINVAL:
		return "that is no IPv4 or IPv6 address, or no port";
	case ENOMEM:
		return "out of memory";
	default:
		return "the connection failed";
	}
}
