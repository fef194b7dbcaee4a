// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "forward.h"

bool malformed(void)
{
	struct backend backend = { .sock = -1, .listener = -1 };
	bool good = backend_open(&backend, 140, 0);

	for (const struct bad_frame *bad = bad_frames; good && bad->make; bad++) {
		struct frame frame = { 0 };

		bad->make(&frame);
		good = told_and_ended(&backend, &frame, bad->what);
		frame_free(&frame);
	}
	backend_close(&backend);
	return good;
}
