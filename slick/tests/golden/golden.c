// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Our parser and writer against the frames of Apache Thrift: golden FRAMES OURS. */
#include "../unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include <slick/thrift.h>

#include "../unit/pieces.h"

unsigned int tests_run, tests_failed;

static const struct slick_thrift_limits usual;
static const char *frames_path, *ours_path;

struct file {
	u8 bytes[16384];
	size_t length;
};

static struct file golden, ours;
static size_t frames;

/* The next of the golden frames. */
static void next_message(size_t *at, struct slick_thrift_msg *msg)
{
	assert_int_equal(slick_thrift_parse(golden.bytes + *at, golden.length - *at, &usual, msg),
			 1);
	*at += msg->frame_length;
	frames++;
}

static void assert_message(const struct slick_thrift_msg *msg, const char *name, u32 kind, s32 seq)
{
	assert_true(slick_thrift_is(msg, name));
	assert_int_equal(msg->kind, kind);
	assert_int_equal(msg->sequence, seq);
}

static void assert_i32(struct slick_thrift_iter *iter, s16 id, s32 value)
{
	struct slick_thrift_field field;

	assert_int_equal(slick_thrift_next(iter, &field), 1);
	assert_int_equal(field.type, SLICK_THRIFT_I32);
	assert_int_equal(field.id, id);
	assert_int_equal(slick_thrift_i32(&field), value);
}

static void assert_bytes(struct slick_thrift_iter *iter, s16 id, const void *bytes, size_t length)
{
	struct slick_thrift_field field;

	assert_int_equal(slick_thrift_next(iter, &field), 1);
	assert_int_equal(field.type, SLICK_THRIFT_STRING);
	assert_int_equal(field.id, id);
	assert_int_equal(field.length, length);
	assert_true(!memcmp(field.value, bytes, length));
}

static void assert_end(struct slick_thrift_iter *iter)
{
	struct slick_thrift_field field;

	assert_int_equal(slick_thrift_next(iter, &field), 0);
}

static const struct {
	s32 key;
	size_t length, from;
} msgs[] = { { 7, 0, 0 }, { -1, 32, 0 }, { INT32_MAX, 4096, 5 } };

static void reads_the_messages_of_a_forwarder(size_t *at)
{
	static u8 payload[4096];
	struct slick_thrift_iter iter;
	struct slick_thrift_msg msg;
	size_t i;

	for (i = 0; i < 3; i++) {
		next_message(at, &msg);
		assert_message(&msg, "msg", SLICK_THRIFT_ONEWAY, 0);
		assert_int_equal(msg.frame_length, 34 + msgs[i].length);
		assert_int_equal((s32)slick_get_be32(msg.frame + 22), msgs[i].key);
		slick_thrift_fields(&msg, &iter);
		fill_pattern(payload, msgs[i].length, msgs[i].from);
		assert_i32(&iter, 1, msgs[i].key);
		assert_bytes(&iter, 2, payload, msgs[i].length);
		assert_end(&iter);
	}
	next_message(at, &msg);
	assert_message(&msg, "failed", SLICK_THRIFT_ONEWAY, 0);
	slick_thrift_fields(&msg, &iter);
	assert_i32(&iter, 1, -1);
	assert_bytes(&iter, 2, "no such key", 11);
	assert_end(&iter);
}

static void reads_commands_and_answers(size_t *at)
{
	struct slick_thrift_iter iter;
	struct slick_thrift_msg msg;

	next_message(at, &msg);
	assert_message(&msg, "connect", SLICK_THRIFT_CALL, 5);
	slick_thrift_fields(&msg, &iter);
	assert_i32(&iter, 1, 3);
	assert_bytes(&iter, 2, "127.0.0.1", 9);
	assert_i32(&iter, 3, 9000);
	assert_end(&iter);
	next_message(at, &msg);
	assert_message(&msg, "disconnect", SLICK_THRIFT_CALL, -6);
	slick_thrift_fields(&msg, &iter);
	assert_i32(&iter, 1, 3);
	assert_end(&iter);
	next_message(at, &msg);
	assert_message(&msg, "connect", SLICK_THRIFT_REPLY, 5);
	slick_thrift_fields(&msg, &iter);
	assert_end(&iter);
	next_message(at, &msg);
	assert_message(&msg, "disconnect", SLICK_THRIFT_EXCEPTION, -6);
	slick_thrift_fields(&msg, &iter);
	assert_bytes(&iter, 1, "no such key", 11);
	assert_i32(&iter, 2, 6);
	assert_end(&iter);
}

static void reads_every_type(size_t *at)
{
	static const struct {
		u8 type;
		u32 length;
		const char *value;
	} fields[] = {
		{ SLICK_THRIFT_BOOL, 1, "\1" },
		{ SLICK_THRIFT_I8, 1, "\xfe" },
		{ SLICK_THRIFT_DOUBLE, 8, "\x3f\xf8\0\0\0\0\0" },
		{ SLICK_THRIFT_I16, 2, "\xfe\xd4" },
		{ SLICK_THRIFT_I32, 4, "\0\0\x12\x67" },
		{ SLICK_THRIFT_I64, 8, "\xff\xff\xff\0\0\0\0" },
		{ SLICK_THRIFT_STRING, 4, "text" },
		{ SLICK_THRIFT_UUID, 16, "\1\2\3\4\5\6\7\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10" },
	};
	struct slick_thrift_iter iter;
	struct slick_thrift_field field;
	struct slick_thrift_msg msg;
	s16 id;

	next_message(at, &msg);
	assert_message(&msg, "everything", SLICK_THRIFT_CALL, 99);
	slick_thrift_fields(&msg, &iter);
	for (id = 1; id <= 8; id++) {
		assert_int_equal(slick_thrift_next(&iter, &field), 1);
		assert_int_equal(field.id, id);
		assert_int_equal(field.type, fields[id - 1].type);
		assert_int_equal(field.length, fields[id - 1].length);
		assert_memory_equal(field.value, fields[id - 1].value, field.length);
	}
	assert_int_equal(slick_thrift_next(&iter, &field), 1);
	assert_int_equal(field.id, 9);
	assert_int_equal(field.type, SLICK_THRIFT_LIST);
	assert_int_equal(slick_thrift_next(&iter, &field), 1);
	assert_int_equal(field.id, 10);
	assert_int_equal(field.type, SLICK_THRIFT_MAP);
	/*
	 * Types and count, the two keys, two sets with types and counts, three numbers of two
	 * bytes.
	 */
	assert_int_equal(field.length, 6 + 2 * (4 + 4) + 2 * 5 + 6);
	assert_i32(&iter, 11, 12);
	assert_end(&iter);
}

static void reads_what_apache_thrift_wrote(void **state)
{
	size_t at = 0;

	(void)state;
	reads_the_messages_of_a_forwarder(&at);
	reads_commands_and_answers(&at);
	reads_every_type(&at);
	assert_int_equal(at, golden.length);
}

static void reads_the_same_out_of_pieces(void **state)
{
	struct slick_thrift_msg msg;
	size_t at;

	(void)state;
	for (at = 0; at < golden.length; at += msg.frame_length) {
		assert_int_equal(slick_thrift_parse(golden.bytes + at, golden.length - at, &usual,
						    &msg), 1);
		assert_cuts_change_nothing(msg.frame, msg.frame_length, &usual);
	}
}

static void begin(struct slick_thrift_writer *writer, const char *name, u32 kind, s32 sequence)
{
	slick_thrift_begin(writer, ours.bytes + ours.length, sizeof(ours.bytes) - ours.length, name,
			   kind, sequence);
}

static void end(struct slick_thrift_writer *writer)
{
	s64 length = slick_thrift_end(writer);

	assert_true(length > 0);
	ours.length += (size_t)length;
}

static void write_commands_and_answers(void)
{
	struct slick_thrift_writer writer;

	begin(&writer, "failed", SLICK_THRIFT_ONEWAY, 0);
	slick_thrift_put_i32(&writer, 1, -1);
	slick_thrift_put_string(&writer, 2, "no such key", 11);
	end(&writer);
	begin(&writer, "connect", SLICK_THRIFT_CALL, 5);
	slick_thrift_put_i32(&writer, 1, 3);
	slick_thrift_put_string(&writer, 2, "127.0.0.1", 9);
	slick_thrift_put_i32(&writer, 3, 9000);
	end(&writer);
	begin(&writer, "disconnect", SLICK_THRIFT_CALL, -6);
	slick_thrift_put_i32(&writer, 1, 3);
	end(&writer);
	begin(&writer, "connect", SLICK_THRIFT_REPLY, 5);
	end(&writer);
	begin(&writer, "disconnect", SLICK_THRIFT_EXCEPTION, -6);
	slick_thrift_put_string(&writer, 1, "no such key", 11);
	slick_thrift_put_i32(&writer, 2, 6);
	end(&writer);
}

static void writes_what_apache_thrift_wrote(void **state)
{
	static u8 payload[4096];
	struct slick_thrift_writer writer;
	FILE *file;
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		fill_pattern(payload, msgs[i].length, msgs[i].from);
		begin(&writer, "msg", SLICK_THRIFT_ONEWAY, 0);
		slick_thrift_put_i32(&writer, 1, msgs[i].key);
		slick_thrift_put_string(&writer, 2, payload, (u32)msgs[i].length);
		end(&writer);
	}
	write_commands_and_answers();
	assert_true(ours.length < golden.length);
	assert_memory_equal(ours.bytes, golden.bytes, ours.length);
	file = fopen(ours_path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(ours.bytes, 1, ours.length, file), ours.length);
	assert_int_equal(fclose(file), 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest both_ways[] = {
		cmocka_unit_test(reads_what_apache_thrift_wrote),
		cmocka_unit_test(reads_the_same_out_of_pieces),
		cmocka_unit_test(writes_what_apache_thrift_wrote),
	};
	FILE *file;

	if (argc != 3) {
		fprintf(stderr, "golden: wants FRAMES and OURS\n");
		return 2;
	}
	frames_path = argv[1];
	ours_path = argv[2];
	file = fopen(frames_path, "rb");
	if (!file) {
		perror(frames_path);
		return 2;
	}
	golden.length = fread(golden.bytes, 1, sizeof(golden.bytes), file);
	fclose(file);
	RUN_GROUP(both_ways);
	printf("golden: %zu frames of Apache Thrift's read, %u tests, %u failed\n", frames,
	       tests_run, tests_failed);
	return tests_failed ? 1 : 0;
}
