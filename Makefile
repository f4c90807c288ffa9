# Every target sets up what it needs first (scripts/bootstrap.py); only Python 3.11+ and make must be there.
PYTHON ?= python3
BOOTSTRAP = @exec $(PYTHON) scripts/bootstrap.py

.PHONY: help run test bench screenshots manage lint checks ci clean

# The first target: what a bare `make` does.
help:
	@sed -n 's/^## //p' $(firstword $(MAKEFILE_LIST))

## make run [PORT=8000] [HOST=127.0.0.1] [METRONIX_HOME=.metronix]   set up everything and serve
run:
	$(BOOTSTRAP) run

## make manage ARGS="COMMAND ..."                                    a management command (ARGS=help lists them)
manage:
	$(BOOTSTRAP) manage

## make test [ARGS="-k word"]                                        the test suite
test:
	$(BOOTSTRAP) test

## make bench NAME=locomo [FILE=data.json] [ARGS="..."]              a benchmark (make bench lists them)
bench:
	$(BOOTSTRAP) bench

## make screenshots                                                  pictures for docs/images (needs a Chromium)
screenshots: export METRONIX_SCREENSHOTS = docs/images
screenshots: export ARGS = -n 0 tests/browser/test_admin.py -k pictures
screenshots:
	@exec $(PYTHON) scripts/bootstrap.py test

## make lint, make checks, make ci                                   what CI runs
lint:
	$(BOOTSTRAP) lint

checks:
	$(BOOTSTRAP) checks

ci:
	@exec bash .ci/run

## make clean                                                        remove what can be made again; data stay
clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
