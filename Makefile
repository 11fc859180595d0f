# One command per line. `make serve` and `make test` need nothing but Python 3.11 with venv.
# PYTHON=…: this Python for .venv, instead of the fastest build of python3's version.
PYTHON ?=
BIN := .venv/bin
ARGS ?=
NODE = $(BIN)/python clients/node.py
# Keep compiled modules, whatever the environment says: the tests start hundreds of Python processes.
export PYTHONDONTWRITEBYTECODE =

.PHONY: readme serve test coverage check style types arrows drift clauses deploy-check playthroughs schema soak hunt fuzz chaos bench bench-peers bench-guard tournament-rehearsal format js js-test js-check js-messages clean help
.DEFAULT_GOAL := help

help:             ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# Only what `make serve` needs: the packages of the tests take much longer to download.
.venv/serve: pyproject.toml
	$(if $(PYTHON),$(PYTHON) -m venv .venv,python3 deploy/make_venv.py .venv)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[server,terminal]'
	@touch $@

.venv/ready: .venv/serve
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

serve: .venv/serve web-if-possible ## install everything and start the server on its embedded Redis
	@$(BIN)/photofinish serve $(ARGS)

test: .venv/ready web-if-possible browser examples-tools ## set everything up and run all tests
	@$(BIN)/python -m tests.precompile
	@# Eight workers: three quarters of the time of the tests is waiting (470 s of processor time, 2,020 s in all).
	$(BIN)/python -m pytest -n 8 --dist worksteal -q $(ARGS)

coverage: .venv/ready ## branch coverage per package, from the quick tests; at least 90 % of the core
	$(BIN)/python -m tests.coverage $(ARGS)

check: style types arrows drift clauses deploy-check js-check web-check docs  ## every check that needs no running game

style: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: .venv/ready ## format the code with ruff
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: .venv/ready
	$(BIN)/mypy protocol/photofinish_protocol server/photofinish clients/python/photofinish_client tests

arrows: .venv/ready
	$(BIN)/python -m pytest -q tests/test_arrows.py

drift: .venv/ready
	$(BIN)/python -m photofinish_protocol.publish.schema --check
	$(BIN)/python -m tests.race.record_page --check
	$(BIN)/python -m tests.race.golden --check
	$(BIN)/python -m tests.readme --check
	$(BIN)/python clients/js/tools/messages.py --check

readme: .venv/ready ## write the list of games in README.md again
	$(BIN)/python -m tests.readme

schema: .venv/ready ## write protocol/schema, protocol/examples and the SDK's messages.ts
	$(BIN)/python -m photofinish_protocol.publish.schema
	$(BIN)/python -m tests.race.record_page
	$(BIN)/python -m tests.race.golden
	$(BIN)/python clients/js/tools/messages.py

deploy-check: .venv/ready ## check deploy/ with every checker that is installed, and list those that are missing
	@$(BIN)/python -m tests.deploy.tools
	@$(BIN)/python -m tests.deploy.check

clauses: .venv/ready ## list the clauses of any game that no test cites
	$(BIN)/python -m tests.clauses

playthroughs: .venv/ready ## write the golden game files again (ARGS="--game cambio": of one game)
	$(BIN)/python -m tests.games.playthroughs $(ARGS)

soak: .venv/ready   ## the general proofs, a million steps per game
	$(BIN)/python -m tests.games.soak $(ARGS)

hunt: .venv/ready   ## the leak hunt over whole rooms, a million steps per game
	$(BIN)/python -m tests.hunt $(ARGS)

chaos: .venv/ready  ## all fault tests in the long form: kills, stalls, cuts, full disks
	$(BIN)/python -m tests.chaos $(ARGS)

bench: .venv/ready  ## what an action costs, next to a bare websocket echo (ARGS="--work all": everything)
	$(BIN)/photofinish bench $(ARGS)

bench-peers: .venv/ready ## install the other game servers that the bench can compare with
	$(NODE) npm --prefix tests/bench/peers install --no-audit --no-fund

bench-guard: .venv/ready ## fail if the server has become a third slower than tests/bench/baseline.json
	$(BIN)/python -m tests.bench.guard

tournament-rehearsal: .venv/ready ## a whole event with bots on a server that is killed during it (ARGS="swiss 64")
	$(BIN)/python -m tests.tournament.rehearsal $(ARGS)

fuzz: .venv/ready   ## fuzz the decoder, guided by coverage, for a minute (ARGS=-runs=10000000: longer)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: atheris || true
	$(BIN)/python -m tests.fuzz.fuzz_decoder -artifact_prefix=$${TMPDIR:-/tmp}/ $(or $(ARGS),-max_total_time=60)

clients/js/node_modules/.package-lock.json: clients/js/package-lock.json | .venv/serve
	@# Not `npm ci`: it needs the lock file to name the compiler's packages for every other platform, and a registry may lack some.
	$(NODE) npm --prefix clients/js install --no-save --no-audit --no-fund --loglevel=error
	@touch $@

js: clients/js/node_modules/.package-lock.json ## build the JavaScript SDK into clients/js/dist
	$(NODE) npm --prefix clients/js run --silent build

js-test: clients/js/node_modules/.package-lock.json ## the JavaScript SDK's own tests (make test runs them too)
	$(BIN)/python -m pytest -q tests/clients/js $(ARGS)

js-check: clients/js/node_modules/.package-lock.json
	$(NODE) npm --prefix clients/js run --silent check

js-messages: .venv/ready ## write clients/js/src/messages.ts from protocol/schema
	$(BIN)/python clients/js/tools/messages.py

.PHONY: examples-tools
examples-tools: .venv/ready
	@$(BIN)/python -m tests.examples.tools

.PHONY: docs
docs: .venv/ready ## build the documentation site into server/photofinish/docs; a dead link is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m protocol.website.build

.PHONY: wheel
wheel: web docs ## build the wheel, with the browser table and the documentation site in it, into dist/
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

.PHONY: web web-if-possible web-check browser screenshots
WEB_SOURCES := $(shell find clients/web/src clients/web/public clients/js/src server/photofinish/games -name '*.ts' -o -name '*.tsx' -o -name '*.css' -o -name 'sw.js' -o -name 'RULES.md' -o -path '*/src/rules/*.md' -o -path '*/public/*' -type f 2>/dev/null)

clients/web/node_modules/.package-lock.json: clients/web/package-lock.json | .venv/serve
	@# As above: not `npm ci`.
	$(NODE) npm --prefix clients/web install --no-save --no-audit --no-fund --loglevel=error
	@touch $@

server/photofinish/web/index.html: clients/web/node_modules/.package-lock.json clients/web/index.html clients/web/vite.config.ts $(WEB_SOURCES)
	$(NODE) npm --prefix clients/web run --silent build

web: server/photofinish/web/index.html ## build the browser table into server/photofinish/web, from where it is served

web-if-possible: .venv/serve
	@$(MAKE) --no-print-directory web || echo "The browser table was not built (is there no Node.js to be had?). The server starts without it." >&2

browser: .venv/ready ## find a Chromium for the tests of the browser table, or get one
	@$(BIN)/python -m tests.web.browser

screenshots: web browser ## every table as a picture, into clients/web/screenshots
	$(BIN)/python -m tests.web.pictures.screenshots

web-check: clients/web/node_modules/.package-lock.json
	$(NODE) npm --prefix clients/web run --silent types

clean:
	rm -rf .venv .mypy_cache .ruff_cache .hypothesis server/photofinish/web server/photofinish/docs clients/web/node_modules clients/js/node_modules clients/js/dist clients/js/build
