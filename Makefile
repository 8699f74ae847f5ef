# Two commands: `make report` and `make test`. Both start from nothing on a fresh
# Debian machine with python3, pip, gcc, make and root, and can be repeated.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= report

# make report: the shipped example, or the user's own scores:
#   make report DATA=scores.csv                     (as it is read, or what is open about it)
#   make report DATA=scores.csv METRIC=accuracy:higher              (wide: one column an algorithm)
#   make report DATA=runs.csv ALGORITHM=model BLOCK=dataset METRIC=error:lower        (long)
#   make report DATA=results/       (result files of another program; FORMAT=name, METRIC=name)
#   make report PLAN=plan.toml              (as that file says, on the data it names)
#   CONTROL=name, OUT=folder, and ARGS='--adjust holm --alpha 0.01' for anything else
#   that `pycompare compare` takes. An earlier report in OUT is replaced.
EXAMPLE := pycompare/data/examples/garcia_herrera_2008.csv
DATA ?=
METRIC ?= $(if $(DATA)$(PLAN),,accuracy:higher)
BLOCK ?=
ALGORITHM ?=
CONTROL ?=
ARGS ?=
PLAN ?=
FORMAT ?=

# What R needs, from Debian; only what is used. chromium: the report is looked at.
APT := r-base-core r-cran-bit64 r-cran-broom r-cran-car r-cran-clubsandwich r-cran-coin r-cran-emmeans r-cran-generics \
  r-cran-ggplot2 r-cran-haven r-cran-jsonlite \
  r-cran-kernlab r-cran-knitr r-cran-lme4 r-cran-lmertest r-cran-markdown r-cran-metafor r-cran-mlbench r-cran-multcomp \
  r-cran-nlme r-cran-partitions r-cran-pbkrtest r-cran-png r-cran-proc r-cran-psych r-cran-psychotools r-cran-reticulate \
  r-cran-rrcov r-cran-testthat r-cran-vegan libpython3-dev chromium openssh-client poppler-utils
# What `make study` compiles the LaTeX of reports with, if it is there: 300 MB.
TEX := texlive-latex-recommended

.PHONY: help report test check docs validate study benchmark dist versions pins clean

help:
	@sed -n 's/^#   \(make .*\)/  \1/p' Makefile
	@echo "  make report | test | check | docs | validate | study | benchmark | dist | versions | pins | clean"

# ---- environments --------------------------------------------------------------

$(VENV)/.report: requirements/report.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { apt-get update -qq && apt-get install -y -qq python3-venv && $(PYTHON) -m venv --clear $(VENV); }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/report.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.apt:
	@mkdir -p $(VENV)
	@dpkg -s $(APT) >/dev/null 2>&1 || \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(APT); }
	@touch $@

$(VENV)/.test: $(VENV)/.report $(VENV)/.apt requirements/test.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/test.txt
	@touch $@

$(VENV)/.benchmark: $(VENV)/.test requirements/benchmark.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/benchmark.txt
	@touch $@

$(VENV)/.docs: $(VENV)/.report requirements/docs.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/docs.txt
	@touch $@

# CN2, which a study runs in a process of this environment.
$(VENV)/.orange: $(VENV)/.test requirements/orange.txt
	$(BIN)/python -m venv $(VENV)/orange
	$(VENV)/orange/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/orange.txt
	@touch $@

# ---- the two commands ----------------------------------------------------------

# A file alone is compared as it is read, or the open questions about it are printed.
ALONE := $(if $(and $(DATA),$(if $(wildcard $(DATA)/.),,x)),$(if $(METRIC)$(BLOCK)$(ALGORITHM)$(CONTROL)$(FORMAT)$(PLAN)$(ARGS),,--accept))

report: $(VENV)/.report
	$(if $(ALONE),@echo "What is open can be answered by options for make: ARGS='--wide --metric accuracy:higher'")
	$(BIN)/pycompare $(if $(PLAN),$(if $(DATA),compare "$(DATA)" --plan,run) "$(PLAN)",compare "$(or $(DATA),$(EXAMPLE))") \
	  $(if $(ALGORITHM),--algorithm "$(ALGORITHM)",$(if $(or $(PLAN),$(FORMAT),$(and $(DATA),$(if $(METRIC),$(wildcard $(DATA)/.),x))),,--wide)) \
	  $(ALONE) \
	  $(if $(FORMAT),--results-format "$(FORMAT)") \
	  $(if $(DATA)$(PLAN),,--blocks datasets) $(if $(BLOCK),--block "$(BLOCK)") $(if $(CONTROL),--control "$(CONTROL)") $(if $(METRIC),--metric "$(METRIC)") \
	  --out "$(OUT)" --overwrite $(ARGS)

# Where this variable is set, each of some hundred processes would compile all modules.
test: export PYTHONDONTWRITEBYTECODE :=
test: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q -n auto --dist loadfile
	$(BIN)/pycompare validate --out $(VENV)/validation --overwrite

# What someone who changes something runs after each change, in about a minute. Types are
# checked twice: all by mypy, which remembers, and the changed modules by basedpyright,
# whose known errors are in .basedpyright/baseline.json (at most 20; any other fails):
#   make check                          (lint, types, layers, tests of the folders changed since main)
#   make check SINCE=HEAD~3             (since another commit)
# Tests over two seconds are marked slow: `make test` runs them, this does not.
SINCE ?= main
check: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	modules=$$($(BIN)/python -m tests.changed "$(SINCE)" --modules) && \
	  { test -z "$$modules" || $(BIN)/basedpyright --baselinemode discard $$modules; }
	tests=$$($(BIN)/python -m tests.changed "$(SINCE)") && \
	  $(BIN)/python -m pytest -q -n auto --dist loadfile -m "not slow" $$tests

# ---- the long way --------------------------------------------------------------

validate: $(VENV)/.test
	$(BIN)/pycompare validate --out validation-report --overwrite

study: $(VENV)/.test $(VENV)/.orange
	$(BIN)/basedpyright --baselinemode discard
	$(BIN)/python -m validation.study
	$(BIN)/python -m validation.model_designs
	$(BIN)/python -m validation.mutation --sample 8
	$(BIN)/python -m validation.r_programs
	RANDOM_PLANS=5000 $(BIN)/python -m pytest -q tests/designs/test_random_plans.py
	CROSSED_KEYS=all $(BIN)/python -m pytest -q tests/designs/plans/test_crossed_keys.py
	DOCUMENTS=all $(BIN)/python -m pytest -q tests/reporting/render/test_kinds.py
	@command -v pdflatex >/dev/null || echo "LaTeX is not compiled: apt-get install $(TEX)"
	LATEX=all $(BIN)/python -m pytest -q tests/reporting/test_for_paper.py
	DOOR=200 $(BIN)/python -m pytest -q tests/data/test_advice.py tests/data/test_shapes.py
	$(BIN)/python -m tests.fuzz --minutes 60
	$(BIN)/python -m tests.api_fuzz --minutes 60
	$(BIN)/python -m validation.calibration
	$(BIN)/python -m validation.few_cases
	$(BIN)/python -m validation.auc_coverage
	$(BIN)/python -m validation.average_precision
	$(BIN)/python -m validation.delong_level
	$(BIN)/python -m validation.durbin_level
	$(BIN)/python -m validation.auc_margins
	$(BIN)/python -m validation.typical_differences
	$(BIN)/python -m validation.whole_comparisons
	$(BIN)/python -m validation.matched_shares
	$(BIN)/python -m validation.gate_study
	$(BIN)/python -m validation.typical_margins
	$(BIN)/python -m validation.fold_overlap
	$(BIN)/python -m validation.vector_overlap
	$(BIN)/python -m validation.related_datasets
	$(BIN)/python -m validation.crossed_pairs
	$(BIN)/python -m validation.items
	$(BIN)/python -m validation.run_aggregates
	$(BIN)/python -m validation.one_learner
	$(BIN)/python -m validation.battles
	$(BIN)/python -m validation.judge_labels
	$(BIN)/python -m validation.challenges
	$(BIN)/python -m validation.faults
	$(BIN)/python -m validation.published
	$(BIN)/python -m validation.sources

# In one process: with --jobs Sphinx ends well although a page could not be written.
# From nothing: it does not see that a study, a declaration or a picture has changed.
docs: $(VENV)/.docs
	rm -rf site docs/_pictures
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -b html docs site
	@echo "site/index.html"

# make benchmark ARGS='--only hotelling --turns 3' for some of them; see its --help.
# Without ARGS also the sweep of all public functions, which takes some hours.
benchmark: $(VENV)/.benchmark
	$(BIN)/python -m validation.benchmarks $(ARGS)
	$(if $(ARGS),,$(BIN)/python -m validation.sweep)

# Wheel, source, and the bill of materials (CycloneDX) of the pinned libraries, in dist/.
dist: $(VENV)/.test
	rm -rf dist
	$(BIN)/python -m hatchling build
	$(BIN)/python packaging/sbom.py requirements/report.txt dist/pycompare.cdx.json

# The tests that need no R, on other Pythons and on the lowest declared versions:
#   make versions PYTHONS="3.11 3.12"   (the newest libraries; on 3.11 also the lowest declared ones)
#   make versions ARGS=tests/kernels    (some tests)
PYTHONS ?= 3.11 3.12 3.13
versions: $(VENV)/.test
	$(BIN)/python -m tests.versions $(PYTHONS) $(ARGS)

# Pinned versions with hashes, no addresses.
UV := $(BIN)/python -m uv
PIN := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-header pyproject.toml requirements/build.in
pins: $(VENV)/.test
	$(PIN) --extra parquet --extra excel -o requirements/report.txt
	$(PIN) --extra dev -c requirements/report.txt -o requirements/test.txt
	$(PIN) --extra dev --extra benchmark -c requirements/test.txt -o requirements/benchmark.txt
	$(PIN) --extra parquet --extra excel --extra experiment --extra docs -c requirements/test.txt -o requirements/docs.txt
	echo "Orange3==3.40.0" | $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header - -o requirements/orange.txt
	$(subst requirements/build.in,,$(PIN)) --resolution lowest-direct --extra tests -o requirements/lowest.txt

clean:
	rm -rf $(VENV) dist report validation-report site docs/_pictures
