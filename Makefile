# make dev     the whole product on this machine: portal, API, storage, demo tenants (make dev RESET=1 starts with fresh data)
# make test    everything that is checked, from formatting to journeys in a browser
# make smoke   every Lambda binary behind an HTTP API, one request through each route
# make worker NAME=retention    one run of a worker on the data of the running `make dev`
# make bench   cold starts, units, large accounts, peak, portal, passwords in one table; make bench ONLY=cold one section, WRITE=1 renews docs/benchmarks.md
# make fuzz    made-up requests of every operation, by everybody; make fuzz EXAMPLES=1000 sends more
# make season  a whole reading season with 5,000 customers; make season ACCOUNTS=500 for fewer
# make costs   writes functions/tests/costs.md anew: what each operation costs
# make package  the Lambda binaries as they are deployed, for this machine's processor, and what each weighs
# make fmt     formats the code

stage := @scripts/stage
python := .venv/bin/python
# What starts the Lambdas one by one needs all binaries; scripts/build_once.py holds that their libraries are those of the tests.
build := cargo build --workspace --bins

.PHONY: dev worker test smoke bench fuzz season costs package fmt setup

dev: setup
	cargo build --package local
	@exec $${CARGO_TARGET_DIR:-target}/debug/local dev

worker:
	cargo build --package local
	@$${CARGO_TARGET_DIR:-target}/debug/local worker $(NAME)

test: setup
	@scripts/tools chromium
	@scripts/stage --start
	$(stage) 'Rust: format' cargo fmt --all --check
	$(stage) 'Rust: unused dependencies' $(python) scripts/unused_dependencies.py
	$(stage) 'Rust: built once' $(python) scripts/build_once.py
	$(stage) 'Rust: lints' cargo clippy --workspace --all-targets -- --deny warnings
	$(stage) 'Rust: tests' cargo test --workspace
	$(stage) 'Rust: binaries' $(build)
	$(stage) 'Web: generated types' npm run api-types -- --check
	$(stage) 'Web: lints' npm run lint --workspace web
	$(stage) 'Web: types' npm run typecheck --workspace web
	$(stage) 'Web: tests' npm run test --workspace web
	$(stage) 'Web: build' npm run build --workspace web
	$(stage) 'Web: journeys' npm run e2e --workspace web
	$(stage) 'Infrastructure: lints' npm run lint --workspace infra
	$(stage) 'Infrastructure: types and tests' npm run test --workspace infra
	$(stage) 'Functions behind a gateway' $(python) scripts/smoke.py
	$(stage) 'Made-up requests' $(python) scripts/fuzz.py --examples 20 --seed 1
	$(stage) 'Local product' $(python) scripts/dev_check.py
	@scripts/stage --summary

smoke: setup
	$(build)
	@npm run --silent setup --workspace infra
	@$(python) scripts/smoke.py

bench: setup
	$(build)
	@scripts/tools chromium
	@PYTHONPATH=scripts $(python) -m bench $(ONLY) $(if $(WRITE),--write)

fuzz: setup
	$(build)
	@$(python) scripts/fuzz.py --examples $(or $(EXAMPLES),300)

season: setup
	SEASON_ACCOUNTS=$(or $(ACCOUNTS),5000) cargo test --workspace --test operator season:: -- --nocapture

costs: setup
	WRITE_COSTS=1 cargo test --workspace --test api --test workers costs::
	@cat functions/tests/costs.md functions/workers/tests/costs.md

package: setup
	@PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent package --workspace infra

fmt: setup
	cargo fmt --all
	npm run fmt --workspace web
	npm run fmt --workspace infra

setup: .venv/.installed node_modules/.package-lock.json

.venv/.installed: scripts/requirements.txt
	@scripts/tools
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check --requirement scripts/requirements.txt
	touch $@

# npm writes this file itself at the end of an installation.
node_modules/.package-lock.json: package-lock.json
	@scripts/tools
	npm ci --no-audit --no-fund
