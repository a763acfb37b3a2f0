# SPDX-License-Identifier: Apache-2.0
# The commands of every day. CMake does the work; `make` alone builds the release into build/bin and
# build/lib.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
SECONDS ?= 120
BUILD := cmake --build
export JOBS

.PHONY: all build demo test check docs interop conformance soak install debug asan tsan clang fuzz bench bench-load bench-peers clean help

all: build ## install what is missing, build the libraries and programs

build:
	@scripts/install-packages scripts/packages.build
	@cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=$(PREFIX) \
		--log-level=WARNING >/dev/null
	@$(BUILD) build -j $(JOBS)

demo: ## build, start the greeter server and call it
	@scripts/demo

test: ## every test; ends with "N passed, N failed"
	@scripts/install-packages scripts/packages.build scripts/packages.test
	@scripts/test

check: ## layer rules, source rules and generated pages alone
	@scripts/check-layers
	@scripts/check-source
	@scripts/gen-docs --check

docs: ## write the generated pages and the list of symbols anew
	@scripts/gen-docs

interop: build ## our client and server against gRPC-Go, grpcio and gRPC C++
	@scripts/interop

conformance: build ## h2spec and connectrpc's conformance suite against our programs
	@scripts/conformance

soak: ## mixed calls for SECONDS under ASan, TSan and plain, side by side
	@$(MAKE) --no-print-directory asan tsan debug
	@scripts/soak $(SECONDS)

install: build ## library, headers, plug-in, pkg-config file, CMake package (PREFIX=, DESTDIR=)
	@cmake --install build

debug asan tsan clang: ## a build with tests in build/<name>
	@scripts/install-packages scripts/packages.build scripts/packages.test \
		$(if $(filter clang,$@),scripts/packages.fuzz)
	@cmake --preset $@ --log-level=WARNING >/dev/null
	@$(BUILD) build/$@ -j $(JOBS)

fuzz: ## libFuzzer over every target, SECONDS=120 for each
	@scripts/fuzz $(SECONDS)

bench: build ## the quick benchmarks; instructions a call beside those recorded (RECORD=1 records them)
	@scripts/install-packages scripts/packages.bench
	@scripts/bench $(if $(RECORD),--record)

bench-load: build ## a small load figure beside gRPC-Go's
	@scripts/load

bench-peers: build ## every case beside gRPC-Go, gRPC C++, tonic and bare sockets; 20 minutes
	@scripts/install-packages scripts/packages.peers
	@scripts/bench-peers

clean:
	rm -rf build

help:
	@grep -E '^[a-z].*## ' Makefile | sed 's/:[^#]*## /\t/' | expand -t 28
