/* SPDX-License-Identifier: BSD-3-Clause */
/* One JSON object a line on standard output (spec/app.schema.json), or text for people. */
#include <inttypes.h>
#include <string.h>

#include "app.h"

static void json_string(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putchar('\\');
		if ((unsigned char)*text < 0x20)
			printf("\\u%04x", *text);
		else
			putchar(*text);
	}
	putchar('"');
}

static void start_json(const struct session *session)
{
	printf("{\"event\":\"start\",\"app\":\"%s\",\"driver\":\"c\",\"version\":\"" RINGWAY_VERSION "\",\"queues\":%u,\"devices\":[",
	       session->settings.app, session->settings.queues);
	for (int i = 0; i < session->settings.devices; i++) {
		const uint8_t *mac = ringway_mac(session->device[i]);
		struct ringway_link link = { 0 };

		ringway_link(session->device[i], &link);
		printf("%s{\"address\":", i ? "," : "");
		json_string(session->settings.address[i]);
		printf(",\"way\":\"%s\",\"mac\":\"%02x:%02x:%02x:%02x:%02x:%02x\",\"link\":%s,\"mbit\":%u}",
		       ringway_way(session->device[i]), mac[0], mac[1], mac[2], mac[3], mac[4], mac[5], link.up ? "true" : "false",
		       link.mbit);
	}
	puts("]}");
}

static void start_text(const struct session *session)
{
	for (int i = 0; i < session->settings.devices; i++) {
		const uint8_t *mac = ringway_mac(session->device[i]);
		struct ringway_link link = { 0 };

		ringway_link(session->device[i], &link);
		printf("%s: %02x:%02x:%02x:%02x:%02x:%02x by %s, ", session->settings.address[i], mac[0], mac[1], mac[2], mac[3],
		       mac[4], mac[5], ringway_way(session->device[i]));
		if (link.up)
			printf("link at %u Mbit/s\n", link.mbit);
		else
			puts("no link");
	}
}

void report_start(const struct session *session)
{
	if (session->settings.json)
		start_json(session);
	else
		start_text(session);
	fflush(stdout);
}

static void devices_json(const struct session *session)
{
	const struct totals totals = workers_totals(session);

	fputs("\"devices\":[", stdout);
	for (int i = 0; i < session->settings.devices; i++) {
		struct ringway_stats stats = { 0 };

		ringway_stats(session->device[i], &stats);
		printf("%s{\"address\":", i ? "," : "");
		json_string(session->settings.address[i]);
		printf(",\"rx_packets\":%" PRIu64 ",\"rx_bytes\":%" PRIu64 ",\"tx_packets\":%" PRIu64 ",\"tx_bytes\":%" PRIu64
		       ",\"rx_missed\":%" PRIu64 ",\"rx_errors\":%" PRIu64 ",\"dropped\":%" PRIu64 "}", stats.rx_packets,
		       stats.rx_bytes, stats.tx_packets, stats.tx_bytes, stats.rx_missed, stats.rx_errors, totals.dropped[i]);
	}
	putchar(']');
}

static void devices_text(const struct session *session)
{
	const struct totals totals = workers_totals(session);

	for (int i = 0; i < session->settings.devices; i++) {
		struct ringway_stats stats = { 0 };

		ringway_stats(session->device[i], &stats);
		printf("  %s: received %" PRIu64 ", sent %" PRIu64 ", missed %" PRIu64 ", errors %" PRIu64 ", dropped %" PRIu64 "\n",
		       session->settings.address[i], stats.rx_packets, stats.tx_packets, stats.rx_missed, stats.rx_errors,
		       totals.dropped[i]);
	}
}

void report_interval(const struct session *session, double time_s)
{
	if (session->settings.json) {
		printf("{\"event\":\"interval\",\"app\":\"%s\",\"time_s\":%.3f,", session->settings.app, time_s);
		devices_json(session);
		puts("}");
	} else {
		printf("%.1f s\n", time_s);
		devices_text(session);
	}
	fflush(stdout);
}

void report_final(const struct session *session, double elapsed_s, uint64_t slots_lost)
{
	const struct totals totals = workers_totals(session);
	uint64_t dropped = totals.dropped[0] + totals.dropped[1];

	if (session->settings.json) {
		printf("{\"event\":\"final\",\"app\":\"%s\",\"elapsed_s\":%.3f,\"received\":%" PRIu64 ",\"sent\":%" PRIu64
		       ",\"dropped\":%" PRIu64 ",\"stopped_by\":\"%s\",\"slots_lost\":%" PRIu64 ",", session->settings.app, elapsed_s,
		       totals.received, totals.sent, dropped, session->stopped_by, slots_lost);
		devices_json(session);
		puts("}");
	} else {
		printf("stopped by %s after %.1f s: received %" PRIu64 ", sent %" PRIu64 ", dropped %" PRIu64 "\n",
		       session->stopped_by, elapsed_s, totals.received, totals.sent, dropped);
		devices_text(session);
	}
	fflush(stdout);
}

void report_error(const struct settings *settings, const char *kind, const char *message)
{
	if (settings->json) {
		printf("{\"event\":\"error\",\"kind\":\"%s\",\"message\":", kind);
		json_string(message);
		puts("}");
		fflush(stdout);
	} else {
		fprintf(stderr, "ringway-c: %s\n", message);
	}
}
