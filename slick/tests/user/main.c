// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
#include "peer.h"

int main(void)
{
	return events_run() + flow_run() + life_run() ? 1 : 0;
}
