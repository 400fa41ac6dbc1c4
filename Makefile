# Each target does its own set-up in .venv. Needed: Python 3.11, 3.12 or 3.13, and make.
#   make demo     scores and an explanation, with nothing but the core dependencies
#   make test     the tests that a contributor needs;   make test PYTEST_ARGS="-k roles"  some of them
#   make test-all every test, with all extras
#   make check    lint, format, types, doctests
#   make docs     the documentation site, in build/docs; warnings are errors
#   make wheel    dist/hybridsem-*.whl;   make release   also the sources, dist/sbom.json and an audit
#   make results DATA=folder   the cards in benchmarks/results and their pictures (half an hour)
#   make reproduction DATA=folder   the cards of the papers' tables
#   make leaderboard   a page that ranks the models of the cards, in runs/leaderboard
#   make frames PROPBANK=folder AMR=little-prince-train.txt   the table of frames of the embedded AMR (minutes)
#   make weights EWT=folder PROPBANK=folder DATA=folder   the rest of hybridsem/data (two hours)
#   make lexicon DATA=folder   the lexical relations and phrases, from Open English WordNet (20 minutes)
#   make judge DATA=folder   the judge, after a change of the comparison's terms (half an hour)
#   make role-encoder DATA=folder MPNET=folder   the encoder's upper layers, for both of its vectors (minutes on a graphics card)
#   make roles EWT=folder PROPBANK=folder     the semantic roles alone (three quarters of an hour)

# The first that runs: pyenv has names for those that it does not.
PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3 python,$(shell \
          $(name) -c 'import sys; sys.version_info >= (3, 11) and print(sys.executable)' 2>/dev/null)))
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 \
          $(BIN)/python -m pip install --quiet
PYTEST := $(BIN)/python -m pytest --numprocesses logical --maxprocesses 4 --dist loadfile --no-loadscope-reorder
# What tests of most rooms need; a test that needs more is skipped.
LIGHT  := .[api,files,graphs,metrics,plot,search,serve,vectors]
# Small matrices: more threads than this gain nothing, and tests run the same everywhere.
export OMP_NUM_THREADS ?= 2

.PHONY: help demo test test-all check docs format wheel release results reproduction leaderboard frames lexicon judge weights roles role-encoder clean
.DELETE_ON_ERROR:

help:
	@sed -n '2,16s/^# *//p' $(firstword $(MAKEFILE_LIST))

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "hybridsem needs Python 3.11 or newer; none was found. Set it: make $(MAKECMDGOALS) PYTHON=/path/to/python3"; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "hybridsem needs Python 3.11 or newer, got $$("$(PYTHON)" -V). Set it: make $(MAKECMDGOALS) PYTHON=/path/to/python3"; exit 1; }
	"$(PYTHON)" -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/.core: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --editable .
	@touch $@

# Groups need pip 25.1.
$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --upgrade 'pip>=25.1'
	$(PIP) --editable '$(LIGHT)' --group dev
	@touch $@ $(VENV)/.core

$(VENV)/.all: pyproject.toml constraints.txt $(VENV)/.dev
	$(PIP) --editable '.[all]' --group dev --group docs --group models --group compare
	@touch $@

demo: $(VENV)/.core
	@$(BIN)/python examples/demo.py

test: $(VENV)/.dev
	$(PYTEST) -m "not slow" $(PYTEST_ARGS)

test-all: $(VENV)/.all
	$(PYTEST) $(PYTEST_ARGS)

check: $(VENV)/.all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest --quiet --doctest-modules hybridsem

docs: $(VENV)/.all
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -c docs -b html . build/docs
	@echo build/docs/index.html

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

wheel: $(VENV)/.dev
	rm -rf dist
	PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt $(BIN)/python -m build --wheel

# The wheel and the sources, what is in them, and whether a weakness of that is known (asks the network).
release: wheel
	PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt $(BIN)/python -m build --sdist
	$(BIN)/python .ci/sbom.py requirements-core.txt dist/hybridsem-*.whl dist/sbom.json
	"$(PYTHON)" -m venv $(VENV)-audit
	$(VENV)-audit/bin/python -m pip install --quiet pip-audit
	$(VENV)-audit/bin/pip-audit --strict --require-hashes --disable-pip --requirement requirements-core.txt

results: $(VENV)/.all
	@test -d "$(DATA)/sts3k-dev" || { echo "set DATA to the folder with sts3k-dev, sts and words, got '$(DATA)'"; exit 1; }
	$(BIN)/python -m benchmarks.suite --data "$(DATA)"
	$(BIN)/python docs/make_results.py

reproduction: $(VENV)/.all
	@test -d "$(DATA)/sts3k-dev" || { echo "set DATA to the folder with sts3k-dev, sage, setops and words, got '$(DATA)'"; exit 1; }
	$(BIN)/python -m benchmarks.reproduction --data "$(DATA)"

leaderboard: $(VENV)/.all
	$(BIN)/python -m hybridsem leaderboard benchmarks/results --published docs/published -o runs/leaderboard

frames: $(VENV)/.all
	@test -f "$(PROPBANK)/train.jsonl" || { echo "set PROPBANK to the folder of PropBank (jsonl), got '$(PROPBANK)'"; exit 1; }
	@test -f "$(AMR)" || { echo "set AMR to gold AMR to learn the concepts of words from, got '$(AMR)'"; exit 1; }
	$(BIN)/python -m models.amr.frames --propbank "$(PROPBANK)" --amr "$(AMR)"
	$(BIN)/python -m models.manifest

judge: $(VENV)/.all
	$(BIN)/python -m models.judge.features --data $(DATA) --to runs/judge
	$(BIN)/python -m models.judge.learn --data $(DATA) --features runs/judge --write
	$(BIN)/python -m models.manifest

lexicon: $(VENV)/.all
	@test -f "$(DATA)/lexicon/synsets.tsv" || { echo "set DATA to the folder with lexicon/synsets.tsv, got '$(DATA)'"; exit 1; }
	$(BIN)/python -m models.lexicon.build --data "$(DATA)"
	$(BIN)/python -m models.lexicon.opposition --data "$(DATA)"
	$(BIN)/python -m models.phrases.build --data "$(DATA)"
	$(BIN)/python -m models.manifest

# In this order: the parser's heads read the encoder's second output, the roles read what the parser gives.
# MPNET is the folder of all-mpnet-base-v2. A graphics card does it in minutes, processors in days.
weights: $(VENV)/.all
	@test -f "$(EWT)/train.conllu" || { echo "set EWT to the folder of UD_English-EWT, got '$(EWT)'"; exit 1; }
	@test -f "$(PROPBANK)/train.jsonl" || { echo "set PROPBANK to the folder of PropBank (jsonl), got '$(PROPBANK)'"; exit 1; }
	@test -f "$(DATA)/analogies/snli-dev.tsv" || { echo "set DATA to the folder with sts, analogies and setops, got '$(DATA)'"; exit 1; }
	mkdir -p runs/parser
	$(BIN)/python -m models.encoder.calibrate --data "$(DATA)" --ewt "$(EWT)"
	$(BIN)/python -m models.encoder.build
	$(BIN)/python -m models.manifest
	for seed in 1 2 3; do \
	  $(BIN)/python -m models.parser.teacher --ewt "$(EWT)" --model "$(MPNET)" --work runs/parser --seed $$seed || exit 1; \
	done
	$(BIN)/python -m models.parser.distil --ewt "$(EWT)" --data "$(DATA)" --model "$(MPNET)" \
	  --frames "$(PROPBANK)/frame-examples.jsonl" --work runs/parser
	$(BIN)/python -m models.parser.export --work runs/parser
	$(BIN)/python -m models.parser.lemmas --ewt "$(EWT)" --frames "$(PROPBANK)/frame-examples.jsonl"
	$(BIN)/python -m models.words counts --ewt "$(EWT)"
	$(BIN)/python -m models.manifest
	$(BIN)/python -m models.words centre --ewt "$(EWT)"
	$(BIN)/python -m models.manifest
	$(BIN)/python -m models.words table
	$(BIN)/python -m models.manifest
	$(MAKE) roles

roles: $(VENV)/.all
	@test -f "$(EWT)/train.conllu" || { echo "set EWT to the folder of UD_English-EWT, got '$(EWT)'"; exit 1; }
	@test -f "$(PROPBANK)/train.jsonl" || { echo "set PROPBANK to the folder of PropBank (jsonl), got '$(PROPBANK)'"; exit 1; }
	$(BIN)/python -m models.roles.encode --propbank "$(PROPBANK)" --ewt "$(EWT)" --out runs/roles
	$(BIN)/python -m models.roles.train --data runs/roles --work runs/roles/all
	$(BIN)/python -m models.roles.train --data runs/roles --work runs/roles/last --start runs/roles/all --run last
	$(BIN)/python -m models.roles.export --work runs/roles/last
	$(BIN)/python -m models.manifest

role-encoder: $(VENV)/.all
	@test -f "$(DATA)/setops/wikisplit-validation.tsv" || { echo "set DATA to the folder with sts, paws, setops, lexicon and ud-ewt, got '$(DATA)'"; exit 1; }
	@test -f "$(MPNET)/model.safetensors" || { echo "set MPNET to the folder of all-mpnet-base-v2, got '$(MPNET)'"; exit 1; }
	mkdir -p runs/role
	$(BIN)/python -m models.hybrid.features --data "$(DATA)" --to runs/terms.npz
	$(BIN)/python -m models.role_encoder.pairs --data "$(DATA)" --to runs/role/pairs
	for run in small large; do \
	  $(BIN)/python -m models.encoder.distil --data "$(DATA)" --teacher "transformer:$(MPNET)" \
	    --run $$run --to runs/distil/$$run.npz || exit 1; \
	  $(BIN)/python -m models.role_encoder.train --data "$(DATA)" --start runs/distil/$$run.npz \
	    --run $$run --work runs/role/$$run || exit 1; \
	done
	$(BIN)/python -m models.role_encoder.blend --distilled runs/distil/*.npz \
	  --weights runs/role/*/weights.npz --write runs/role/chosen.npz
	$(BIN)/python -m models.encoder.calibrate --data "$(DATA)"
	$(BIN)/python -m models.encoder.build
	$(BIN)/python -m models.role_encoder.export --data "$(DATA)" --weights runs/role/chosen.npz
	$(BIN)/python -m models.manifest
	$(BIN)/python -m models.words centre --ewt "$(DATA)/ud-ewt"
	$(BIN)/python -m models.manifest
	$(BIN)/python -m models.words table
	$(BIN)/python -m models.manifest

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
