/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* Messages made byte by byte, also wrong ones. */
#ifndef SLICK_TESTS_MESSAGE_H
#define SLICK_TESTS_MESSAGE_H

#include <slick/thrift.h>

struct bytes {
	u8 data[8192];
	size_t length;
};

static inline void add(struct bytes *to, const void *bytes, size_t length)
{
	assert_true(length <= sizeof(to->data) - to->length);
	memcpy(to->data + to->length, bytes, length);
	to->length += length;
}

static inline void add_u8(struct bytes *to, u8 value)
{
	add(to, &value, 1);
}

static inline void add_be32(struct bytes *to, u32 value)
{
	u8 bytes[4];

	slick_put_be32(bytes, value);
	add(to, bytes, 4);
}

static inline void add_field(struct bytes *to, u8 type, u16 id)
{
	add_u8(to, type);
	add_u8(to, (u8)(id >> 8));
	add_u8(to, (u8)id);
}

static inline void add_string(struct bytes *to, const char *text)
{
	add_be32(to, (u32)strlen(text));
	add(to, text, strlen(text));
}

static inline void add_list(struct bytes *to, u8 type, u32 count)
{
	add_u8(to, type);
	add_be32(to, count);
}

static inline void add_map(struct bytes *to, u8 key, u8 type, u32 count)
{
	add_u8(to, key);
	add_list(to, type, count);
}

/* A message's start; what is added then is its body. */
static inline void begin_message(struct bytes *to, const char *name, u32 kind, u32 sequence)
{
	to->length = 0;
	add_be32(to, 0);
	add_be32(to, 0x80010000u | kind);
	add_string(to, name);
	add_be32(to, sequence);
}

static inline void end_message(struct bytes *to)
{
	slick_put_be32(to->data, (u32)(to->length - 4));
}

/* msg(key, payload), the payload of `length` bytes that follow the pattern. */
static inline size_t make_msg(u8 *at, size_t size, s32 key, size_t length)
{
	static u8 payload[70000];
	struct slick_thrift_writer writer;
	s64 end;

	fill_pattern(payload, length, (size_t)key);
	slick_thrift_begin(&writer, at, size, "msg", SLICK_THRIFT_ONEWAY, 0);
	slick_thrift_put_i32(&writer, 1, key);
	slick_thrift_put_string(&writer, 2, payload, (u32)length);
	end = slick_thrift_end(&writer);
	assert_true(end > 0);
	return (size_t)end;
}

/* That a message is msg(key, payload) as above. */
static inline void assert_msg(const struct slick_thrift_msg *msg, s32 key, size_t length)
{
	struct slick_thrift_iter iter;
	struct slick_thrift_field field;

	assert_true(slick_thrift_is(msg, "msg"));
	assert_int_equal(msg->kind, SLICK_THRIFT_ONEWAY);
	slick_thrift_fields(msg, &iter);
	assert_int_equal(slick_thrift_next(&iter, &field), 1);
	assert_int_equal(field.id, 1);
	assert_int_equal(field.type, SLICK_THRIFT_I32);
	assert_int_equal(slick_thrift_i32(&field), key);
	assert_int_equal(slick_thrift_next(&iter, &field), 1);
	assert_int_equal(field.id, 2);
	assert_int_equal(field.type, SLICK_THRIFT_STRING);
	assert_int_equal(field.length, length);
	assert_pattern(field.value, length, (size_t)key);
	assert_int_equal(slick_thrift_next(&iter, &field), 0);
}

#endif
