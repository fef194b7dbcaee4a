// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/*
 * Senders and backends of a forwarder, in one process, so that every message is known at both ends.
 */
#include "load.h"

#include <unistd.h>

#define TICK 50000 /* ns: how finely an open loop looks at the clock */

/* Until the time, or until all that was sent has come or nothing comes any more. */
static void loop(const struct options *options, const struct result *result,
		 struct senders *senders, struct sinks *sinks, uint64_t end)
{
	uint64_t progress = now, seen = sinks_received(sinks), until;

	while (now < end && now - progress < options->patience) {
		if (senders_done(senders) &&
		    sinks_received(sinks) + result->failed >= result->sent)
			return;
		until = end < now + NS / 10 ? end : now + NS / 10;
		if (options->rate && until > now + TICK)
			until = now + TICK;
		watch_wait(until);
		if (options->rate)
			senders_push(senders);
		if (sinks_received(sinks) != seen) {
			seen = sinks_received(sinks);
			progress = now;
		}
	}
}

void forward_run(const struct options *options, struct result *result)
{
	struct senders *senders;
	struct sinks *sinks;
	uint64_t start;
	int control;

	pattern_open(options->size, false);
	watch_open();
	control = control_open(options);
	sinks = sinks_open(options, result, control);
	senders = senders_open(options, result);
	start = clock_ns();
	now = start;
	senders_start(senders, start);
	loop(options, result, senders, sinks, options->ns ? start + options->ns : ENDLESS);
	result->ns = now - start;
	result->messages = sinks_received(sinks);
	result->bytes = result->messages * (options->size + FRAME_EXTRA);
	senders_stop(senders);
	loop(options, result, senders, sinks, ENDLESS);
	if (!options->ns && result->sent < options->messages)
		result->lost = options->messages - result->sent;
	if (result->sent > sinks_received(sinks) + result->failed)
		result->lost += result->sent - sinks_received(sinks) - result->failed;
	sinks_close(sinks);
	senders_close(senders);
	close(control);
}
