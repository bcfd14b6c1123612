"""A suite as a module of tests that pytest runs beside a project's own."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

_MODULE = '''\
"""The suite {suite} of Tape Studio: a test for each of its regression tests.

Made by `manage.py evaluate --suite NAME --export-pytest FILE`. It needs pytest, and of the studio
its command alone: MANAGE_PY and MANAGE_PYTHON say where that and its Python are elsewhere.
"""

import json
import os
import subprocess

import pytest

PYTHON = os.environ.get("MANAGE_PYTHON", {python})
MANAGE = os.environ.get("MANAGE_PY", {manage})
ARGUMENTS = {arguments}
TESTS = {tests}


@pytest.fixture(scope="module")
def outcomes():
    """Run the suite once; what each test came to with each agent, by the test."""
    command = [PYTHON, MANAGE, "evaluate", *ARGUMENTS, "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1):
        raise RuntimeError(f"The suite could not be run: {{ran.stdout}}{{ran.stderr}}")
    came = {{}}
    for one in json.loads(ran.stdout)["tests"]:
        came.setdefault(one["test"], []).append(one)
    return came


@pytest.fixture
def outcome(outcomes, test):
    """Give what a test came to; where that is missing it is an error, not a failure."""
    came = outcomes.get(test)
    if came is None:
        raise RuntimeError(f"{{TESTS[test]}} is not in the suite any more; export it again.")
    for one in came:
        if one["result"] not in ("pass", "fail"):
            raise RuntimeError(f"Missing with {{one['variant']}}: {{one['reason']}}")
    return came


@pytest.mark.parametrize("test", TESTS, ids=TESTS.get)
def test_regression(outcome, test):
    failed = [one for one in outcome if one["result"] == "fail"]
    told = [f"{{one['variant']}}: {{one['reason']}} Tape {{one['tape']}}" for one in failed]
    assert not failed, "; ".join(told)


def test_every_test_of_the_suite_is_here(outcomes):
    added = set(outcomes) - set(TESTS)
    assert not added, f"{{len(added)}} tests came later; export the suite again."
'''


def write_pytest_module(
    suite: str,
    tests: Iterable[tuple[UUID, str]],
    *,
    arguments: Sequence[str],
    python: str,
    manage: str,
) -> str:
    """Return the module. Names are of tapes, so they come in as escaped texts and nothing else."""
    return _MODULE.format(
        suite=_comment(suite),
        python=ascii(python),
        manage=ascii(manage),
        arguments=_list(arguments),
        tests=_dict({str(id): name for id, name in tests}),
    )


def _comment(text: str) -> str:
    """Return a text that a docstring can hold."""
    return ascii(text).replace('"""', "'''").replace("\\", "/")


def _list(values: Sequence[str]) -> str:
    return f"[{', '.join(map(ascii, values))}]"


def _dict(values: Mapping[str, str]) -> str:
    lines = "".join(f"    {key!a}: {value!a},\n" for key, value in values.items())
    return f"{{\n{lines}}}"
