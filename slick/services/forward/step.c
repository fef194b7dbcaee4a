// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* One message of a sender: to its backend, to the commands, or back with a notice. */
#include "internal.h"
#include "plain.h"

static enum step refuse(struct forward_sender *sender, int error)
{
	struct slick_forward_stats *stats = &sender->forward->stats;

	if (error == -EMSGSIZE) {
		stats->oversized++;
		sender_failed(sender, NO_KEY, "the frame is too long");
	} else {
		stats->malformed++;
		sender_failed(sender, NO_KEY,
			      "that is no oneway msg(1: i32 key, 2: string payload)");
	}
	return STEP_CLOSE;
}

int sender_key(const struct slick_thrift_msg *msg, s32 *key)
{
	struct slick_thrift_field field;
	struct slick_thrift_iter iter;
	bool found = false;
	int more;

	slick_thrift_fields(msg, &iter);
	while ((more = slick_thrift_next(&iter, &field)) > 0) {
		if (field.id == 1 && field.type == SLICK_THRIFT_I32) {
			*key = slick_thrift_i32(&field);
			found = true;
		}
	}
	if (more < 0)
		return more;
	return found ? 1 : -EPROTO;
}

static enum step deliver(struct forward_sender *sender, const struct slick_thrift_msg *msg,
			 s32 key)
{
	struct slick_forward *forward = sender->forward;
	struct forward_backend *backend = route_find(sender, key);
	int error;

	if (!backend) {
		backend = backend_find(forward, key);
		if (!backend) {
			forward->stats.unknown++;
			sender_failed(sender, key, "no backend has this key");
			slick_ts_discard(&sender->ts, msg);
			return STEP_TAKEN;
		}
		if (route_add(sender, backend))
			return STEP_CLOSE;
	}
	error = backend_give(backend, sender, msg);
	if (!error) {
		forward->stats.forwarded++;
		return STEP_TAKEN;
	}
	if (error == -EAGAIN) {
		backend_wait(backend, sender);
		return STEP_WAIT;
	}
	/* The message stays in front: the next step finds no backend, and says so. */
	backend_died(backend, error);
	return STEP_TAKEN;
}

enum step sender_step(struct forward_sender *sender)
{
	struct slick_thrift_msg msg;
	size_t length;
	int error;
	s32 key;

	msg.frame = slick_bs_peek(&sender->ts.bs, &length);
	if (!sender->commands && plain_msg(msg.frame, length, sender->ts.limits.max_frame, &key,
					   &msg.frame_length))
		return deliver(sender, &msg, key);
	error = slick_ts_next(&sender->ts, &msg);
	if (error == 0)
		return STEP_HUNGRY;
	if (error < 0)
		return refuse(sender, error);
	if (sender->commands || msg.kind != SLICK_THRIFT_ONEWAY) {
		error = command_take(sender, &msg);
		if (error)
			return refuse(sender, error);
		slick_ts_discard(&sender->ts, &msg);
		return STEP_TAKEN;
	}
	if (!slick_thrift_is(&msg, "msg"))
		return refuse(sender, -EPROTO);
	error = sender_key(&msg, &key);
	return error < 0 ? refuse(sender, error) : deliver(sender, &msg, key);
}
