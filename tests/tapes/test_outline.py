"""Tests of the outline in columns: it says what the steps say."""

from itertools import product
from typing import Any
from uuid import UUID

import pytest
from pytest_django import DjangoAssertNumQueries

from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.tape.tape import Tape
from tapes_app.tapes.domain.rows import OutlineRow
from tapes_app.tapes.store.counters import TOTALS
from tapes_app.tapes.store.edits import fork_tape
from tapes_app.tapes.store.headers import load_outline
from tapes_app.tapes.store.outline import (
    OutlinePage,
    find_kind,
    load_outline_page,
    load_outline_tag,
)
from tapes_app.tapes.store.saving import save_tape
from tapes_app.tapes.store.tapes import append_steps
from tests.builders.tapes import answer, make_steps, make_tape, user_step
from tests.http.worlds import talk

pytestmark = pytest.mark.django_db


def read(page: OutlinePage) -> list[OutlineRow]:
    """Read the columns as a browser does."""
    return [read_row(page, at) for at in range(len(page.kind))]


def read_row(page: OutlinePage, at: int) -> OutlineRow:
    call: dict[str, Any] = {"call_id": None, **dict.fromkeys(TOTALS)}
    if page.call[at] >= 0:
        call = {name: getattr(page.calls, name)[page.call[at]] for name in TOTALS}
        call["call_id"] = page.calls.id[page.call[at]]
    return OutlineRow(
        position=page.start + at,
        kind=page.kinds[page.kind[at]],
        family=page.families[page.family[at]],
        writer=page.writers[page.writer[at]],
        agent=page.agents[page.agent[at]],
        node=page.nodes[page.node[at]],
        prompt_id=page.prompts[page.prompt[at]],
        lane=page.lanes[page.lane[at]],
        gist=page.gist[at],
        is_error=bool(page.is_error[at]),
        is_own=bool(page.is_own[at]),
        **call,
    )


@pytest.fixture
def grown_fork(project_id: UUID) -> UUID:
    """A tape of two logs: six steps of its parent and five of its own, with calls in both."""
    tape, calls = talk(3)
    parent = save_tape(project_id, tape, calls=calls)
    child = fork_tape(parent, project=project_id, at=6)
    more, more_calls = talk(2)
    steps = [step.with_metadata(id=f"new-{at}") for at, step in enumerate(more.steps[1:])]
    append_steps(child, steps, project=project_id, expected_count=6, calls=more_calls)
    return child


def test_the_columns_say_what_the_rows_say(project_id: UUID, grown_fork: UUID) -> None:
    page = load_outline_page(grown_fork, project_id, start=0, count=100)

    assert read(page) == load_outline(grown_fork, project_id)
    assert page.step_count == 11
    assert len(page.calls.id) == len(set(page.calls.id)) == 4


def test_every_page_is_a_piece_of_the_whole(project_id: UUID, grown_fork: UUID) -> None:
    whole = load_outline(grown_fork, project_id)

    for start, count in product(range(13), range(13)):
        page = load_outline_page(grown_fork, project_id, start=start, count=count)
        assert read(page) == whole[start : start + count]


@pytest.mark.parametrize("count", [0, 1, 1500])
def test_a_page_takes_two_queries_however_long_the_tape(
    project_id: UUID, count: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    tape_id = save_tape(project_id, make_tape(count))

    with django_assert_max_num_queries(2):
        assert len(load_outline_page(tape_id, project_id, start=0, count=2000).kind) == count


@pytest.mark.parametrize(
    ("text", "lines"),
    [("", 1), ("short", 1), ("a\nb\nc", 3), ("x" * 200, 3), ("a b\n" * 5000, 12)],
)
def test_the_outline_tells_how_many_lines_a_step_takes(
    project_id: UUID, text: str, lines: int
) -> None:
    tape_id = save_tape(project_id, Tape(steps=(user_step(text),)))

    assert load_outline_page(tape_id, project_id, start=0, count=1).lines == [lines]


def test_the_first_step_of_a_kind_is_found(project_id: UUID, grown_fork: UUID) -> None:
    outline = load_outline(grown_fork, project_id)

    for kind in {row.kind for row in outline}:
        first = next(row.position for row in outline if row.kind == kind)
        assert find_kind(grown_fork, project_id, kind) == first
    assert find_kind(grown_fork, project_id, "never seen") is None


def test_the_tag_changes_when_the_tape_grows(project_id: UUID) -> None:
    tape_id = save_tape(project_id, make_tape(2))
    before = load_outline_tag(tape_id, project_id)
    unchanged = load_outline_tag(tape_id, project_id)

    append_steps(tape_id, [answer("More.")], project=project_id, expected_count=2)

    assert before == unchanged != load_outline_tag(tape_id, project_id)


def test_the_outline_of_another_project_is_not_found(
    project_id: UUID, other_project_id: UUID
) -> None:
    tape_id = save_tape(project_id, Tape(steps=make_steps(2)))

    with pytest.raises(NotFoundError):
        load_outline_page(tape_id, other_project_id, start=0, count=1)
    with pytest.raises(NotFoundError):
        load_outline_tag(tape_id, other_project_id)
