/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* What all forwarders say and hear besides messages: commands, their answers, and notices. */
#ifndef SLICK_FORWARD_PROTOCOL_H
#define SLICK_FORWARD_PROTOCOL_H

#include <slick/address.h>
#include <slick/thrift.h>

#define PROTOCOL_FRAME_MOST 256 /* of an answer or a notice */

enum { /* of a TApplicationException */
	PROTOCOL_UNKNOWN_METHOD = 1,
	PROTOCOL_INTERNAL_ERROR = 6,
};

/* void connect(1: i32 key, 2: string address, 3: i32 port), void disconnect(1: i32 key) */
struct command {
	u32 seen; /* a bit for each field's id */
	s32 key;
	s32 port;
	char address[SLICK_ADDRESS_TEXT];
};

/* 0, or why the fields cannot be read. */
int command_parse(const struct slick_thrift_msg *msg, struct command *command);
/* Where to connect: the length of the address, or -EINVAL where the command does not say. */
int command_address(const struct command *command, struct sockaddr_storage *address);
/* Whether it says what to disconnect, and nothing else. */
bool command_disconnects(const struct command *command);

/*
 * Both write a frame of at most PROTOCOL_FRAME_MOST bytes: its length, or -ENOBUFS. An answer
 * without a failure is the empty one; `type` is the exception's.
 */
s64 protocol_answer(u8 *frame, const char *name, s32 sequence, const char *failure, s32 type);
/* oneway failed(1: i32 key, 2: string reason) */
s64 protocol_failed(u8 *frame, s32 key, const char *reason);

/* why.c: what an error means, in words. */
const char *why(int error);

#endif
