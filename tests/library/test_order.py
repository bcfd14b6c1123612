"""Lists by any column: every tape once, whatever its value, on either database."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from tapes_app.engine.errors import InvalidInputError
from tapes_app.library.domain.tape_query.parser import parse_query
from tapes_app.library.store.lists import list_tapes
from tapes_app.library.store.order import SORT_NAMES
from tapes_app.library.store.plans import TapeFilter
from tapes_app.models import TapeRecord, TapeTagRecord
from tapes_app.tapes.store.batches import ensure_batch
from tapes_app.tapes.store.edits import fork_tape
from tapes_app.tapes.store.saving import NewTape, save_tape, save_tapes
from tests.builders.tapes import answer, make_call, make_tape, user_step

pytestmark = pytest.mark.django_db

_START = datetime(2026, 1, 1, tzinfo=UTC)
_TAPE_COUNT = 9
_TEXTS = st.sampled_from(["", "a", "A", "b~c", "é", "-"])
_ANSWERS = st.one_of(_TEXTS, st.sampled_from(["x" * 5000, "x" * 299 + "é~", "x" * 5000 + "y"]))
_OF_CALLS = ("tokens", "input", "cache", "output", "cost")
_VALUES = st.fixed_dictionaries(
    {
        "title": _TEXTS,
        "agent_name": _TEXTS,
        "author": _TEXTS,
        "batch": st.sampled_from([None, "a", "A", "b~c", "é", "-"]),
        "task": _TEXTS,
        "expected": _ANSWERS,
        "actual": _ANSWERS,
        "outcome": st.sampled_from(["", "pass", "fail"]),
        "score": st.sampled_from([None, None, 0.0, 0.1 + 0.2, -1.5]),
        "step_count": st.integers(0, 2),
        "error_count": st.integers(0, 2),
        "llm_call_count": st.integers(0, 2),
        "input_tokens": st.integers(0, 2),
        "cache_read_tokens": st.integers(0, 2),
        "output_tokens": st.integers(0, 2),
        "cost_micro_usd": st.sampled_from([0, 7, 2**53 - 1]),
        "duration_seconds": st.sampled_from([0.0, 1 / 3, 2.5]),
        "created_at": st.integers(0, 2).map(lambda days: _START + timedelta(days=days)),
        "updated_at": st.integers(0, 2).map(lambda days: _START + timedelta(microseconds=days)),
    }
)


@pytest.fixture
def tapes(project_id: UUID) -> list[UUID]:
    return list(save_tapes(project_id, [NewTape(make_tape(1)) for _ in range(_TAPE_COUNT)]))


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=st.lists(_VALUES, min_size=_TAPE_COUNT, max_size=_TAPE_COUNT), limit=st.integers(1, 4))
def test_every_order_gives_each_tape_once_in_both_directions(
    project_id: UUID, tapes: list[UUID], rows: list[dict[str, Any]], limit: int
) -> None:
    for tape_id, values in zip(tapes, rows, strict=True):
        batch_id = ensure_batch(project_id, values["batch"]).id if values["batch"] else None
        TapeRecord.objects.filter(id=tape_id).update(**{**values, "batch": batch_id})

    for name in SORT_NAMES:
        rising = page_through(project_id, name, limit=limit)
        falling = page_through(project_id, f"-{name}", limit=limit)
        assert sorted(rising) == sorted(tapes), name
        lacking = {id for id, values in zip(tapes, rows, strict=True) if lacks(values, name)}
        end = len(tapes) - len(lacking)
        assert set(rising[end:]) == lacking, name
        assert falling == rising[:end][::-1] + rising[end:][::-1], name


def test_numbers_go_up_and_down_and_what_has_none_comes_last(
    project_id: UUID, tapes: list[UUID]
) -> None:
    scores = [0.5, None, -2.0, None, 0.75, None, None, None, None]
    for tape_id, score in zip(tapes, scores, strict=True):
        TapeRecord.objects.filter(id=tape_id).update(score=score)

    def shown(sort: str) -> list[float | None]:
        return [row.score for row in list_tapes(project_id, sort=sort).items]

    assert shown("score") == [-2.0, 0.5, 0.75, *[None] * 6]
    assert shown("-score") == [0.75, 0.5, -2.0, *[None] * 6]


@pytest.mark.parametrize("sort", ["-cost", "score"])
def test_a_page_takes_few_queries_in_any_order(
    project_id: UUID,
    tapes: list[UUID],
    sort: str,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    with django_assert_max_num_queries(4):
        assert len(list_tapes(project_id, sort=sort).items) == _TAPE_COUNT


@pytest.mark.parametrize("sort", ["", "-created"])
def test_without_an_order_lists_are_newest_first(
    project_id: UUID, tapes: list[UUID], sort: str
) -> None:
    assert [row.id for row in list_tapes(project_id, sort=sort).items] == tapes[::-1]


@pytest.mark.parametrize("sort", ["colour", "-", "--cost", "id", "metadata", "cost\x00"])
def test_an_order_that_there_is_not_is_refused_with_those_there_are(
    project_id: UUID, sort: str
) -> None:
    with pytest.raises(InvalidInputError, match="choose one of"):
        list_tapes(project_id, sort=sort)


@pytest.mark.parametrize(
    "cursor",
    [
        "-cost~7",
        "-cost~seven~" + "0" * 32,
        "-cost~" + "9" * 30 + "~" + "0" * 32,
        "cost~7~" + "0" * 32,
        "-steps~7~" + "0" * 32,
    ],
)
def test_a_cursor_of_another_order_or_of_none_is_refused(project_id: UUID, cursor: str) -> None:
    with pytest.raises(InvalidInputError):
        list_tapes(project_id, sort="-cost", after=cursor)


@pytest.mark.parametrize("value", ["nan", "inf", "x"])
def test_a_cursor_with_a_number_that_is_none_is_refused(project_id: UUID, value: str) -> None:
    with pytest.raises(InvalidInputError):
        list_tapes(project_id, sort="-duration", after=f"-duration~{value}~{'0' * 32}")


def test_a_cursor_with_text_that_no_column_takes_is_refused(project_id: UUID) -> None:
    with pytest.raises(InvalidInputError):
        list_tapes(project_id, sort="title", after=f"title~a\x00~{'0' * 32}")


def test_a_row_tells_task_answers_outcome_tags_and_how_long_it_took(project_id: UUID) -> None:
    call = make_call(prompt_id="p").model_copy(update={"duration_seconds": 1.5})
    tape = make_tape(1).append(answer(prompt_id="p"))
    tape_id = save_tape(project_id, tape, calls=[call])
    TapeRecord.objects.filter(id=tape_id).update(
        task="t1", expected="x" * 5000, actual="y", outcome="fail", score=0.25
    )
    for name in ("slow", "bad"):
        TapeTagRecord.objects.create(project_id=project_id, tape_id=tape_id, name=name)

    row = list_tapes(project_id).items[0]

    assert (row.task, row.actual, row.outcome, row.score) == ("t1", "y", "fail", 0.25)
    assert row.tags == ("bad", "slow")
    assert row.totals.duration_seconds == 1.5
    assert len(row.expected) == 300


def test_a_fork_counts_the_time_of_what_it_keeps(project_id: UUID) -> None:
    calls = [
        make_call(prompt_id=name).model_copy(update={"duration_seconds": seconds})
        for name, seconds in (("a", 1.0), ("b", 2.0))
    ]
    steps = (user_step(), answer(prompt_id="a"), answer(prompt_id="b"))
    tape_id = save_tape(project_id, make_tape(0).append(*steps), calls=calls)

    child = fork_tape(tape_id, project=project_id, at=2)

    durations = {row.id: row.totals.duration_seconds for row in list_tapes(project_id).items}
    assert durations == {tape_id: 3.0, child: 1.0}


def lacks(values: Mapping[str, Any], name: str) -> bool:
    """Return whether a tape has nothing to be ordered by."""
    if name in _OF_CALLS:
        return bool(values["llm_call_count"] == 0)
    if name in {"title", "batch", "author", "task", "expected", "actual", "outcome"}:
        return not values[name]
    if name == "agent":
        return not values["agent_name"]
    if name == "duration":
        return bool(values["duration_seconds"] == 0)
    return name == "score" and values["score"] is None


def page_through(project: UUID, sort: str, *, limit: int) -> list[UUID]:
    """Return the ids of a whole list in its order; it ends, or the test does."""
    seen: list[UUID] = []
    after = None
    for _ in range(_TAPE_COUNT + 1):
        page = list_tapes(project, sort=sort, after=after, limit=limit)
        seen += [row.id for row in page.items]
        after = page.next
        if after is None:
            break
    return seen


def test_a_search_of_steps_is_ordered_too(project_id: UUID, tapes: list[UUID]) -> None:
    for cost, tape_id in enumerate(tapes):
        TapeRecord.objects.filter(id=tape_id).update(cost_micro_usd=cost, llm_call_count=1)
    where = TapeFilter(query=parse_query("seq: user"))

    first = list_tapes(project_id, where, sort="-cost", limit=5)
    second = list_tapes(project_id, where, sort="-cost", limit=5, after=first.next)

    assert [row.id for page in (first, second) for row in page.items] == tapes[::-1]
    assert second.next is None
