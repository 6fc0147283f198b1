# What there is to type: `make help` lists it. The rest are parts of it.

PREFIX ?= /usr
DESTDIR ?=
# What `make install` installs: the programs of this folder.
BIN ?= .build/release
# Options and groups for `make bench`: see `waypost-bench --help`.
BENCH ?=

# Debian keeps swift-test and others beside the compiler, out of PATH.
export PATH := $(PATH):/usr/libexec/swift/bin

# A static runtime, without unused code, with read-only relocations bound at the start.
RELEASE = $(file <board/release-options)
# For tests that draw thousands of pictures, or count what a frame allocates.
OPTIMISED_TESTS ?= CacheLimitTests|ReferenceTests|ScanoutReadTests|SteadyFrameTests
# Where the optimised tests run: here, or as `debian` in a clean Debian 13, with all others.
OPTIMISED_IN ?= optimised
# Empty: the tests are not run unoptimised, too.
UNOPTIMISED ?= test-debug
OPTIMISED = -c release -Xswiftc -enable-testing --scratch-path .build/optimised
# The virtual board is an amd64 machine's (board/virtual).
VIRTUAL = $(if $(filter amd64,$(shell dpkg --print-architecture 2>/dev/null)),virtual)
SWIFT_FILES = Package.swift Sources Tests Examples

.PHONY: help run build build-tests build-optimised bench test test-suite test-debug \
  test-long test-optimised test-all-optimised test-virtual test-board \
  test-debian lint format install uninstall arm64 test-arm64 test-arm64-programs check-programs \
  check-frames check-instructions fuzz fuzz-vary fuzz-keep soak clean \
  packages test-packages

help:
	@echo 'make run          install what the build lacks, build, and show the demo map, in the foreground'
	@echo 'make build        the programs, as a release, in .build/release'
	@echo 'make bench        build, measure, and say which goals are met: `make bench BENCH="--json frames"`'
	@echo 'make test         lint, then the tests, the optimised ones and the quick ones of the virtual board;'
	@echo '                  with OPTIMISED_IN=debian all of them also optimised, as test-debian does'
	@echo 'make test-suite   the same without the virtual board'
	@echo 'make test-long    tests of minutes: the store of tiles at its limit, and killed 40 times'
	@echo 'make test-board   all scenarios of the virtual board, with the release'
	@echo 'make test-debian  all tests, optimised, in a clean Debian 13 with its own Swift compiler'
	@echo 'make install      programs, manual pages, unit below $$DESTDIR$$PREFIX (as root; build first)'
	@echo 'make uninstall    remove what `make install` put there'
	@echo 'make arm64        the same release for arm64, cross-built, in .build-arm64/release'
	@echo 'make test-arm64   the tests as arm64, under emulation'
	@echo 'make test-arm64-programs   after `make test-suite` and `make arm64`: this machine'"'"'s tests of the'
	@echo '                  programs and of a frame'"'"'s cost, against the programs built for arm64'
	@echo 'make check-programs   what a release must be: hardened, without libraries that are not listed'
	@echo 'make check-frames     a steady frame of the release allocates nothing and takes no lock'
	@echo 'make check-instructions   after `make arm64`: painting a vector tile takes at most 10 % more'
	@echo '                  instructions than board/instructions/counts says'
	@echo 'make fuzz         hostile input for every parser, SECONDS=60 each; `make fuzz TARGETS="png toml"`'
	@echo 'make fuzz-vary    try inputs that are made by the rules of their formats, VARIANTS=20000 of each'
	@echo 'make fuzz-keep    add what that found to the inputs that it begins with, to be committed'
	@echo 'make soak         a kiosk'"'"'s days at high speed, ACTIONS=1000000; then faults, and KILLS=1000 of SIGKILL'
	@echo 'make lint         check formatting, that all that is public is documented, and that comments'
	@echo '                  keep to 100 columns and files to 400 lines'
	@echo 'make format       let the formatter change what it can'
	@echo 'make clean        remove all that was built'

run: build
	$(BIN)/waypostd --demo

build: packages
	swift build $(RELEASE)

test: test-suite test-virtual

test-suite: lint $(UNOPTIMISED) test-$(OPTIMISED_IN)

build-tests: test-packages
	swift build --build-tests

build-optimised: test-packages
	swift build --build-tests $(OPTIMISED)

test-debug: build-tests
	Tests/suite

test-optimised: build-optimised
	Tests/run swift test --skip-build $(OPTIMISED) --filter '$(OPTIMISED_TESTS)'

# Of the tests that start the programs only those of PROGRAM_TESTS, if it names some.
test-all-optimised: build-optimised
	Tests/suite $(if $(PROGRAM_TESTS),--programs '$(PROGRAM_TESTS)') $(OPTIMISED)

# What takes minutes more: tests that run one short round otherwise, or none.
test-long: build-tests
	WAYPOST_LONG_TESTS=1 Tests/run swift test --skip-build --filter 'FetchKillTests|LongStoreTests'

test-virtual:
	@$(if $(VIRTUAL),board/install-packages virtual || \
	  echo 'make test: without QEMU the scenarios of the virtual board are skipped' >&2)
	board/virtual/run --quick --or-skip

# One build for all tests, so that they take less time than `test-suite` does.
test-debian:
	board/cross/debian make test-all-optimised $(if $(PROGRAM_TESTS),PROGRAM_TESTS='$(PROGRAM_TESTS)')

test-board: build test-packages
	board/install-packages virtual
	board/virtual/run $(SCENARIOS)

bench: build
	@board/install-packages bench
	$(BIN)/waypost-bench $(BENCH)

packages:
	@board/install-packages library loaded tool

test-packages:
	@board/install-packages library loaded tool test

# How long each parser is fuzzed, and which ones; all without TARGETS. With STILL again and again, until
# none reached another edge in so many seconds of its processor time; JOBS at once.
SECONDS = 60
STILL = 0
JOBS = 1

fuzz: test-packages
	Tests/fuzz/run --still $(STILL) --jobs $(JOBS) $(SECONDS) $(TARGETS)

# Makes inputs that chance would hardly bring together, for `make fuzz` to begin with.
VARIANTS = 20000

fuzz-vary: test-packages
	Tests/fuzz/run --vary $(VARIANTS) $(TARGETS)

# Adds what was found here to the inputs that all runs begin with.
fuzz-keep: test-packages
	Tests/fuzz/run --keep $(TARGETS)

# What `make soak` plays, and with which waypostd: one with a sanitizer, too.
ACTIONS = 1000000
KILLS = 1000
WAYPOSTD = $(BIN)/waypostd

soak: test-packages
	@test -x "$(WAYPOSTD)" || { echo 'make soak: there is no $(WAYPOSTD); first `make build`' >&2; exit 1; }
	Tests/soak/soak --actions $(ACTIONS) "$(WAYPOSTD)"
	Tests/soak/faults "$(WAYPOSTD)"
	Tests/soak/kills --kills $(KILLS) "$(WAYPOSTD)"

lint: packages
	Tests/lint

format: packages
	swift-format format --in-place --parallel --recursive $(SWIFT_FILES)

# Shell words, so that a path may have spaces in it.
TO = "$(DESTDIR)$(PREFIX)
PROFILES = $(wildcard board/*/waypost.toml)
PAGES = $(wildcard docs/man/*.[1-8])
UNITS = waypostd.service waypostd.socket waypost-fetch.service waypost-media@.service

install:
	@test -x "$(BIN)/waypostd" || { echo 'make install: nothing in $(BIN); first `make build`' >&2; exit 1; }
	install -D -m 755 -t $(TO)/bin" "$(BIN)/waypostd" "$(BIN)/waypost" "$(BIN)/waypost-fetch"
	install -d $(TO)/lib/systemd/system"
	install -D -m 755 -t $(TO)/lib/waypost" systemd/mount-medium systemd/before-start
	for unit in $(UNITS); do \
	  sed 's|/usr/bin/waypost|$(PREFIX)/bin/waypost|; s|/usr/lib/waypost|$(PREFIX)/lib/waypost|' \
	    systemd/$$unit > $(TO)/lib/systemd/system/$$unit" || exit 1; \
	  chmod 644 $(TO)/lib/systemd/system/$$unit" || exit 1; \
	done
	install -D -m 644 systemd/waypost.preset $(TO)/lib/systemd/system-preset/50-waypost.preset"
	install -D -m 644 systemd/waypost.sysusers $(TO)/lib/sysusers.d/waypost.conf"
	install -D -m 644 systemd/waypost.tmpfiles $(TO)/lib/tmpfiles.d/waypost.conf"
	install -D -m 644 systemd/waypost.udev.rules $(TO)/lib/udev/rules.d/70-waypost.rules"
	install -D -m 644 systemd/waypost-media.udev.rules \
	  $(TO)/lib/udev/rules.d/71-waypost-media.rules"
	install -D -m 644 systemd/early.conf $(TO)/share/waypost/early.conf"
	for profile in $(PROFILES); do \
	  install -D -m 644 $$profile $(TO)/share/waypost/$$profile" || exit 1; \
	done
	for page in $(PAGES); do \
	  install -D -m 644 -t $(TO)/share/man/man$${page##*.}" $$page || exit 1; \
	done

# What `install` made, and folders that are empty then and only Waypost's. Configuration, maps and
# state (/etc/waypost, /var/lib/waypost) are the owner's.
uninstall:
	rm -f $(TO)/bin/waypostd" $(TO)/bin/waypost" $(TO)/bin/waypost-fetch" \
	  $(TO)/lib/systemd/system-preset/50-waypost.preset" $(TO)/lib/tmpfiles.d/waypost.conf" \
	  $(TO)/lib/waypost/mount-medium" $(TO)/lib/waypost/before-start" \
	  $(TO)/lib/udev/rules.d/71-waypost-media.rules" \
	  $(TO)/lib/sysusers.d/waypost.conf" $(TO)/lib/udev/rules.d/70-waypost.rules" \
	  $(TO)/share/waypost/early.conf"
	for unit in $(UNITS); do rm -f $(TO)/lib/systemd/system/$$unit"; done
	[ ! -d $(TO)/lib/waypost" ] || rmdir --ignore-fail-on-non-empty $(TO)/lib/waypost"
	for profile in $(PROFILES); do rm -f $(TO)/share/waypost/$$profile"; done
	for page in $(PAGES); do rm -f $(TO)/share/man/man$${page##*.}/$${page##*/}"; done
	[ ! -d $(TO)/share/waypost" ] || find $(TO)/share/waypost" -type d -empty -delete

arm64:
	board/cross/build

# What a release must be: hardened, and without libraries that board/README.md does not name.
check-programs:
	board/check-programs $(BIN)

# A steady frame of the release allocates nothing, takes no lock, and retains a handful of things to
# be drawn, however many tiles there are; by two threads, a handful for each of its 12 bands.
check-frames:
	$(BIN)/frame-check | awk '{ print } /^(plan|draw|bands) / { n++; if (!/ allocations 0 locks 0 /) bad = 1 } \
	  /^draw / { if (!/ retains [0-9]+$$/ || $$NF > 32) bad = 1 } \
	  /^bands / { if (!/ retains [0-9]+$$/ || $$NF > 12 * 32) bad = 1 } \
	  END { exit bad || n < 16 }'

# How many instructions painting vector tiles takes as arm64.
check-instructions:
	board/instructions/check

# Optimised: emulated and unoptimised, the tests take the better part of an hour.
test-arm64:
	Tests/run board/cross/test -c release -Xswiftc -enable-testing

# What needs no tests built for arm64: those that start programs as a user would, but for those of
# the suites that SKIP names.
ARM64 = $(CURDIR)/.build-arm64/release
test-arm64-programs:
	sysroot=$$(board/cross/register) && export WAYPOST_EMULATED=1 QEMU_LD_PREFIX="$$sysroot" && \
	  $(MAKE) check-frames BIN="$(ARM64)" && \
	  WAYPOST_PROGRAMS="$(ARM64)" Tests/run swift test --skip-build --filter '^ProgramTests\.' \
	    $(if $(SKIP),--skip '$(SKIP)')

clean:
	rm -rf .build .build-arm64 .build-debian .build-virtual
