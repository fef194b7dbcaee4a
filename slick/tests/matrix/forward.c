// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* What a forwarder has to do when all is well, and when somebody is slow or goes away. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "flow.h"
#include "forward.h"

static bool whole_messages(void)
{
	struct flow flow = {
		.senders = 8, .backends = 20, .messages = 400, .payload = 3000, .first_key = 1000
	};

	return flow_run(&flow);
}

static bool pieces_of_7(void)
{
	struct flow flow = { .senders = 8,
			     .backends = 20,
			     .messages = 100,
			     .payload = 200,
			     .chunk = 7,
			     .first_key = -500 };

	return flow_run(&flow);
}

static bool pieces_of_777(void)
{
	struct flow flow = { .senders = 8,
			     .backends = 20,
			     .messages = 200,
			     .payload = 3000,
			     .chunk = 777,
			     .first_key = 0x7fffff00 };

	return flow_run(&flow);
}

static bool large_messages(void)
{
	struct flow flow = {
		.senders = 2, .backends = 2, .messages = 12, .payload = 1000 * 1000, .first_key = 5
	};

	return flow_run(&flow);
}

/* One key, one backend, one sender: what most tests need. */
bool pair_open(struct backend *backend, int *sender, int32_t key, int buffers)
{
	*sender = -1;
	return backend_open(backend, key, buffers) && (*sender = dial(target.port, buffers)) >= 0;
}

void pair_close(struct backend *backend, int sender)
{
	if (sender >= 0)
		close(sender);
	backend_close(backend);
}

bool passes(struct backend *backend, int sender, uint32_t index)
{
	struct frame frame;
	bool good;

	flow_frame(&frame, 1, backend->key, index, 100 + index % 50);
	good = send_all(sender, frame.bytes, frame.length) && backend_expect(backend, &frame);
	frame_free(&frame);
	return good;
}

/* Two whole messages and half of one, then FIN: the backend gets two, the sender's connection ends.
 */
static bool half_frame_and_fin(void)
{
	struct backend backend = { .sock = -1, .listener = -1 };
	struct answer answer;
	struct frame frame;
	int sender;
	bool good = pair_open(&backend, &sender, 70, 0) && passes(&backend, sender, 1) &&
		    passes(&backend, sender, 2);

	if (good) {
		flow_frame(&frame, 1, 70, 3, 2000);
		good = send_all(sender, frame.bytes, frame.length / 2) &&
		       !shutdown(sender, SHUT_WR);
		frame_free(&frame);
	}
	/* It may be told first. */
	if (good && ready(sender, POLLIN, -1) &&
	    recv(sender, &answer, 1, MSG_PEEK | MSG_DONTWAIT) == 1)
		good = recv_failed(sender, -1);
	good = good && recv_end(sender) && backend_quiet(&backend, 200);
	if (sender >= 0)
		close(sender);
	sender = good ? dial(target.port, 0) : -1;
	good = good && sender >= 0 && passes(&backend, sender, 4);
	pair_close(&backend, sender);
	return good;
}

/* Everything that was sent before FIN arrives, however much that is. */
static bool fin_behind_many(void)
{
	struct backend backend = { .sock = -1, .listener = -1 };
	struct frame all = { 0 }, one;
	int sender;
	bool good = pair_open(&backend, &sender, 71, 0);

	for (int i = 0; i < 300; i++) {
		flow_frame(&one, 1, 71, i, 500);
		frame_bytes(&all, one.bytes, one.length);
		frame_free(&one);
	}
	good = good && send_all(sender, all.bytes, all.length) && !shutdown(sender, SHUT_WR);
	for (int i = 0; good && i < 300; i++) {
		uint8_t bytes[534];

		flow_frame(&one, 1, 71, i, 500);
		good = recv_all(backend.sock, bytes, one.length);
		if (good && memcmp(bytes, one.bytes, one.length))
			good = fail("message %d has other bytes than were sent", i);
		frame_free(&one);
	}
	good = good && recv_end(sender) && backend_quiet(&backend, 100);
	pair_close(&backend, sender);
	frame_free(&all);
	return good;
}

/* A sender vanishes in the middle of a frame: nobody sees any of that frame. */
static bool sender_vanishes(void)
{
	struct backend backend = { .sock = -1, .listener = -1 };
	struct frame frame;
	int sender;
	bool good = pair_open(&backend, &sender, 83, 0);

	for (int i = 0; good && i < 20; i++) {
		good = passes(&backend, sender, i);
		flow_frame(&frame, 1, 83, 0, 5000);
		good = good && send_all(sender, frame.bytes, 5 + i * 250);
		frame_free(&frame);
		pause_ms(i % 3);
		hang_up(sender);
		sender = dial(target.port, 0);
		good = good && sender >= 0;
	}
	good = good && passes(&backend, sender, 99) && backend_quiet(&backend, 50);
	pair_close(&backend, sender);
	return good;
}

const struct test forward_tests[] = {
	{ "every_message_reaches_its_key_in_order", whole_messages },
	{ "pieces_of_7_bytes_reach_their_key_in_order", pieces_of_7 },
	{ "pieces_of_777_bytes_reach_their_key_in_order", pieces_of_777 },
	{ "messages_of_up_to_a_million_bytes", large_messages },
	{ "half_a_frame_and_fin_forwards_what_was_whole", half_frame_and_fin },
	{ "fin_behind_many_messages_loses_none", fin_behind_many },
	{ "stalled_backend_stops_its_senders_only_and_loses_nothing", stalled_backend },
	{ "one_who_came_last_to_a_stalled_backend_gets_through", last_to_a_stalled_backend },
	{ "a_stopped_sender_may_hang_up", stopped_sender_hangs_up },
	{ "disconnect_below_a_stopped_sender_loses_nothing_untold", disconnect_when_stalled },
	{ "a_sender_that_vanishes_leaves_no_part_of_a_frame", sender_vanishes },
	{ "unknown_key_is_told_and_the_rest_goes_on", unknown_key },
	{ "who_does_not_read_what_he_is_told_is_stopped", unread_failures },
	{ "dead_backend_is_told", dead_backend },
	{ "oversized_frames_are_told_and_end_the_connection", oversized },
	{ "malformed_frames_are_told_and_end_the_connection", malformed },
	{ "odd_but_good_frames_pass_byte_for_byte", odd_but_good },
	{ "a_backend_that_talks_is_not_listened_to", talking_backend },
	{ "disconnect_and_connect_again", reconnect },
	{ "disconnect_gives_what_waits", disconnect_drains },
	{ "connect_is_refused_with_a_reason", connect_refused },
	{ "commands_in_one_write_are_all_answered", pipelined_commands },
	{ "commands_are_refused_at_the_port_of_messages", commands_at_the_wrong_port },
	{ "broken_commands_harm_nobody", broken_commands },
	{ NULL, NULL },
};
