"""Who gets which item next, whatever people do and whenever their locks run out."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tapes_app.annotation.domain.queueing import (
    AnswerPlace,
    QueueItem,
    choose_next,
    count_places,
    pair_alike,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LOCK = timedelta(minutes=30)


def item(number: int, *places: AnswerPlace, skipped_by: frozenset[int] = frozenset()) -> QueueItem:
    return QueueItem(number, places or (AnswerPlace(),), skipped_by)


def held(person: int, minutes: int = 10) -> AnswerPlace:
    return AnswerPlace(person, NOW + timedelta(minutes=minutes))


def answered(person: int) -> AnswerPlace:
    return AnswerPlace(person, None, is_answered=True)


def chosen(person: int, *items: QueueItem) -> tuple[int, int] | None:
    pick = choose_next(items, person, NOW)
    return None if pick is None else (pick.item, pick.place)


def test_what_one_holds_comes_first_and_the_latest_hold_before_others() -> None:
    assert chosen(1, item(0), item(1, held(1)), item(2, held(1, 20))) == (2, 0)


def test_an_own_lock_that_ran_out_is_still_ones_own() -> None:
    assert chosen(1, item(0), item(1, held(1, -5))) == (1, 0)


def test_what_others_hold_waits_until_their_lock_ran_out() -> None:
    assert chosen(1, item(0, held(2))) is None
    assert chosen(1, item(0, held(2, -5))) == (0, 0)


def test_nobody_gets_an_item_twice_or_one_they_put_off() -> None:
    answered_once = item(0, answered(1), AnswerPlace())
    put_off = item(1, skipped_by=frozenset({1}))

    assert chosen(1, answered_once, put_off) is None
    assert chosen(2, answered_once, put_off) == (0, 1)


moves = st.lists(
    st.tuples(
        st.integers(1, 4),
        st.sampled_from(["answer", "skip", "leave", "keep"]),
        st.integers(0, 45),
    ),
    max_size=80,
)


@given(moves, st.integers(1, 5), st.integers(1, 3))
def test_no_item_is_answered_too_often_or_twice_by_one_person(
    moves: list[tuple[int, str, int]], item_count: int, place_count: int
) -> None:
    items = {n: item(n, *[AnswerPlace()] * place_count) for n in range(item_count)}
    now = NOW
    for person, move, minutes in moves:
        now += timedelta(minutes=minutes)
        pick = choose_next(items.values(), person, now)
        if pick is None:
            assert not any(
                place.is_open_for(person, now)
                for one in items.values()
                for place in one.places
                if person not in one.skipped_by
                and all(other.person != person for other in one.places)
            )
            continue
        before = items[pick.item]
        assert person not in before.skipped_by or pick.reason == "own"
        place = {
            "answer": answered(person),
            "keep": AnswerPlace(person, now + LOCK),
        }.get(move, AnswerPlace())
        places = (*before.places[: pick.place], place, *before.places[pick.place + 1 :])
        skipped = before.skipped_by | ({person} if move == "skip" else set())
        items[pick.item] = replace(before, places=places, skipped_by=skipped)
        people = Counter(p.person for p in places if p.person is not None)
        assert all(count == 1 for count in people.values())
        assert len(places) == place_count


@given(st.integers(1, 5), st.text(max_size=8))
def test_all_that_people_can_answer_is_answered_in_the_end(place_count: int, seed: str) -> None:
    people = range(place_count + 1)
    sizes = [
        count_places(annotators=place_count, audit_percent=50, seed=seed, key=str(n))
        for n in range(6)
    ]
    items = {n: item(n, *[AnswerPlace()] * size) for n, size in enumerate(sizes)}
    for person in people:
        while (pick := choose_next(items.values(), person, NOW)) is not None:
            places = list(items[pick.item].places)
            places[pick.place] = answered(person)
            items[pick.item] = replace(items[pick.item], places=tuple(places))

    assert all(place.is_answered for one in items.values() for place in one.places)


def test_the_audited_items_are_about_the_share_and_always_the_same() -> None:
    def audited(keys: range) -> set[int]:
        return {
            key
            for key in keys
            if count_places(annotators=1, audit_percent=10, seed="s", key=str(key)) == 2
        }

    assert 60 <= len(audited(range(1000))) <= 140
    assert audited(range(500)) == {key for key in audited(range(1000)) if key < 500}
    assert {
        count_places(annotators=1, audit_percent=0, seed="s", key=str(k)) for k in range(9)
    } == {1}


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 2)), max_size=30))
def test_pairs_are_of_one_task_and_no_tape_is_forgotten(drawn: list[tuple[str, int]]) -> None:
    tapes = [(number, task, batch) for number, (task, batch) in enumerate(drawn)]

    pairs, alone = pair_alike(tapes)

    assert all(drawn[one][0] == drawn[other][0] for one, other in pairs)
    assert len({drawn[one][0] for one in alone}) == len(alone)
    assert sorted([one for pair in pairs for one in pair] + alone) == list(range(len(drawn)))


def test_attempts_of_different_batches_meet() -> None:
    tapes = [("a1", "sum", "A"), ("a2", "sum", "A"), ("b1", "sum", "B"), ("b2", "sum", "B")]

    assert pair_alike(tapes) == ([("a1", "b1"), ("a2", "b2")], [])
