// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* slick_echo.ko: the echo service in the kernel. */
#include "echo_kern.h"

#include <linux/module.h>
#include <linux/seq_file.h>
#include <slick/service.h>
#include <slick/strp.h>

#include "../common/arguments.h"

static_assert(ECHO_FRAME_MOST + SLICK_THRIFT_FRAME_HEADER == SLICK_STRP_LONGEST);

struct echo_instance {
	struct slick_loop *loop;
	struct slick_echo *echo;	/* of the path that copies */
	struct slick_ev *listener;	/* of the strparser's */
	struct slick_echo_cfg cfg;
	struct slick_echo_counts counts;
	enum slick_context context;
	bool strparser;
	u16 port;
	char address[SLICK_ADDRESS_TEXT];
};

static const char *const contexts[] = {
	[SLICK_PERCPU] = "percpu",
	[SLICK_ORDERED] = "ordered",
	[SLICK_KTHREAD] = "kthread",
	[SLICK_SOFTIRQ] = "softirq",
};

static int take_path(struct echo_instance *to, const char *value)
{
	to->strparser = !strcmp(value, "strparser");
	return to->strparser || !strcmp(value, "copy") ? 0 : -EINVAL;
}

static int take_frames(struct echo_instance *to, const char *value)
{
	to->cfg.thrift = !strcmp(value, "thrift");
	return to->cfg.thrift ? 0 : -EINVAL;
}

static int take(struct echo_instance *to, const char *key, const char *value)
{
	int context;

	if (!strcmp(key, "port"))
		return kstrtou16(value, 10, &to->port);
	if (!strcmp(key, "address"))
		return strscpy(to->address, value, sizeof(to->address)) < 0 ? -EINVAL : 0;
	if (!strcmp(key, "chunk"))
		return kstrtou32(value, 10, &to->cfg.chunk);
	if (!strcmp(key, "path"))
		return take_path(to, value);
	if (!strcmp(key, "frames"))
		return take_frames(to, value);
	if (!strcmp(key, "max_frame"))
		return kstrtou32(value, 10, &to->cfg.limits.max_frame);
	if (strcmp(key, "context"))
		return -EINVAL;
	context = match_string(contexts, ARRAY_SIZE(contexts), value);
	if (context < 0)
		return -EINVAL;
	to->context = context;
	return 0;
}

/* A frame says itself how long it is, and who has no frames needs no limit of theirs. */
static bool fits(const struct echo_instance *to)
{
	const struct slick_echo_cfg *cfg = &to->cfg;

	if (!to->port || cfg->chunk > ECHO_CHUNK_MOST ||
	    cfg->limits.max_frame > ECHO_FRAME_MOST)
		return false;
	return cfg->thrift ? !cfg->chunk : !cfg->limits.max_frame;
}

static int take_all(struct echo_instance *to, char *line)
{
	char *key, *value;
	int more;

	while ((more = slick_arguments_next(&line, &key, &value)) > 0) {
		more = take(to, key, value);
		if (more)
			return more;
	}
	return more || !fits(to) ? -EINVAL : 0;
}

static int echo_listen(struct echo_instance *to)
{
	struct sockaddr_storage address;
	const struct sockaddr *where = (const struct sockaddr *)&address;
	int length = slick_address(to->address, to->port, &address);

	if (length < 0)
		return length;
	if (to->strparser) {
		to->listener = slick_echo_strp_listen(to->loop, where, length, &to->cfg);
		return PTR_ERR_OR_ZERO(to->listener);
	}
	to->echo = slick_echo_start(to->loop, where, length, &to->cfg);
	return PTR_ERR_OR_ZERO(to->echo);
}

static void *echo_start(struct net *net, char *arguments)
{
	struct echo_instance *to = kzalloc(sizeof(*to), GFP_KERNEL);
	struct slick_loop_cfg cfg = { .name = "echo" };
	int error;

	if (!to)
		return ERR_PTR(-ENOMEM);
	strscpy(to->address, "::", sizeof(to->address));
	to->cfg.counts = &to->counts;
	error = take_all(to, arguments);
	if (error)
		goto no_loop;
	cfg.context = to->context;
	to->loop = slick_loop_create(net, &cfg);
	error = PTR_ERR_OR_ZERO(to->loop);
	if (error)
		goto no_loop;
	error = echo_listen(to);
	if (!error)
		return to;
	slick_loop_destroy(to->loop);
no_loop:
	kfree(to);
	return ERR_PTR(error);
}

static void echo_stop(void *instance)
{
	struct echo_instance *to = instance;

	slick_loop_destroy(to->loop);
	if (to->echo)
		slick_echo_free(to->echo);
	kfree(to);
}

static void echo_show(struct seq_file *file, void *instance)
{
	const struct echo_instance *to = instance;

	seq_printf(file, "address=%s port=%u context=%s path=%s ", to->address, to->port,
		   contexts[to->context], to->strparser ? "strparser" : "copy");
	if (!to->cfg.thrift) {
		seq_printf(file, "chunk=%u", to->cfg.chunk);
		return;
	}
	seq_printf(file, "frames=thrift max_frame=%u malformed=%llu oversized=%llu",
		   slick_thrift_max_frame(&to->cfg.limits),
		   slick_tally_read(&to->counts.malformed),
		   slick_tally_read(&to->counts.oversized));
}

static const struct slick_service_ops echo_service = {
	.name = "echo",
	.owner = THIS_MODULE,
	.start = echo_start,
	.stop = echo_stop,
	.show = echo_show,
};
module_slick_service(echo_service);

MODULE_DESCRIPTION("Echo service on event-driven kernel sockets");
MODULE_AUTHOR("The Ringway authors");
MODULE_LICENSE("Dual BSD/GPL");
