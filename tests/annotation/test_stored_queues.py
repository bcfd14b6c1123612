"""Queues in the store: of those who reach for one place one gets it, and counts stay true."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tapes_app.annotation.domain.rubric import BinaryItem, Rubric, Score
from tapes_app.annotation.store import queue_answers, queue_items, queues, rubrics
from tapes_app.annotation.store.queue_answers import Answer, Assignment, LockLostError
from tapes_app.annotation.store.queue_filling import Target, add_items
from tapes_app.engine.errors import ConflictError, NotFoundError
from tapes_app.models import AnswerRecord, QueueRecord
from tapes_app.tapes.store.removal import delete_tape
from tapes_app.tapes.store.saving import save_tape
from tests.builders.at_once import WRITERS, at_once
from tests.builders.tapes import make_tape

RUBRIC = Rubric(items=(BinaryItem(key="good", question="Good?"),), score=Score(rule="all"))
TRANSACTIONAL = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people(user: int) -> list[int]:
    names = [f"person {number}" for number in range(WRITERS)]
    return [get_user_model().objects.create_user(name).pk for name in names]


@pytest.fixture
def make_queue(project_id: UUID, user: int) -> Callable[..., UUID]:
    def make(tape_count: int = 3, **values: Any) -> UUID:
        rubric = rubrics.find_rubric("r", project_id) or rubrics.create_rubric(
            project_id, "r", RUBRIC, owner=user
        )
        queue = queues.create_queue(
            project_id, owner=user, rubric_version=rubric.version_id, **{"name": "q", **values}
        )
        tapes = [save_tape(project_id, make_tape(2)) for _ in range(tape_count)]
        add_items(queue.id, project_id, [Target(tape) for tape in tapes])
        return queue.id

    return make


def take(queue: UUID, person: int) -> Assignment | None:
    return queue_answers.claim_next(queue, person, minutes=30)


def agrees(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one == other


def answer(queue: UUID, item: UUID, person: int, *, good: bool = True) -> None:
    said = Answer({"good": good}, float(good), 3.0, "")
    queue_answers.submit_answer(queue, item, person, said, agrees=agrees)


def counts(queue: UUID) -> tuple[int, ...]:
    record = QueueRecord.objects.get(id=queue)
    return (
        record.item_count,
        record.done_count,
        record.answer_count,
        record.pair_count,
        record.agreeing_count,
    )


def let_locks_run_out(queue: UUID) -> None:
    held = AnswerRecord.objects.filter(queue_id=queue, held_until__isnull=False)
    held.update(held_until=timezone.now() - timedelta(minutes=1))


@TRANSACTIONAL
def test_those_who_reach_at_once_hold_different_items(
    make_queue: Callable[..., UUID], people: list[int]
) -> None:
    queue = make_queue(WRITERS)

    taken = at_once(lambda number: take(queue, people[number]))

    items = [one.item_id for one in taken if isinstance(one, Assignment)]
    assert len(set(items)) == WRITERS


@TRANSACTIONAL
def test_of_many_who_reach_for_the_last_place_one_gets_it(
    make_queue: Callable[..., UUID], people: list[int]
) -> None:
    queue = make_queue(1)

    taken = at_once(lambda number: take(queue, people[number]))

    assert len([one for one in taken if one is not None]) == 1
    assert AnswerRecord.objects.filter(person__isnull=False).count() == 1


@TRANSACTIONAL
def test_one_person_in_many_windows_holds_one_place(
    make_queue: Callable[..., UUID], people: list[int]
) -> None:
    queue = make_queue(1, annotators_per_item=3)

    at_once(lambda _: take(queue, people[0]))

    assert AnswerRecord.objects.filter(person_id=people[0]).count() == 1


@TRANSACTIONAL
def test_answers_given_at_once_are_all_counted_with_their_pairs(
    make_queue: Callable[..., UUID], people: list[int]
) -> None:
    queue = make_queue(1, annotators_per_item=WRITERS)
    for person in people:
        take(queue, person)
    item = AnswerRecord.objects.values_list("item_id", flat=True)[0]

    at_once(lambda number: answer(queue, item, people[number], good=number > 0))

    pairs = WRITERS * (WRITERS - 1) // 2
    assert counts(queue) == (1, 1, WRITERS, pairs, pairs - (WRITERS - 1))


@pytest.mark.django_db
def test_the_same_item_comes_back_until_it_is_answered(
    make_queue: Callable[..., UUID], people: list[int]
) -> None:
    queue = make_queue(2)
    first = take(queue, people[0])
    again = take(queue, people[0])
    assert first is not None
    assert again is not None
    assert again.item_id == first.item_id

    answer(queue, first.item_id, people[0])
    second = take(queue, people[0])
    assert second is not None
    assert second.number == 1
    answer(queue, second.item_id, people[0])
    assert take(queue, people[0]) is None
    assert counts(queue) == (2, 2, 2, 0, 0)


@pytest.mark.django_db
def test_a_lock_that_ran_out_and_was_taken_refuses_the_answer_and_says_who(
    make_queue: Callable[..., UUID], people: list[int]
) -> None:
    queue = make_queue(1)
    late = take(queue, people[0])
    assert late is not None
    let_locks_run_out(queue)
    assert take(queue, people[1]) is not None

    with pytest.raises(LockLostError, match="person 1 took it"):
        answer(queue, late.item_id, people[0])

    answer(queue, late.item_id, people[1])
    assert counts(queue) == (1, 1, 1, 0, 0)


@pytest.mark.django_db
def test_a_lock_that_ran_out_still_answers_while_nobody_took_the_item(
    make_queue: Callable[..., UUID], people: list[int]
) -> None:
    queue = make_queue(1)
    held = take(queue, people[0])
    assert held is not None
    let_locks_run_out(queue)

    answer(queue, held.item_id, people[0])

    assert counts(queue)[1:3] == (1, 1)


@pytest.mark.django_db
def test_going_back_uncounts_the_answer_and_keeps_what_it_said(
    make_queue: Callable[..., UUID], people: list[int]
) -> None:
    queue = make_queue(1, annotators_per_item=2)
    for person in people[:2]:
        held = take(queue, person)
        assert held is not None
        answer(queue, held.item_id, person)
    assert counts(queue) == (1, 1, 2, 1, 1)

    reopened = queue_answers.reopen_last(queue, people[0], minutes=30, agrees=agrees)

    assert reopened.values == {"good": True}
    assert counts(queue) == (1, 0, 1, 0, 0)
    answer(queue, reopened.item_id, people[0], good=False)
    assert counts(queue) == (1, 1, 2, 1, 0)
    with pytest.raises(ConflictError, match="not answered anything"):
        queue_answers.reopen_last(queue, people[2], minutes=30, agrees=agrees)


@pytest.mark.django_db
def test_what_was_put_off_comes_back_when_it_is_requeued(
    make_queue: Callable[..., UUID], people: list[int]
) -> None:
    queue = make_queue(1)
    held = take(queue, people[0])
    assert held is not None
    queue_answers.release_item(queue, held.item_id, people[0], is_skipped=True)

    assert take(queue, people[0]) is None
    assert queue_items.load_progress(queue, people[0]).skipped_count == 1
    assert queue_answers.requeue_skipped(queue, person=people[0]) == 1
    assert take(queue, people[0]) is not None


@pytest.mark.django_db
def test_progress_says_what_others_hold(make_queue: Callable[..., UUID], people: list[int]) -> None:
    queue = make_queue(2)
    take(queue, people[0])

    assert [
        (one.person, one.item_count) for one in queue_items.load_progress(queue, people[1]).locked
    ] == [("person 0", 1)]
    assert queue_items.load_progress(queue, people[0]).locked == ()


@pytest.mark.django_db
def test_nothing_is_in_a_queue_twice_and_deleted_tapes_are_passed_over(
    project_id: UUID, make_queue: Callable[..., UUID], people: list[int]
) -> None:
    queue = make_queue(0)
    tape, other = (save_tape(project_id, make_tape(2)) for _ in range(2))
    wanted = [Target(tape), Target(tape), Target(tape, position=1), Target(other)]

    assert add_items(queue, project_id, wanted) == 3
    assert add_items(queue, project_id, wanted) == 0
    delete_tape(tape, project_id)
    held = take(queue, people[0])
    assert held is not None
    assert held.tape_id == other


@pytest.mark.django_db
def test_a_tape_of_another_project_is_not_added_and_neither_is_the_rest(
    project_id: UUID, other_project_id: UUID, make_queue: Callable[..., UUID]
) -> None:
    queue = make_queue(0)
    ours, theirs = save_tape(project_id, make_tape(2)), save_tape(other_project_id, make_tape(2))

    with pytest.raises(NotFoundError):
        add_items(queue, project_id, [Target(ours), Target(theirs)])

    assert counts(queue)[0] == 0
    with pytest.raises(NotFoundError):
        queues.load_queue(queue, other_project_id)


@pytest.mark.django_db
def test_lists_take_the_same_queries_however_long_they_are(
    project_id: UUID,
    make_queue: Callable[..., UUID],
    people: list[int],
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    made = [make_queue(10, name=f"q{number}", annotators_per_item=2) for number in range(5)]
    for queue in made:
        held = take(queue, people[0])
        assert held is not None
        answer(queue, held.item_id, people[0])

    with django_assert_num_queries(2):
        assert len(queues.list_queues(project_id).items) == 5
    with django_assert_num_queries(4):
        page = queue_items.list_items(made[0], limit=4)
    assert page.next == "3"
    rest = queue_items.list_items(made[0], after=int(page.next), limit=200)
    assert [item.number for item in (*page.items, *rest.items)] == list(range(10))


@pytest.mark.django_db
def test_a_change_of_a_rubric_is_a_version_more_and_the_queue_keeps_its_own(
    project_id: UUID, make_queue: Callable[..., UUID]
) -> None:
    queue = make_queue(0)
    rubric = rubrics.list_rubrics(project_id)[0]
    other = Rubric(items=(BinaryItem(key="bad", question="Bad?"),))

    same = rubrics.change_rubric(rubric.id, project_id, name="renamed", rubric=RUBRIC)
    changed = rubrics.change_rubric(rubric.id, project_id, name="renamed", rubric=other)

    assert (same.version, changed.version) == (1, 2)
    asked = queues.load_queue(queue, project_id)
    assert (asked.rubric, asked.rubric_version) == (RUBRIC, 1)
    with pytest.raises(ConflictError, match="'q' uses this rubric"):
        rubrics.delete_rubric(rubric.id, project_id)
