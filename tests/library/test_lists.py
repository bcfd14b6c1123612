"""Tests of lists, search and removal."""

from uuid import UUID

import pytest
from pytest_django import DjangoAssertNumQueries

from tapes_app.engine.errors import ConflictError, InvalidInputError, NotFoundError
from tapes_app.engine.tape.dialog_steps import ActionFailure
from tapes_app.engine.tape.tape import Tape
from tapes_app.library.domain.tape_query.conditions import TapeQuery, Words
from tapes_app.library.domain.tape_query.parser import parse_query
from tapes_app.library.store import search as search_module
from tapes_app.library.store.lists import list_tapes
from tapes_app.library.store.plans import TapeFilter
from tapes_app.library.store.search import build_query
from tapes_app.library.store.search_index import newest_hits
from tapes_app.models import JobRecord, StepRecord, TapeRecord
from tapes_app.tapes.store.batches import ensure_batch, list_batches, load_batch
from tapes_app.tapes.store.edits import fork_tape
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.removal import delete_tape, restore_tape
from tapes_app.tapes.store.saving import NewTape, save_tape, save_tapes
from tapes_app.tapes.store.tapes import append_steps
from tests.builders.tapes import answer, make_tape, user_step

pytestmark = pytest.mark.django_db


def test_pages_hold_every_tape_once_while_new_ones_arrive(project_id: UUID) -> None:
    ids = [save_tape(project_id, make_tape(1)) for _ in range(7)]

    seen, after = [], None
    while True:
        page = list_tapes(project_id, after=after, limit=3)
        seen += [row.id for row in page.items]
        save_tape(project_id, make_tape(1))
        if page.next is None:
            break
        after = page.next

    assert seen == ids[::-1]


def test_tapes_of_one_moment_are_paged_without_loss(project_id: UUID) -> None:
    ids = set(save_tapes(project_id, [NewTape(make_tape(1)) for _ in range(9)]))
    moment = TapeRecord.objects.earliest("created_at").created_at
    TapeRecord.objects.update(created_at=moment)

    first = list_tapes(project_id, limit=4)
    second = list_tapes(project_id, limit=4, after=first.next)
    third = list_tapes(project_id, limit=4, after=second.next)

    seen = [row.id for page in (first, second, third) for row in page.items]
    assert len(seen) == 9
    assert set(seen) == ids
    assert third.next is None


def test_a_page_takes_three_queries_however_many_tapes(
    project_id: UUID, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    batch = ensure_batch(project_id, "all")
    save_tapes(project_id, [NewTape(make_tape(2)) for _ in range(60)], batch=batch.id)

    with django_assert_num_queries(3):
        page = list_tapes(project_id, limit=50)

    assert len(page.items) == 50
    assert {row.batch_name for row in page.items} == {"all"}


def test_saving_many_takes_no_more_queries_than_saving_few(
    project_id: UUID, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (1, 40):
        with django_assert_max_num_queries(9):
            save_tapes(project_id, [NewTape(make_tape(3)) for _ in range(count)])


def test_lists_are_narrowed_by_agent_batch_error_and_origin(project_id: UUID) -> None:
    batch = ensure_batch(project_id, "b")
    plain = save_tape(project_id, Tape(steps=(user_step(),)))
    bots = save_tape(project_id, Tape(steps=(answer(),)), batch=batch.id)
    broken = save_tape(project_id, Tape(steps=(user_step(), ActionFailure(error="no"))))
    child = fork_tape(broken, project=project_id)

    assert listed(project_id, "") == [child, broken, bots, plain]
    assert listed(project_id, "agent:bot") == [bots]
    assert listed(project_id, f"batch:{batch.id}") == [bots]
    assert listed(project_id, "has:error") == [child, broken]
    assert listed(project_id, "-has:error") == [bots, plain]
    assert listed(project_id, "is:fork") == listed(project_id, "has:parent") == [child]
    assert listed(project_id, "has:child OR has:parent") == [child, broken]


@pytest.mark.parametrize("cursor", ["x", "2026-01-01~zz", "2026-01-01T00:00:00~" + "0" * 32])
def test_a_made_up_cursor_is_refused(project_id: UUID, cursor: str) -> None:
    with pytest.raises(InvalidInputError):
        list_tapes(project_id, after=cursor)


def listed(project: UUID, query: str) -> list[UUID]:
    return [row.id for row in list_tapes(project, TapeFilter(query=parse_query(query))).items]


def test_search_finds_words_newest_first_in_one_project(
    project_id: UUID, other_project_id: UUID
) -> None:
    old = save_tape(project_id, Tape(steps=(user_step("The red fox"), answer("A brown fox"))))
    new = save_tape(project_id, Tape(steps=(user_step("fox-hunting at example.com/x_y"),)))
    save_tape(other_project_id, Tape(steps=(user_step("a secret fox"),)))

    foxes = list_tapes(project_id, TapeFilter(query=parse_query("fox"))).items
    (red,) = list_tapes(project_id, TapeFilter(query=parse_query("RED FOX"))).items

    assert [row.id for row in foxes] == [new, old]
    assert [part.text for part in foxes[1].snippet or () if not part.is_hit] == ["A brown "]
    assert (red.id, [part.text for part in red.snippet or ()]) == (
        old,
        ["The ", "red", " ", "fox"],
    )
    assert listed(project_id, "example x") == [new]
    assert listed(project_id, "brow") == [old]
    assert listed(project_id, "secret") == []
    assert listed(project_id, " ?! ") == []


@pytest.mark.parametrize(
    "text", ['"', "a AND", "* OR *", "NEAR(", "x' --", "a:b & !c", "\x00fox", "\ud800", "(", "%s %"]
)
def test_any_text_can_be_searched_for(project_id: UUID, text: str) -> None:
    save_tape(project_id, make_tape(2))

    list_tapes(project_id, TapeFilter(query=TapeQuery(Words(text))))


def test_hits_are_paged(project_id: UUID) -> None:
    tape_id = save_tape(project_id, Tape(steps=tuple(user_step("same words") for _ in range(5))))
    steps = StepRecord.objects.filter(log_id=tape_id).order_by("-position")

    first = newest_hits(build_query("same"), limit=3)
    second = newest_hits(build_query("same"), limit=3, before=first[-1][0])

    assert [step for step, _, _ in (*first, *second)] == list(steps.values_list("id", flat=True))
    assert {tape for _, tape, _ in (*first, *second)} == {tape_id}


def test_lists_by_words_hold_rare_and_common_ones(
    project_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [save_tape(project_id, Tape(steps=(user_step(f"common word{i}"),))) for i in range(5)]
    for limit in (100, 2):  # below and above the number of hits
        monkeypatch.setattr(search_module, "_FIRST", limit - 1)
        monkeypatch.setattr(search_module, "_RARE", limit)

        page = list_tapes(project_id, TapeFilter(query=parse_query("common")), limit=3)
        rest = list_tapes(
            project_id, TapeFilter(query=parse_query("common")), limit=3, after=page.next
        )

        assert [row.id for row in (*page.items, *rest.items)] == ids[::-1]
        one = list_tapes(project_id, TapeFilter(query=parse_query("word3"))).items
        assert [row.id for row in one] == [ids[3]]


def test_a_tape_with_children_or_live_jobs_stays(project_id: UUID) -> None:
    tape_id = save_tape(project_id, make_tape(2))
    child = fork_tape(tape_id, project=project_id)
    job = JobRecord.objects.create(
        project_id=project_id, tape_id=child, kind="run", state="waiting"
    )

    with pytest.raises(ConflictError, match="branched off"):
        delete_tape(tape_id, project_id)
    with pytest.raises(ConflictError, match="job"):
        delete_tape(child, project_id)
    JobRecord.objects.filter(id=job.id).update(state="failed")
    delete_tape(child, project_id)
    delete_tape(tape_id, project_id)

    assert list_tapes(project_id).items == ()
    assert listed(project_id, "question") == []
    assert TapeRecord.objects.filter(deleted_at__isnull=False).count() == 2
    with pytest.raises(NotFoundError):
        load_tape(tape_id, project_id)
    with pytest.raises(NotFoundError):
        append_steps(tape_id, (answer(),), project=project_id, expected_count=2)


def test_a_deleted_tape_comes_back_after_its_parent(
    project_id: UUID, other_project_id: UUID
) -> None:
    tape_id = save_tape(project_id, make_tape(2))
    child = fork_tape(tape_id, project=project_id)
    delete_tape(child, project_id)
    delete_tape(tape_id, project_id)

    with pytest.raises(NotFoundError):
        restore_tape(tape_id, other_project_id)
    with pytest.raises(ConflictError):
        restore_tape(child, project_id)
    restore_tape(tape_id, project_id)
    restore_tape(child, project_id)

    assert len(load_tape(child, project_id)) == 2


def test_a_batch_counts_its_tapes(project_id: UUID) -> None:
    batch = ensure_batch(project_id, "b")
    assert ensure_batch(project_id, "b").id == batch.id
    broken = make_tape(1).with_metadata(error="x")
    ids = save_tapes(project_id, [NewTape(make_tape(1)), NewTape(broken)], batch=batch.id)

    delete_tape(ids[1], project_id)

    row = load_batch(batch.id, project_id)
    assert (row.tape_count, row.error_count) == (1, 0)
    assert [one.id for one in list_batches(project_id).items] == [batch.id]


def test_children_that_come_with_their_parents_are_linked(project_id: UUID) -> None:
    parent = make_tape(2).with_metadata(id="old-name")
    child = parent.fork(1)
    looping = make_tape(1).with_metadata(id="x", parent_id="x")

    parent_id, child_id, loop_id = save_tapes(
        project_id, [NewTape(parent), NewTape(child), NewTape(looping)]
    )

    row = TapeRecord.objects.get(id=child_id)
    assert (row.parent_id, row.root_id) == (parent_id, parent_id)
    assert TapeRecord.objects.get(id=loop_id).parent_id is None
    assert load_tape(child_id, project_id).metadata.parent_id == str(parent_id)
    assert load_tape(child_id, project_id, as_source=True).metadata.parent_id == "old-name"
