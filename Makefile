# Every target sets up what it needs first (scripts/bootstrap.py); only Python 3.11+ and make must be there.
PYTHON ?= python3
BOOTSTRAP = @exec $(PYTHON) scripts/bootstrap.py

.PHONY: run test bench screenshots manage lint checks ci clean

# make run [PORT=8000] [HOST=127.0.0.1] [METRONIX_HOME=.metronix]
run:
	$(BOOTSTRAP) run

# make test [ARGS="-k word"]
test:
	$(BOOTSTRAP) test

# make bench NAME=locomo FILE=data.json [ARGS="..."]
bench:
	$(BOOTSTRAP) bench

# Pictures of the admin for docs/images; needs a Chromium.
screenshots: export METRONIX_SCREENSHOTS = docs/images
screenshots: export ARGS = -n 0 tests/browser/test_admin.py -k pictures
screenshots:
	@exec $(PYTHON) scripts/bootstrap.py test

# make manage ARGS="create_user someone@example.org --reset"
manage:
	$(BOOTSTRAP) manage

lint:
	$(BOOTSTRAP) lint

checks:
	$(BOOTSTRAP) checks

ci:
	@exec bash .ci/run

# Removes what can be made again; the data in METRONIX_HOME stay.
clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
