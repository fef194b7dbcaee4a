# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
GOLDEN := $(BUILD)/golden

GOLDEN_SHARED := $(patsubst %,$(BUILD)/san/core_%.o,thrift skip scatter)

$(GOLDEN)/golden: golden/golden.c unit/unit.h unit/pieces.h $(GOLDEN_SHARED) $(GOLDEN)/.made
	$(Q)$(CC) $(FLAGS) $(SANITIZE) $< $(GOLDEN_SHARED) -lcmocka -o $@

golden: $(GOLDEN)/golden
	$(Q)$(GOLDEN)/golden golden/frames.bin $(GOLDEN)/ours.bin > $(GOLDEN)/log 2>&1 || \
		{ cat $(GOLDEN)/log; exit 1; }
	$(Q)if $(PYTHON) -c 'import thrift' 2>/dev/null; then \
		$(PYTHON) golden/make_golden.py make $(GOLDEN)/frames.bin > /dev/null && \
		cmp golden/frames.bin $(GOLDEN)/frames.bin && \
		$(PYTHON) golden/make_golden.py check $(GOLDEN)/ours.bin; \
	else \
		echo "golden: no Apache Thrift in $(PYTHON), the other way was skipped (pip install thrift)"; \
	fi
	$(Q)tail -n 1 $(GOLDEN)/log
