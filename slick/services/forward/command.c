// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* void connect(1: i32 key, 2: string address, 3: i32 port), void disconnect(1: i32 key) */
#include "internal.h"

#define ANSWER_MOST 256
#define NAME_MOST 64 /* of a method that we do not know */
#define INTERNAL_ERROR 6 /* of a TApplicationException */
#define UNKNOWN_METHOD 1

struct command {
	u32 seen; /* a bit for each field's id */
	s32 key;
	s32 port;
	char address[SLICK_ADDRESS_TEXT];
};

#define FIELDS_OF_CONNECT 0xe /* bits 1, 2, 3 */
#define FIELDS_OF_DISCONNECT 0x2

static void take_field(struct command *command, const struct slick_thrift_field *field)
{
	if (field->id == 1 && field->type == SLICK_THRIFT_I32) {
		command->key = slick_thrift_i32(field);
	} else if (field->id == 2 && field->type == SLICK_THRIFT_STRING &&
		   field->length < sizeof(command->address)) {
		memcpy(command->address, field->value, field->length);
		command->address[field->length] = 0;
	} else if (field->id == 3 && field->type == SLICK_THRIFT_I32) {
		command->port = slick_thrift_i32(field);
	} else {
		return;
	}
	command->seen |= 1u << field->id;
}

static int command_parse(const struct slick_thrift_msg *msg, struct command *command)
{
	struct slick_thrift_field field;
	struct slick_thrift_iter iter;
	int more;

	memset(command, 0, sizeof(*command));
	slick_thrift_fields(msg, &iter);
	while ((more = slick_thrift_next(&iter, &field)) > 0)
		take_field(command, &field);
	return more;
}

static void answer(struct forward_sender *sender, const char *name, s32 sequence,
		   const char *failure, s32 type)
{
	struct slick_thrift_writer writer;
	u8 frame[ANSWER_MOST];
	s64 length;

	slick_thrift_begin(&writer, frame, sizeof(frame), name,
			   failure ? SLICK_THRIFT_EXCEPTION : SLICK_THRIFT_REPLY, sequence);
	if (failure) {
		slick_thrift_put_string(&writer, 1, failure, strlen(failure));
		slick_thrift_put_i32(&writer, 2, type);
	}
	length = slick_thrift_end(&writer);
	/* Who does not even read the answers to commands is not worth keeping. */
	if (length < 0 || slick_ts_write(&sender->ts, frame, length)) {
		sender->closing = true;
		slick_ev_kick(sender->ev);
	}
}

void command_connected(struct forward_sender *sender, s32 sequence)
{
	answer(sender, "connect", sequence, NULL, 0);
}

void command_failed(struct forward_sender *sender, s32 sequence, const char *reason)
{
	answer(sender, "connect", sequence, reason, INTERNAL_ERROR);
}

static void take_connect(struct forward_sender *sender, const struct command *command,
			 s32 sequence)
{
	struct sockaddr_storage address;
	int error = -EINVAL;

	if (command->seen == FIELDS_OF_CONNECT && command->port > 0 && command->port <= 65535)
		error = slick_address(command->address, command->port, &address);
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

	if (command->seen == FIELDS_OF_DISCONNECT)
		backend = backend_find(sender->forward, command->key);
	if (!backend) {
		answer(sender, "disconnect", sequence, "no backend has this key",
		       INTERNAL_ERROR);
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
		       UNKNOWN_METHOD);
	else if (slick_thrift_is(msg, "connect"))
		take_connect(sender, &command, msg->sequence);
	else if (slick_thrift_is(msg, "disconnect"))
		take_disconnect(sender, &command, msg->sequence);
	else
		answer(sender, name, msg->sequence, "there are connect and disconnect",
		       UNKNOWN_METHOD);
	return 0;
}
