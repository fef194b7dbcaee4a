# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
UNIT := $(patsubst unit/%.c,$(BUILD)/unit/%.o,$(wildcard unit/*.c))

$(BUILD)/unit/%.o: unit/%.c $(wildcard unit/*.h) $(HEADERS) $(BUILD)/unit/.made
	$(Q)$(CC) $(FLAGS) $(SANITIZE) -c $< -o $@

$(BUILD)/unit/unit: $(UNIT) $(SHARED:%=$(BUILD)/san/core_%.o)
	$(Q)$(CC) $(SANITIZE) -Wl,--wrap=malloc $^ -lcmocka -o $@

unit: $(BUILD)/unit/unit
	$(Q)$(BUILD)/unit/unit > $(BUILD)/unit/log 2>&1 || \
		{ grep -E 'ERROR|LINE|FAILED|Sanitizer|^unit:| #[0-8] ' $(BUILD)/unit/log; exit 1; }
	$(Q)tail -n 1 $(BUILD)/unit/log
