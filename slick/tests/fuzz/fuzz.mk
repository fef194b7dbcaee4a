# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
FUZZ := $(BUILD)/fuzz
FUZZ_SOURCES := $(SHARED:%=../core/%.c) fuzz/count.c
FUZZERS := fuzz_thrift fuzz_tsock fuzz_bsock

$(FUZZ)/%: fuzz/%.c fuzz/fuzz.h $(FUZZ_SOURCES) $(HEADERS) $(FUZZ)/.made
	$(Q)$(CLANG) -std=gnu11 -g -O2 -Wall -Wextra -Werror -I../include \
		-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
		$< $(FUZZ_SOURCES) -o $@

fuzz: $(FUZZ)/.made
	$(Q)if echo 'int LLVMFuzzerTestOneInput(const char *b, long n) { return !b && n; }' | \
	    $(CLANG) -x c -fsanitize=fuzzer,address - -o $(FUZZ)/can_fuzz 2> /dev/null; then \
		$(MAKE) -s --no-print-directory $(FUZZERS:%=$(FUZZ)/%) && \
		FUZZ_SECONDS='$(SECONDS)' FUZZ_RUNS='$(RUNS)' fuzz/run.sh $(FUZZ) $(FUZZERS); \
	else \
		echo "fuzz: skipped, $(CLANG) cannot build a fuzzer here (apt-get install clang libclang-rt-14-dev)"; \
	fi
