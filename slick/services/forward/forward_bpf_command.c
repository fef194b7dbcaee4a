// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* void connect(1: i32 key, 2: string address, 3: i32 port), void disconnect(1: i32 key) */
#include "forward_bpf_server.h"

#define ANSWER_MOST 256
#define INTERNAL_ERROR 6 /* of a TApplicationException */

#define FIELDS_OF_CONNECT 0xe /* bits 1, 2, 3 */
#define FIELDS_OF_DISCONNECT 0x2

struct command {
	u32 seen; /* a bit for each field's id */
	s32 key, port;
	char address[SLICK_ADDRESS_TEXT];
};

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

void command_answer(struct server *server, struct sender *sender, const char *name, s32 sequence,
		    const char *failure)
{
	struct slick_thrift_writer writer;
	u8 frame[ANSWER_MOST];
	s64 length;

	slick_thrift_begin(&writer, frame, sizeof(frame), name,
			   failure ? SLICK_THRIFT_EXCEPTION : SLICK_THRIFT_REPLY, sequence);
	if (failure) {
		slick_thrift_put_string(&writer, 1, failure, strlen(failure));
		slick_thrift_put_i32(&writer, 2, INTERNAL_ERROR);
	}
	length = slick_thrift_end(&writer);
	if (length > 0)
		sender_write(server, sender, frame, length);
}

static const char *take_connect(struct server *server, struct sender *sender,
				const struct command *command, s32 sequence)
{
	struct sockaddr_storage address;
	int error = -EINVAL;

	if (command->seen == FIELDS_OF_CONNECT && command->port > 0 && command->port <= 65535)
		error = slick_address(command->address, command->port, &address);
	if (error > 0)
		error = backend_connect(server, command->key, &address, error, sender, sequence);
	if (error == -ENOSPC)
		return "there are as many backends as this forwarder can have";
	return error < 0 ? why(error) : NULL;
}

static const char *take_disconnect(struct server *server, const struct command *command)
{
	struct backend *backend = NULL;

	if (command->seen == FIELDS_OF_DISCONNECT)
		backend = backend_find(server, command->key);
	if (!backend)
		return "no backend has this key";
	backend_disconnect(server, backend);
	return NULL;
}

int command_take(struct server *server, struct sender *sender, const struct slick_thrift_msg *msg)
{
	struct command command = {};
	struct slick_thrift_field field;
	struct slick_thrift_iter iter;
	const char *failure;
	int more;

	if (msg->kind != SLICK_THRIFT_CALL)
		return -EPROTO;
	slick_thrift_fields(msg, &iter);
	while ((more = slick_thrift_next(&iter, &field)) > 0)
		take_field(&command, &field);
	if (more < 0)
		return more;
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
