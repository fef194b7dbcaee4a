/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * What the tests of the failure matrix share: sockets that never wait without a deadline, and the
 * wire format written once more, by hand, so that a mistake in the tested parser is not also one of
 * the test.
 */
#ifndef SLICK_MATRIX_H
#define SLICK_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What is tested, as the command line said. */
struct target {
	const char *address;
	int port;
	int control; /* of a forwarder */
	int patience; /* seconds that a test may take */
};

extern struct target target;

struct test {
	const char *name;
	bool (*run)(void);
};

extern const struct test echo_tests[], thrift_tests[], forward_tests[];

/* Keeps why the test fails (the first reason counts) and gives false. */
bool fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, in place of the reason that there is. */
bool reword(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *failure(void);

/* net.c: the deadline is that of the running test */

void deadline_begin(void);
bool deadline_over(void);
/* Milliseconds on CLOCK_MONOTONIC. */
int64_t now(void);
void pause_ms(int milliseconds);

/* A connection to a port of the target, not blocking, TCP_NODELAY; -1 and a reason. `buffers`:
 * bytes of both, 0: as they are. */
int dial(int port, int buffers);
/* Closes with RST. */
void hang_up(int sock);
/* A listener on a free port of loopback in the target's family; -1 and a reason. */
int listen_somewhere(int *port, int buffers);
/* The next connection; -1 and a reason. */
int take(int listener);
/* Waits until the socket is ready for `events` (POLLIN, POLLOUT), at most so long; false and no
 * reason where it is not. */
bool ready(int sock, short events, int milliseconds);
bool send_all(int sock, const void *bytes, size_t length);
bool recv_all(int sock, void *bytes, size_t length);
/* Nothing may come but the end. */
bool recv_end(int sock);
/* Bytes, 0: the end; -EAGAIN: none now; another error. */
ssize_t recv_some(int sock, void *bytes, size_t length);
ssize_t send_some(int sock, const void *bytes, size_t length);
/* Sends until the other side has taken nothing for `still` ms; how many bytes, or -1 where it took
 * more than `limit`. */
ssize_t send_until_stopped(int sock, const uint8_t *bytes, size_t length, size_t limit, int still);

/* Bytes that say where they belong */

uint8_t pattern(uint32_t seed, size_t at);
void fill(uint8_t *bytes, uint32_t seed, size_t at, size_t length);
/* The first place where they are not what fill() made, or `length`. */
size_t differs(const uint8_t *bytes, uint32_t seed, size_t at, size_t length);

/* wire.c */

enum { CALL = 1, REPLY = 2, EXCEPTION = 3, ONEWAY = 4 };
enum { T_STOP = 0, T_I32 = 8, T_STRING = 11, T_STRUCT = 12, T_LIST = 15 };

struct frame {
	uint8_t *bytes;
	size_t length, size;
};

void frame_begin(struct frame *frame, int kind, const char *name, int32_t sequence);
void frame_byte(struct frame *frame, uint8_t value);
void frame_u32(struct frame *frame, uint32_t value);
void frame_bytes(struct frame *frame, const void *bytes, size_t length);
void frame_field(struct frame *frame, int type, int id);
void frame_i32(struct frame *frame, int id, int32_t value);
void frame_string(struct frame *frame, int id, const void *bytes, size_t length);
/* The STOP of the arguments, and the length. */
void frame_end(struct frame *frame);
/* The length alone, for frames that are wrong on purpose. */
void frame_close(struct frame *frame);
void frame_free(struct frame *frame);
/* oneway msg(1: i32 key, 2: string payload) */
void frame_message(struct frame *frame, int32_t key, const void *payload, size_t length);

/* malformed.c: the ways in which a frame can be no message; each function makes one whole frame. */
struct bad_frame {
	const char *what;
	void (*make)(struct frame *frame);
	bool of_msg; /* it is a message, but not one for a forwarder */
};

extern const struct bad_frame bad_frames[]; /* the last has no make() */

/* What came in a frame whose fields are at most an i32 (`number`) and a string (`text`), whatever
 * their ids. */
struct answer {
	int kind;
	char name[32];
	int32_t sequence;
	int32_t number;
	bool has_number;
	char text[256];
};

/* One whole frame from a socket, taken apart; false and a reason. */
bool recv_answer(int sock, struct answer *answer);
/* The frame has to be failed(key, some reason). */
bool recv_failed(int sock, int32_t key);

/* peers.c: backends and the control port of a forwarder */

struct backend {
	int32_t key;
	int listener, sock, port;
	uint8_t *bytes;
	size_t used, size;
	size_t messages;
};

/* Listens, has the forwarder connect the key to it, accepts. */
bool backend_open(struct backend *backend, int32_t key, int buffers);
/* Disconnects the key and closes. */
void backend_close(struct backend *backend);
/* Reads what is there; `take` gets each whole frame with its header. false: it said so, or the
 * connection ended. */
bool backend_read(struct backend *backend,
		  bool (*take)(struct backend *, const uint8_t *frame, size_t length, void *),
		  void *data);
/* One message has to come, and this is its frame byte for byte. */
bool backend_expect(struct backend *backend, const struct frame *frame);
/* Nothing may come for so long. */
bool backend_quiet(struct backend *backend, int milliseconds);

/* A command on the control port: a new connection, the call, its answer. */
bool control(const char *method, int32_t key, const char *address, int port, struct answer *answer);
bool control_ok(const char *method, int32_t key, const char *address, int port);
/* The answer has to be an EXCEPTION with words and type 6. */
bool control_refused(const char *method, int32_t key, const char *address, int port);
const char *loopback(void);

#endif
