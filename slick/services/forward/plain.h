/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * The form in which every Thrift library writes `oneway msg(1: i32 key, 2: string payload)`: all of
 * it but the sequence number, the key and the payload is known, and stands where it always stands.
 * To compare is a tenth of the work of reading. What has another form is read (thrift.h).
 */
#ifndef SLICK_FORWARD_PLAIN_H
#define SLICK_FORWARD_PLAIN_H

#include <slick/port.h>

/*
 *   0 length   4 version and kind   8 length of name  12 "msg"  15 sequence  19 type and id  22 key
 *  26 type and id  29 length of payload  33 payload  and a STOP
 */
#define PLAIN_LEAST 34

/* Whether a whole one is at the front of the bytes. */
static inline bool plain_msg(const u8 *bytes, size_t length, u32 max_frame, s32 *key, u32 *total)
{
	u32 frame;

	if (length < PLAIN_LEAST)
		return false;
	frame = slick_get_be32(bytes);
	if (frame > max_frame || frame > length - 4 || frame < PLAIN_LEAST - 4)
		return false;
	if (slick_get_be32(bytes + 4) != 0x80010004 || slick_get_be32(bytes + 8) != 3 ||
	    slick_get_be32(bytes + 12) >> 8 != 0x6d7367 ||
	    slick_get_be32(bytes + 19) >> 8 != 0x080001 ||
	    slick_get_be32(bytes + 26) >> 8 != 0x0b0002 ||
	    slick_get_be32(bytes + 29) != frame - (PLAIN_LEAST - 4) || bytes[frame + 3])
		return false;
	*key = (s32)slick_get_be32(bytes + 22);
	*total = frame + 4;
	return true;
}

#endif
