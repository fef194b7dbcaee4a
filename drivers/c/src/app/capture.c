/* SPDX-License-Identifier: BSD-3-Clause */
/* capture: writes what arrives to a pcap file (nanosecond time stamps), whole packets only. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app.h"

#define PCAP_NANOSECONDS 0xa1b23c4du
#define LINK_ETHERNET    1u
#define SNAP_BYTES       65535u
#define ROUNDS_PER_LOOK  1024u

struct record {
	uint32_t seconds, nanoseconds, captured, original;
};

/* Closing writes what is still buffered, so the file is cut back to whole packets only afterwards. */
static int file_failed(const struct session *session, FILE *file, long whole_bytes)
{
	char message[512];
	int cause = errno;
	bool kept = false;

	if (file) {
		fclose(file);
		kept = truncate(session->settings.file, whole_bytes) == 0;
	}
	snprintf(message, sizeof(message), "%s: cannot write: %s%s", session->settings.file, strerror(cause),
	         kept ? "; the packets before are in the file" : "");
	report_error(&session->settings, "Unsupported", message);
	return EXIT_USAGE;
}

static bool write_header(FILE *file)
{
	const struct {
		uint32_t magic;
		uint16_t major, minor;
		uint32_t zone, accuracy, snap, link;
	} header = { PCAP_NANOSECONDS, 2, 4, 0, 0, SNAP_BYTES, LINK_ETHERNET };

	return fwrite(&header, sizeof(header), 1, file) == 1 && fflush(file) == 0;
}

/* Writes the packet that begins at `*index` of the batch, all its slots. */
static bool write_packet(const struct session *session, FILE *file, uint32_t *index, const struct timespec *now)
{
	const struct ringway_batch *batch = session->worker[0].batch;
	struct record record = { (uint32_t)now->tv_sec, (uint32_t)now->tv_nsec, 0, 0 };
	uint32_t last = *index;

	for (;; last++) {
		const struct ringway_packet_info *info = ringway_packet_info(session->memory, batch->slot[last]);

		record.captured += info->length;
		if (!(info->flags & RINGWAY_MORE))
			break;
	}
	record.original = record.captured;
	if (fwrite(&record, sizeof(record), 1, file) != 1)
		return false;
	for (; *index <= last; ++*index) {
		uint32_t slot = batch->slot[*index];

		if (fwrite(ringway_packet(session->memory, slot), ringway_packet_info(session->memory, slot)->length, 1, file) != 1)
			return false;
	}
	return true;
}

/* One batch into the file; -1 if the file failed, -2 if the device did. */
static int write_batch(struct session *session, FILE *file, long *whole_bytes)
{
	struct worker *worker = &session->worker[0];
	struct timespec now;
	int n = ringway_receive(session->device[0], 0, worker->batch);

	if (n < 0)
		return -2;
	if (n == 0)
		return 0;
	clock_gettime(CLOCK_REALTIME, &now);
	for (uint32_t index = 0; index < worker->batch->count; count(&worker->received, 1))
		if (!write_packet(session, file, &index, &now))
			return -1;
	ringway_batch_release(worker->batch);
	if (fflush(file) != 0)
		return -1;
	*whole_bytes = ftell(file);
	return 0;
}

int capture(struct session *session)
{
	FILE *file = fopen(session->settings.file, "wb");
	long whole_bytes = 0;
	int result = 0;

	if (!file || !write_header(file))
		return file_failed(session, file, 0);
	whole_bytes = ftell(file);
	do
		for (uint32_t round = 0; result == 0 && round < ROUNDS_PER_LOOK; round++)
			result = write_batch(session, file, &whole_bytes);
	while (result == 0 && session_goes_on(session));
	if (result == -1)
		return file_failed(session, file, whole_bytes);
	fclose(file); /* everything was flushed with its batch */
	return result == -2 ? session_fail(session, -EIO, EXIT_DEVICE_FAILED) : EXIT_DONE;
}
