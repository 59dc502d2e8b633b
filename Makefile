# Everything is made from Python, pip and make; the rest is installed here, pinned, and kept in .venv and .cache.
.DEFAULT_GOAL := help
.PHONY: help setup serve build test check bench chip browser lock clean
PYTHON ?= python3
BIN := .venv/bin
# The theme prints a notice about its own future on every build; a terminal shows only what is ours.
export NO_MKDOCS_2_WARNING := 1
PIN = $(BIN)/uv pip compile --quiet --generate-hashes --no-annotate --custom-compile-command "make lock"

help:  ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

.venv/ready: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Rooflines needs Python 3.11 or newer; name one with: make PYTHON=python3.12 …"; exit 1; }
	@test -x $(BIN)/python || { echo "Making a virtual environment in .venv …"; $(PYTHON) -m venv .venv || { echo "Python cannot make virtual environments here; on Debian: apt-get install python3-venv"; rm -rf .venv; exit 1; }; }
	@echo "Installing what requirements.txt pins (about 350 MB, once) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

setup: .venv/ready  ## install everything that a build needs, the browser bundle included
	@$(BIN)/python -m web.bundle

serve: setup  ## the course on a loopback address, rebuilt as you edit
	$(BIN)/watchmedo auto-restart --directory calc --directory web --pattern '**/*.py;**/*.toml;**/*.csv;**/*.js;**/*.html' --recursive \
		-- $(BIN)/mkdocs serve --watch lectures

build: setup  ## the static site, in site/
	$(BIN)/mkdocs build

browser: .venv/ready  ## find a Chromium, a Firefox and a WebKit, or install them
	@$(BIN)/python -m tests.browser.chromium
	@$(BIN)/python -m tests.browser.engines

test: setup browser  ## every test, the browser's included
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

check: .venv/ready  ## style, types, formatting
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: setup browser  ## measure the lecture page against the budgets
	$(BIN)/python -m tests.bench

chip:  ## time the kernels of this machine's GPU; needs PyTorch
	@$(PYTHON) -c 'import numpy, torch, triton' || { echo "Name a Python that has PyTorch: make chip PYTHON=python3.12 CHIP=h100-sxm OUT=/tmp/chip"; exit 1; }
	$(PYTHON) -m tests.chip $(CHIP) $(OUT) $(PARTS)

lock: .venv/ready  ## pin anew what pyproject.toml and web/npm/package.json ask for
	$(BIN)/python -m pip install --quiet uv
	$(PIN) --universal --group pyproject.toml:site --group pyproject.toml:test --output-file requirements.txt
	for group in engine compile parity; do $(PIN) --no-deps --python-version 3.13 --group pyproject.toml:$$group --output-file web/wheels/$$group.txt; done
	$(BIN)/python -m web.bundle.lock

clean:  ## remove what was built; keep what was fetched
	rm -rf site
