"""Step rows: the columns next to a body, for tapes that are saved, extended or edited."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.utils import timezone

from tapes_app.engine.tape.families import Family, is_error_step
from tapes_app.engine.tape.steps import Step, Writer, families_of
from tapes_app.models import StepRecord
from tapes_app.projects.domain.columns import fit_text
from tapes_app.projects.store.inserting import insert_rows
from tapes_app.tapes.domain.call_digests import digest_call, tools_of
from tapes_app.tapes.domain.step_facts import describe_step, words_of
from tapes_app.tapes.store.kind_families import LoadAssignedFamilies, assign_step_families

PROMPT_ID_LENGTH = 100


class NewStep(NamedTuple):
    """The columns of an unstored step; a model would take longer to make than to insert."""

    log_id: UUID
    position: int
    kind: str
    family: Family
    writer: Writer
    agent: str
    node: str
    prompt_id: str
    lane: str | None
    llm_call_id: UUID | None
    is_error: bool
    gist: str
    text: str
    tools: str | None
    call_digest: str | None
    body: dict[str, Any]
    edited_by_id: int | None
    created_at: datetime


def build_steps(
    log_id: UUID,
    start: int,
    steps: Sequence[Step],
    *,
    families: LoadAssignedFamilies,
    writer: Writer | None = None,
    call_ids: Mapping[str, UUID] | None = None,
    edited_by: int | None = None,
) -> list[NewStep]:
    """Return the columns of steps that are new in a log; `families` loads the project's families.

    Without `writer`, observations are attributed to the environment and all else to the agent.
    """
    now, calls = timezone.now(), call_ids or {}
    step_families = families_of(assign_step_families(steps, families))
    found = []
    for position, (step, family) in enumerate(zip(steps, step_families, strict=True), start=start):
        body = step.to_json()
        metadata = step.metadata
        found.append(
            NewStep(
                log_id=log_id,
                position=position,
                kind=fit_text(step.kind, 100),
                family=family,
                writer=writer or ("environment" if family == "observation" else "agent"),
                agent=fit_text(metadata.agent, 500),
                node=fit_text(metadata.node, 200),
                prompt_id=fit_text(metadata.prompt_id, PROMPT_ID_LENGTH),
                lane=fit_text(metadata.lane, 100),
                llm_call_id=calls.get(metadata.prompt_id) if metadata.prompt_id else None,
                is_error=is_error_step(body, family),
                gist=describe_step(body, family),
                text=words_of(body),
                tools=fit_text(" ".join(tools_of(body)), 500),
                call_digest=digest_call(body) if family == "action" else "",
                body=body,
                edited_by_id=edited_by,
                created_at=now,
            )
        )
    return found


def copy_steps(log_id: UUID, steps: Sequence[NewStep | StepRecord]) -> list[NewStep]:
    """Return copies of steps as all of another log, unchanged but for their positions."""
    return [
        NewStep(*(getattr(step, name) for name in NewStep._fields))._replace(
            log_id=log_id, position=position
        )
        for position, step in enumerate(steps)
    ]


def insert_steps(steps: Iterable[NewStep]) -> None:
    """Insert steps; their ids stay unknown here."""
    insert_rows(StepRecord, NewStep._fields, steps)


def same_step(body: dict[str, Any], step: Step) -> bool:
    """Return whether a stored body is this very step, written before.

    Ids decide if both have one; a retry after a crash makes the same step again, and values from a
    clock or a generator may differ.
    """
    metadata = body.get("metadata")
    stored_id = metadata.get("id") if isinstance(metadata, dict) else None
    if stored_id and step.metadata.id:
        return bool(stored_id == step.metadata.id)
    return body == step.to_json()
