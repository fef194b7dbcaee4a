// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "internal.h"

#define NAME_MOST 64 /* of a method that we do not know */

static void answer(struct forward_sender *sender, const char *name, s32 sequence,
		   const char *failure, s32 type)
{
	u8 frame[PROTOCOL_FRAME_MOST];

	/* Who does not even read the answers to commands is not worth keeping. */
	sender_tell(sender, frame, protocol_answer(frame, name, sequence, failure, type));
}

void command_connected(struct forward_sender *sender, s32 sequence)
{
	answer(sender, "connect", sequence, NULL, 0);
}

void command_failed(struct forward_sender *sender, s32 sequence, const char *reason)
{
	answer(sender, "connect", sequence, reason, PROTOCOL_INTERNAL_ERROR);
}

static void take_connect(struct forward_sender *sender, const struct command *command,
			 s32 sequence)
{
	struct sockaddr_storage address;
	int error = command_address(command, &address);

	if (error > 0)
		error = backend_connect(sender->forward, command->key, &address, error, sender,
					sequence);
	if (error < 0)
		command_failed(sender, sequence, why(error));
}

static void take_disconnect(struct forward_sender *sender, const struct command *command,
			    s32 sequence)
{
	struct forward_backend *backend = NULL;

	if (command_disconnects(command))
		backend = backend_find(sender->forward, command->key);
	if (!backend) {
		answer(sender, "disconnect", sequence, "no backend has this key",
		       PROTOCOL_INTERNAL_ERROR);
		return;
	}
	backend_disconnect(backend);
	answer(sender, "disconnect", sequence, NULL, 0);
}

int command_take(struct forward_sender *sender, const struct slick_thrift_msg *msg)
{
	struct command command;
	char name[NAME_MOST + 1];
	u32 length = msg->name_length;
	int error;

	if (msg->kind != SLICK_THRIFT_CALL)
		return -EPROTO;
	error = command_parse(msg, &command);
	if (error)
		return error;
	/* Answers bear the name of what they answer. */
	length = length > NAME_MOST ? NAME_MOST : length;
	memcpy(name, msg->name, length);
	name[length] = 0;
	if (!sender->commands)
		answer(sender, name, msg->sequence, "commands are taken at the other port",
		       PROTOCOL_UNKNOWN_METHOD);
	else if (slick_thrift_is(msg, "connect"))
		take_connect(sender, &command, msg->sequence);
	else if (slick_thrift_is(msg, "disconnect"))
		take_disconnect(sender, &command, msg->sequence);
	else
		answer(sender, name, msg->sequence, "there are connect and disconnect",
		       PROTOCOL_UNKNOWN_METHOD);
	return 0;
}
