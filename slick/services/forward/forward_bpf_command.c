// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "forward_bpf_server.h"

void command_answer(struct server *server, struct sender *sender, const char *name, s32 sequence,
		    const char *failure)
{
	u8 frame[PROTOCOL_FRAME_MOST];
	s64 length = protocol_answer(frame, name, sequence, failure, PROTOCOL_INTERNAL_ERROR);

	if (length > 0)
		sender_write(server, sender, frame, length);
}

static const char *take_connect(struct server *server, struct sender *sender,
				const struct command *command, s32 sequence)
{
	struct sockaddr_storage address;
	int error = command_address(command, &address);

	if (error > 0)
		error = backend_connect(server, command->key, &address, error, sender, sequence);
	if (error == -ENOSPC)
		return "there are as many backends as this forwarder can have";
	return error < 0 ? why(error) : NULL;
}

static const char *take_disconnect(struct server *server, const struct command *command)
{
	struct backend *backend = NULL;

	if (command_disconnects(command))
		backend = backend_find(server, command->key);
	if (!backend)
		return "no backend has this key";
	backend_disconnect(server, backend);
	return NULL;
}

int command_take(struct server *server, struct sender *sender, const struct slick_thrift_msg *msg)
{
	struct command command;
	const char *failure;
	int error;

	if (msg->kind != SLICK_THRIFT_CALL)
		return -EPROTO;
	error = command_parse(msg, &command);
	if (error)
		return error;
	if (slick_thrift_is(msg, "connect")) {
		failure = take_connect(server, sender, &command, msg->sequence);
		if (failure)
			command_answer(server, sender, "connect", msg->sequence, failure);
	} else if (slick_thrift_is(msg, "disconnect")) {
		failure = take_disconnect(server, &command);
		command_answer(server, sender, "disconnect", msg->sequence, failure);
	} else {
		command_answer(server, sender, "", msg->sequence,
			       "there are connect and disconnect");
	}
	return 0;
}
