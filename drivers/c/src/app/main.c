/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "app.h"

/* info: what session_open has said is all there is to say. */
int info(struct session *session)
{
	session->stopped_by = "packets";
	return EXIT_DONE;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(struct session *);
	} apps[] = { { "forward", forward }, { "generate", generate }, { "capture", capture }, { "info", info } };
	static struct session session;
	int code = settings_parse(argc, argv, &session.settings);

	if (code >= 0)
		return code;
	code = session_open(&session);
	for (size_t i = 0; code < 0 && i < sizeof(apps) / sizeof(apps[0]); i++)
		if (strcmp(apps[i].name, session.settings.app) == 0)
			code = apps[i].run(&session);
	return session_close(&session, code);
}
