# What there is to do here. `make` alone lists it.
#
# Only Go and a module proxy are needed: the tools are built from source, at the versions of tools/*/go.mod. Settings
# that are worth changing on the command line are marked ?=, as in `make fuzz FUZZTIME=2m`.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

GO ?= go
# Without nomsgpack gin brings a MessagePack codec along that nothing here speaks: 6 MiB of the binary.
# The version is stamped below: Go's own look at git fails the build where it may not read the repository.
BUILD_FLAGS := -trimpath -buildvcs=false -tags=nomsgpack
# The race detector needs cgo, which Go switches off by itself where there is no C compiler.
DETECTOR := $(if $(filter 1,$(shell $(GO) env CGO_ENABLED)),-race)
# BUILD_RACE=1 puts the detector into the binary as well and shows the linter that build, so that they and the tests
# share one compilation of everything. The dependencies take minutes to compile, which counts on a machine without a
# build cache; and the suite, let loose on the reference service, becomes a race test of both.
BUILD_RACE ?=
FLAGS = $(BUILD_FLAGS)$(if $(BUILD_RACE), $(DETECTOR))
# The version is for `hallmark version` and the reports; without git the binary goes without one.
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null)
LDFLAGS := -s -w$(if $(VERSION), -X main.version=$(VERSION))

HALLMARK := bin/hallmark
GOLANGCI_LINT := bin/tools/golangci-lint
VACUUM := bin/tools/vacuum
ACTIONLINT := bin/tools/actionlint
KUBERNETES := bin/tools/kubernetes

PKG ?= ./...
# FULL=1 tests every case of the heavy tables (hostile services, variants of services, pages of the documentation); otherwise
# they are a sample (-short, see tests/skip).
FULL ?=
SAMPLE = $(if $(FULL),,-short)
# RACE=1 tests under the race detector, too. FULL=1 does. The detector needs a build of its own of everything, the standard library
# included, which is half of the time on a machine with empty caches; without it the tests share the build of bin/hallmark.
RACE ?= $(FULL)
# The race detector makes a run of the suite six times as long. So of the packages that run it over and over it watches a
# sample, which sees every part at work, and all cases are tested without it.
# The longest come first: go test begins them in this order.
MODULE := $(shell $(GO) list -m)
RUNNING := $(addprefix $(MODULE)/,tests/wholerun examples/bookshop tests/acceptance steps internal/prove internal/session tests/impostor cmd/hallmark tests/sample reports/record)
# What of them the detector watches: whole runs that see every part at work, and with FULL=1 also the sample that is tested otherwise, but
# for the packages that are nothing but whole runs.
RACED_RUNS := ReferenceConforms|TheShopConforms|Shards|FailFast|AnOutage|ARunCalledOff|WhatShowsAgain|ResourcesAreCreated|WrittenFeaturesFindFaults
WHOLE_RUNS := $(addprefix $(MODULE)/,examples/bookshop steps tests/wholerun)
# Each format is a function of a record that no longer changes, without the detector (internal/session tests that all can be
# written at once); the record grows while a run goes on, and so does the terminal's line of progress.
FORMATS = $(shell $(GO) list ./reports/... | grep /reports/ | grep -v -e /record$$ -e /terminal$$)
# Tests often wait, so more packages are tested at a time than there are processors, and without the detector more tests of each. make lint vets everything. Without symbols for
# debuggers the linker takes a third less processor time, and there are 90 binaries to link.
TEST_SPEED ?= -vet=off -ldflags='-s -w' -p $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))))
# For one package. go test's own ten minutes are too few for the heaviest on a busy machine.
TEST_TIMEOUT ?= 40m
TEST_FLAGS ?=
BENCH ?= .
BENCH_FLAGS ?= -benchmem
# KEEP=1 writes what make bench measured into the documentation.
KEEP ?=
# Another binary, for make bench-versus.
BEFORE ?=
NEWMAN := tools/newman/node_modules/.bin/newman
FUZZTIME ?= 20s
HOSTILE_REQUESTS ?= 60
STOPPED ?= 1
# The reference service has to be perfect: should rules count, and so does a must rule that nothing tried.
CONFORMANCE_FLAGS ?= --strict --require-complete
PROVE_FLAGS ?=
PROVE_SAMPLE ?= 100

##@ Use it

# Without cgo the program is static, whether there is a C compiler or not. It looks names up in /etc/hosts and by DNS then; make build CGO=1
# makes one that asks the C library, for names that only a module of nsswitch.conf knows. The detector needs cgo.
CGO ?= 0
.PHONY: build
build: ## Build bin/hallmark
	$(if $(BUILD_RACE),,CGO_ENABLED=$(CGO)) $(GO) build $(FLAGS) -ldflags '$(LDFLAGS)' -o $(HALLMARK) ./cmd/hallmark

.PHONY: conformance
conformance: build ## Judge the reference service, on a free loopback port, and print the verdict (CONFORMANCE_FLAGS=)
	@tools/conformance.sh $(HALLMARK) $(CONFORMANCE_FLAGS)

# The proof starts hundreds of services: the race detector would make it eight times as long, and is no part of it.
prove prove-full prove-hard: BUILD_RACE :=

.PHONY: prove
prove: build ## Measure what the suite sees, by seeded faults and legal freedoms
	$(HALLMARK) prove $(PROVE_FLAGS)

.PHONY: prove-full
prove-full: build ## ... and judge each fault by the whole suite (PROVE_FLAGS=--update keeps the figures; for the night)
	$(HALLMARK) prove --full $(PROVE_FLAGS)

.PHONY: prove-hard
prove-hard: build ## ... and judge whatever depends on chance 20 times in a row (for the night)
	$(HALLMARK) prove --hard $(PROVE_FLAGS)

.PHONY: prove-document
prove-document: ## Measure what is seen of the Petstore's faults by its OpenAPI document alone (ONLY=name,name shows what their scenarios find)
	$(GO) test $(BUILD_FLAGS) -count=1 -v -run '^TestAllByContract$$' ./internal/prove -bycontract $(if $(ONLY),-bycontract.only='$(ONLY)') | grep -v -e '^=== ' -e '^ *--- PASS'

.PHONY: impostors
impostors: ## Judge a choice of tests/impostor's broken and legal services
	$(GO) test $(BUILD_FLAGS) -count=1 -run '^Test(Legal|Broken)Impostors$$' ./tests/wholerun

.PHONY: stopped
stopped: ## End scenarios before each step and look what conforms all the same (STOPPED=8 tests each eighth case, as FULL=1 does)
	$(GO) test $(BUILD_FLAGS) -count=1 -timeout $(TEST_TIMEOUT) -run '^TestStopped' ./steps -stopped.nth=$(STOPPED)

.PHONY: yardstick
yardstick: ## Judge every variant of tests/impostor, some minutes (VARIANTS=name,name shows the reports of these)
	$(GO) test $(BUILD_FLAGS) -count=1 -timeout 1h -run '^TestYardstick$$' $(if $(VARIANTS),-v) ./tests/wholerun -yardstick -yardstick.only='$(VARIANTS)'

.PHONY: causes
causes: ## Measure as how many causes faults of documents are reported, alone and in many operations (DOCUMENTS=files, with commas, from internal/score)
	$(GO) test $(BUILD_FLAGS) -count=1 -timeout 2h -v -run '^(TestCauses|TestWidespread)$$' ./internal/score -score.causes='$(DOCUMENTS)'

.PHONY: prove-corpus
prove-corpus: ## Measure what is seen of the faults of all documents of a folder, and keep it in docs/proof.md (CORPUS=folder, PROVE_SAMPLE=faults of each)
	$(GO) test $(BUILD_FLAGS) -count=1 -timeout 6h -v -run '^TestCorpus$$' ./internal/score -score.corpus='$(abspath $(CORPUS))' -score.sample=$(PROVE_SAMPLE) -score.page='$(abspath docs/proof.md)'

.PHONY: stub-corpus
stub-corpus: ## Judge the services of all documents of a folder by what follows from them (CORPUS=folder, ONLY=name,name; FREEDOMS=1 with each of their freedoms too, PER=cases of each operation)
	$(GO) test $(BUILD_FLAGS) -count=1 -timeout 12h -v -run '^TestStubsOfCorpus$$' ./tests/wholerun -stub.corpus='$(abspath $(CORPUS))' -stub.only='$(ONLY)' \
		$(if $(FREEDOMS),-stub.freedoms) $(if $(PER),-stub.cases='$(PER)')

.PHONY: judges
judges: ## Let both judges judge the Petstore, the bookshop, the services of the repository's own documents, and a sample of their faults (FULL=1 for all, CORPUS=folder for the documents of a folder, ONLY=name,name)
	$(GO) test $(BUILD_FLAGS) $(SAMPLE) -count=1 -timeout 2h -v -run '^TestJudges' ./internal/score $(if $(CORPUS),-judges.corpus='$(abspath $(CORPUS))') -judges.only='$(ONLY)'

.PHONY: stub-freedoms
stub-freedoms: ## Judge the services of six documents with each of their freedoms, some minutes
	$(GO) test $(BUILD_FLAGS) -count=1 -timeout 1h -run '^TestStubFreedoms$$' ./tests/wholerun -stub.freedoms

.PHONY: hostile
hostile: ## Judge services that answer without end or sense, and measure memory and time (HOSTILE_REQUESTS=0 for whole runs)
	$(GO) test $(BUILD_FLAGS) -count=1 -timeout 2h -v -run '^Test(HostileServices|NoArtefactTellsASecret)$$' ./tests/acceptance -hostile.requests=$(HOSTILE_REQUESTS)

##@ Change it

.PHONY: test
test: ## Run the tests, of heavy tables a sample (FULL=1 for all, RACE=1 also under the race detector; PKG=./spec, TEST_FLAGS='-run Name -v')
	@$(if $(RACE),$(if $(DETECTOR),,echo 'note: no cgo here (is there a C compiler?): testing without the race detector' >&2))
ifneq ($(PKG),./...)
	$(GO) test $(BUILD_FLAGS) $(DETECTOR) $(SAMPLE) -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) $(PKG)
else ifeq ($(and $(RACE),$(DETECTOR)),)
	@set -x; CGO_ENABLED=$(CGO) $(GO) test $(BUILD_FLAGS) $(TEST_SPEED) -parallel 8 $(SAMPLE) -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) $(RUNNING) $(filter-out $(RUNNING),$(shell $(GO) list ./...))
else
	@set -x; $(GO) test $(BUILD_FLAGS) $(TEST_SPEED) -parallel 8 $(SAMPLE) -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) $(RUNNING) $(FORMATS)
	@set -x; $(GO) test $(BUILD_FLAGS) $(TEST_SPEED) $(DETECTOR) $(SAMPLE) -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) $(filter-out $(RUNNING) $(FORMATS),$(shell $(GO) list ./...))
	@set -x; $(GO) test $(BUILD_FLAGS) $(TEST_SPEED) $(DETECTOR) -short -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) -run '^Test($(RACED_RUNS))' $(WHOLE_RUNS)
	@$(if $(FULL),set -x; $(GO) test $(BUILD_FLAGS) $(TEST_SPEED) $(DETECTOR) -short -timeout $(TEST_TIMEOUT) $(TEST_FLAGS) $(filter-out $(WHOLE_RUNS),$(RUNNING)))
endif

.PHONY: test-browser
test-browser: build ## Look at the HTML report in Chromium (skipped where there is none; CI=true makes that a failure; HALLMARK_SCREENS=folder keeps pictures)
	@test -e tools/browser/node_modules/axe-core || npm ci --silent --no-audit --no-fund --prefix tools/browser || echo 'test-browser: axe-core cannot be installed' >&2
	GOWORK=off $(GO) test -C tools/browser -count=1 $(TEST_FLAGS) .

.PHONY: test-install
test-install: ## Install the committed tree from a local module proxy, and run examples/gotest, a module of its own that gets it from there
	tools/install.sh

.PHONY: derive
derive: build ## Write features/petstore/derived from the contract
	$(HALLMARK) derive

.PHONY: drift
drift: build ## Fail when features/petstore/derived is not what the contract says
	$(HALLMARK) derive --check

.PHONY: docs
docs: ## Bring docs/rules.md, docs/services-of-others.md, docs/hallmark.schema.json, the table of keys, and the numbers in the outputs that the documentation shows, up to date
	UPDATE_DOCS=1 $(GO) test $(BUILD_FLAGS) -count=1 -run '^TestDocs' ./cmd/hallmark ./tests/acceptance ./examples

.PHONY: fmt
fmt: $(GOLANGCI_LINT) ## Format the Go code and sort its imports
	$(GOLANGCI_LINT) fmt

.PHONY: fix
fix: $(GOLANGCI_LINT) ## Let the linters repair what they know how to
	GOFLAGS='$(strip $(GOFLAGS) $(FLAGS))' $(GOLANGCI_LINT) run --fix

.PHONY: lint
lint: lint-go lint-other lint-contract lint-examples lint-modules ## Everything a linter can say, warnings included

.PHONY: lint-go
lint-go: $(GOLANGCI_LINT) ## ... of the Go code: formatting, vet and the linters of .golangci.yml
	GOFLAGS='$(strip $(GOFLAGS) $(FLAGS))' $(GOLANGCI_LINT) run

# No test compiles what stands in for Unix elsewhere.
.PHONY: lint-other
lint-other: ## ... of the Go code that is for other systems only
	GOOS=windows $(GO) build $(BUILD_FLAGS) ./internal/files

# Vacuum takes minutes to build, and says the same of the same file: so what it passed is kept by its digest, and it is built only
# for another contract, another version of itself, or other flags.
LINTED := spec/petstore/openapi.yaml tools/vacuum/go.mod tools/vacuum/go.sum
VACUUM_FLAGS := --remote=false --no-banner --no-style --no-clip --details --all-results --fail-severity warn
PASSED = $$(git hash-object $(LINTED) && echo '$(VACUUM_FLAGS)')

.PHONY: lint-contract
lint-contract: ## ... of spec/petstore/openapi.yaml: vacuum's recommended rules (built only where it has not passed that very file)
	@if [ -s tools/vacuum/passed ] && [ "$(PASSED)" == "$$(cat tools/vacuum/passed)" ]; then \
		echo 'vacuum passed spec/petstore/openapi.yaml as it is (tools/vacuum/passed)'; \
	else \
		$(MAKE) --no-print-directory lint-vacuum; \
	fi

.PHONY: lint-vacuum
lint-vacuum: $(VACUUM) ## ... and of it by vacuum in any case, which is then kept in tools/vacuum/passed
	$(VACUUM) lint $(VACUUM_FLAGS) spec/petstore/openapi.yaml
	echo "$(PASSED)" >tools/vacuum/passed

.PHONY: lint-examples
lint-examples: $(ACTIONLINT) $(KUBERNETES) ## ... of docs/examples: workflows by actionlint, manifests by Kubernetes' own types
	$(ACTIONLINT) docs/examples/github.yaml
	$(KUBERNETES) docs/examples/kubernetes*.yaml

.PHONY: lint-modules
lint-modules: ## ... of go.mod and go.sum: nothing missing, nothing left over, nothing altered
	$(GO) mod tidy -diff
	$(GO) mod verify
	GOWORK=off $(GO) build $(BUILD_FLAGS) -o /dev/null ./cmd/hallmark # as go install builds it, without go.work

# npm ci fetches newman; without npm or a registry its row is left out.
.PHONY: bench
bench: build ## Measure whole runs beside bare replays, some 5 minutes on an idle machine (KEEP=1 keeps the tables in docs/performance.md)
	@test -e $(NEWMAN) || npm ci --silent --no-audit --no-fund --prefix tools/newman || echo 'bench: newman cannot be installed, so it is left out' >&2
	@$(GO) test $(BUILD_FLAGS) -count=1 -timeout 30m -v -run '^TestBench$$' ./tests/speed -speed.hallmark='$(abspath $(HALLMARK))' \
		-speed.newman='$(abspath $(NEWMAN))' $(if $(KEEP),-speed.page='$(abspath docs/performance.md)')

.PHONY: bench-versus
bench-versus: build ## Measure whole runs of bin/hallmark and of another binary in turns (BEFORE=binary)
	@test -n '$(BEFORE)' || { echo 'bench-versus: BEFORE=binary names the other one' >&2; exit 2; }
	@$(GO) test $(BUILD_FLAGS) -count=1 -timeout 60m -v -run '^TestVersus$$' ./tests/speed -speed.hallmark='$(abspath $(HALLMARK))' -speed.before='$(abspath $(BEFORE))'

.PHONY: benchmarks
benchmarks: ## Run the benchmarks of the packages (BENCH=Name, BENCH_FLAGS='-count 6')
	@packages=$$(grep -rlE --include='*_test.go' '^func Benchmark' . | xargs -r -n1 dirname | sort -u); \
	test -n "$$packages" || { echo 'benchmarks: none found' >&2; exit 1; }; \
	set -x; $(GO) test $(BUILD_FLAGS) -run '^$$' -bench '$(BENCH)' $(BENCH_FLAGS) $$packages

.PHONY: fuzz
fuzz: ## Run each fuzz target for a while (FUZZTIME=2m)
	@tools/fuzz.sh $(FUZZTIME) $(BUILD_FLAGS)

.PHONY: ci
ci: ## Do what CI does, with headings and times
	@.ci/run

##@ Around it

.PHONY: release
release: ## Build what a release holds into bin/release (VERSION=v1.2.3); tools/release.sh --check builds twice and compares
	tools/release.sh '$(VERSION)'

.PHONY: module
module: ## Give the module another path, to publish it elsewhere (MODULE=host/owner/hallmark)
	tools/module.sh '$(MODULE)'

.PHONY: tools
tools: $(GOLANGCI_LINT) $(ACTIONLINT) $(KUBERNETES) ## Build the tools into bin/tools (minutes the first time)

# Each tool is a module of its own: what they need of each other's dependencies does not go together, and none of it
# belongs in ours. Built again when its versions change.
bin/tools/%: tools/%/go.mod tools/%/go.sum
	GOWORK=off $(GO) build -C tools/$* $(TOOL_FLAGS) -trimpath -buildvcs=false -ldflags '-s -w' -o '$(CURDIR)/$@' tool

$(KUBERNETES): tools/kubernetes/check/main.go

# Generic code that is compiled again for every importing package makes vacuum the dearest thing to build here. It and the
# smaller ones run in 0.1 s, so they go without optimisation, which takes 40% off.
$(VACUUM) $(ACTIONLINT) $(KUBERNETES): TOOL_FLAGS := -gcflags='all=-N -l'

.PHONY: clean
clean: ## Remove what was built, tools included
	rm -rf bin

.PHONY: help
help: ## Show this
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z][a-z-]*:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
