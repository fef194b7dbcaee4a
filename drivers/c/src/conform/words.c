/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of a command line: numbers, KEY=VALUE, devices and queues. Whoever finds one wrong has answered already. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "conform.h"

void split(char *line, struct command *command)
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
bool keyed(const struct command *command, int first, const char *key, uint64_t otherwise, uint64_t *value)
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

const char *word_at(const struct command *command, int index)
{
	return index < command->words ? command->word[index] : NULL;
}

bool numeric(const struct command *command, int index, uint64_t *value)
{
	if (number(word_at(command, index), value))
		return true;
	usage("not a number", word_at(command, index));
	return false;
}

/* The open device named by word `index`; answers and returns -1 if there is none. */
int device_at(const struct command *command, int index)
{
	uint64_t value;

	if (!numeric(command, index, &value))
		return -1;
	if (value < device_count && devices[value])
		return (int)value;
	usage("no such device", command->word[index]);
	return -1;
}

int queue_at(const struct command *command, int index, uint16_t queues)
{
	uint64_t value;

	if (!numeric(command, index, &value))
		return -1;
	if (value < queues)
		return (int)value;
	usage("no such queue", command->word[index]);
	return -1;
}
