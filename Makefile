# Everything runs in .venv, which `make` builds itself; Python 3.11+ and git are all it needs.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo $$p; exit; }; done; echo python3)
VENV := .venv/bin
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install dev run docs test e2e check format lint types contracts bench generate report clean

help: ## what there is
	@grep -E '^[a-z0-9]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

install:
	@$(PYTHON) deploy/bootstrap.py install

dev:
	@$(PYTHON) deploy/bootstrap.py install --dev

run: ## build what is missing and start the studio (ARGS="--port 9000")
	@$(PYTHON) deploy/bootstrap.py studio
	@exec $(VENV)/python manage.py up $(ARGS)

docs: install ## build the documentation, which the studio serves at /help/
	@$(PYTHON) deploy/bootstrap.py docs

test: dev ## all tests: Python, browser, front end; or one subject (ARGS="-k fork")
	@$(VENV)/python deploy/run_tests.py $(ARGS)

e2e: dev ## the browser tests alone
	@$(PYTHON) deploy/bootstrap.py pages
	@$(VENV)/python -m pytest -q -m e2e $(ARGS)

check: lint types contracts ## style, types and import contracts of both languages

lint: dev
	$(VENV)/ruff format --check .
	$(VENV)/ruff check .
	@$(PYTHON) deploy/bootstrap.py npm run lint --silent

types: dev
	$(VENV)/mypy .
	@$(PYTHON) deploy/bootstrap.py npm run types --silent

contracts: dev
	$(VENV)/lint-imports --no-cache

format: dev ## put both languages into their formatters' shape
	$(VENV)/ruff format .
	$(VENV)/ruff check --fix .
	@$(PYTHON) deploy/bootstrap.py npm run format --silent

bench: dev ## the measured claims, all or some (NAME=engine)
	@$(VENV)/python deploy/bench.py $(NAME)

generate: dev ## what programs write and we keep: the checks of the socket, the client that blocks, the pages of reference
	@$(VENV)/python deploy/client/unasync.py
	@$(VENV)/python manage.py export_protocol --out frontend/protocol.json
	@$(VENV)/python deploy/write_reference.py
	@$(PYTHON) deploy/bootstrap.py npm run generate --silent

report: ## the longest files and functions
	@$(PYTHON) deploy/report.py

clean: ## remove what was built; the data folder stays
	rm -rf .venv .site frontend/node_modules frontend/dist .mypy_cache .ruff_cache .pytest_cache \
		.hypothesis .coverage htmlcov
