"""Teacher-forced tests: at each prefix of a good tape an agent is asked for just the next step."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from django.db import transaction
from pydantic import StringConstraints

from optimize_app.evaluation.services.suites.frozen_places import find_beginning
from optimize_app.evaluation.services.suites.regression_tests import (
    ensure_suite,
    freeze_test,
)
from tapes_app.bulk.store.datasets import NAME_LENGTH
from tapes_app.engine.environment.actions import ends_turn
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.tape import Tape
from tapes_app.experiments.domain.check_kinds import NextStepCheck
from tapes_app.experiments.domain.next_step import describe_step
from tapes_app.projects.services.people import Person
from tapes_app.runs.services.candidates import load_candidate
from tapes_app.runs.services.fit import explain_misfit
from tapes_app.tapes.store.headers import load_header
from tapes_app.tapes.store.loading import load_tape

MOST_PLACES = 200
"""Limit for one tape."""


class NextStepTestsRequest(FrozenModel):
    """Which suite the tests of a tape go into."""

    suite: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_LENGTH)
    ]
    """Name of the dataset; created if it does not exist."""


@dataclass(frozen=True, slots=True)
class LeftOutPlaces:
    """Why the agent of a tape cannot start at some of its places."""

    why: str
    place_count: int


@dataclass(frozen=True, slots=True)
class NextStepTests:
    """The tests made from a tape."""

    suite_id: UUID
    suite: str
    made_count: int
    left_out: list[LeftOutPlaces]
    """Places at which the tape's agent cannot start, counted by reason."""


@transaction.atomic
def make_next_step_tests(
    person: Person, tape_id: UUID, request: NextStepTestsRequest
) -> NextStepTests:
    """Make a test of every action of a tape: everything before it is frozen, and the action passes.

    Raises:
        NotFoundError: no such tape in the project.
        ArchivedError: the tape is archived.
        InvalidInputError: no agent acted on the tape, it has too many actions, or the suite is
            full.
    """
    tape = load_tape(tape_id, person.project_id)
    header = load_header(tape_id, person.project_id)
    places = list(_find_places(tape))
    if len(places) > MOST_PLACES:
        raise InvalidInputError(
            f"The tape has {len(places):,} actions; at most {MOST_PLACES} become tests. Fork a "
            "shorter one off.",
            tape_id=str(tape_id),
        )
    left_out, fitting = _part(person, tape_id, header.agent_version_id, places)
    if not fitting:
        raise InvalidInputError(
            next(
                iter(left_out), "No action of an agent is on this tape, so there is no next step."
            ),
            tape_id=str(tape_id),
        )
    suite = ensure_suite(person, request.suite, room=len(fitting))
    for at, position in fitting:
        wanted = describe_step(tape.steps[position])
        check = NextStepCheck(
            step_kind=wanted.step_kind, tools=wanted.tools, arguments=wanted.arguments
        )
        name = f"{header.title or 'Untitled'}, step {position}"
        freeze_test(person, tape_id, suite, at, check, name)
    reasons = [LeftOutPlaces(reason, count) for reason, count in left_out.items()]
    return NextStepTests(suite.id, suite.name, len(fitting), reasons)


def _find_places(tape: Tape) -> Iterator[tuple[int, int]]:
    """Yield the number of steps before each action and its position; one action for each prompt."""
    seen = set[int]()
    for position, step in enumerate(tape.steps):
        if not ends_turn(step):
            continue
        at = find_beginning(tape, position)
        if at and at not in seen:
            seen.add(at)
            yield at, position


def _part(
    person: Person, tape_id: UUID, version: UUID | None, places: list[tuple[int, int]]
) -> tuple[Counter[str], list[tuple[int, int]]]:
    """Split places into the reasons why an agent cannot start at some, and the other places."""
    left_out, fitting = Counter[str](), list[tuple[int, int]]()
    candidate = None if version is None else load_candidate(person.project_id, version)
    for at, position in places:
        reason = candidate and explain_misfit(person.project_id, tape_id, candidate, at=at)
        if reason:
            left_out[reason] += 1
        else:
            fitting.append((at, position))
    return left_out, fitting
