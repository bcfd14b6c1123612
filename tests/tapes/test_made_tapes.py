"""Tapes that the benchmarks make in bulk must be stored as the product itself stores tapes."""

import importlib
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from tapes_app.engine.tape.steps import parse_step
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.library.domain.tape_query.parser import parse_query
from tapes_app.library.store.facets import count_facets
from tapes_app.library.store.lists import list_tapes
from tapes_app.library.store.plans import TapeFilter
from tapes_app.models import BatchRecord, StepRecord, TapeRecord
from tapes_app.tapes.store.headers import load_header, load_steps
from tapes_app.tapes.store.saving import NewTape, save_tapes

pytestmark = pytest.mark.django_db

COUNT = 50
SEED = 10
_BENCHMARKS = str(Path(__file__).resolve().parents[2] / "benchmarks")


@pytest.fixture
def stories(project_id: UUID, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Fill the project; return what was made, newest first."""
    monkeypatch.setattr(sys, "path", [_BENCHMARKS, *sys.path])
    importlib.import_module("bulk_tapes").fill(project_id, COUNT, seed=SEED)
    made = importlib.import_module("tape_stories").make_stories(COUNT, SEED)
    return list(reversed(list(made)))


def listed(project: UUID, text: str) -> list[UUID]:
    where = TapeFilter(query=parse_query(text), is_archived=False)
    return [row.id for row in list_tapes(project, where, limit=COUNT).items]


def test_they_are_stored_as_an_import_stores_them(
    project_id: UUID, other_project_id: UUID, stories: list[Any]
) -> None:
    whole = [story for story in stories if not story.kept]
    ids = save_tapes(other_project_id, [_as_new(story) for story in whole], writer="import")

    for story, saved in zip(whole, ids, strict=True):
        assert _tape_columns(story.id) == _tape_columns(saved)
        assert _step_columns(story.id) == _step_columns(saved)


def test_lists_words_and_sequences_find_them(project_id: UUID, stories: list[Any]) -> None:
    failed = [
        story.id for story in stories if story.metadata.get("result", {}).get("success") is False
    ]
    stuck = [story.id for story in stories if _is_stuck(story)]
    one = next(story for story in stories if not story.kept)

    assert listed(project_id, "") == [story.id for story in stories]
    assert listed(project_id, "outcome:fail") == failed
    assert listed(project_id, f"agent:{one.agent}")
    assert listed(project_id, f"text:{one.reference}") == [one.id]
    assert listed(project_id, f'"{one.reference}"') == [one.id]
    assert stuck
    assert listed(project_id, "seq: tool_error → same_call within 2") == stuck


def test_batches_tags_and_facets_count_them(project_id: UUID, stories: list[Any]) -> None:
    batch = BatchRecord.objects.get(project=project_id)
    counted = {facet.name: facet for facet in count_facets(project_id, TapeFilter()).facets}
    tags = [tag for story in stories for tag in story.tags]

    assert (batch.name, batch.tape_count) == (stories[0].batch, COUNT)
    assert (
        batch.error_count == TapeRecord.objects.filter(project=project_id, has_error=True).count()
    )
    assert {one.value: one.count for one in counted["tag"].values} == {
        tag: tags.count(tag) for tag in tags
    }


def test_a_fork_shows_the_steps_that_it_shares(project_id: UUID, stories: list[Any]) -> None:
    fork = next(story for story in stories if story.kept)

    header = load_header(fork.id, project_id)
    steps = load_steps(fork.id, project_id)

    assert str(header.parent_id) == fork.metadata["parent_id"]
    assert header.forked_at == fork.kept
    assert [step.body for step in steps] == fork.steps
    assert [step.is_own for step in steps] == [at >= fork.kept for at in range(len(steps))]


def _as_new(story: Any) -> NewTape:
    metadata = TapeMetadata.model_validate(story.metadata)
    steps = tuple(parse_step(step) for step in story.steps)
    return NewTape(Tape(metadata=metadata, steps=steps))


def _is_stuck(story: Any) -> bool:
    first, second = (step["tool_calls"] for step in story.steps if "tool_calls" in step)
    is_error = "other" in story.steps[3].get("metadata", {})
    return bool(is_error and first[0]["function"] == second[0]["function"])


_NOT_COMPARED = {
    "id", "project_id", "batch_id", "created_at", "updated_at", "digest", "spans",
    # What its calls took: the calls themselves are not made.
    "input_tokens", "output_tokens", "cost_micro_usd", "duration_seconds", "llm_call_count",
}  # fmt: skip


def _tape_columns(tape_id: UUID) -> dict[str, Any]:
    columns = TapeRecord.objects.filter(id=tape_id).values().get()
    return {name: value for name, value in columns.items() if name not in _NOT_COMPARED}


def _step_columns(tape_id: UUID) -> list[dict[str, Any]]:
    rows = StepRecord.objects.filter(log_id=tape_id).order_by("position").values()
    left_out = ("id", "log_id", "created_at")
    return [{name: value for name, value in row.items() if name not in left_out} for row in rows]
