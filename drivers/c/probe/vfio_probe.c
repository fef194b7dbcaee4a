/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vfio_probe -- the ways to a real card, on one that QEMU can play
 * An e1000e, which this driver does not drive; its transmit ring is simple enough to see whether DMA, interrupts and the IOMMU
 * do what bus.h promises. See conformance/vm.
 *
 *     vfio_probe try ADDRESS [OTHER]    every step, one line each
 *     vfio_probe send ADDRESS           one frame, by sysfs as well
 *     vfio_probe open ADDRESS           only opens it
 *     vfio_probe keep ADDRESS           holds it until the host wants it back
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "bus.h"
#include "dma.h"

/* Registers of an 82574. */
#define CTRL   0x0000u
#define STATUS 0x0008u
#define ICR    0x00C0u
#define ICS    0x00C8u
#define IMS    0x00D0u
#define IMC    0x00D8u
#define IVAR   0x00E4u
#define TCTL   0x0400u
#define TDBAL  0x3800u
#define TDBAH  0x3804u
#define TDLEN  0x3808u
#define TDH    0x3810u
#define TDT    0x3818u

#define CTRL_RST      (1u << 26)
#define TCTL_EN       (1u << 1)
#define CAUSE_OTHER   (1u << 24)
#define COMMAND_ON    6u                        /* memory space, bus master */
#define SEND_AND_SAY  (0x0Bu << 24)             /* EOP, IFCS, RS */
#define NOWHERE       (UINT64_C(8) << 30)       /* no memory is mapped there */
#define PATIENCE_MS   2000
#define KEEP_MS       30000

static const char text[] = "ringway was here, by way of an IOMMU, written in C";

struct descriptor {
	uint64_t buffer;
	uint32_t command; /* with the length */
	uint32_t status;
};

struct card {
	struct bus *bus;
	struct ringway_memory *memory;
	struct descriptor *ring; /* and the frame one page behind it */
};

static void wait_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 }, NULL);
}

static void put(const struct card *card, uint32_t offset, uint32_t value)
{
	card->bus->ops->write(card->bus, BUS_BAR0, offset, 4, value);
}

static uint32_t get(const struct card *card, uint32_t offset)
{
	uint32_t value = UINT32_MAX;

	card->bus->ops->read(card->bus, BUS_BAR0, offset, 4, &value);
	return value;
}

static bool step(const char *name, bool good, const char *detail)
{
	printf("%s %s: %s\n", good ? "ok" : "FAILED", name, detail);
	return good;
}

static void write_frame(const struct card *card)
{
	static const uint8_t header[14] = { 255, 255, 255, 255, 255, 255, 2, 0, 0, 0, 0, 2, 0x88, 0xB5 };
	uint8_t *frame = (uint8_t *)card->ring + DMA_PAGE_BYTES;

	memset(frame, 0, 128);
	memcpy(frame, header, sizeof(header));
	memcpy(frame + sizeof(header), text, sizeof(text));
	card->ring[0] = (struct descriptor){ .buffer = dma_iova(card->memory, frame), .command = 128 | SEND_AND_SAY };
}

/* Sends one frame whose ring is at `ring`; true if the card wrote back that it is done. */
static bool transmit(const struct card *card, uint64_t ring)
{
	write_frame(card);
	put(card, TCTL, 0);
	put(card, TDBAL, (uint32_t)ring);
	put(card, TDBAH, (uint32_t)(ring >> 32));
	put(card, TDLEN, 8 * sizeof(struct descriptor));
	put(card, TDH, 0);
	put(card, TDT, 0);
	put(card, TCTL, TCTL_EN);
	put(card, TDT, 1);
	for (int ms = 0; ms < PATIENCE_MS; ms++) {
		if (__atomic_load_n(&card->ring[0].status, __ATOMIC_ACQUIRE) & 1)
			return true;
		if (ring == NOWHERE && get(card, TDH) == 1)
			return false;
		wait_ms(1);
	}
	return false;
}

/* Has the card cause its "other" interrupt by hand, in vector 1. */
static bool interrupt(const struct card *card)
{
	int event[2] = { eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC) };
	bool fired = false, bound = card->bus->ops->bind_vectors(card->bus, 0, event, 2) == 0;
	uint64_t count;

	put(card, IVAR, (8u | 1u) << 16);
	put(card, IMS, CAUSE_OTHER);
	put(card, ICS, CAUSE_OTHER);
	for (int ms = 0; bound && !fired && ms < PATIENCE_MS; ms++) {
		fired = read(event[1], &count, sizeof(count)) == sizeof(count);
		wait_ms(fired ? 0 : 1);
	}
	put(card, IMC, UINT32_MAX); /* what is left pending would come by the pin once MSI-X is off */
	get(card, ICR);
	bound = bound && card->bus->ops->bind_vectors(card->bus, 0, NULL, 0) == 0;
	close(event[0]);
	close(event[1]);
	return step("interrupt", bound && fired, "vector 1 by its eventfd");
}

/* Another function in the same address space: the memory stays for the one when the other goes. */
static bool second(const struct card *card, const char *address)
{
	struct bus *other;

	if (bus_open(address, &other) < 0)
		return false;
	if (other->ops->map_memory(other, card->memory) < 0 || other->ops->unmap_memory(other, card->memory) < 0)
		return false;
	other->ops->close(other);
	return step("second", transmit(card, dma_iova(card->memory, card->ring)), "it came and went");
}

static bool reach(struct card *card, const char *address)
{
	int error = ringway_needs_hugepages(address) ? ringway_memory_create_huge(4u << 20, &card->memory)
	                                             : ringway_memory_create(4u << 20, &card->memory);

	if (error < 0 || bus_open(address, &card->bus) < 0)
		return false;
	return !card->bus->ops->claim || card->bus->ops->claim(card->bus, card->memory) == 0;
}

static bool prepare(struct card *card)
{
	uint32_t id, status;
	char line[64];

	card->ring = dma_ring_allocate(card->memory, 2 * DMA_PAGE_BYTES);
	if (!card->ring || card->bus->ops->read(card->bus, BUS_CONFIG, 0, 4, &id) < 0)
		return false;
	snprintf(line, sizeof(line), "%s %04x:%04x", card->bus->ops->way, id & 0xFFFF, id >> 16);
	if (!step("identity", (id & 0xFFFF) != 0xFFFF, line) || !step("window", card->bus->areas == 1, "BAR0"))
		return false;
	if (card->bus->ops->write(card->bus, BUS_CONFIG, 4, 2, COMMAND_ON) < 0)
		return false;
	put(card, CTRL, CTRL_RST);
	wait_ms(20);
	status = get(card, STATUS);
	snprintf(line, sizeof(line), "STATUS 0x%x", status);
	return step("registers", status != UINT32_MAX && !(get(card, CTRL) & CTRL_RST), line);
}

static bool send_one(struct card *card)
{
	if (!prepare(card) || card->bus->ops->map_memory(card->bus, card->memory) < 0)
		return false;
	return step("dma", transmit(card, dma_iova(card->memory, card->ring)), "a frame, reported as done");
}

static bool try_all(struct card *card, const char *other)
{
	uint64_t here;

	if (!send_one(card) || !interrupt(card))
		return false;
	here = dma_iova(card->memory, card->ring);
	if (other && !second(card, other))
		return false;
	if (!step("stray", !transmit(card, NOWHERE), "a ring where nothing is mapped"))
		return false;
	if (card->bus->ops->unmap_memory(card->bus, card->memory) < 0)
		return false;
	if (!step("unmapped", !transmit(card, here), "a ring that was taken away"))
		return false;
	/* QEMU's card does not forget its registers when it is put to sleep, which is how the kernel resets it. */
	return step("reset", card->bus->ops->reset(card->bus) == 0, "by the bus") && card->bus->ops->alive(card->bus) == 0;
}

static bool keep(const struct card *card)
{
	int error = 0;

	step("keep", true, "holding it");
	fflush(stdout);
	for (int ms = 0; !error && ms < KEEP_MS; ms += 20) {
		wait_ms(20);
		error = card->bus->ops->alive(card->bus);
	}
	return step("wanted back", error && strstr(ringway_error(), "wants it back"), error ? ringway_error() : "nobody asked for it");
}

int main(int count, char **words)
{
	struct card card = { 0 };
	bool good;

	if (count < 3) {
		fprintf(stderr, "usage: vfio_probe try ADDRESS [OTHER] | send, open or keep ADDRESS\n");
		return 2;
	}
	good = reach(&card, words[2]);
	if (good && strcmp(words[1], "try") == 0)
		good = try_all(&card, words[3]);
	else if (good && strcmp(words[1], "send") == 0)
		good = send_one(&card);
	else if (good && strcmp(words[1], "keep") == 0)
		good = keep(&card);
	else if (good)
		good = card.bus->ops->map_memory(card.bus, card.memory) == 0;
	if (!good)
		fprintf(stderr, "vfio_probe: %s\n", ringway_error());
	if (card.bus)
		card.bus->ops->close(card.bus);
	ringway_memory_destroy(card.memory);
	return good ? 0 : 1;
}
