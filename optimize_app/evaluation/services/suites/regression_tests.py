"""Regression tests: making one from a failing tape, and changing later what passes it."""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from django.db import transaction
from pydantic import Field, StringConstraints, TypeAdapter

from optimize_app.evaluation.services.suites.frozen_places import find_places
from tapes_app.bulk.services import datasets
from tapes_app.bulk.store import datasets as dataset_storage
from tapes_app.bulk.store.datasets import NAME_LENGTH, DatasetRow
from tapes_app.bulk.store.suites import list_suite_tapes
from tapes_app.editing.services.children import fork_tape
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.experiments.domain.check_kinds import (
    Check,
    check_for,
    describe_check,
    validate_check,
)
from tapes_app.library.services.selection import TapeSelection
from tapes_app.projects.domain.columns import fit_line
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.step_facts import TITLE_LENGTH
from tapes_app.tapes.store import regression_tests as storage
from tapes_app.tapes.store.headers import load_header
from tapes_app.tapes.store.marks import mark_tape
from tapes_app.tapes.store.starts import find_start

DEFAULT_SUITE = "Regression tests"
MOST_TESTS = 1_000
"""The limit of tapes in one rerun."""

CHECKS: TypeAdapter[Check] = TypeAdapter(Check)


class RegressionTestRequest(FrozenModel):
    """Which part of a tape becomes a test, and in which suite; omitted fields get defaults."""

    suite: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_LENGTH)
    ] = DEFAULT_SUITE
    """Name of the dataset that the test goes into; created if it does not exist."""

    at: int | None = Field(default=None, ge=0, le=2**31 - 1)
    """How many leading steps are frozen. If omitted: all before the step to check first, all before
    the answer at the end of the tape, or just the task."""

    check: Check | None = None
    """What passes. If omitted: the tape's expected answer."""

    name: Annotated[str, StringConstraints(strip_whitespace=True, max_length=TITLE_LENGTH)] = ""
    """If omitted: the title of the tape."""


class RegressionTestChange(FrozenModel):
    """What passes from now on; finished runs are not judged again."""

    check: Check


@dataclass(frozen=True, slots=True)
class SuggestedTest:
    """The test that a tape would give by default."""

    at: int
    """How many leading steps are frozen: one of the places below."""

    start: int
    """The steps that are just the task."""

    before_answer: int | None
    """All before the answer at the end of the tape; `None`: it has none, or its agent cannot
    continue there."""

    before_suspect: int | None
    """All before the step to check first; `None`: nothing is suspected, or as above."""

    check: Check | None
    """`None`: the tape has no expected answer that can be compared as text."""

    name: str
    suite: str


@dataclass(frozen=True, slots=True)
class RegressionTest:
    """A tape that is a regression test."""

    tape_id: UUID
    """The frozen beginning, a child of the tape that the test was made from."""

    suite_id: UUID
    suite: str
    name: str
    kept_count: int
    check: Check
    words: str
    """The check as a sentence."""


def suggest_test(person: Person, tape_id: UUID) -> SuggestedTest:
    """Return the test that a tape would give by default.

    Raises:
        NotFoundError: no such tape in the project.
    """
    header = load_header(tape_id, person.project_id)
    places = find_places(person, tape_id)
    return SuggestedTest(
        at=places.default,
        start=places.start,
        before_answer=places.before_answer,
        before_suspect=places.before_suspect,
        check=check_for(header.expected),
        name=header.title,
        suite=DEFAULT_SUITE,
    )


@transaction.atomic
def make_test(person: Person, tape_id: UUID, request: RegressionTestRequest) -> RegressionTest:
    """Freeze the beginning of a tape as a test of a suite; the tape itself stays as it is.

    Raises:
        NotFoundError: no such tape in the project.
        ArchivedError: the tape is archived.
        TapeRangeError: it has fewer steps than should be frozen.
        InvalidInputError: the check cannot be decided, nothing defines what passes, nothing would
            be frozen, or the suite is full.
    """
    header = load_header(tape_id, person.project_id)
    check = request.check or check_for(header.expected)
    if check is None:
        raise InvalidInputError(
            "Nothing defines what passes: give a check, or the tape an expected answer.",
            field="check",
        )
    validate_check(check)
    at = find_places(person, tape_id).default if request.at is None else request.at
    if not at and not find_start(tape_id, person.project_id).has_context:
        raise InvalidInputError("A test keeps at least one step; an agent answers that.", at=at)
    suite = ensure_suite(person, request.suite)
    return freeze_test(person, tape_id, suite, at, check, request.name or header.title)


def freeze_test(
    person: Person, tape_id: UUID, suite: DatasetRow, at: int, check: Check, wanted_name: str
) -> RegressionTest:
    """Make a test of the first `at` steps of a tape; call it in a transaction.

    Raises:
        NotFoundError: no such tape in the project.
        ArchivedError: the tape is archived.
        TapeRangeError: it has fewer steps than should be frozen.
    """
    name = _free_name(suite.id, wanted_name or "Untitled")
    made = fork_tape(person, tape_id, at=at).tape_id
    mark_tape(made, person.project_id, title=name)
    storage.set_test(made, person.project_id, pass_check=_dump(check), kept_count=at)
    datasets.add_tapes(person, suite.id, TapeSelection(tape_ids=(made,)))
    return RegressionTest(made, suite.id, suite.name, name, at, check, describe_check(check))


def change_check(person: Person, tape_id: UUID, change: RegressionTestChange) -> None:
    """Change what passes a test; runs that have ended keep their verdict.

    Raises:
        NotFoundError: no such regression test in the project.
        ArchivedError: its tape is archived.
        InvalidInputError: the check cannot be decided.
    """
    validate_check(change.check)
    storage.load_test(tape_id, person.project_id)
    storage.set_test(tape_id, person.project_id, pass_check=_dump(change.check))


def _dump(check: Check) -> dict[str, object]:
    dumped: dict[str, object] = CHECKS.dump_python(check, mode="json")
    return dumped


def ensure_suite(person: Person, name: str, *, room: int = 1) -> DatasetRow:
    """Return the suite of that name, created if needed, with room for `room` more tests.

    Raises:
        InvalidInputError: there is no room for them.
    """
    found = dataset_storage.find_dataset(name, person.project_id)
    count = found.tape_count if found else 0
    if count + room > MOST_TESTS:
        raise InvalidInputError(
            f"{name!r} holds {count:,} tapes and would hold {count + room:,}; {MOST_TESTS:,} are "
            "run at once. Choose another suite.",
            field="suite",
        )
    return found or datasets.create_dataset(person, name=name)


def _free_name(suite_id: UUID, wanted: str) -> str:
    """Return a name that no tape in the suite has: readers of results identify tests by name."""
    taken = {row.title for row in list_suite_tapes(suite_id, limit=MOST_TESTS)}
    name = fit_line(wanted, TITLE_LENGTH)
    number = 2
    while name in taken:
        end = f" ({number})"
        name = fit_line(wanted, TITLE_LENGTH - len(end)) + end
        number += 1
    return name
