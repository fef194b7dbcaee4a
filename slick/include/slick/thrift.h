/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * Apache Thrift on the wire: TFramedTransport (a length of four bytes before each message) and the
 * strict TBinaryProtocol, read where the bytes lie. Nothing is copied, nothing is allocated; all
 * lengths are checked against what is there before they are used. Source: thrift-rpc.md and thrift-
 * binary-protocol.md of Apache Thrift's doc/specs.
 */
#ifndef SLICK_THRIFT_H
#define SLICK_THRIFT_H

#include <slick/port.h>

#define SLICK_THRIFT_FRAME_HEADER 4

enum slick_thrift_kind { /* of a message */
	SLICK_THRIFT_CALL = 1,
	SLICK_THRIFT_REPLY = 2,
	SLICK_THRIFT_EXCEPTION = 3,
	SLICK_THRIFT_ONEWAY = 4,
};

enum slick_thrift_type { /* of a field */
	SLICK_THRIFT_STOP = 0,
	SLICK_THRIFT_BOOL = 2,
	SLICK_THRIFT_I8 = 3,
	SLICK_THRIFT_DOUBLE = 4,
	SLICK_THRIFT_I16 = 6,
	SLICK_THRIFT_I32 = 8,
	SLICK_THRIFT_I64 = 10,
	SLICK_THRIFT_STRING = 11,
	SLICK_THRIFT_STRUCT = 12,
	SLICK_THRIFT_MAP = 13,
	SLICK_THRIFT_SET = 14,
	SLICK_THRIFT_LIST = 15,
	SLICK_THRIFT_UUID = 16,
};

struct slick_thrift_limits {
	u32 max_frame;	/* bytes of a frame without its header; 0: SLICK_THRIFT_MAX_FRAME */
	u32 max_depth;	/* containers within containers; 0: SLICK_THRIFT_MAX_DEPTH */
};

#define SLICK_THRIFT_MAX_FRAME (1u << 20)
#define SLICK_THRIFT_MAX_DEPTH 16
/* No limits go further: a frame's length is a positive i32, and the walk keeps a note a level. */
#define SLICK_THRIFT_LONGEST_FRAME 0x7fffffffu
#define SLICK_THRIFT_DEEPEST 64

static inline u32 slick_thrift_max_frame(const struct slick_thrift_limits *limits)
{
	return limits->max_frame ? limits->max_frame : SLICK_THRIFT_MAX_FRAME;
}

static inline u32 slick_thrift_max_depth(const struct slick_thrift_limits *limits)
{
	return limits->max_depth ? limits->max_depth : SLICK_THRIFT_MAX_DEPTH;
}

/* One message in somebody else's buffer: good until bytes are taken from it or added to it. */
struct slick_thrift_msg {
	const u8 *frame;	/* the whole frame with its header */
	u32 frame_length;	/* with the header */
	const u8 *name;		/* not terminated */
	u32 name_length;
	u32 kind;		/* enum slick_thrift_kind */
	s32 sequence;
	const u8 *body;		/* the struct of arguments: fields up to a STOP */
	u32 body_length;
	u32 max_depth;
};

/*
 * Looks for a message at the front of `bytes`. 1: there is one, and `msg` is filled; 0: more bytes
 * are needed; -EMSGSIZE: the frame is longer than allowed; -EPROTO: what is there is no message of
 * the strict binary protocol. Only the header is read: what the body holds shows when its fields
 * are walked.
 */
int slick_thrift_parse(const u8 *bytes, size_t length, const struct slick_thrift_limits *limits,
		       struct slick_thrift_msg *msg);

/*
 * How long the frame at the front is with its header; 0: fewer than four bytes are there;
 * -EMSGSIZE; -EPROTO: the length is negative.
 */
s64 slick_thrift_frame(const u8 *bytes, size_t length, const struct slick_thrift_limits *limits);

/* A walk along the fields of a struct. */
struct slick_thrift_iter {
	const u8 *at;
	const u8 *end;
	u32 depth;	/* how many more containers may be entered */
};

struct slick_thrift_field {
	s16 id;
	u8 type;	/* enum slick_thrift_type */
	const u8 *value;	/* of a string: behind its length */
	u32 length;		/* bytes of the value; of a string without its length */
};

static inline void slick_thrift_fields(const struct slick_thrift_msg *msg,
				       struct slick_thrift_iter *iter)
{
	iter->at = msg->body;
	iter->end = msg->body + msg->body_length;
	iter->depth = msg->max_depth;
}

/*
 * 1: the next field, whole and well formed, nested ones skipped; 0: STOP, and nothing is behind it;
 * -EPROTO, -ELOOP (too deep): the walk stays where it is.
 */
int slick_thrift_next(struct slick_thrift_iter *iter, struct slick_thrift_field *field);

static inline bool slick_thrift_is(const struct slick_thrift_msg *msg, const char *name)
{
	size_t length = strlen(name);

	return msg->name_length == length && !memcmp(msg->name, name, length);
}

/* Of a field that is a SLICK_THRIFT_I32. */
static inline s32 slick_thrift_i32(const struct slick_thrift_field *field)
{
	return (s32)slick_get_be32(field->value);
}

/*
 * A message that does not lie in one place, such as one in the pages it came in: read and walked
 * where it is, with the same verdicts as above.
 */
struct slick_thrift_source {
	const u8 *bytes;	/* where it lies in one place after all; else NULL */
	/*
	 * `number` bytes (SLICK_THRIFT_LOOK at most) at `offset`, all of them before `length`:
	 * where they lie, or copied to `scratch`. NULL: they cannot be had, which is -EPROTO. A
	 * walk asks from the front to the back, but may ask for the same once more.
	 */
	const u8 *(*at)(void *context, u32 offset, u32 number, u8 *scratch);
	void *context;
	u32 length;		/* bytes that are there, from the header of the frame on */
};

#define SLICK_THRIFT_LOOK 8

static inline const u8 *slick_thrift_look(const struct slick_thrift_source *source, u32 offset,
					  u32 number, u8 *scratch)
{
	if (source->bytes)
		return source->bytes + offset;
	return source->at(source->context, offset, number, scratch);
}

/* As struct slick_thrift_msg, with offsets from the header of the frame on. */
struct slick_thrift_head {
	u32 frame_length;
	u32 name, name_length;
	u32 kind;
	s32 sequence;
	u32 body;
	u32 max_depth;
};

/* As slick_thrift_parse(). */
int slick_thrift_read_head(const struct slick_thrift_source *source,
			   const struct slick_thrift_limits *limits,
			   struct slick_thrift_head *head);

struct slick_thrift_walk {
	const struct slick_thrift_source *source;
	u32 at, end;
	u32 depth;
};

/* As struct slick_thrift_field: `offset` is that of the value. */
struct slick_thrift_place {
	s16 id;
	u8 type;
	u32 offset, length;
};

static inline void slick_thrift_places(const struct slick_thrift_source *source,
				       const struct slick_thrift_head *head,
				       struct slick_thrift_walk *walk)
{
	walk->source = source;
	walk->at = head->body;
	walk->end = head->frame_length;
	walk->depth = head->max_depth;
}

/* As slick_thrift_next(). */
int slick_thrift_next_place(struct slick_thrift_walk *walk, struct slick_thrift_place *place);

/*
 * Writes frames into memory of the caller's. `length` counts on where there is no room, so that it
 * says at the end how much would have been needed; a frame that did not fit must not be sent.
 */
struct slick_thrift_writer {
	u8 *data;
	size_t size;
	size_t length;
};

void slick_thrift_begin(struct slick_thrift_writer *writer, void *data, size_t size,
			const char *name, u32 kind, s32 sequence);
void slick_thrift_put_i32(struct slick_thrift_writer *writer, s16 id, s32 value);
void slick_thrift_put_string(struct slick_thrift_writer *writer, s16 id, const void *bytes,
			     u32 length);
/*
 * Ends the struct and fills in the length of the frame: its length with the header, or -ENOBUFS;
 * then no put may follow.
 */
s64 slick_thrift_end(struct slick_thrift_writer *writer);

#endif
