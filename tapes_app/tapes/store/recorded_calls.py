"""Recorded answers in a tape's lineage, found by their prompts."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tapes_app.engine.model.llm import CallTokens, LLMOutput, Usage
from tapes_app.models import LLMCallRecord, StepRecord, TapeRecord
from tapes_app.tapes.store.access import get_columns
from tapes_app.tapes.store.call_columns import prompt_id_of, read_usage
from tapes_app.tapes.store.call_tokens import load_tokens

MOST_ANCESTORS = 1_000
_MOST_CALLS = 500
"""How many calls with the same prompt are checked, over all tapes of a project."""


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """One answer of a model."""

    prompt_id: str
    model_name: str
    output: LLMOutput
    usage: Usage
    finish_reason: str
    tokens: CallTokens | None


def list_lineage(tape_id: UUID, project: UUID) -> tuple[UUID, ...]:
    """Return a tape and its ancestors, nearest first."""
    lineage = [tape_id]
    (parent_id,) = get_columns(tape_id, project, "parent_id")
    while parent_id is not None and parent_id not in lineage and len(lineage) < MOST_ANCESTORS:
        lineage.append(parent_id)
        parents = TapeRecord.objects.filter(id=parent_id, project_id=project)
        parent_id = parents.values_list("parent_id", flat=True).first()
    return tuple(lineage)


def find_answers(
    project: UUID, prompt_digest: str, lineage: Sequence[UUID]
) -> tuple[RecordedAnswer, ...]:
    """Return the answers to a prompt that became steps of these tapes, in three queries.

    They are ordered by tape, as given, and then by step. An answer that led to no step is left out:
    it would lead to none again.
    """
    place = {tape_id: index for index, tape_id in enumerate(lineage)}
    asked = LLMCallRecord.objects.filter(
        project_id=project, prompt_digest=prompt_digest, error=""
    ).order_by("-created_at")
    records = {record.id: record for record in asked[:_MOST_CALLS]}
    steps = StepRecord.objects.filter(llm_call_id__in=list(records), log_id__in=lineage)
    found: dict[UUID, tuple[int, int]] = {}
    for call_id, log_id, position in steps.order_by().values_list(
        "llm_call_id", "log_id", "position"
    ):
        if call_id is not None:
            here = (place[log_id], position)
            found[call_id] = min(found.get(call_id, here), here)
    tokens = load_tokens(list(found)) if found else {}
    return tuple(
        _read(records[call_id], tokens.get(call_id))
        for call_id in sorted(found, key=found.__getitem__)
    )


def _read(record: LLMCallRecord, tokens: CallTokens | None) -> RecordedAnswer:
    exact = record.exact or {}
    return RecordedAnswer(
        prompt_id=prompt_id_of(record),
        model_name=record.model_name,
        output=LLMOutput.model_validate(record.output),
        usage=read_usage(record),
        finish_reason=str(exact.get("finish_reason", record.finish_reason)),
        tokens=tokens,
    )
