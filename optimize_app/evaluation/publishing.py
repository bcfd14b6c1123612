"""What may be published: how versions do on pinned suites, and the verdict in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from tapes_app.projects.domain.wording import count_of

TestResult = Literal["pass", "fail", "missing", "going", "not run"]
"""`not run`: never run by this version, or not since what passes was changed."""

_NAMED = 3
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class TestStanding:
    """A test's newest result with one version of an agent."""

    test_id: UUID
    name: str
    result: TestResult
    reason: str
    tape_id: UUID | None
    """The run that decided; `None`: there is none."""


@dataclass(frozen=True, slots=True)
class SuiteStanding:
    """A pinned suite's results with one version of an agent."""

    dataset_id: UUID
    name: str
    is_deleted: bool
    test_count: int
    passed_count: int
    open_tests: list[TestStanding]
    """Tests that have not passed."""

    sentence: str
    """Why it does not pass; empty if it passes."""


def judge_suite(
    dataset_id: UUID, name: str, tests: Sequence[TestStanding], *, is_deleted: bool
) -> SuiteStanding:
    """Decide whether a suite passes: it must have tests, and all of them must pass."""
    unmet = [test for test in tests if test.result != "pass"]
    return SuiteStanding(
        dataset_id=dataset_id,
        name=name,
        is_deleted=is_deleted,
        test_count=len(tests),
        passed_count=len(tests) - len(unmet),
        open_tests=unmet,
        sentence=_explain(name, tests, unmet, is_deleted=is_deleted),
    )


def explain_refusal(agent: str, number: int, suites: Sequence[SuiteStanding]) -> str:
    """Explain why a version cannot be published and how to run the tests; empty if it can."""
    unmet = [suite for suite in suites if suite.sentence]
    if not unmet:
        return ""
    there = [suite.name for suite in unmet if not suite.is_deleted and suite.test_count]
    how = (
        f" Run its tests by v{number} on the page of the suite, or with manage.py evaluate "
        f"--suite {there[0]!r} --agent {agent}@{number}."
        if there
        else ""
    )
    return f"v{number} of {agent!r} is not published. {' '.join(s.sentence for s in unmet)}{how}"


def _explain(
    name: str, tests: Sequence[TestStanding], unmet: Sequence[TestStanding], *, is_deleted: bool
) -> str:
    if is_deleted:
        return f"Suite {name!r} was deleted: restore it, or ask an owner to unpin it."
    if not tests:
        return f"Suite {name!r} has no tests: add one, or ask an owner to unpin it."
    if not unmet:
        return ""
    words: dict[TestResult, str] = {
        "fail": "failed",
        "missing": "has no result",
        "going": "still running",
        "not run": "not run by this version",
    }
    by_result = {result: [test.name for test in unmet if test.result == result] for result in words}
    parts = [f"{words[result]}: {_list(names)}" for result, names in by_result.items() if names]
    passed = f"{len(tests) - len(unmet)} of {count_of(len(tests), 'test')} passed"
    return f"Suite {name!r}: {passed}; {'; '.join(parts)}."


def _list(names: Sequence[str]) -> str:
    named = ", ".join(repr(name[:_LONGEST_NAME]) for name in names[:_NAMED])
    left = len(names) - _NAMED
    return f"{named} and {left} more" if left > 0 else named
