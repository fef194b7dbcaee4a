#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
# Runs fuzz targets: run.sh DIRECTORY TARGET... with SECONDS or RUNS in the environment; each begins with
# what earlier runs kept in DIRECTORY/corpus. Ends with 1 at a finding, whose input stays in DIRECTORY.
set -eu

directory=$1
shift
bound="-max_total_time=${FUZZ_SECONDS:-60}"
[ -z "${FUZZ_RUNS:-}" ] || bound="-runs=$FUZZ_RUNS"
for target in "$@"; do
	corpus=$directory/corpus/$target
	log=$directory/$target.log
	mkdir -p "$corpus"
	if ! nice "$directory/$target" "$bound" -max_len=1024 -timeout=20 -rss_limit_mb=2048 \
	     -artifact_prefix="$directory/$target." "$corpus" >"$log" 2>&1; then
		tail -n 30 "$log"
		echo "fuzz: $target found something, its input is $directory/$target.*"
		exit 1
	fi
	sed -n "s/^Done \([0-9]*\) runs in \([0-9]*\).*/fuzz: $target: \1 runs in \2 s/p" "$log"
	grep "^$target: " "$log" | sed 's/^/fuzz: /'
done
echo "fuzz: no findings in $*"
