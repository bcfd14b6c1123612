"""A suite as a test module that pytest runs alongside a project's other tests."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

_MODULE = '''\
"""The suite {suite} of Tape Studio: a test for each of its regression tests.

Made by `manage.py evaluate --suite NAME --export-pytest FILE`. It needs only pytest and the
studio's command: set MANAGE_PY and MANAGE_PYTHON if that and its Python are somewhere else.
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
    """Run the suite once; return the results with each agent, by test."""
    command = [PYTHON, MANAGE, "evaluate", *ARGUMENTS, "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1):
        raise RuntimeError(f"The suite could not be run: {{ran.stdout}}{{ran.stderr}}")
    results = {{}}
    for one in json.loads(ran.stdout)["tests"]:
        results.setdefault(one["test"], []).append(one)
    return results


@pytest.fixture
def outcome(outcomes, test):
    """Return the results of a test; a missing one is an error, not a failure."""
    results = outcomes.get(test)
    if results is None:
        raise RuntimeError(f"{{TESTS[test]}} is not in the suite any more; export it again.")
    for one in results:
        if one["result"] not in ("pass", "fail"):
            raise RuntimeError(f"Missing with {{one['variant']}}: {{one['reason']}}")
    return results


@pytest.mark.parametrize("test", TESTS, ids=TESTS.get)
def test_regression(outcome, test):
    failed = [one for one in outcome if one["result"] == "fail"]
    reasons = [f"{{one['variant']}}: {{one['reason']}} Tape {{one['tape']}}" for one in failed]
    assert not failed, "; ".join(reasons)


def test_every_test_of_the_suite_is_here(outcomes):
    added = set(outcomes) - set(TESTS)
    assert not added, f"{{len(added)}} tests were added since; export the suite again."
'''


def write_pytest_module(
    suite: str,
    tests: Iterable[tuple[UUID, str]],
    *,
    arguments: Sequence[str],
    python: str,
    manage: str,
) -> str:
    """Return the module. It contains the titles of tapes, but only as escaped text."""
    return _MODULE.format(
        suite=_comment(suite),
        python=ascii(python),
        manage=ascii(manage),
        arguments=_list(arguments),
        tests=_dict({str(id): name for id, name in tests}),
    )


def _comment(text: str) -> str:
    """Return a text made safe for a docstring."""
    return ascii(text).replace('"""', "'''").replace("\\", "/")


def _list(values: Sequence[str]) -> str:
    return f"[{', '.join(map(ascii, values))}]"


def _dict(values: Mapping[str, str]) -> str:
    lines = "".join(f"    {key!a}: {value!a},\n" for key, value in values.items())
    return f"{{\n{lines}}}"
