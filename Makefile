# The only entry points. Each sets up what it needs; CI calls nothing else.

CARGO ?= cargo
RELEASE := $(or $(CARGO_TARGET_DIR),target)/release
RINGWAY := $(RELEASE)/ringway
# The Rust driver is built and tested by its driver.toml, like the others.
OURS = --workspace --exclude ringway

.PHONY: help run test test-vm test-slick test-debug mutants bench bench-full check setup fuzz clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/'

run: setup build ## forward a real capture through the Rust driver on a software 82599
	$(RINGWAY) forward --driver rust --in examples/web.pcapng --out out.pcapng

test: setup-test ## everything that proves it: unit tests, end to end, every case against every driver
	$(CARGO) build --release $(OURS) --bins --tests
	$(CARGO) test --release $(OURS)
	$(RINGWAY) conform --own-tests
	$(RINGWAY) conform --patience 3
	$(RINGWAY) conform --patience 3 --through sysfs

test-vm: setup-vm ## kernel VFIO in a virtual machine with an IOMMU: about two minutes; says so if QEMU is missing
	@conformance/vm/run.sh

test-slick: setup-slick ## services inside the kernel: their sources and twins natively, the modules in a virtual machine
	@$(MAKE) --no-print-directory -C slick test test-vm

test-debug: setup-slick ## the same in a kernel with KASAN, lockdep and KUnit, which is built first; under an hour
	@$(MAKE) --no-print-directory -C slick test-debug

mutants: setup build ## breaks the drivers on purpose, and sees that the cases notice
	$(RINGWAY) conform --mutants

bench: setup build ## what a packet costs in each language, in under six minutes: target/bench/index.html
	$(RINGWAY) bench --quick

bench-full: setup build ## every batch, frame size and ring; about an hour
	$(RINGWAY) bench --full

check: setup ## what a reviewer would object to: format, lints, generated files, rooms, fences
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --release --quiet -- -D warnings
	$(CARGO) run --release --quiet --package ringway-spec --bin ringway-spec -- check
	$(CARGO) run --release --quiet --package ringway-spec --bin ringway-house
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --package ringway --lib --no-deps --release --quiet

fuzz: ## SECONDS=600: each fuzz target for so long
	lab/fuzz/run.sh $(or $(SECONDS),600)

setup: ## what building and running need; installs it where it can
	@./setup.sh run

.PHONY: build setup-test setup-vm setup-slick
# With one small test, so that dependencies get the features that tests want of them, and `make test` builds none again.
build:
	$(CARGO) build --release --workspace --bins --test list

setup-test:
	@./setup.sh test

setup-vm:
	@./setup.sh vm

setup-slick:
	@./setup.sh slick

clean: ## removes what was built
	$(CARGO) clean
	@$(MAKE) --no-print-directory -C slick clean
