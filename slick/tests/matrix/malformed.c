// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* The ways in which a frame can be no message: each function makes one whole frame. */
#include "matrix.h"

static void version_2(struct frame *frame)
{
	frame_message(frame, 140, "x", 1);
	frame->bytes[5] = 2;
}

static void without_version(struct frame *frame)
{
	frame_u32(frame, 0);
	frame_u32(frame, 3);
	frame_bytes(frame, "msg\4\0\0\0\0", 8);
	frame_i32(frame, 1, 140);
	frame_end(frame);
}

static void kind_is_unknown(struct frame *frame)
{
	frame_begin(frame, 7, "msg", 0);
	frame_i32(frame, 1, 140);
	frame_end(frame);
}

static void kind_is_reply(struct frame *frame)
{
	frame_begin(frame, REPLY, "msg", 0);
	frame_i32(frame, 1, 140);
	frame_end(frame);
}

static void another_name(struct frame *frame)
{
	frame_begin(frame, ONEWAY, "gsm", 0);
	frame_i32(frame, 1, 140);
	frame_end(frame);
}

static void name_beyond_the_end(struct frame *frame)
{
	frame_message(frame, 140, "x", 1);
	frame->bytes[10] = 1;
}

static void negative_name(struct frame *frame)
{
	frame_message(frame, 140, "x", 1);
	frame->bytes[8] = 0x80;
}

static void no_key(struct frame *frame)
{
	frame_begin(frame, ONEWAY, "msg", 0);
	frame_string(frame, 2, "x", 1);
	frame_end(frame);
}

static void key_is_a_string(struct frame *frame)
{
	frame_begin(frame, ONEWAY, "msg", 0);
	frame_string(frame, 1, "140", 3);
	frame_string(frame, 2, "x", 1);
	frame_end(frame);
}

static void string_beyond_the_end(struct frame *frame)
{
	frame_message(frame, 140, "0123456789", 10);
	frame->bytes[32] = 200;
}

static void negative_string(struct frame *frame)
{
	frame_message(frame, 140, "0123456789", 10);
	frame->bytes[29] = 0xff;
}

static void more_behind_the_stop(struct frame *frame)
{
	frame_message(frame, 140, "x", 1);
	frame_bytes(frame, "more", 4);
	frame_close(frame);
}

static void no_stop(struct frame *frame)
{
	frame_message(frame, 140, "x", 1);
	frame->length--;
	frame_close(frame);
}

static void nothing_in_it(struct frame *frame)
{
	frame_u32(frame, 0);
}

static void three_bytes(struct frame *frame)
{
	frame_u32(frame, 3);
	frame_bytes(frame, "\x80\1\0", 3);
}

static void type_is_unknown(struct frame *frame)
{
	frame_begin(frame, ONEWAY, "msg", 0);
	frame_i32(frame, 1, 140);
	frame_field(frame, 9, 3);
	frame_u32(frame, 0);
	frame_end(frame);
}

static void much_too_deep(struct frame *frame)
{
	frame_begin(frame, ONEWAY, "msg", 0);
	frame_i32(frame, 1, 140);
	for (int i = 0; i < 5000; i++)
		frame_field(frame, T_STRUCT, 3);
	for (int i = 0; i < 5000; i++)
		frame_byte(frame, T_STOP);
	frame_end(frame);
}

static void endless_list(struct frame *frame)
{
	frame_begin(frame, ONEWAY, "msg", 0);
	frame_i32(frame, 1, 140);
	frame_field(frame, T_LIST, 3);
	frame_byte(frame, T_STRUCT);
	frame_u32(frame, 0x7fffffff);
	frame_end(frame);
}

static void list_of_nothing(struct frame *frame)
{
	frame_begin(frame, ONEWAY, "msg", 0);
	frame_i32(frame, 1, 140);
	frame_field(frame, T_LIST, 3);
	frame_byte(frame, T_STOP);
	frame_u32(frame, 0x7fffffff);
	frame_end(frame);
}

const struct bad_frame bad_frames[] = {
	{ "version 2", version_2, false },
	{ "no version", without_version, false },
	{ "an unknown kind", kind_is_unknown, false },
	{ "a reply", kind_is_reply, true },
	{ "another name", another_name, true },
	{ "a name beyond the end", name_beyond_the_end, false },
	{ "a negative name", negative_name, false },
	{ "no key", no_key, true },
	{ "a key that is a string", key_is_a_string, true },
	{ "a string beyond the end", string_beyond_the_end, false },
	{ "a negative string", negative_string, false },
	{ "bytes behind the stop", more_behind_the_stop, false },
	{ "no stop", no_stop, false },
	{ "an empty frame", nothing_in_it, false },
	{ "a frame of three bytes", three_bytes, false },
	{ "an unknown type", type_is_unknown, false },
	{ "5000 structs deep", much_too_deep, false },
	{ "a list without end", endless_list, false },
	{ "a list of nothing", list_of_nothing, false },
	{ NULL, NULL, false },
};
