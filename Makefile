# Two commands do everything: `make demo` and `make test`.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
SERVE  ?= 1
PORT   ?= 8501
# Twice as many as there are processors: tests of servers, browsers and kills mostly wait.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(2 * (os.cpu_count() or 2))')

# Whoever commits to a log waits for the disk, and tests commit all the time: in memory, if there are 4 GB, nobody waits.
MEMORY := $(shell df -k /dev/shm 2>/dev/null | awk 'NR > 1 && $$4 > 4000000 { print $$NF }')

.DEFAULT_GOAL := help
.PHONY: help demo test search lint windows docs bench attack clean

help: ## list the commands
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(BIN)/tabletape: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	$(BIN)/python -m compileall -q events projector dashboard cli migrations
	@touch $@

$(VENV)/.test: $(BIN)/tabletape
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	@touch $@

$(VENV)/.bench: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	@touch $@

demo: $(BIN)/tabletape ## install, make a demo workspace, show three findings, open the dashboard (SERVE=0: do not)
	$(BIN)/tabletape demo --folder demo $(if $(filter 0,$(SERVE)),--no-serve,--port $(PORT))

test: $(VENV)/.test ## run the whole test suite
	@place=$$(mktemp -d "$(or $(MEMORY),/tmp)/tabletape.XXXXXX") && trap 'rm -rf "$$place"' EXIT && \
	TMPDIR=$$place $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

search: $(VENV)/.test ## try the properties on new random examples (`make test` tries the same ones every time)
	$(BIN)/python -m pytest -n auto -m hypothesis --hypothesis-profile search

lint: $(VENV)/.test ## check style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

windows: $(VENV)/.test ## check the types as they are on Windows: what only other systems have is not used there
	$(BIN)/mypy --platform win32 --no-warn-unreachable --cache-dir .mypy_cache/windows -p tabletape

docs: $(VENV)/.test ## write the reference pages from the code, and what the examples of the others print
	$(BIN)/python -m docs.generator
	$(BIN)/python docs/examples.py
	$(BIN)/python docs/notebooks.py

bench: $(VENV)/.bench ## measure, as docs/benchmarks.md shows
	@for each in tests/benchmarks/end_to_end.py tests/benchmarks/*_speed.py; do PYTHONPATH=. $(BIN)/python $$each || exit 1; done

attack: $(VENV)/.test ## attack it for half an hour and more, as docs/reliability.md shows (ATTACK="--inputs 1000": smaller)
	$(BIN)/python -m tests.attack $(ATTACK)

clean: ## remove the virtual environment and the demo workspace
	rm -rf $(VENV) demo
