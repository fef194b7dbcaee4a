// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "internal.h"

#define HIGH (256 * 1024)
#define LOW (64 * 1024)

static int fill_in(struct slick_forward *forward)
{
	struct slick_forward_cfg *cfg = &forward->cfg;

	if (!cfg->high && !cfg->low) {
		cfg->high = HIGH;
		cfg->low = LOW;
	}
	if (!cfg->max_frame)
		cfg->max_frame = SLICK_THRIFT_MAX_FRAME;
	forward->marks = (u64)cfg->high << 32 | cfg->low;
	return cfg->high && cfg->low <= cfg->high ? 0 : -EINVAL;
}

struct slick_forward *slick_forward_new(struct slick_loop *loop,
					const struct slick_forward_cfg *cfg)
{
	const enum slick_context context = slick_loop_context(loop);
	struct slick_forward *forward;
	u32 bucket;

	if (context != SLICK_ORDERED && context != SLICK_USER)
		return ERR_PTR(-EINVAL);
	forward = slick_alloc(sizeof(*forward));
	if (!forward)
		return ERR_PTR(-ENOMEM);
	memset(forward, 0, sizeof(*forward));
	forward->loop = loop;
	forward->cfg = *cfg;
	INIT_LIST_HEAD(&forward->connecting);
	INIT_LIST_HEAD(&forward->corked);
	for (bucket = 0; bucket < FORWARD_BUCKETS; bucket++)
		INIT_LIST_HEAD(&forward->buckets[bucket]);
	if (fill_in(forward)) {
		slick_free(forward);
		return ERR_PTR(-EINVAL);
	}
	return forward;
}

int slick_forward_listen(struct slick_forward *forward, const struct sockaddr *messages,
			 int messages_length, const struct sockaddr *commands, int commands_length)
{
	forward->messages = slick_listen(forward->loop, messages, messages_length, FORWARD_BACKLOG,
					 sender_accept, forward);
	if (IS_ERR(forward->messages))
		return PTR_ERR(forward->messages);
	forward->commands = slick_listen(forward->loop, commands, commands_length, FORWARD_BACKLOG,
					 commander_accept, forward);
	return IS_ERR(forward->commands) ? PTR_ERR(forward->commands) : 0;
}

slick_sock_t slick_forward_messages(const struct slick_forward *forward)
{
	return slick_ev_sock(forward->messages);
}

slick_sock_t slick_forward_commands(const struct slick_forward *forward)
{
	return slick_ev_sock(forward->commands);
}

void slick_forward_stats(const struct slick_forward *forward, struct slick_forward_stats *stats)
{
	*stats = forward->stats;
}

int slick_forward_marks(struct slick_forward *forward, u32 high, u32 low)
{
	if (!high || low > high)
		return -EINVAL;
	WRITE_ONCE(forward->marks, (u64)high << 32 | low);
	return 0;
}

void slick_forward_marks_now(const struct slick_forward *forward, u32 *high, u32 *low)
{
	u64 marks = READ_ONCE(forward->marks);

	*high = (u32)(marks >> 32);
	*low = (u32)marks;
}

void slick_forward_free(struct slick_forward *forward)
{
	slick_free(forward);
}
