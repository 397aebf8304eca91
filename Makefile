# Every target makes the virtual environment that it needs, once, in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: demo quick test coverage browser test-browser fuzz mutants check format docs bench studies reproduce reproduce-quick clean

demo: $(VENV)/.installed  ## The main job on an embedded data set.
	$(BIN)/latentlink demo

# Without slow tests, and without folders that test every combination or are seldom touched.
quick: $(VENV)/.developed  ## A chosen subset of the tests, in under a minute.
	$(BIN)/python -m pytest -n auto -q -m "not slow" --override-ini testpaths=tests \
		--ignore tests/contract --ignore tests/kernels --ignore tests/solvers --ignore tests/studies --ignore tests/docs \
		--ignore tests/saving --ignore tests/datasets --ignore tests/cli --ignore tests/browser --ignore tests/estimators/test_sklearn.py

# Work is stolen from the end of a worker's share, so that most fitted models of a file are fitted by one worker only.
test: check  ## Everything that must hold before a change is merged.
	$(BIN)/python -m pytest -n auto --dist worksteal --durations 25

# Apart from `make test`, since tracing takes half as much time again.
coverage: $(VENV)/.developed  ## The same tests, and which lines and branches they run; fails below 95 %.
	$(BIN)/python -m pytest -n auto --dist worksteal --cov --cov-report=term

# Debian's packages; where chromium is there already, nothing is installed.
browser:  ## Chromium and its driver, for the tests of the report page.
	@{ command -v chromium && command -v chromedriver; } > /dev/null \
		|| { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium chromium-driver; }

test-browser: browser $(VENV)/.developed  ## The report page in a headless browser; `make test` skips it where there is none.
	$(BIN)/python -m pytest -m browser tests/browser

fuzz: $(VENV)/.developed  ## Thousands of damaged files, each read in a process with limits on time and memory. Minutes.
	$(BIN)/python -m tools.fuzz

# Of mutants that were not tried before; another sample: make mutants SEED=7 COUNT=500. The first run measures which
# tests run which lines.
SEED ?= 21
COUNT ?= 300
mutants: $(VENV)/.developed  ## A sample of small faults in the sources: which of them do the tests notice? An hour.
	$(BIN)/python -m tools.mutants --count $(COUNT) --seed $(SEED) --jobs 2 --without tools/results/mutants-*.csv

check: $(VENV)/.developed  ## Format, lint, types and import layers.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.developed  ## Format the sources.
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/.documented  ## The documentation site, in docs/_build/html; warnings are errors, no network is needed.
	$(BIN)/python -m sphinx -W --keep-going -n -b html docs docs/_build/html

# Writes benchmarks/results and the page benchmarks/results.md; the machine should be idle.
bench: $(VENV)/.benched  ## Speed and memory beside other packages, in one run. Half an hour.
	$(BIN)/python -m benchmarks --keep

# Some studies read a data folder beside the repository, or the one that LATENTLINK_DATA names.
studies: $(VENV)/.developed  ## Rank search and uncertainty over many seeds. Hours; a run that was stopped continues.
	$(BIN)/python -m studies

# Protein networks and the original Swimmer file are read from the data folder, as above; else generated data stand in.
reproduce-quick: $(VENV)/.developed  ## The paper's four studies, a few cases of each, without network. Minutes.
	$(BIN)/latentlink reproduce --quick --out build/experiments-quick

reproduce: $(VENV)/.developed  ## The paper's four studies in full. Hours; a run that was stopped continues.
	$(BIN)/latentlink reproduce --out build/experiments

clean:
	rm -rf $(VENV) build dist latentlink-demo docs/_build docs/api docs/commands docs/gallery .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage .mutants
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and "latentlink needs Python 3.11 or newer, found %d.%d; name another one: make PYTHON=python3.12 ..." % v[:2])'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(PIP) install --quiet --editable .
	@touch $@

$(VENV)/.developed: $(VENV)/bin/python pyproject.toml
	$(PIP) install --quiet --editable ".[dev]"
	@touch $@ $(VENV)/.installed

$(VENV)/.documented: $(VENV)/bin/python pyproject.toml
	$(PIP) install --quiet --editable ".[docs]"
	@touch $@ $(VENV)/.installed

$(VENV)/.benched: $(VENV)/.developed
	$(PIP) install --quiet --editable ".[dev,bench]"
	@touch $@
