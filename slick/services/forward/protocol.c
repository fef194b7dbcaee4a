// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "protocol.h"

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

int command_parse(const struct slick_thrift_msg *msg, struct command *command)
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

int command_address(const struct command *command, struct sockaddr_storage *address)
{
	if (command->seen != FIELDS_OF_CONNECT || command->port <= 0 || command->port > 65535)
		return -EINVAL;
	return slick_address(command->address, command->port, address);
}

bool command_disconnects(const struct command *command)
{
	return command->seen == FIELDS_OF_DISCONNECT;
}

s64 protocol_answer(u8 *frame, const char *name, s32 sequence, const char *failure, s32 type)
{
	struct slick_thrift_writer writer;

	slick_thrift_begin(&writer, frame, PROTOCOL_FRAME_MOST, name,
			   failure ? SLICK_THRIFT_EXCEPTION : SLICK_THRIFT_REPLY, sequence);
	if (failure) {
		slick_thrift_put_string(&writer, 1, failure, strlen(failure));
		slick_thrift_put_i32(&writer, 2, type);
	}
	return slick_thrift_end(&writer);
}

s64 protocol_failed(u8 *frame, s32 key, const char *reason)
{
	struct slick_thrift_writer writer;

	slick_thrift_begin(&writer, frame, PROTOCOL_FRAME_MOST, "failed", SLICK_THRIFT_ONEWAY, 0);
	slick_thrift_put_i32(&writer, 1, key);
	slick_thrift_put_string(&writer, 2, reason, strlen(reason));
	return slick_thrift_end(&writer);
}
