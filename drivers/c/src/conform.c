/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform -- the testee of the conformance suite: commands on standard input, one line of answer each
 * The protocol is described in conformance/README.md. Nothing is judged here.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ringway.h"

#define MEMORY_BYTES (96u << 20)
#define DEVICES      512u
#define HAND_SLOTS   65536u
#define JUMBO_SLOTS  8u
#define TOUCHED      48u
#define WORDS        4096

static struct ringway_memory *memory;
static struct ringway_batch *hand;
static struct ringway_device *devices[DEVICES];
static struct ringway_options opened[DEVICES];
static unsigned device_count;

/* --- answers ---------------------------------------------------------------------------------------------------- */

static const char *kind_of(int error)
{
	switch (-error) {
	case ETIMEDOUT: return "Timeout";
	case ENOENT: return "NoSuchDevice";
	case EACCES: return "PermissionDenied";
	case ENOTSUP: return "Unsupported";
	case ENOMEM: return "OutOfMemory";
	case EINVAL: return "Usage";
	default: return "DeviceFailed";
	}
}

static void answer_error(int error)
{
	printf("error %s %s\n", kind_of(error), ringway_error());
}

static void usage(const char *what, const char *word)
{
	printf("error Usage %s: %s\n", what, word ? word : "missing");
}

/* --- words ------------------------------------------------------------------------------------------------------ */

struct command {
	char *word[WORDS];
	int words;
};

static void split(char *line, struct command *command)
{
	char *save = NULL;

	command->words = 0;
	for (char *word = strtok_r(line, " \n", &save); word && command->words < WORDS; word = strtok_r(NULL, " \n", &save))
		command->word[command->words++] = word;
}

static bool number(const char *word, uint64_t *value)
{
	char *end;

	if (!word || !isdigit((unsigned char)word[0]))
		return false;
	errno = 0;
	*value = strtoull(word, &end, 10);
	return errno == 0 && *end == '\0';
}

/* Value of KEY=VALUE among the words from `first` on; `otherwise` if it is not there. False if it is no number. */
static bool keyed(const struct command *command, int first, const char *key, uint64_t otherwise, uint64_t *value)
{
	size_t length = strlen(key);

	*value = otherwise;
	for (int i = first; i < command->words; i++) {
		if (strncmp(command->word[i], key, length) != 0 || command->word[i][length] != '=')
			continue;
		if (!number(command->word[i] + length + 1, value)) {
			usage("not a number", command->word[i]);
			return false;
		}
	}
	return true;
}

static const char *word_at(const struct command *command, int index)
{
	return index < command->words ? command->word[index] : NULL;
}

static bool numeric(const struct command *command, int index, uint64_t *value)
{
	if (number(word_at(command, index), value))
		return true;
	usage("not a number", word_at(command, index));
	return false;
}

/* The open device named by word `index`; answers and returns -1 if there is none. */
static int device_at(const struct command *command, int index)
{
	uint64_t value;

	if (!numeric(command, index, &value))
		return -1;
	if (value < device_count && devices[value])
		return (int)value;
	usage("no such device", command->word[index]);
	return -1;
}

static int queue_at(const struct command *command, int index, uint16_t queues)
{
	uint64_t value;

	if (!numeric(command, index, &value))
		return -1;
	if (value < queues)
		return (int)value;
	usage("no such queue", command->word[index]);
	return -1;
}

/* --- open, close ------------------------------------------------------------------------------------------------ */

static bool open_options(const struct command *command, struct ringway_options *options)
{
	uint64_t rx, tx, ring, pool, promiscuous, frame, link;

	if (!keyed(command, 2, "rx_queues", 1, &rx) || !keyed(command, 2, "tx_queues", 1, &tx) ||
	    !keyed(command, 2, "ring_slots", 512, &ring) || !keyed(command, 2, "pool_slots", 2048, &pool) ||
	    !keyed(command, 2, "promiscuous", 0, &promiscuous) || !keyed(command, 2, "max_frame", 1518, &frame) ||
	    !keyed(command, 2, "link_wait_ms", 0, &link))
		return false;
	if (pool == 0) { /* to the library 0 means its default */
		puts("error OutOfMemory a pool of 0 slots cannot fill a receive ring");
		return false;
	}
	if (!rx || !tx || !ring || !frame || rx > UINT16_MAX || tx > UINT16_MAX || (ring | pool | frame | link) > UINT32_MAX) {
		usage("option out of range", command->word[1]);
		return false;
	}
	*options = (struct ringway_options){ .rx_queues = (uint16_t)rx, .tx_queues = (uint16_t)tx,
		.ring_slots = (uint32_t)ring, .pool_slots = (uint32_t)pool, .max_frame = (uint32_t)frame,
		.link_wait_ms = (uint32_t)link, .promiscuous = promiscuous != 0 };
	return true;
}

static void do_open(const struct command *command)
{
	struct ringway_options options;
	const uint8_t *mac;
	int error;

	if (command->words < 2 || device_count == DEVICES) {
		usage("open", word_at(command, 1));
		return;
	}
	if (!open_options(command, &options))
		return;
	error = ringway_open(command->word[1], memory, &options, &devices[device_count]);
	if (error < 0) {
		answer_error(error);
		return;
	}
	opened[device_count] = options;
	mac = ringway_mac(devices[device_count]);
	printf("ok device=%u mac=%02x:%02x:%02x:%02x:%02x:%02x way=%s\n", device_count, mac[0], mac[1], mac[2], mac[3], mac[4],
	       mac[5], ringway_way(devices[device_count]));
	device_count++;
}

/* Packets of a device that is about to close leave the hand first; the others keep their order. */
static void drop_from_hand(const struct ringway_device *device)
{
	struct ringway_batch *gone = ringway_batch_create(memory, HAND_SLOTS);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < hand->count; i++) {
		if (ringway_owns(device, hand->slot[i]))
			gone->slot[gone->count++] = hand->slot[i];
		else
			hand->slot[kept++] = hand->slot[i];
	}
	hand->count = kept;
	ringway_batch_destroy(gone);
}

static void close_device(unsigned index)
{
	drop_from_hand(devices[index]);
	ringway_close(devices[index]);
	devices[index] = NULL;
}

static void do_close(const struct command *command)
{
	int device = device_at(command, 1);

	if (device < 0)
		return;
	close_device((unsigned)device);
	puts("ok");
}

/* --- packets ---------------------------------------------------------------------------------------------------- */

static uint32_t packets_in(const struct ringway_batch *batch, uint32_t first)
{
	uint32_t packets = 0;

	for (uint32_t i = first; i < batch->count; i++)
		packets += !(ringway_packet_info(memory, batch->slot[i])->flags & RINGWAY_MORE);
	return packets;
}

static void print_packets(const struct ringway_batch *batch, uint32_t first)
{
	static const char digit[] = "0123456789abcdef";

	for (uint32_t i = first; i < batch->count; i++) {
		const struct ringway_packet_info *info = ringway_packet_info(memory, batch->slot[i]);
		const uint8_t *bytes = ringway_packet(memory, batch->slot[i]);

		for (uint16_t b = 0; b < info->length; b++) {
			putchar(digit[bytes[b] >> 4]);
			putchar(digit[bytes[b] & 15]);
		}
		if (!(info->flags & RINGWAY_MORE) && i + 1 < batch->count)
			putchar(',');
	}
}

static void print_hashes(const struct ringway_batch *batch, uint32_t first)
{
	const char *separator = " hashes=";

	for (uint32_t i = first; i < batch->count; i++) {
		const struct ringway_packet_info *info = ringway_packet_info(memory, batch->slot[i]);

		if (info->flags & RINGWAY_MORE)
			continue;
		printf("%s%" PRIu32, separator, info->hash);
		separator = ",";
	}
}

static void append(struct ringway_batch *to, struct ringway_batch *from)
{
	memcpy(to->slot + to->count, from->slot, from->count * sizeof(from->slot[0]));
	to->count += from->count;
	from->count = 0;
}

/* One packet of several slots: the smallest batch that takes it, so that nothing else comes along. */
static int receive_long(struct ringway_device *device, uint16_t queue, struct ringway_batch *batch)
{
	int n = -EMSGSIZE;

	for (batch->capacity = 2; n == -EMSGSIZE && batch->capacity <= JUMBO_SLOTS; batch->capacity++)
		n = ringway_receive(device, queue, batch);
	return n;
}

static void do_receive(const struct command *command)
{
	int device = device_at(command, 1), queue, n = 0;
	uint64_t count, size;
	uint32_t before = hand->count;
	struct ringway_batch *batch;

	if (device < 0 || (queue = queue_at(command, 2, opened[device].rx_queues)) < 0 || !numeric(command, 3, &count) ||
	    !keyed(command, 4, "batch", 32, &size))
		return;
	if (size == 0 || size > HAND_SLOTS) {
		usage("batch out of range", word_at(command, 4));
		return;
	}
	batch = ringway_batch_create(memory, (uint32_t)size + JUMBO_SLOTS);
	for (uint32_t got = 0; got < count; got = packets_in(hand, before)) {
		batch->capacity = (uint32_t)(count - got < size ? count - got : size);
		n = ringway_receive(devices[device], (uint16_t)queue, batch);
		if (n == -EMSGSIZE)
			n = receive_long(devices[device], (uint16_t)queue, batch);
		if (n <= 0)
			break;
		append(hand, batch);
	}
	ringway_batch_destroy(batch);
	if (n < 0 && hand->count == before) {
		answer_error(n);
		return;
	}
	printf("ok n=%" PRIu32, packets_in(hand, before));
	if (hand->count > before) {
		fputs(" packets=", stdout);
		print_packets(hand, before);
		if (opened[device].rx_queues > 1)
			print_hashes(hand, before);
	}
	putchar('\n');
}

static int nibble(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool packet_is_legal(const char *hex, uint32_t max_frame)
{
	size_t digits = strlen(hex);

	if (digits % 2 || digits / 2 < 14 || digits / 2 > max_frame - 4)
		return false;
	for (size_t i = 0; i < digits; i++)
		if (nibble(hex[i]) < 0)
			return false;
	return true;
}

/* Builds a packet from hex at the end of the batch; false if the pool has too few slots. */
static bool build(struct ringway_device *device, uint16_t queue, struct ringway_batch *batch, const char *hex)
{
	uint32_t length = (uint32_t)strlen(hex) / 2, slots = (length + RINGWAY_SLOT_BYTES - 1) / RINGWAY_SLOT_BYTES;
	uint32_t first = batch->count;

	if (ringway_allocate(device, queue, batch, slots) < slots)
		return false;
	for (uint32_t i = 0; i < slots; i++) {
		uint32_t part = length < RINGWAY_SLOT_BYTES ? length : RINGWAY_SLOT_BYTES;
		uint8_t *bytes = ringway_packet(memory, batch->slot[first + i]);

		*ringway_packet_info(memory, batch->slot[first + i]) =
			(struct ringway_packet_info){ .length = (uint16_t)part, .flags = i + 1 < slots ? RINGWAY_MORE : 0 };
		for (uint32_t b = 0; b < part; b++, hex += 2)
			bytes[b] = (uint8_t)(nibble(hex[0]) << 4 | nibble(hex[1]));
		length -= part;
	}
	return true;
}

/* Sends the batch once and answers with the number of packets taken. */
static void transmit_and_answer(int device, uint16_t queue, struct ringway_batch *batch)
{
	uint32_t before = packets_in(batch, 0);
	int n = ringway_transmit(devices[device], queue, batch);

	if (n < 0)
		answer_error(n);
	else
		printf("ok n=%" PRIu32 "\n", before - packets_in(batch, 0));
}

static void do_transmit(const struct command *command)
{
	int device = device_at(command, 1), queue;
	struct ringway_batch *batch;

	if (device < 0 || (queue = queue_at(command, 2, opened[device].tx_queues)) < 0)
		return;
	for (int i = 3; i < command->words; i++) {
		if (!packet_is_legal(command->word[i], opened[device].max_frame)) {
			usage("not a packet that can be sent", command->word[i]);
			return;
		}
	}
	batch = ringway_batch_create(memory, HAND_SLOTS);
	for (int i = 3; i < command->words; i++)
		if (!build(devices[device], (uint16_t)queue, batch, command->word[i]))
			break;
	transmit_and_answer(device, (uint16_t)queue, batch);
	ringway_batch_destroy(batch);
}

static void do_send(const struct command *command)
{
	int device = device_at(command, 1), queue;
	uint64_t count;
	uint32_t slots = 0, tail;
	struct ringway_batch *batch;

	if (device < 0 || (queue = queue_at(command, 2, opened[device].tx_queues)) < 0)
		return;
	count = packets_in(hand, 0);
	if (command->words > 3 && !numeric(command, 3, &count))
		return;
	for (uint64_t packets = 0; slots < hand->count && packets < count; slots++)
		packets += !(ringway_packet_info(memory, hand->slot[slots])->flags & RINGWAY_MORE);

	batch = ringway_batch_create(memory, HAND_SLOTS);
	memcpy(batch->slot, hand->slot, slots * sizeof(hand->slot[0]));
	batch->count = slots;
	transmit_and_answer(device, (uint16_t)queue, batch);
	tail = hand->count - slots; /* what the ring did not take goes back to the front */
	memmove(hand->slot + batch->count, hand->slot + slots, tail * sizeof(hand->slot[0]));
	memcpy(hand->slot, batch->slot, batch->count * sizeof(hand->slot[0]));
	hand->count = batch->count + tail;
	batch->count = 0;
	ringway_batch_destroy(batch);
}

static void do_release(void)
{
	printf("ok n=%" PRIu32 "\n", packets_in(hand, 0));
	ringway_batch_release(hand);
}

/* --- forward ---------------------------------------------------------------------------------------------------- */

struct totals {
	uint64_t received, sent, dropped;
};

static int forward_once(struct ringway_device *from, struct ringway_device *to, struct ringway_batch *batch,
                        struct totals *totals)
{
	int n = ringway_receive(from, 0, batch);
	uint32_t packets;

	if (n == -EMSGSIZE)
		n = receive_long(from, 0, batch);
	if (n < 0)
		return n;
	for (uint32_t i = 0; i < batch->count; i++) {
		bool first = i == 0 || !(ringway_packet_info(memory, batch->slot[i - 1])->flags & RINGWAY_MORE);

		if (first && ringway_packet_info(memory, batch->slot[i])->length > TOUCHED)
			ringway_packet(memory, batch->slot[i])[TOUCHED]++;
	}
	packets = packets_in(batch, 0);
	n = batch->count ? ringway_transmit(to, 0, batch) : 0;
	totals->received += packets;
	totals->dropped += packets_in(batch, 0);
	totals->sent += packets - packets_in(batch, 0);
	ringway_batch_release(batch);
	return n < 0 ? n : 0;
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

static void do_forward(const struct command *command)
{
	int a = device_at(command, 1), b = a < 0 ? -1 : device_at(command, 2), error = 0;
	uint64_t packets, millis, size, end;
	struct totals totals = { 0 };
	struct ringway_batch *batch;

	if (b < 0 || !keyed(command, 3, "packets", UINT64_MAX, &packets) || !keyed(command, 3, "millis", UINT64_MAX, &millis) ||
	    !keyed(command, 3, "batch", 32, &size))
		return;
	if ((packets == UINT64_MAX && millis == UINT64_MAX) || size == 0 || size > HAND_SLOTS) {
		usage("forward needs packets or millis, and a batch", command->word[0]);
		return;
	}
	if (a == b) {
		usage("forward needs two devices", command->word[2]);
		return;
	}
	batch = ringway_batch_create(memory, (uint32_t)size + JUMBO_SLOTS);
	end = millis == UINT64_MAX ? UINT64_MAX : now_ms() + millis + 1; /* now_ms() rounds down */
	for (bool back = false; !error && totals.received < packets && (end == UINT64_MAX || now_ms() < end); back = !back) {
		uint64_t left = packets - totals.received;

		batch->capacity = (uint32_t)(left < size ? left : size);
		error = back ? forward_once(devices[b], devices[a], batch, &totals)
		             : forward_once(devices[a], devices[b], batch, &totals);
	}
	ringway_batch_destroy(batch);
	if (error)
		answer_error(error);
	else
		printf("ok received=%" PRIu64 " sent=%" PRIu64 " dropped=%" PRIu64 "\n", totals.received, totals.sent,
		       totals.dropped);
}

/* --- questions -------------------------------------------------------------------------------------------------- */

static void do_stats(const struct command *command)
{
	int device = device_at(command, 1), error;
	struct ringway_stats stats;

	if (device < 0)
		return;
	error = ringway_stats(devices[device], &stats);
	if (error < 0)
		answer_error(error);
	else
		printf("ok rx_packets=%" PRIu64 " tx_packets=%" PRIu64 " rx_bytes=%" PRIu64 " tx_bytes=%" PRIu64
		       " rx_missed=%" PRIu64 " rx_errors=%" PRIu64 "\n", stats.rx_packets, stats.tx_packets, stats.rx_bytes,
		       stats.tx_bytes, stats.rx_missed, stats.rx_errors);
}

static void do_link(const struct command *command)
{
	int device = device_at(command, 1), error;
	struct ringway_link link;

	if (device < 0)
		return;
	error = ringway_link(devices[device], &link);
	if (error < 0)
		answer_error(error);
	else
		printf("ok up=%d mbit=%" PRIu32 "\n", link.up, link.mbit);
}

static void do_slots(const struct command *command)
{
	int device = device_at(command, 1);
	struct ringway_slots slots;
	uint32_t held = 0;

	if (device < 0)
		return;
	ringway_slots(devices[device], &slots);
	for (uint32_t i = 0; i < hand->count; i++)
		held += ringway_owns(devices[device], hand->slot[i]);
	printf("ok pool=%" PRIu32 " hand=%" PRIu32 " rx=%" PRIu32 " tx=%" PRIu32 " total=%" PRIu32 "\n", slots.pool, held,
	       slots.rx, slots.tx, slots.total);
}

static void do_promiscuous(const struct command *command)
{
	int device = device_at(command, 1), error;
	uint64_t on;

	if (device < 0 || !numeric(command, 2, &on))
		return;
	if (on > 1) {
		usage("neither 0 nor 1", command->word[2]);
		return;
	}
	error = ringway_promiscuous(devices[device], on != 0);
	if (error < 0)
		answer_error(error);
	else
		puts("ok");
}

/* --- the loop --------------------------------------------------------------------------------------------------- */

static bool execute(const struct command *command)
{
	static const struct {
		const char *name;
		void (*run)(const struct command *);
	} table[] = {
		{ "open", do_open }, { "receive", do_receive }, { "transmit", do_transmit }, { "send", do_send },
		{ "forward", do_forward }, { "stats", do_stats }, { "link", do_link }, { "slots", do_slots },
		{ "promiscuous", do_promiscuous }, { "close", do_close },
	};
	const char *name = word_at(command, 0);

	if (!name || strcmp(name, "quit") == 0) {
		if (name)
			return false;
		usage("no command", name);
		return true;
	}
	if (strcmp(name, "hello") == 0) {
		puts("ok protocol=1 driver=c version=" RINGWAY_VERSION " features=rss,jumbo");
		return true;
	}
	if (strcmp(name, "release") == 0) {
		do_release();
		return true;
	}
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (strcmp(name, table[i].name) == 0) {
			table[i].run(command);
			return true;
		}
	}
	usage("unknown command", name);
	return true;
}

static void close_all(void)
{
	for (unsigned i = 0; i < device_count; i++)
		if (devices[i])
			close_device(i);
	ringway_batch_destroy(hand);
	ringway_memory_destroy(memory);
}

/* Interrupts the read of the next command; no SA_RESTART. */
static void on_signal(int signal)
{
	(void)signal;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	static struct command command;
	char *line = NULL;
	size_t capacity = 0;
	bool quit = false;

	sigaction(SIGTERM, &action, NULL);
	if (ringway_memory_create(MEMORY_BYTES, &memory) < 0 || !(hand = ringway_batch_create(memory, HAND_SLOTS))) {
		fprintf(stderr, "%s\n", ringway_error());
		return 1;
	}
	while (!quit && getline(&line, &capacity, stdin) >= 0) {
		split(line, &command);
		quit = !execute(&command);
		fflush(stdout);
	}
	close_all();
	if (quit)
		puts("ok");
	free(line);
	return 0;
}
