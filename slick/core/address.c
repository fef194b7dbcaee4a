// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include <slick/address.h>

#ifdef __KERNEL__

#include <linux/inet.h>

static bool parse4(const char *text, struct in_addr *to)
{
	return in4_pton(text, -1, (u8 *)to, -1, NULL) == 1;
}

static bool parse6(const char *text, struct in6_addr *to)
{
	return in6_pton(text, -1, (u8 *)to, -1, NULL) == 1;
}

#else

#include <arpa/inet.h>

static bool parse4(const char *text, struct in_addr *to)
{
	return inet_pton(AF_INET, text, to) == 1;
}

static bool parse6(const char *text, struct in6_addr *to)
{
	return inet_pton(AF_INET6, text, to) == 1;
}

#endif

int slick_address(const char *text, u16 port, struct sockaddr_storage *address)
{
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
	struct sockaddr_in *four = (struct sockaddr_in *)address;

	memset(address, 0, sizeof(*address));
	if (parse4(text, &four->sin_addr)) {
		four->sin_family = AF_INET;
		four->sin_port = htons(port);
		return sizeof(*four);
	}
	if (parse6(text, &six->sin6_addr)) {
		six->sin6_family = AF_INET6;
		six->sin6_port = htons(port);
		return sizeof(*six);
	}
	return -EINVAL;
}
EXPORT_SYMBOL_GPL(slick_address);
