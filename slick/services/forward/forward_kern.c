// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* slick_forward.ko: the forwarder in the kernel. */
#include "forward.h"

#include <linux/module.h>
#include <linux/seq_file.h>
#include <slick/service.h>

#include "../common/arguments.h"

#define BYTES_MOST 0x40000000
#define READS_MOST 1024

struct forward_instance {
	struct slick_loop *loop;
	struct slick_forward *forward;
	struct slick_forward_cfg cfg;
	u16 port, control;
	char address[SLICK_ADDRESS_TEXT];
};

static int take_flush(struct slick_forward_cfg *cfg, const char *value)
{
	if (!strcmp(value, "message")) {
		cfg->reads = 0;
		return 0;
	}
	if (!strcmp(value, "read")) {
		cfg->reads = 1;
		return 0;
	}
	if (kstrtou32(value, 10, &cfg->reads))
		return -EINVAL;
	return cfg->reads && cfg->reads <= READS_MOST ? 0 : -EINVAL;
}

static int take(struct forward_instance *to, const char *key, char *value)
{
	if (!strcmp(key, "port"))
		return kstrtou16(value, 10, &to->port);
	if (!strcmp(key, "control"))
		return kstrtou16(value, 10, &to->control);
	if (!strcmp(key, "address"))
		return strscpy(to->address, value, sizeof(to->address)) < 0 ? -EINVAL : 0;
	if (!strcmp(key, "context"))
		return strcmp(value, "ordered") ? -EINVAL : 0;
	if (!strcmp(key, "flush"))
		return take_flush(&to->cfg, value);
	if (!strcmp(key, "chunk"))
		return kstrtou32(value, 10, &to->cfg.chunk);
	if (!strcmp(key, "marks"))
		return slick_arguments_marks(value, &to->cfg.high, &to->cfg.low);
	if (!strcmp(key, "max_frame"))
		return kstrtou32(value, 10, &to->cfg.max_frame);
	return -EINVAL;
}

static int take_all(struct forward_instance *to, char *line)
{
	char *key, *value;
	int more;

	while ((more = slick_arguments_next(&line, &key, &value)) > 0) {
		more = take(to, key, value);
		if (more)
			return more;
	}
	if (more || !to->port || !to->control || to->port == to->control)
		return -EINVAL;
	return to->cfg.chunk > BYTES_MOST || to->cfg.high > BYTES_MOST ||
	       to->cfg.max_frame > BYTES_MOST ? -EINVAL : 0;
}

static int forward_listen(struct forward_instance *to)
{
	struct sockaddr_storage messages, commands;
	int length = slick_address(to->address, to->port, &messages);

	if (length < 0)
		return length;
	slick_address(to->address, to->control, &commands);
	return slick_forward_listen(to->forward, (struct sockaddr *)&messages, length,
				    (struct sockaddr *)&commands, length);
}

static void *forward_start(struct net *net, char *arguments)
{
	const struct slick_loop_cfg cfg = {
		.name = "forward", .context = SLICK_ORDERED, .budget = SLICK_FORWARD_BUDGET,
	};
	struct forward_instance *to = kzalloc(sizeof(*to), GFP_KERNEL);
	int error;

	if (!to)
		return ERR_PTR(-ENOMEM);
	strscpy(to->address, "::", sizeof(to->address));
	error = take_all(to, arguments);
	if (error)
		goto no_loop;
	to->loop = slick_loop_create(net, &cfg);
	error = PTR_ERR_OR_ZERO(to->loop);
	if (error)
		goto no_loop;
	to->forward = slick_forward_new(to->loop, &to->cfg);
	error = PTR_ERR_OR_ZERO(to->forward);
	if (error)
		goto no_forward;
	error = forward_listen(to);
	if (!error)
		return to;
	slick_loop_destroy(to->loop);
	slick_forward_free(to->forward);
	goto no_loop;

no_forward:
	slick_loop_destroy(to->loop);
no_loop:
	kfree(to);
	return ERR_PTR(error);
}

static void forward_stop(void *instance)
{
	struct forward_instance *to = instance;

	slick_loop_destroy(to->loop);
	slick_forward_free(to->forward);
	kfree(to);
}

/* marks= only: they hold for the backends that connect from then on. */
static int forward_set(void *instance, char *line)
{
	struct forward_instance *to = instance;
	char *key, *value;
	u32 high, low;
	int more;

	more = slick_arguments_next(&line, &key, &value);
	if (more <= 0 || strcmp(key, "marks") || slick_arguments_marks(value, &high, &low))
		return -EINVAL;
	if (slick_arguments_next(&line, &key, &value))
		return -EINVAL;
	return high > BYTES_MOST ? -EINVAL : slick_forward_marks(to->forward, high, low);
}

static void forward_show(struct seq_file *file, void *instance)
{
	const struct forward_instance *to = instance;
	struct slick_forward_stats stats;
	u32 high, low;

	slick_forward_stats(to->forward, &stats);
	slick_forward_marks_now(to->forward, &high, &low);
	seq_printf(file, "address=%s port=%u control=%u flush=%u chunk=%u marks=%u,%u ",
		   to->address, to->port, to->control, to->cfg.reads, to->cfg.chunk, high, low);
	seq_printf(file, "senders=%u backends=%u forwarded=%llu unknown=%llu malformed=%llu ",
		   stats.senders, stats.backends, stats.forwarded, stats.unknown, stats.malformed);
	seq_printf(file, "oversized=%llu half=%llu died=%llu undelivered=%llu stalls=%llu",
		   stats.oversized, stats.half, stats.died, stats.undelivered, stats.stalls);
}

static const struct slick_service_ops forward_service = {
	.name = "forward",
	.owner = THIS_MODULE,
	.start = forward_start,
	.stop = forward_stop,
	.set = forward_set,
	.show = forward_show,
};
module_slick_service(forward_service);

MODULE_DESCRIPTION("Thrift forwarder on event-driven kernel sockets");
MODULE_AUTHOR("The Ringway authors");
MODULE_LICENSE("Dual BSD/GPL");
