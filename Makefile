# `make help` explains the targets. Everything runs inside .venv; targets set up what they need.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.magnate-setup
PYTEST_WORKERS ?= 2
SIM_GAMES ?= 20000
SEEDS ?= 500
PYTEST := $(BIN)/pytest -n $(PYTEST_WORKERS) --dist loadgroup
SOURCES := services protos deploy loadtests tests
LOCK := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
	--python-version 3.11 --custom-compile-command "make lock"

export UV_PYTHON_DOWNLOADS := never
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help setup compile browser demo up test check bench load fuzz-terminal simulate sim fmt lint type \
	proto proto-check proto-lint proto-breaking proto-image coverage dash lock lock-check clean

help: ## Show the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

## ------------------------------------------------------------------------------------------------ set up and run

setup: $(STAMP) ## Make .venv, install everything from the locked requirements, compile the rules if possible
	@$(BIN)/python deploy/compile.py --lenient
	@$(BIN)/python -m compileall -q -j 2 services loadtests tests  # a process then starts in half the time

$(STAMP): requirements/dev.txt pyproject.toml deploy/setup.sh
	@sh deploy/setup.sh "$(PYTHON)" "$(VENV)"
	@touch $@

compile: $(STAMP) ## Compile the pure packages with mypyc (skipped where there is no C compiler)
	@$(BIN)/python deploy/compile.py

browser: ## Install Debian's chromium for tests/browser, unless there is a browser
	@sh deploy/browser.sh

demo: setup ## Watch four bots play a whole game over gRPC, then see it rebuilt and balanced
	@$(BIN)/magnate demo

up: setup ## Start nats-server and all services on this machine; Ctrl-C stops them
	@$(BIN)/magnate up

bench: setup ## Measure the rules, the services and the rebuild of a game
	@$(BIN)/magnate bench rules
	@$(BIN)/magnate bench ledger
	@$(BIN)/magnate bench rebuild
	@$(BIN)/magnate bench host
	@$(BIN)/magnate bench transfers
	@$(BIN)/magnate bench deadlines
	@$(BIN)/magnate bench close
	@$(BIN)/magnate bench clocks

load: setup ## Play many games at once over gRPC and verify each one
	@$(BIN)/python -m loadtests

fuzz-terminal: setup ## Press a million random keys on each unit; a real ledger and the real rules judge them
	@$(BIN)/python -m loadtests.fuzz_terminal --presses 1000000 --model all

simulate: setup ## Play SIM_GAMES games of every rule set in memory, every invariant on; draw what came of them
	@mkdir -p out/simulate
	@$(BIN)/magnate simulate --ruleset all --games $(SIM_GAMES) --picture out/simulate/games.png

sim: $(STAMP) ## Run SEEDS seeds of the deterministic simulator: all services, with faults (docs/simulator.md)
	@$(BIN)/python -m tests.sim --seeds $(SEEDS)

## ----------------------------------------------------------------------------------------------------- judge it

test: setup proto-check proto-lint proto-breaking lock-check lint type compile ## All that CI runs: checks, then every test in random order
	@$(PYTEST)
	@MAGNATE_PURE=1 $(PYTEST) -m "not slow" $(wildcard tests/unit/rules tests/scenario tests/golden)

check: setup proto-check lint type ## The quick part of `make test`, under three minutes
	@$(PYTEST) -m "not slow and not nats and not cluster" \
		$(wildcard tests/unit tests/scenario tests/property tests/golden tests/architecture)

lint: $(STAMP) ## Check style (ruff)
	@$(BIN)/ruff check $(SOURCES)
	@$(BIN)/ruff format --check $(SOURCES)

type: $(STAMP) ## Check types (mypy --strict)
	@$(BIN)/mypy

fmt: $(STAMP) ## Format the code and fix what can be fixed
	@$(BIN)/ruff check --fix --quiet $(SOURCES) || true
	@$(BIN)/ruff format $(SOURCES)

## ------------------------------------------------------------------------------------------- what is generated

proto: $(STAMP) ## Generate stubs, the vocabulary classes and their codec from the protos
	@$(BIN)/python protos/generate.py

proto-check: $(STAMP) ## Check that the generated code is current
	@$(BIN)/python protos/generate.py --check

proto-lint: $(STAMP) ## Check the protos against buf's STANDARD rules
	@$(BIN)/python protos/image.py lint

proto-breaking: $(STAMP) ## Check that the protos break nothing that protos/image.binpb promised
	@$(BIN)/python protos/image.py breaking

proto-image: $(STAMP) ## Promise the present API: replace protos/image.binpb
	@$(BIN)/python protos/image.py write

coverage: $(STAMP) ## Write what the scenarios prove: docs/rules/coverage.md, tests/scenario/gaps.yaml
	@$(BIN)/python -m tests.scenario.coverage --gaps
	@$(BIN)/python -m tests.scenario.coverage

dash: $(STAMP) ## Generate the Grafana dashboards from deploy/grafana/overview.py
	@$(BIN)/python -m deploy.grafana.build

lock: $(STAMP) ## Resolve requirements/*.in anew into hash-pinned requirements/*.txt
	@cd requirements && ../$(LOCK) $(LOCK_FLAGS) runtime.in -o runtime.txt
	@cd requirements && ../$(LOCK) $(LOCK_FLAGS) -c runtime.txt dev.in runtime.in -o dev.txt
	@cd requirements && ../$(LOCK) $(LOCK_FLAGS) -c dev.txt build.in -o build.txt
	@$(MAKE) --no-print-directory lock-check

lock-check: ## Check that no lock file names an address
	@if grep -n '://' requirements/*; then echo "requirements: addresses do not belong here" >&2; exit 1; fi

clean: ## Remove what can be made again (not .venv)
	@rm -rf build dist out .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find services tests loadtests protos deploy -name __pycache__ -type d -prune -exec rm -rf {} +
