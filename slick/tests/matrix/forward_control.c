// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* Commands: connect and disconnect, good ones and others. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "flow.h"
#include "forward.h"

static bool told_failed(int sender, int32_t key)
{
	struct frame frame;
	bool good;

	flow_frame(&frame, 1, key, 0, 30);
	good = send_all(sender, frame.bytes, frame.length) && recv_failed(sender, key);
	frame_free(&frame);
	return good;
}

bool reconnect(void)
{
	struct backend backend;
	int sender;
	bool good = pair_open(&backend, &sender, 200, 0) && passes(&backend, sender, 0);

	for (int i = 1; good && i < 6; i++) {
		good = control_refused("connect", 200, loopback(), backend.port) &&
		       control_ok("disconnect", 200, NULL, 0) && recv_end(backend.sock) &&
		       told_failed(sender, 200) && control_refused("disconnect", 200, NULL, 0) &&
		       control_ok("connect", 200, loopback(), backend.port);
		if (!good)
			break;
		close(backend.sock);
		backend.sock = take(backend.listener);
		good = backend.sock >= 0 && passes(&backend, sender, i);
	}
	pair_close(&backend, sender);
	return good;
}

/* What was taken for a backend before disconnect arrives there, though it reads late. */
bool disconnect_drains(void)
{
	struct backend backend;
	struct frame frame;
	uint8_t bytes[5000];
	int sender;
	bool good = pair_open(&backend, &sender, 210, 16384);

	for (int i = 0; good && i < 40; i++) {
		flow_frame(&frame, 1, 210, i, 4000);
		good = send_all(sender, frame.bytes, frame.length);
		frame_free(&frame);
	}
	pause_ms(300);
	good = good && control_ok("disconnect", 210, NULL, 0);
	pause_ms(300);
	for (int i = 0; good && i < 40; i++) {
		flow_frame(&frame, 1, 210, i, 4000);
		good = recv_all(backend.sock, bytes, frame.length);
		if (good && memcmp(bytes, frame.bytes, frame.length))
			good = fail("message %d is wrong", i);
		frame_free(&frame);
	}
	good = good && recv_end(backend.sock);
	pair_close(&backend, sender);
	return good;
}

static bool call(const struct frame *frame, int port, struct answer *answer)
{
	int sock = dial(port, 0);
	bool good = sock >= 0 && send_all(sock, frame->bytes, frame->length) &&
		    recv_answer(sock, answer);

	if (sock >= 0)
		close(sock);
	return good;
}

/* A connect with its first `fields` fields only. */
static bool refused_in_part(int fields)
{
	struct answer answer;
	struct frame frame;
	bool good;

	frame_begin(&frame, CALL, "connect", 3);
	if (fields > 0)
		frame_i32(&frame, 1, 220);
	if (fields > 1)
		frame_string(&frame, 2, loopback(), strlen(loopback()));
	frame_end(&frame);
	good = call(&frame, target.control, &answer);
	frame_free(&frame);
	if (good && (answer.kind != EXCEPTION || !answer.text[0]))
		return fail("a connect with %d of 3 fields was not refused", fields);
	return good;
}

bool connect_refused(void)
{
	int dead, sock = listen_somewhere(&dead, 0);
	char lengthy[300];

	if (sock < 0)
		return false;
	close(sock);
	memset(lengthy, '1', sizeof(lengthy) - 1);
	lengthy[sizeof(lengthy) - 1] = 0;
	return control_refused("connect", 220, loopback(), dead) &&
	       control_refused("connect", 220, "localhost", 80) &&
	       control_refused("connect", 220, "", 80) &&
	       control_refused("connect", 220, "1.2.3.4.5", 80) &&
	       control_refused("connect", 220, lengthy, 80) &&
	       control_refused("connect", 220, loopback(), 0) &&
	       control_refused("connect", 220, loopback(), -1) &&
	       control_refused("connect", 220, loopback(), 65536 + 80) &&
	       control_refused("disconnect", 220, NULL, 0) && refused_in_part(0) &&
	       refused_in_part(1) && refused_in_part(2);
}

static void add_command(struct frame *all, const char *method, int32_t sequence, int32_t key,
			int port)
{
	struct frame one;

	frame_begin(&one, CALL, method, sequence);
	frame_i32(&one, 1, key);
	if (port) {
		frame_string(&one, 2, loopback(), strlen(loopback()));
		frame_i32(&one, 3, port);
	}
	frame_end(&one);
	frame_bytes(all, one.bytes, one.length);
	frame_free(&one);
}

/* In which order they are answered is the forwarder's: to connect takes time. Each answer says
 * whose it is. */
bool pipelined_commands(void)
{
	static const int kinds[] = { REPLY, REPLY, EXCEPTION, EXCEPTION };
	struct frame all = { 0 };
	struct answer answer;
	int port, listener = listen_somewhere(&port, 0), sock = dial(target.control, 0), seen = 0;
	bool good = listener >= 0 && sock >= 0;

	add_command(&all, "connect", 0, 230, port);
	add_command(&all, "connect", 1, 231, port);
	add_command(&all, "disconnect", 2, 232, 0);
	add_command(&all, "connect", 3, 230, port);
	good = good && send_all(sock, all.bytes, all.length);
	for (int i = 0; good && i < 4; i++) {
		good = recv_answer(sock, &answer);
		if (good &&
		    (answer.sequence < 0 || answer.sequence > 3 || seen & 1 << answer.sequence))
			good = fail("an answer with sequence %d was not due", answer.sequence);
		else if (good && answer.kind != kinds[answer.sequence])
			good = fail("command %d was answered with kind %d: %s", answer.sequence,
				    answer.kind, answer.text);
		seen |= good ? 1 << answer.sequence : 0;
	}
	good = good && control_ok("disconnect", 230, NULL, 0) &&
	       control_ok("disconnect", 231, NULL, 0);
	frame_free(&all);
	if (sock >= 0)
		close(sock);
	if (listener >= 0)
		close(listener);
	return good;
}

/* Who may send messages may not send commands; and the port of commands takes no messages. */
bool commands_at_the_wrong_port(void)
{
	int port, listener = listen_somewhere(&port, 0), sender = dial(target.port, 0),
		  other = dial(target.control, 0);
	struct frame frame = { 0 };
	struct answer answer;
	bool good = listener >= 0 && sender >= 0 && other >= 0;

	add_command(&frame, "connect", 4, 240, port);
	good = good && send_all(sender, frame.bytes, frame.length) && recv_answer(sender, &answer);
	frame_free(&frame);
	if (good && answer.kind != EXCEPTION && strcmp(answer.name, "failed"))
		good = fail("a command at the port of messages was answered with kind %d",
			    answer.kind);
	if (good && ready(listener, POLLIN, 200))
		good = fail("a command at the port of messages was obeyed");
	if (sender >= 0)
		close(sender);
	sender = dial(target.port, 0);
	good = good && sender >= 0 && told_failed(sender, 240);

	flow_frame(&frame, 1, 240, 0, 40);
	good = good && send_all(other, frame.bytes, frame.length) && recv_answer(other, &answer);
	if (good && answer.kind != EXCEPTION && strcmp(answer.name, "failed"))
		good = fail("a message at the port of commands was answered with kind %d",
			    answer.kind);
	frame_free(&frame);
	if (listener >= 0)
		close(listener);
	if (sender >= 0)
		close(sender);
	if (other >= 0)
		close(other);
	return good;
}

/* Noise, half a command, a command whose sender is gone when it could be answered, an unknown
 * method. */
bool broken_commands(void)
{
	struct backend backend = { .sock = -1, .listener = -1 };
	struct frame frame = { 0 };
	struct answer answer;
	int port, listener = listen_somewhere(&port, 0), sock;
	bool good = listener >= 0;

	add_command(&frame, "connect", 1, 250, port);
	for (size_t length = 0; good && length < frame.length; length += 5) {
		sock = dial(target.control, 0);
		good = sock >= 0 && send_all(sock, frame.bytes, length) && !shutdown(sock, SHUT_WR);
		if (sock >= 0)
			close(sock);
	}
	sock = good ? dial(target.control, 0) : -1;
	good = good && sock >= 0 && send_all(sock, "GET / HTTP/1.0\r\n\r\n", 18);
	while (good && ready(sock, POLLIN, -1) && recv_some(sock, &answer, sizeof(answer)) > 0)
		;
	if (sock >= 0)
		close(sock);
	for (int i = 0; good && i < 10; i++) {
		sock = dial(target.control, 0);
		good = sock >= 0 && send_all(sock, frame.bytes, frame.length);
		hang_up(sock);
		pause_ms(20);
		good = good && control("disconnect", 250, NULL, 0, &answer);
	}
	frame_free(&frame);
	frame_begin(&frame, CALL, "reboot", 8);
	frame_end(&frame);
	good = good && call(&frame, target.control, &answer);
	if (good && answer.kind != EXCEPTION)
		good = fail("an unknown method was answered with kind %d", answer.kind);
	if (good && answer.sequence != 8)
		good = fail("the exception has sequence %d, not 8", answer.sequence);
	frame_free(&frame);
	if (listener >= 0)
		close(listener);
	good = good && backend_open(&backend, 251, 0);
	backend_close(&backend);
	return good;
}
