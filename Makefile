# make advise               advise on a shipped example; PROFILE=FILE for a profile of your own
# make ask                  answer questions instead; ARGS='--lang zh' and the like are handed on
# make test                 run the tests; ARGS='-k name' for some of them
# make lint                 run the linters, the type checker and the check of who imports whom
# make format               lay the Python files out as `make lint` wants them
# make bench                measure
# make clean                remove the environment and what tools left behind
#
# Each sets up .venv by itself, and again only after pyproject.toml or constraints.txt has changed.
# PYTHON=/path/to/python3.12 chooses the Python that .venv is made from.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.NOTPARALLEL:

PROFILE ?= examples/startup-bursts.yaml
ARGS ?=
VENV := .venv
RUN := $(VENV)/bin/python
LOG := $(VENV)/install.log
RUNTIME := $(VENV)/.runtime-installed
DEV := $(VENV)/.dev-installed
BENCH := $(VENV)/.bench-installed

SUITS := import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))
CANDIDATES := python3 python3.13 python3.12 python3.11 python3.14 python
PYTHON ?= $(shell for p in $(CANDIDATES); do "$$p" -c '$(SUITS)' >/dev/null 2>&1 && echo "$$p" && break; done)

.PHONY: help advise ask test lint format bench clean
help:
	@sed -n '/^# make/s/^# //p' Makefile

advise: $(RUNTIME)
	@$(RUN) -m cli advise "$(PROFILE)" $(ARGS)

ask: $(RUNTIME)
	@$(RUN) -m cli ask $(ARGS)

test: $(DEV)
	@$(RUN) -m pytest -n auto --dist loadgroup $(ARGS)

lint: $(DEV)
	@$(RUN) -m ruff check
	@$(RUN) -m ruff format --check
	@$(RUN) -m mypy
	@$(RUN) $(VENV)/bin/lint-imports --no-logo

format: $(DEV)
	@$(RUN) -m ruff check --fix --select I
	@$(RUN) -m ruff format

bench: $(BENCH)
	@$(RUN) -m benchmarks $(ARGS)

clean:
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Setting up. Standard output stays free for the verdict; pip's words go to a log, which is shown when it fails.
# A Python that .venv leaned on and that has since been removed counts as a change.
ifeq ($(shell test -x $(RUN) && echo there),)
.PHONY: $(RUNTIME) $(DEV) $(BENCH)
endif

$(RUNTIME): pyproject.toml constraints.txt
	$(call install,.)
	@touch $@

$(DEV): pyproject.toml constraints.txt
	$(call install,.[dev])
	@touch $(RUNTIME) $@

$(BENCH): pyproject.toml constraints.txt
	$(call install,.[dev,bench])
	@touch $(RUNTIME) $(DEV) $@

define install
	@python='$(PYTHON)'; \
	if ! "$$python" -c '$(SUITS)' >/dev/null 2>&1; then \
	    echo "gpu-advisor needs Python 3.11 or newer, with its venv module (on Debian: python3-venv)." >&2; \
	    echo "$${python:-None of: $(CANDIDATES)} does not suit; name one that does: make PYTHON=/path/to/python3.12" >&2; \
	    exit 1; \
	fi; \
	echo "Setting up $(VENV); this happens once, and takes about half a minute." >&2; \
	$(RUN) -m pip --version >/dev/null 2>&1 || "$$python" -m venv --clear $(VENV) || exit 1; \
	$(RUN) -m pip install --disable-pip-version-check --constraint constraints.txt --editable '$(1)' >$(LOG) 2>&1 || \
	    { cat $(LOG) >&2; echo "The installation failed; the lines above say why." >&2; exit 1; }
endef
