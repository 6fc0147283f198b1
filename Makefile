# Everything there is to type. `make help` lists it.

PREFIX ?= /usr
DESTDIR ?=
# What `make install` installs: the programs of this folder.
BIN ?= .build/release
# Options and groups for `make bench`: see `waypost-bench --help`.
BENCH ?=

# Debian keeps swift-test and others beside the compiler, out of PATH.
export PATH := $(PATH):/usr/libexec/swift/bin

RELEASE = -c release --static-swift-stdlib -Xlinker --gc-sections -Xlinker -s
# For tests that draw thousands of pictures.
OPTIMISED = -c release -Xswiftc -enable-testing --scratch-path .build-optimised
# The virtual board is an amd64 machine's (board/virtual).
VIRTUAL = $(if $(filter amd64,$(shell dpkg --print-architecture 2>/dev/null)),virtual)
SWIFT_FILES = Package.swift Sources Tests

.PHONY: help run build bench test test-board lint format install arm64 test-arm64 clean packages \
  test-packages

help:
	@echo 'make run         build what is needed and show the demo map, in the foreground'
	@echo 'make build       the programs, as a release, in .build/release'
	@echo 'make bench       build, measure, and say which goals are met: `make bench BENCH="--json frames"`'
	@echo 'make test        lint, then build and run the tests, the quick ones of the virtual board too'
	@echo 'make test-board  all scenarios of the virtual board, with the release'
	@echo 'make install     programs, manual pages, unit below $$DESTDIR$$PREFIX (as root; build first)'
	@echo 'make arm64       the same release for arm64, cross-built, in .build-arm64/release'
	@echo 'make test-arm64  the tests as arm64, under emulation'
	@echo 'make lint        what the formatter would change or a public declaration lacks'
	@echo 'make format      let the formatter change it'
	@echo 'make clean       remove all that was built'

run: build
	$(BIN)/waypostd --demo

build: packages
	swift build $(RELEASE)

test: test-packages lint
	swift build --build-tests
	Tests/run swift test --skip-build
	swift build --build-tests $(OPTIMISED)
	Tests/run swift test --skip-build $(OPTIMISED) --filter 'CacheLimitTests|ScanoutReadTests|SteadyFrameTests'
	board/virtual/run --quick --or-skip

test-board: build test-packages
	board/virtual/run $(SCENARIOS)

bench: build
	@board/install-packages bench
	$(BIN)/waypost-bench $(BENCH)

packages:
	@board/install-packages library tool

test-packages:
	@board/install-packages library tool test
	@$(if $(VIRTUAL),board/install-packages virtual || \
	  echo 'make test: without QEMU the scenarios of the virtual board are skipped' >&2)

lint: packages
	@if command -v swift-format >/dev/null; then \
	  swift-format lint --strict --parallel --recursive $(SWIFT_FILES); \
	else \
	  echo 'lint: skipped, this Swift toolchain has no swift-format' >&2; \
	fi

format: packages
	swift-format format --in-place --parallel --recursive $(SWIFT_FILES)

install:
	@test -x $(BIN)/waypostd || { echo 'make install: nothing in $(BIN); first `make build`' >&2; exit 1; }
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/bin $(BIN)/waypostd $(BIN)/waypost
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	sed 's|/usr/bin/waypostd|$(PREFIX)/bin/waypostd|' systemd/waypostd.service \
	  > $(DESTDIR)$(PREFIX)/lib/systemd/system/waypostd.service
	chmod 644 $(DESTDIR)$(PREFIX)/lib/systemd/system/waypostd.service
	install -D -m 644 systemd/waypost.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/waypost.conf
	install -D -m 644 systemd/waypost.udev.rules \
	  $(DESTDIR)$(PREFIX)/lib/udev/rules.d/70-waypost.rules
	for profile in board/*/waypost.toml; do \
	  install -D -m 644 $$profile $(DESTDIR)$(PREFIX)/share/waypost/$$profile || exit 1; \
	done
	for page in $(wildcard docs/man/*.[1-8]); do \
	  install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man$${page##*.} $$page || exit 1; \
	done

arm64:
	board/cross/build

# Optimised: emulated and unoptimised, the tests take the better part of an hour.
test-arm64:
	Tests/run board/cross/test -c release -Xswiftc -enable-testing

clean:
	rm -rf .build .build-arm64 .build-optimised .build-virtual
