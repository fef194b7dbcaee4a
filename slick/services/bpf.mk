# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
# The BPF twins of the services; included by the Makefile above.
CC ?= cc
CLANG ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/sbin/bpftool /usr/local/sbin/bpftool) bpftool)
BPF_BTF ?= /sys/kernel/btf/vmlinux
BPF_CFLAGS := -std=gnu11 -O2 -g -Wall -Wextra -Wno-unused-parameter -Werror
BPF_BUILD := build/bpf
BPF_PROGRAMS := build/slick-echo-bpf build/slick-forward-bpf

bpf_lacks := $(strip $(if $(shell command -v $(CLANG)),,clang) \
	$(if $(shell command -v $(BPFTOOL)),,bpftool) \
	$(if $(wildcard /usr/include/bpf/libbpf.h),,libbpf-dev) \
	$(if $(wildcard $(BPF_BTF)),,$(BPF_BTF)))

.PHONY: bpf bpf-test
ifneq ($(bpf_lacks),)
bpf bpf-test $(BPF_PROGRAMS):
	@echo "skipped: the BPF services need $(bpf_lacks)" \
		"(apt-get install clang bpftool libbpf-dev; a kernel with BTF)"
else
bpf: $(BPF_PROGRAMS)

bpf-test: bpf
	python3 tests/bpf/run.py

$(BPF_BUILD)/vmlinux.h: $(BPF_BTF)
	@mkdir -p $(@D)
	@echo "  BTF  $@"
	$(Q)$(BPFTOOL) btf dump file $< format c > $@.new && mv $@.new $@

$(BPF_BUILD)/%.bpf.o: $(BPF_BUILD)/vmlinux.h $(wildcard services/bpf/*.h)
	@echo "  BPF  $@"
	$(Q)$(CLANG) $(BPF_CFLAGS) -target bpf -mcpu=v3 -I$(BPF_BUILD) -c $(filter %.bpf.c,$^) -o $@

$(BPF_BUILD)/%.skel.h: $(BPF_BUILD)/%.bpf.o
	$(Q)$(BPFTOOL) gen skeleton $< name $*_bpf 2>/dev/null > $@.new && mv $@.new $@

$(BPF_BUILD)/echo.bpf.o: services/echo/echo.bpf.c services/echo/echo_bpf.h
$(BPF_BUILD)/forward.bpf.o: services/forward/forward.bpf.c services/forward/forward_bpf.h

BPF_KIT := $(wildcard services/bpf/*.[ch]) core/address.c
build/slick-echo-bpf: $(wildcard services/echo/echo_bpf*.[ch]) $(BPF_BUILD)/echo.skel.h $(BPF_KIT)
build/slick-forward-bpf: $(wildcard services/forward/forward_bpf*.[ch]) services/forward/why.c services/forward/protocol.[ch] \
	$(BPF_BUILD)/forward.skel.h $(BPF_KIT) core/thrift.c core/skip.c core/buffer.c

$(BPF_PROGRAMS):
	@echo "  LINK $@"
	$(Q)$(CC) $(BPF_CFLAGS) -D_GNU_SOURCE -Iinclude -I$(BPF_BUILD) $(filter %.c,$^) -o $@ -lbpf
endif
