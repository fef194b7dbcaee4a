// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The client of the forwarder's control port. It waits for each answer. */
#include "load.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define FRAME_MOST 512
#define EXCEPTION 3

static uint32_t sequence;

int control_open(const struct options *options)
{
	const struct timeval limit = { .tv_sec = (time_t)(options->patience / NS) };
	int fd = net_connect(options->address, options->control, options->patience);

	fcntl(fd, F_SETFL, 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	return fd;
}

static uint8_t *begin(uint8_t *frame, const char *name, uint32_t key)
{
	uint32_t length = (uint32_t)strlen(name);
	uint8_t *at = frame + 12 + length;

	put32(frame + 4, 0x80010001); /* version 1, call */
	put32(frame + 8, length);
	memcpy(frame + 12, name, length);
	put32(at, ++sequence);
	memcpy(at + 4, "\x08\x00\x01", 3);
	put32(at + 7, key);
	return at + 11;
}

static bool get_whole(int fd, uint8_t *bytes, size_t length)
{
	return recv(fd, bytes, length, MSG_WAITALL) == (ssize_t)length;
}

/* Sends the call whose last byte is before `end`, and takes its answer. */
static void call(int fd, uint8_t *frame, uint8_t *end, const char *name, uint32_t key)
{
	uint32_t length, text;

	*end++ = 0;
	put32(frame, (uint32_t)(end - frame) - 4);
	if (send(fd, frame, (size_t)(end - frame), MSG_NOSIGNAL) != end - frame)
		die("the control port does not take '%s'", name);
	if (!get_whole(fd, frame, 4))
		die("the control port does not answer '%s' for key %u", name, key);
	length = get32(frame);
	if (length < 12 || length > FRAME_MOST - 4 || !get_whole(fd, frame + 4, length))
		die("the control port's answer to '%s' is no Thrift message", name);
	if (frame[7] != EXCEPTION)
		return;
	/* TApplicationException: its first field is the text. */
	text = 12 + get32(frame + 8) + 4 + 7;
	die("the forwarder refuses '%s' for key %u: %.*s", name, key,
	    text < length + 4 ? (int)(length + 4 - text) : 0, frame + text);
}

void control_connect(int control, uint32_t key, const struct sockaddr_storage *address,
		     uint16_t port)
{
	const void *bytes = address->ss_family == AF_INET ?
		(const void *)&((const struct sockaddr_in *)address)->sin_addr :
		(const void *)&((const struct sockaddr_in6 *)address)->sin6_addr;
	char text[INET6_ADDRSTRLEN] = "";
	uint8_t frame[FRAME_MOST], *at = begin(frame, "connect", key);
	uint32_t length;

	inet_ntop(address->ss_family, bytes, text, sizeof(text));
	length = (uint32_t)strlen(text);
	memcpy(at, "\x0b\x00\x02", 3);
	put32(at + 3, length);
	memcpy(at + 7, text, length);
	at += 7 + length;
	memcpy(at, "\x08\x00\x03", 3);
	put32(at + 3, port);
	call(control, frame, at + 7, "connect", key);
}

void control_disconnect(int control, uint32_t key)
{
	uint8_t frame[FRAME_MOST], *at = begin(frame, "disconnect", key);

	call(control, frame, at, "disconnect", key);
}
