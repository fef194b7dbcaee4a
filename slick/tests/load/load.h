/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/*
 * The load program's parts. One thread and one epoll set: what it costs is inside of every figure,
 * so it writes a whole window at once, reads 64 KiB at a time, and is the same from run to run.
 */
#ifndef SLICK_LOAD_H
#define SLICK_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define READ_BYTES (64 * 1024)
#define NS 1000000000ull
#define ENDLESS UINT64_MAX

enum { EXIT_GOOD, EXIT_BAD_RESULT, EXIT_USAGE };

struct options {
	bool forward;
	const char *address;
	uint16_t port, control;
	uint32_t size;		/* of a message (echo) or of its payload (forward) */
	uint32_t connections;	/* or senders */
	uint32_t backends;
	uint32_t first_key;
	uint32_t depth;
	uint64_t messages;	/* ENDLESS: until `ns` */
	uint64_t ns;		/* 0: until `messages` */
	uint64_t rate;		/* messages a second, of all; 0: flood */
	uint64_t patience;	/* ns without progress before what is missing counts as lost */
	bool verify, split, batch, eager;
	bool thrift;		/* echo: each message is a frame of Thrift's */
	int cpu;		/* -1: any */
};

/* slickload.c: one line on stderr, and the end */
void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void *get_memory(size_t size);

/* latency.c */
#define LATENCY_SLOTS (64 * 42)

struct latency {
	uint64_t slot[LATENCY_SLOTS];
	uint64_t number;
};

void latency_add(struct latency *latency, uint64_t ns);
double latency_us(const struct latency *latency, double part);

struct result {
	uint64_t messages, bytes, ns;	/* in the measured time */
	uint64_t sent, due;	/* in all; `due`: what an open loop should have sent */
	uint64_t lost, wrong, reordered, failed;
	struct latency latency;
};

/* watch.c: descriptors and what to call when they are ready */
struct watch {
	int fd;
	uint32_t interest;
	void (*ready)(struct watch *watch, uint32_t events);
};

extern uint64_t now;		/* CLOCK_MONOTONIC in ns when the last wait ended */
extern uint64_t socket_calls;	/* send and recv */

uint64_t clock_ns(void);
void watch_open(void);
void watch_add(struct watch *watch, uint32_t interest);
void watch_want(struct watch *watch, uint32_t interest);
void watch_end(struct watch *watch);
void watch_wait(uint64_t until);

/* net.c */
int net_connect(const char *address, uint16_t port, uint64_t patience);
/* Listens where the other end of `like` can reach us; gives the port. */
int net_listen(int like, struct sockaddr_storage *address, uint16_t *port);
int net_accept(int listener, uint64_t patience, const char *what);
/* Bytes, or 0 where none could be sent or are there, or -1: the connection has ended or failed. */
int64_t net_send(int fd, struct iovec *parts, int number);
int64_t net_recv(int fd, void *bytes, size_t length, bool *ended);
void net_lowat(int fd, uint32_t bytes);

/* pattern.c: what message `sequence` of `stream` holds: `size` bytes, always the same */
void pattern_open(uint32_t size, bool thrift);
const uint8_t *pattern_of(uint32_t stream, uint64_t sequence);

/* pace.c: when message number `index` of an open loop is to be sent, and how many by a time */
struct pace {
	uint64_t start;
	uint64_t rate;	/* 0: no open loop */
	uint32_t stride, offset;
};

uint64_t pace_time(const struct pace *pace, uint64_t index);
uint64_t pace_due(const struct pace *pace, uint64_t time);

void echo_run(const struct options *options, struct result *result);
void forward_run(const struct options *options, struct result *result);

/* frame.c: the few Thrift messages that are needed */
#define FRAME_KEY 22		/* where the key lies in a frame of msg() */
#define FRAME_PAYLOAD 33
#define FRAME_EXTRA 34		/* bytes of a frame besides its payload */
#define PAYLOAD_LEAST 16	/* sender, sequence, time */

void put32(uint8_t *at, uint32_t value);
uint32_t get32(const uint8_t *at);
void frame_msg(uint8_t *frame, uint32_t payload);

/* control.c */
int control_open(const struct options *options);
/* Ends the program where the forwarder refuses. */
void control_connect(int control, uint32_t key, const struct sockaddr_storage *address,
		     uint16_t port);
void control_disconnect(int control, uint32_t key);

/* sink.c: the backends */
struct sinks;

struct sinks *sinks_open(const struct options *options, struct result *result, int control);
uint64_t sinks_received(const struct sinks *sinks);
void sinks_close(struct sinks *sinks);

/* sender.c */
struct senders;

struct senders *senders_open(const struct options *options, struct result *result);
/* Sends what may be sent; open loop: what is due. */
void senders_push(struct senders *senders);
/* Nothing more is begun. */
void senders_stop(struct senders *senders);
bool senders_done(const struct senders *senders);
void senders_start(struct senders *senders, uint64_t start);
void senders_close(struct senders *senders);

#endif
