"""Tests of searches for common words: newest first, page after page, none lost and none twice."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from tapes_app.engine.tape.tape import Tape
from tapes_app.library.domain.tape_query.parser import parse_query
from tapes_app.library.store import search as search_module
from tapes_app.library.store.lists import list_tapes
from tapes_app.library.store.plans import TapeFilter
from tapes_app.library.store.search import build_query
from tapes_app.library.store.search_index import newest_hits
from tapes_app.models import StepRecord, TapeRecord
from tapes_app.tapes.store.saving import save_tape
from tapes_app.tapes.store.tapes import append_steps
from tests.builders.tapes import user_step

_MOST_PAGES = 30

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[3, 8, 100], ids=lambda most: f"{most} hits")
def few_are_rare(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "_FIRST", 1)
    monkeypatch.setattr(search_module, "_RARE", 3)
    monkeypatch.setattr(search_module, "_GROWTH", 2)
    monkeypatch.setattr(search_module, "_MOST", request.param)
    monkeypatch.setattr(search_module, "_WRITING", timedelta(0))


def save_said(project: UUID, words: str, *, minutes_ago: int) -> UUID:
    tape_id = save_tape(project, Tape(steps=(user_step(words),)))
    moment = timezone.now() - timedelta(minutes=minutes_ago)
    TapeRecord.objects.filter(id=tape_id).update(created_at=moment)
    StepRecord.objects.filter(log_id=tape_id).update(created_at=moment)
    return tape_id


def all_pages(project: UUID, text: str, *, limit: int) -> list[UUID]:
    where, found = TapeFilter(query=parse_query(text)), list[UUID]()
    after: str | None = ""  # as the API says that it is the first page
    for _ in range(_MOST_PAGES):
        page = list_tapes(project, where, after=after, limit=limit)
        found += [row.id for row in page.items]
        after = page.next
        if after is None:
            break
    return found


@pytest.mark.usefixtures("few_are_rare")
@pytest.mark.parametrize("limit", [1, 2, 3, 4, 20])
def test_every_tape_is_on_one_page_newest_first(project_id: UUID, limit: int) -> None:
    ids = [save_said(project_id, f"common word{at % 2}", minutes_ago=20 - at) for at in range(10)]
    save_said(project_id, "another", minutes_ago=0)

    assert all_pages(project_id, "common ", limit=limit) == ids[::-1]
    assert all_pages(project_id, "common word1 ", limit=limit) == ids[::-1][::2]
    assert all_pages(project_id, "common -text:word1", limit=limit) == ids[::-1][1::2]
    assert all_pages(project_id, "comm", limit=limit) == ids[::-1]
    assert all_pages(project_id, '"common word1"', limit=limit) == ids[::-1][::2]


@pytest.mark.usefixtures("few_are_rare")
def test_an_old_tape_that_went_on_keeps_its_place(project_id: UUID) -> None:
    ids = [save_said(project_id, "common", minutes_ago=20 - at) for at in range(8)]
    append_steps(ids[0], (user_step("common again"),), project=project_id, expected_count=1)

    assert all_pages(project_id, "common ", limit=2) == ids[::-1]


@pytest.mark.usefixtures("few_are_rare")
def test_common_words_of_other_projects_hide_none(project_id: UUID, other_project_id: UUID) -> None:
    mine = [save_said(project_id, "common", minutes_ago=60 - at) for at in range(5)]
    for at in range(5):
        save_said(other_project_id, "common", minutes_ago=20 - at)

    assert all_pages(project_id, "common ", limit=2) == mine[::-1]


def test_hits_are_found_however_far_their_ids_are_apart(project_id: UUID) -> None:
    tape_id = save_tape(project_id, Tape(steps=(user_step("common"),)))
    first = StepRecord.objects.get(log_id=tape_id)
    ids = [first.pk + distance for distance in (0, 9, 2**14, 2**17, 2**18 + 3, 2**21, 2**24 - 1)]
    for position, step_id in enumerate(ids[1:], start=1):
        first.pk, first.position = step_id, position
        first.save(force_insert=True)

    found: list[int] = []
    while hits := newest_hits(build_query("common"), limit=2, before=found[-1] if found else None):
        found += [step for step, _, _ in hits]

    assert found == ids[::-1]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("日本", [0, 1]),
        ("東京 train", [1]),
        ("train 日本語", []),
        ('"東京で train"', [1]),
        ("ไทย", [2]),
        ("🎉", [3]),
        ("→ done", [3]),
        ("done", [3]),
        ("don", [3]),
        ("名前", [4]),
        ("日本 -text:東京", [0]),
    ],
)
def test_scripts_without_spaces_and_single_signs_are_found(
    project_id: UUID, query: str, found: list[int]
) -> None:
    texts = (
        "これは日本語の文です",
        "日本の東京で train を待つ",
        "ภาษาไทยไม่มีช่องว่าง",
        "all tests → done 🎉",
        "no such word",
    )
    ids = [save_said(project_id, text, minutes_ago=20 - at) for at, text in enumerate(texts)]
    titled = save_tape(project_id, Tape(steps=(user_step("x"),)), title="人の名前と番号")

    rows = list_tapes(project_id, TapeFilter(query=parse_query(query))).items

    known = {tape_id: at for at, tape_id in enumerate([*ids[:4], titled])}
    assert sorted(known[row.id] for row in rows) == found
    for row in rows:
        assert any(part.is_hit for part in row.snippet), query
