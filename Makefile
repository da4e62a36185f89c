# All dependencies are installed inside this folder: .venv (Python), node_modules (files that the site serves).
# Only the browser and the sandbox are packages of the system (tools/build/system_packages.py).
# A file in .venv records each step, which runs again only when its requirement files change.

.PHONY: help serve setup browser test test-variants test-all test-fast test-oldest chapters book lite pdf offline lab bench conclusions mutations lint audit bundle published-model \
        upgrade pictures assignments grade quizzes chapter set-url release-check release clean
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Do not name a variable BROWSER: make would export it, and JupyterLab would open it instead of the reader's browser.
VENV    := .venv
BIN     := $(VENV)/bin
PACKAGES := $(VENV)/.packages
SCRIPTS  := node_modules/.package-lock.json
SYSTEM   := $(VENV)/.system
ENGINES  := $(VENV)/.engines
BUNDLED  := lib/figures/bundled/regression.js
LEDGER   := _build/ledger.json
BOOK     := _build/html/.built
ASSIGNMENTS := _build/assignments/.made
SENTENCES := _build/conclusions.json
LITE     := _build/html/lite/.built
RUNTIME  := _build/lite/.compiled
OLDEST   := _build/oldest/.packages

# tools/build/sources.py lists the prerequisites of each target. `make book` does nothing if none has changed.
PYTHON  := $(firstword $(wildcard $(BIN)/python) python3)
deps     = $(shell $(PYTHON) -m tools.build.sources $(1))

# Installing packages and writing pages use only one core, so run two jobs.
MAKEFLAGS += --jobs=2
# Let Python cache compiled modules; otherwise each of many processes would compile them again.
export PYTHONDONTWRITEBYTECODE :=
# BLAS threads do not speed up operations on small arrays, and they distort measurements.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1
# pip installs Node only if the machine's is missing or too old, so look there first.
export PATH := $(CURDIR)/$(BIN):$(PATH)

help:
	@echo "make serve               build the course, serve it locally, and reload after changes"
	@echo "make setup               install the packages, without building the course"
	@echo "make browser             install Chromium and the sandbox of the grader, if this machine has none"
	@echo "make test                run the linters and all tests but the long ones and the variants"
	@echo "make test-variants       repeat the slow checks with the figures, pages and exercises that make test leaves out"
	@echo "make test-all            also test the oldest versions, every chapter in the browser edition, and the figures in three engines"
	@echo "make test-fast           test the package, the build and the release, without a browser, in one to two minutes"
	@echo "make test-oldest         test the package and run every chapter on the oldest supported versions"
	@echo "make chapters            run every chapter in a clean kernel"
	@echo "make book                build the site, with the browser edition, into _build/html"
	@echo "make pdf                 print the course into _build/course.pdf; TEACHER=1 adds the pages for teachers"
	@echo "make offline             pack the site into _build/course.zip for offline use"
	@echo "make lab                 open an editable copy of the chapters in JupyterLab"
	@echo "make bench               compare speed and memory with other libraries"
	@echo "make conclusions         run all cases of the conclusions that changed, and store the results"
	@echo "make mutations           apply small faults to a copy of the code: the tests of each equation must fail"
	@echo "make lint                check the style of code, notebooks and text, the JavaScript types, and the workflow"
	@echo "make audit               check the pinned packages for known vulnerabilities; REQUIRED=yes fails if no database answers"
	@echo "make bundle              bundle the JavaScript of the live figures (included in the build)"
	@echo "make published-model     add SmolLM2 (98 MB) to the built site, for the figure that runs it in the browser"
	@echo "make upgrade             upgrade the packages that the chapters import"
	@echo "make pictures            redraw the still pictures of the live figures; NAME=... draws that of one figure"
	@echo "make assignments         build the students' notebooks and the solutions; SECRET=... builds your own set; ID=... prints solutions"
	@echo "make grade FOLDER=...    grade a folder of submissions into FOLDER-grades, or OUT=...; ROSTER=... lists missing students;"
	@echo "                         SECRET=key or key,public grades your own set; COMPARE=yes only lists marks that would change"
	@echo "make quizzes             convert the quizzes to files that Canvas imports"
	@echo "make chapter NAME=...    start a chapter from the template and register it; REMOVE=... undoes this"
	@echo "make set-url URL=...     set the public URL of the course in every file"
	@echo "make release-check       run all release checks in a clean clone, and report failures"
	@echo "make release VERSION=... set the version, tag it, build the package and try it; DRY=1 changes nothing here"
	@echo "make clean               remove all build products"

serve: $(BOOK)
	@$(BIN)/python -m tools.build.watch

setup: $(PACKAGES) $(SCRIPTS) $(BUNDLED)

browser: $(SYSTEM)

book: $(BOOK) $(LITE)

lite: $(LITE)

offline: book
	$(BIN)/python -m tools.build.offline _build/html _build/course.zip

test-oldest: $(OLDEST) $(PACKAGES) $(BUNDLED)
	$(BIN)/python -m pytest tests/lib/test_versions.py

# Not part of `book`, because it is a large download and only one figure uses it
published-model: $(BOOK)
	$(BIN)/python -m tools.build.published_model _build/html

upgrade: $(PACKAGES)
	$(BIN)/python -m tools.edition.upgrade

PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal

test: lint book $(SYSTEM)
	$(PYTEST) -m "not long and not variant" --durations=20

test-variants: book $(SYSTEM)
	$(PYTEST) -m "variant and not long" --durations=20

test-all: lint book $(OLDEST) $(ENGINES)
	$(PYTEST) --durations=20

test-fast: $(PACKAGES) $(BUNDLED)
	$(BIN)/python -m pytest -n logical --maxprocesses 4 -m "not browser and not site and not long" \
	  tests/lib tests/equations tests/figures tests/tools lib

chapters: $(PACKAGES) $(BUNDLED)
	$(BIN)/python -m pytest tests/chapters/test_chapters.py

bench: $(BOOK) $(SYSTEM)
	$(BIN)/python -m benchmarks

conclusions: $(PACKAGES)
	$(BIN)/python -m pytest tests/conclusions -n auto --dist worksteal --measure || [ $$? = 5 ]  # 5: all were up to date

mutations: $(PACKAGES)
	$(BIN)/python -m tests.mutations

bundle: $(BUNDLED)

lint: $(PACKAGES) $(SCRIPTS) $(BUNDLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell README.md CONTRIBUTING.md CHANGELOG.md pages teaching lib tools tests _ext benchmarks chapters
	node_modules/.bin/biome ci
	node_modules/.bin/tsc
	node_modules/.bin/action-validator .github/workflows/publish.yml
	node_modules/.bin/action-validator .github/actions/open_issue/action.yml

audit: $(PACKAGES) $(SCRIPTS)
	$(BIN)/python -m tools.edition.audit $(if $(REQUIRED),--required)

pictures: $(SCRIPTS) $(BUNDLED) $(SYSTEM)
	$(BIN)/jupyter-book build . --quiet  # without -W, because a new figure's picture is still missing
	$(BIN)/python -m tools.build.pictures "$(NAME)"

pdf: $(BOOK) $(SYSTEM)
	$(BIN)/python -m tools.build.pdf $(if $(TEACHER),--teacher)

lab: $(BOOK)
	@mkdir -p notebooks && cp -Rn _build/notebooks/. notebooks || true  # keep your changes
	$(BIN)/jupyter lab notebooks

ifdef SECRET
assignments: $(PACKAGES) $(SCRIPTS)
	@$(BIN)/python -m tools.grading.make_assignments --secret="$(SECRET)" --id="$(ID)"
else
assignments: $(ASSIGNMENTS)
	@$(if $(ID),$(BIN)/python -m tools.grading.make_assignments --id="$(ID)")
endif

grade: $(PACKAGES)
	@$(BIN)/python -m tools.grading.grade "$(FOLDER)" --out="$(OUT)" --roster="$(ROSTER)" --column="$(COLUMN)" --secret="$(SECRET)" $(if $(COMPARE),--compare)

quizzes: $(PACKAGES)
	@$(BIN)/python -m tools.grading.quizzes

chapter: $(PACKAGES)
	@$(BIN)/python -m tools.edition.new_chapter "$(NAME)" "$(REMOVE)"

set-url: $(PACKAGES)
	@$(BIN)/python -m tools.edition.set_url "$(URL)"

release-check: $(PACKAGES)
	@$(BIN)/python -m tools.edition.release_check $(CHECKS)

release: $(BOOK)
	@$(BIN)/python -m tools.edition.release "$(VERSION)" $(if $(DRY),--dry-run)

clean:
	rm -rf _build $(VENV) node_modules lib/figures/bundled

$(PACKAGES): requirements.txt requirements-dev.txt requirements-d2l.txt pyproject.toml
	@tools/build/make_venv.sh $(VENV)
	@echo "Installing the Python packages into $(VENV): two to five minutes the first time"
	$(BIN)/pip install --disable-pip-version-check --no-compile --progress-bar on -r requirements.txt -r requirements-dev.txt
	$(BIN)/pip install --disable-pip-version-check --no-compile --no-deps -r requirements-d2l.txt
	@touch $@

$(SCRIPTS): package.json package-lock.json $(PACKAGES)
	@(node -e 'process.exit(parseInt(process.versions.node) < 20)' && npm --version) >/dev/null 2>&1 \
	  || { echo "No Node of version 20 or newer found: installing one into $(VENV)"; $(BIN)/pip install -r requirements-node.txt; }
	@echo "Installing the site's JavaScript packages into node_modules"
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# Chromium, and the sandbox for submissions. No file records the step while something is missing, so it runs again.
$(SYSTEM): $(PACKAGES)
	@$(BIN)/python -m tools.build.system_packages $@ chromium bubblewrap

$(ENGINES): $(SYSTEM)
	@$(BIN)/python -m tools.build.system_packages $@ firefox webkit xvfb

# The bundles of the live figures for anywidget; regression.js represents all of them. The branch `notebooks` contains
# them, so that Colab, Binder and pip do not need Node.
$(BUNDLED): $(call deps,figures) $(SCRIPTS)
	$(BIN)/python -m tools.build.bundle_figures

# The tests' measurements of each equation, for the ledger's page; a failing test stops the build.
$(LEDGER): $(call deps,ledger) $(PACKAGES)
	@echo "Measuring the equations"
	@mkdir -p $(@D)
	$(BIN)/python -m pytest -p tests.ledger --ledger=$@ -p no:cacheprovider -q -m equation -n 2 tests/equations tests/lib

# The chapters' conclusions and the tests that support them: the second part of the ledger
$(SENTENCES): $(call deps,conclusions) $(PACKAGES)
	@mkdir -p $(@D)
	$(BIN)/python -m tools.build.conclusions --json > $@

$(BOOK): $(call deps,book) $(LEDGER) $(SCRIPTS) $(BUNDLED) $(SENTENCES)
	@echo "Building the course; the first build executes every chapter"
	@mkdir -p _build && touch _build/started
	$(BIN)/jupyter-book build . -W -n --keep-going
	@touch -r _build/started $@  # edits made during the build are newer, and cause a rebuild

# The part of the browser edition that does not depend on the course
$(RUNTIME): $(call deps,runtime) $(SCRIPTS)
	$(BIN)/python -m tools.edition.lite
	@touch $@

$(LITE): $(BOOK) $(RUNTIME) $(call deps,lite) $(SCRIPTS) $(BUNDLED)
	@echo "Building the browser edition"
	@mkdir -p _build/html && touch _build/lite-started
	$(BIN)/python -m tools.edition.lite $(@D)
	@touch -r _build/lite-started $@

$(ASSIGNMENTS): $(call deps,assignments) $(PACKAGES)
	$(BIN)/python -m tools.grading.make_assignments
	@touch $@

# The oldest supported versions, with which lib's tests and all chapters also run
$(OLDEST): $(call deps,oldest)
	@echo "Installing the oldest supported versions into $(@D)"
	@PYTHON=python3.11 tools/build/make_venv.sh $(@D)
	$(@D)/bin/pip install --disable-pip-version-check --quiet -r requirements-oldest.txt -e .
	@touch $@
