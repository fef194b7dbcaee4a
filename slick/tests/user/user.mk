# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
# The user loop over loopback, under sanitizers: make -C slick/tests user. Backends that are not installed are skipped.
PKG_CONFIG ?= pkg-config
USER_FLAGS := $(if $(shell $(PKG_CONFIG) --exists libevent_core 2>/dev/null && echo yes),-DSLICK_WITH_LIBEVENT) \
	$(if $(shell $(PKG_CONFIG) --exists liburing 2>/dev/null && echo yes),-DSLICK_WITH_URING)
USER_LIBS := $(if $(findstring LIBEVENT,$(USER_FLAGS)),-levent_core) $(if $(findstring URING,$(USER_FLAGS)),-luring)
USER_TEST := $(patsubst user/%.c,$(BUILD)/user/%.o,$(wildcard user/*.c)) $(patsubst ../user/%.c,$(BUILD)/user/ours_%.o,$(wildcard ../user/*.c))

.PHONY: user
$(BUILD)/user/%.o: user/%.c user/peer.h ../user/loop.h $(HEADERS) $(BUILD)/user/.made
	$(Q)$(CC) $(FLAGS) $(SANITIZE) $(USER_FLAGS) -c $< -o $@

$(BUILD)/user/ours_%.o: ../user/%.c $(wildcard ../user/*.h) $(HEADERS) $(BUILD)/user/.made
	$(Q)$(CC) $(FLAGS) $(SANITIZE) $(USER_FLAGS) -c $< -o $@

$(BUILD)/user/user: $(USER_TEST) $(BUILD)/san/core_buffer.o
	$(Q)$(CC) $(SANITIZE) $^ $(USER_LIBS) -lcmocka -lpthread -o $@

user: $(BUILD)/user/user
	$(Q)timeout -k 5 180 $(BUILD)/user/user > $(BUILD)/user/log 2>&1 || \
		{ grep -aE 'ERROR|LINE|FAILED|Sanitizer| #[0-8] ' $(BUILD)/user/log; exit 1; }
	$(Q)grep -aE 'PASSED|SKIPPED|tests, ' $(BUILD)/user/log
