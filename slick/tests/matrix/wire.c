// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Framed strict TBinaryProtocol, written and read byte by byte. Source: Apache Thrift's doc/specs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"

void frame_byte(struct frame *frame, uint8_t value)
{
	frame_bytes(frame, &value, 1);
}

void frame_u32(struct frame *frame, uint32_t value)
{
	uint8_t bytes[4] = { value >> 24, value >> 16, value >> 8, value };

	frame_bytes(frame, bytes, 4);
}

void frame_bytes(struct frame *frame, const void *bytes, size_t length)
{
	if (frame->length + length > frame->size) {
		frame->size = 2 * (frame->length + length);
		frame->bytes = realloc(frame->bytes, frame->size);
		if (!frame->bytes)
			abort();
	}
	if (length)
		memcpy(frame->bytes + frame->length, bytes, length);
	frame->length += length;
}

void frame_begin(struct frame *frame, int kind, const char *name, int32_t sequence)
{
	*frame = (struct frame){ 0 };
	frame_u32(frame, 0);
	frame_u32(frame, 0x80010000u | kind);
	frame_u32(frame, strlen(name));
	frame_bytes(frame, name, strlen(name));
	frame_u32(frame, sequence);
}

void frame_field(struct frame *frame, int type, int id)
{
	uint8_t bytes[3] = { type, id >> 8, id };

	frame_bytes(frame, bytes, 3);
}

void frame_i32(struct frame *frame, int id, int32_t value)
{
	frame_field(frame, T_I32, id);
	frame_u32(frame, value);
}

void frame_string(struct frame *frame, int id, const void *bytes, size_t length)
{
	frame_field(frame, T_STRING, id);
	frame_u32(frame, length);
	frame_bytes(frame, bytes, length);
}

void frame_close(struct frame *frame)
{
	uint32_t length = frame->length - 4;
	uint8_t bytes[4] = { length >> 24, length >> 16, length >> 8, length };

	memcpy(frame->bytes, bytes, 4);
}

void frame_end(struct frame *frame)
{
	frame_byte(frame, T_STOP);
	frame_close(frame);
}

void frame_free(struct frame *frame)
{
	free(frame->bytes);
	*frame = (struct frame){ 0 };
}

void frame_message(struct frame *frame, int32_t key, const void *payload, size_t length)
{
	frame_begin(frame, ONEWAY, "msg", 0);
	frame_i32(frame, 1, key);
	frame_string(frame, 2, payload, length);
	frame_end(frame);
}

/* What is left of a frame that is read. */
struct reader {
	const uint8_t *at, *end;
	bool broken;
};

static const uint8_t *read_bytes(struct reader *reader, size_t length)
{
	const uint8_t *at = reader->at;

	if (reader->broken || length > (size_t)(reader->end - at)) {
		reader->broken = true;
		return NULL;
	}
	reader->at += length;
	return at;
}

static uint32_t read_u32(struct reader *reader)
{
	const uint8_t *at = read_bytes(reader, 4);

	return at ? (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3] : 0;
}

static void read_text(struct reader *reader, char *text, size_t size)
{
	uint32_t length = read_u32(reader);
	const uint8_t *at = read_bytes(reader, length);

	if (at)
		snprintf(text, size, "%.*s", (int)length, (const char *)at);
}

static bool read_fields(struct reader *reader, struct answer *answer)
{
	for (;;) {
		const uint8_t *type = read_bytes(reader, 1);

		if (!type)
			return false;
		if (*type == T_STOP)
			return reader->at == reader->end;
		read_bytes(reader, 2);
		if (*type == T_I32) {
			answer->number = read_u32(reader);
			answer->has_number = true;
		} else if (*type == T_STRING) {
			read_text(reader, answer->text, sizeof(answer->text));
		} else {
			return false;
		}
	}
}

bool recv_answer(int sock, struct answer *answer)
{
	uint8_t header[4], bytes[65536];
	struct reader reader = { .at = header, .end = header + 4 };
	uint32_t length, version;

	memset(answer, 0, sizeof(*answer));
	if (!recv_all(sock, header, 4))
		return false;
	length = read_u32(&reader);
	if (length > sizeof(bytes))
		return fail("an answer says that it is %u bytes long", length);
	if (!recv_all(sock, bytes, length))
		return false;
	reader = (struct reader){ .at = bytes, .end = bytes + length };
	version = read_u32(&reader);
	if (version >> 16 != 0x8001)
		return fail("an answer has version %#x", version >> 16);
	answer->kind = version & 0xff;
	read_text(&reader, answer->name, sizeof(answer->name));
	answer->sequence = read_u32(&reader);
	return read_fields(&reader, answer) ||
	       fail("an answer of %u bytes is not well formed", length);
}

bool recv_failed(int sock, int32_t key)
{
	struct answer answer;

	if (!recv_answer(sock, &answer))
		return false;
	if (answer.kind != ONEWAY || strcmp(answer.name, "failed"))
		return fail("kind %d %s came, not a oneway failed", answer.kind, answer.name);
	if (!answer.has_number || answer.number != key)
		return fail("failed(%d) came, not failed(%d): %s", answer.number, key, answer.text);
	return answer.text[0] || fail("failed(%d) gives no reason", key);
}
