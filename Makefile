# Everything here sets up its own Python environment in .venv first, and again whenever setup.py
# has changed.  Pick the interpreter with `make PYTHON=/path/to/python3 ...` (3.10 to 3.13).

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
READY := $(VENV)/.ready
BIN := $(VENV)/bin
PYTEST := $(BIN)/python test/run_pytest.py
# Tests run side by side; slow ones, some of which measure a pace, would suffer from more workers
# than cores, while fast ones of nodes wait for one another most of the time.
WORKERS ?= 2
SIDE_BY_SIDE := --dist worksteal -n

# A version manager may list an interpreter that it then refuses to start: each one is tried.
USABLE := import sys, venv, ensurepip; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))
PYTHON ?= $(shell for name in python3 python3.12 python3.11 python3.13 python3.10; do \
	"$$name" -c '$(USABLE)' >/dev/null 2>&1 && { echo "$$name"; break; }; done)

.PHONY: help venv demo test test-long bench lint clean

help:  ## Show this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

venv: $(READY)  ## Set up .venv with everything that the tests, the demo and the benchmarks need

demo: $(READY)  ## Run the simulated PA10 on a moving ship; results in demo_output/
	$(BIN)/robot-dynamics demo pa10 $(ARGS)

test: $(READY)  ## Run the fast tests
	$(PYTEST) $(SIDE_BY_SIDE) $$(($(WORKERS) + 1)) -m 'not slow' $(ARGS)

test-long: $(READY)  ## Run the slow tests, lint and types among them
	@# 5: no test was selected
	$(PYTEST) $(SIDE_BY_SIDE) $(WORKERS) -m 'slow and not alone' $(ARGS) \
		|| { code=$$?; [ $$code -eq 5 ] || exit $$code; }
	$(PYTEST) -m 'slow and alone' $(ARGS) || { code=$$?; [ $$code -eq 5 ] || exit $$code; }

bench: $(READY)  ## Measure the speed against Pinocchio in the same run
	$(BIN)/python -m benchmarks $(ARGS)

lint: $(READY)  ## Run only the house rules: imports, flake8, pep257, mypy
	$(PYTEST) $(wildcard test/test_house_*.py) $(ARGS)

clean:  ## Remove the environment and everything that was generated
	rm -rf $(VENV) build install log demo_output *.egg-info .pytest_cache .mypy_cache .hypothesis
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +

$(READY): setup.py
	@if [ -z '$(PYTHON)' ]; then echo 'No Python 3.10 to 3.13 with the module venv found:' \
		'install one, or name it with make PYTHON=/path/to/python3' >&2; exit 1; fi
	@echo "Setting up $(VENV) with $$($(PYTHON) --version): about a gigabyte, some minutes."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip -qq --disable-pip-version-check install --upgrade pip
	@echo 'Installing robot_dynamics, the ROS 2 wheels, and what tests and benchmarks need ...'
	@$(BIN)/python -m pip -qq --disable-pip-version-check install \
		--editable '.[ros,test,bench]'
	@echo 'Compiling the estimator, the checks and the smoothing, which all robots share ...'
	@$(BIN)/python -c \
		'from robot_dynamics.control import joint_checks; joint_checks.compiled(); \
		from robot_dynamics.imu import rate_agreement; rate_agreement.compiled(); \
		from robot_dynamics.estimation.adaptive import compiling; compiling.compiled(); \
		from robot_dynamics.replay import differentiation; differentiation.compiled()'
	@touch $@
