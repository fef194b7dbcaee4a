/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * Literal addresses, and what the socket calls want instead of them. Names are not looked up: a
 * kernel has no resolver.
 */
#ifndef SLICK_ADDRESS_H
#define SLICK_ADDRESS_H

#include <slick/port.h>

#ifdef __KERNEL__
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/socket.h>
#else
#include <netinet/in.h>
#include <sys/socket.h>
#endif

#define SLICK_ADDRESS_TEXT 46 /* INET6_ADDRSTRLEN: the longest literal, and a 0 behind it */

/*
 * Fills `address` and gives its length for bind or connect; -EINVAL: `text` is neither an IPv4 nor
 * an IPv6 literal.
 */
int slick_address(const char *text, u16 port, struct sockaddr_storage *address);

#endif
