# One command each: `make demo` shows what this is for, `make test` and `make test-ui` check it. `make help` lists all.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
OUT ?= demo-output
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

# In a container one is often root, where JupyterLab does not start unasked.
LAB_FLAGS ?= $(if $(filter 0,$(shell id -u)),--allow-root)

.DEFAULT_GOAL := help
.PHONY: help demo lab test test-ui lint bench campaign clean

help:  ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.for-demo: $(BIN)/python pyproject.toml
	$(PIP) install -e '.[pocl,notebook]'
	@touch $@

# Intel's runtime has a licence of its own and exists for Linux x86-64 only: the tests use it where it installs.
$(VENV)/.for-test: $(BIN)/python pyproject.toml
	$(PIP) install -e '.[pocl,oclgrind,notebook,asm,test]'
	$(PIP) install -e '.[intel]' || echo "Intel's runtime does not install here; its tests are left out"
	@touch $@ $(VENV)/.for-demo

demo: $(VENV)/.for-demo  ## run the quickstart notebook from start to end and say what ran
	$(BIN)/python notebooks/execute.py notebooks/01_first_light.ipynb --output $(OUT)

lab: $(VENV)/.for-demo  ## open the quickstart in JupyterLab
	$(BIN)/python -m jupyterlab $(LAB_FLAGS) notebooks/01_first_light.ipynb

lint: $(VENV)/.for-test  ## style, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint  ## every test that needs Python only
	$(BIN)/python -m pytest -m 'not ui' --ignore=tests/benchmarks

test-ui: $(VENV)/.for-test  ## the tests in a real browser (chromium is installed by apt where it is missing)
	command -v chromium >/dev/null || { apt-get update && apt-get install -y --no-install-recommends chromium fonts-dejavu; }
	$(BIN)/python -m pytest -m ui

bench: $(VENV)/.for-test  ## ratios against PyOpenCL in the same run
	$(BIN)/python -m pytest tests/benchmarks -s -q --benchmark-disable-gc --benchmark-columns=median,iqr,rounds

campaign: $(VENV)/.for-test  ## hostile cells in a real notebook: COUNT=1000 SEED=1, and the table of what became of them
	PYTHONPATH=tests $(BIN)/python -m campaign --count $(or $(COUNT),1000) --seed $(or $(SEED),1)

clean:  ## remove the environment and all outputs
	rm -rf $(VENV) demo-output test-output .pytest_cache .mypy_cache .ruff_cache
