/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * conform -- the testee of the conformance suite: commands on standard input, one line of answer each
 * The protocol is described in conformance/README.md. Nothing is judged here.
 */
#ifndef RINGWAY_SRC_CONFORM_CONFORM_H
#define RINGWAY_SRC_CONFORM_CONFORM_H

#include "ringway.h"

#define DEVICES     512u   /* opened in the life of a testee */
#define HAND_SLOTS  65536u
#define JUMBO_SLOTS 8u     /* most slots of one packet */
#define WORDS       4096   /* of a command */

/* All that a testee remembers between commands (main.c). */
extern struct ringway_memory *memory;
extern struct ringway_batch *hand;
extern struct ringway_device *devices[DEVICES];
extern struct ringway_options opened[DEVICES]; /* how each device was opened */
extern unsigned device_count;

struct command {
	char *word[WORDS];
	int words;
};

/* answers.c */
/** Answers with the library's last error, of kind `error`. */
void answer_error(int error);
/** Answers that the judge's own command was wrong; `word` NULL: it is missing. */
void usage(const char *what, const char *word);

/* words.c; what returns false or -1 has answered */
void split(char *line, struct command *command);
/** Word `index`, or NULL. */
const char *word_at(const struct command *command, int index);
/** Word `index` as a number. */
bool numeric(const struct command *command, int index, uint64_t *value);
/** Value of KEY=VALUE among the words from `first` on; `otherwise` if it is not there. */
bool keyed(const struct command *command, int first, const char *key, uint64_t otherwise, uint64_t *value);
/** Number of the open device that word `index` names. */
int device_at(const struct command *command, int index);
/** Queue below `queues` that word `index` names. */
int queue_at(const struct command *command, int index, uint16_t queues);

/* open.c */
void close_device(unsigned index);

/* receive.c */
/** Packets in the batch from slot `first` on. */
uint32_t packets_in(const struct ringway_batch *batch, uint32_t first);
/** Receives one packet of several slots. */
int receive_long(struct ringway_device *device, uint16_t queue, struct ringway_batch *batch);

/* The commands, each by the file of its name or of its subject. */
void do_open(const struct command *command);
void do_close(const struct command *command);
void do_receive(const struct command *command);
void do_transmit(const struct command *command);
void do_send(const struct command *command);
void do_release(const struct command *command);
void do_forward(const struct command *command);
void do_stats(const struct command *command);
void do_link(const struct command *command);
void do_slots(const struct command *command);
void do_promiscuous(const struct command *command);

#endif
