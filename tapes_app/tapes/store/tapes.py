"""Growing tapes: steps are appended with their LLM calls, each of them once."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from tapes_app.engine.errors import ConflictError
from tapes_app.engine.model.llm import LLMCall, Usage
from tapes_app.engine.tape.steps import Step, Writer
from tapes_app.models import BatchRecord, LLMCallRecord, StepRecord, TapeRecord
from tapes_app.projects.domain.columns import fit_text
from tapes_app.projects.domain.rows import row_of
from tapes_app.tapes.domain.rows import AppendResult, StepRow
from tapes_app.tapes.domain.spans import Span, cut_spans, join_spans, read_spans, write_spans
from tapes_app.tapes.domain.step_facts import find_title, root_agent
from tapes_app.tapes.store.access import get_tape_to_change
from tapes_app.tapes.store.call_columns import sum_call_columns
from tapes_app.tapes.store.calls import CallWriter
from tapes_app.tapes.store.counters import COUNTERS
from tapes_app.tapes.store.kind_families import assigned_families_in
from tapes_app.tapes.store.loading import load_span_bodies
from tapes_app.tapes.store.step_writing import NewStep, build_steps, insert_steps, same_step

# A call's steps are written at its end, so they are never far from the end of the log.
_NEAR_END = 200


def take_agent(tape: TapeRecord, *, version_id: UUID, agent_name: str) -> None:
    """Record who continues a tape that no stored agent has written to; others keep theirs."""
    if tape.agent_version_id is None and tape.agent_name in {"", agent_name}:
        tape.agent_version_id, tape.agent_name = version_id, agent_name
        tape.save(update_fields=["agent_version_id", "agent_name"])


def append_steps(
    tape_id: UUID,
    steps: Sequence[Step],
    *,
    project: UUID,
    expected_count: int,
    calls: Sequence[LLMCall] = (),
    call_writer: CallWriter | None = None,
    writer: Writer | None = None,
    owner: int | None = None,
) -> AppendResult:
    """Extend a tape by steps that come after its first `expected_count`, with their LLM calls.

    Steps that are there already are left alone, so a writer that died after the commit may try
    again. A long run passes one `call_writer`, which remembers its last prompt.

    Raises:
        NotFoundError: there is no such tape in this project.
        ConflictError: the tape has other steps there by now, or is shorter than expected.
    """
    calls_to = call_writer or CallWriter(project, owner=owner)
    try:
        with transaction.atomic():
            tape = get_tape_to_change(tape_id, project)
            present = _count_present(tape, steps, expected_count)
            new = steps[present:]
            # Steps and their calls are stored together: without a step, there is no call either.
            missing = calls if new and not present else _missing_calls(tape, calls)
            if not new and not missing:
                return AppendResult(tape.step_count, tape.version, 0)
            return _append(tape, new, missing, calls_to, writer=writer)
    except BaseException:
        calls_to.forget()
        raise


def _append(
    tape: TapeRecord,
    new: Sequence[Step],
    calls: Sequence[LLMCall],
    call_writer: CallWriter,
    *,
    writer: Writer | None,
) -> AppendResult:
    start = tape.step_count
    ids = call_writer.save(calls, tape_id=tape.id)
    call_ids = {call.prompt.id: call_id for call, call_id in zip(calls, ids, strict=True)}
    load_assigned_families = assigned_families_in(tape.project_id)
    records = build_steps(
        tape.id,
        tape.own_step_count,
        new,
        families=load_assigned_families,
        writer=writer,
        call_ids=call_ids,
    )
    _claim(tape, new, calls, records)
    try:
        insert_steps(records)
    except IntegrityError as error:
        raise _lost_race(tape) from error
    unclaimed = call_ids.keys() - {record.prompt_id for record in records}
    if unclaimed:
        _connect_earlier_steps(tape, {name: call_ids[name] for name in unclaimed})
    added = _describe_added(records, start, {call.prompt.id: call for call in calls})
    return AppendResult(tape.step_count, tape.version, len(new), call_ids, added)


def _describe_added(
    records: Sequence[NewStep], start: int, calls: Mapping[str, LLMCall]
) -> tuple[StepRow, ...]:
    """Return the rows of newly written steps, without reading them again."""
    return tuple(
        row_of(
            StepRow,
            record,
            position=position,
            is_own=True,
            call_id=record.llm_call_id,
            edited_by="",
            cut=None,
            **_costs(calls.get(record.prompt_id) if record.llm_call_id else None),
        )
        for position, record in enumerate(records, start=start)
    )


def _costs(call: LLMCall | None) -> dict[str, Any]:
    usage = call.usage if call else Usage()
    return {
        "input_tokens": usage.input_tokens,
        "cache_read_tokens": usage.cache_read_tokens,
        "output_tokens": usage.output_tokens,
        "cost_micro_usd": call.cost_micro_usd if call else None,
        "duration_seconds": call.duration_seconds if call else None,
    }


def _count_present(tape: TapeRecord, steps: Sequence[Step], expected_count: int) -> int:
    """Return how many of the steps are on the tape already."""
    if not 0 <= expected_count <= tape.step_count:
        raise ConflictError(
            f"The tape has {tape.step_count} steps, not {expected_count}; reload it.",
            step_count=tape.step_count,
            expected_count=expected_count,
        )
    excess = tape.step_count - expected_count
    if not excess:
        return 0
    if excess > len(steps):
        raise _lost_race(tape)
    bodies = load_span_bodies(cut_spans(read_spans(tape.spans), expected_count, excess))
    if not all(same_step(body, step) for body, step in zip(bodies, steps, strict=False)):
        raise _lost_race(tape)
    return excess


def _lost_race(tape: TapeRecord) -> ConflictError:
    return ConflictError(
        "Somebody else changed this tape; reload it.",
        tape_id=str(tape.id),
        step_count=tape.step_count,
    )


def _missing_calls(tape: TapeRecord, calls: Sequence[LLMCall]) -> Sequence[LLMCall]:
    if not calls:
        return calls
    ids = [fit_text(call.prompt.id, 100) for call in calls]
    stored = set(
        LLMCallRecord.objects.filter(tape=tape, prompt_id__in=ids).values_list(
            "prompt_id", "started_at"
        )
    )
    return [
        call
        for call, prompt_id in zip(calls, ids, strict=True)
        if (prompt_id, call.started_at) not in stored
    ]


def _claim(
    tape: TapeRecord,
    steps: Sequence[Step],
    calls: Sequence[LLMCall],
    records: Sequence[NewStep],
) -> None:
    """Write the tape's counters, unless somebody else changed the tape in the meantime."""
    version, had_error = tape.version, tape.has_error
    added = sum_call_columns(calls)
    for name in COUNTERS:
        setattr(tape, name, getattr(tape, name) + added[name])
    own = Span(tape.id, tape.own_step_count, len(steps))
    tape.spans = write_spans(join_spans((*read_spans(tape.spans), own)))
    tape.step_count += len(steps)
    tape.own_step_count += len(steps)
    tape.error_count += sum(record.is_error for record in records)
    tape.has_error = tape.has_error or tape.error_count > 0
    tape.title = tape.title or find_title(steps)
    tape.agent_name = tape.agent_name or root_agent(steps)
    tape.version += 1
    changed = {name: getattr(tape, name) for name in _GROWING}
    won = TapeRecord.objects.filter(id=tape.id, version=version).update(
        **changed, updated_at=timezone.now()
    )
    if not won:
        raise _lost_race(tape)
    if tape.batch_id is not None and tape.has_error != had_error:
        BatchRecord.objects.filter(id=tape.batch_id).update(error_count=F("error_count") + 1)


_GROWING = (
    *COUNTERS, "spans", "step_count", "own_step_count", "error_count", "has_error", "title",
    "agent_name", "version",
)  # fmt: skip


def _connect_earlier_steps(tape: TapeRecord, call_ids: dict[str, UUID]) -> None:
    """Link steps that were written before their call was known."""
    waiting = StepRecord.objects.filter(
        log=tape,
        position__gte=tape.own_step_count - _NEAR_END,
        llm_call__isnull=True,
        prompt_id__in=[fit_text(prompt_id, 100) for prompt_id in call_ids],
    )
    for step_id, prompt_id in waiting.values_list("id", "prompt_id"):
        StepRecord.objects.filter(id=step_id).update(llm_call_id=call_ids.get(prompt_id))
