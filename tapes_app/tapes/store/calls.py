"""LLM calls: written with their prompts deduplicated, read back exactly."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import QuerySet

from tapes_app.engine.model.llm import CallTokens, LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.messages import Message
from tapes_app.models import LLMCallRecord, StepRecord
from tapes_app.projects.domain.columns import fit_text
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.store.records import get_record
from tapes_app.tapes.domain.spans import Span, Spans
from tapes_app.tapes.store.access import get_spans, spans_filter
from tapes_app.tapes.store.call_columns import (
    fit_columns,
    prompt_id_of,
    read_plain_fields,
    read_started_at,
    read_usage,
)
from tapes_app.tapes.store.call_tokens import load_tokens, save_tokens
from tapes_app.tapes.store.prompt_tree import PromptWriter, load_prompts
from tapes_app.tapes.store.prompt_windows import count_messages, count_shared, load_window

_Prompts = Mapping[bytes, tuple[Message, ...]]


@dataclass(frozen=True, slots=True)
class CallRow:
    """A stored call with what the engine's type cannot hold."""

    id: UUID
    call: LLMCall
    model_name: str
    tape_id: UUID | None
    """The tape that it was made for."""

    source: dict[str, Any] | None
    """The imported row, if it contains more than the call."""


class CallWriter:
    """Writes the calls of one run or one import; see `PromptWriter` for what it remembers."""

    def __init__(self, project: UUID, *, owner: int | None = None) -> None:
        self._project = project
        self._owner = owner
        self._prompts = PromptWriter()

    def save(
        self,
        calls: Sequence[LLMCall],
        *,
        tape_id: UUID | None = None,
        tape_ids: Sequence[UUID] = (),
        batch_id: UUID | None = None,
        sources: Sequence[dict[str, Any] | None] = (),
        import_part: UUID | None = None,
    ) -> list[UUID]:
        """Store calls in a constant number of queries; return their ids in order.

        `tape_ids` names a tape for each call, `tape_id` one for all calls.
        """
        if not calls:
            return []
        records = []
        for index, call in enumerate(calls):
            record = self._record(call)
            record.tape_id = tape_ids[index] if tape_ids else tape_id
            record.batch_id = batch_id
            record.import_part = import_part
            record.source = sources[index] if index < len(sources) else None
            records.append(record)
        try:
            with transaction.atomic(savepoint=False):
                self._prompts.flush()
                LLMCallRecord.objects.bulk_create(records)
                save_tokens(
                    {record.id: call.tokens for record, call in zip(records, calls, strict=True)}
                )
        except BaseException:
            self.forget()
            raise
        return [record.id for record in records]

    def forget(self) -> None:
        """Start over; needed after a rollback of `save`."""
        self._prompts.forget()

    def _record(self, call: LLMCall) -> LLMCallRecord:
        prompt = call.prompt
        settings = prompt.model_dump(exclude={"id", "messages"}, exclude_unset=True)
        columns, exact = fit_columns(call)
        return LLMCallRecord(
            id=uuid4(),
            project_id=self._project,
            owner_id=self._owner,
            prompt_node_id=self._prompts.add_prompt(prompt),
            prompt_digest=prompt.digest,
            settings_id=self._prompts.add_content(settings),
            llm_id=self._prompts.add_content(call.llm),
            model_name=model_name_of(call),
            output=call.output.model_dump(exclude_unset=True),
            is_cached=call.is_cached,
            exact=exact or None,
            **columns,
        )


def save_calls(
    project: UUID,
    calls: Sequence[LLMCall],
    *,
    owner: int | None = None,
    batch_id: UUID | None = None,
    sources: Sequence[dict[str, Any] | None] = (),
) -> list[UUID]:
    """Store calls that belong to no run in progress."""
    return CallWriter(project, owner=owner).save(calls, batch_id=batch_id, sources=sources)


def load_call(call_id: UUID, project: UUID) -> CallRow:
    """Return one call with its prompt and tokens, in three queries.

    Raises:
        NotFoundError: there is no such call in this project.
    """
    return _read_calls([_get(call_id, project)])[0]


def _get(call_id: UUID, project: UUID) -> LLMCallRecord:
    return get_record(_calls_of(project), "LLM call not found.", call_id=call_id)


def list_calls(tape_id: UUID, project: UUID) -> list[CallRow]:
    """Return the calls behind a tape's steps and those made for it, in five queries."""
    shown, stepless = _calls_of_tape(tape_id, project)
    return _read_calls(_in_order((*_with_contents(shown), *_with_contents(stepless))))


def load_calls(call_ids: Sequence[UUID], project: UUID) -> list[CallRow]:
    """Return the given calls, oldest first, in three queries; prompts share message objects."""
    return _read_calls(_calls_of(project).filter(id__in=call_ids))


def outputs_by_prompt_id(tape_id: UUID, project: UUID) -> dict[str, LLMOutput]:
    """Return the models' answers on a tape, without reading the prompts."""
    columns = ("prompt_id", "output", "exact", "created_at")
    found = [calls.filter(error="").only(*columns) for calls in _calls_of_tape(tape_id, project)]
    records = _in_order(record for calls in found for record in calls)
    return {prompt_id_of(record): LLMOutput.model_validate(record.output) for record in records}


def load_call_window(
    call_id: UUID, project: UUID, *, start: int | None = None, count: int
) -> tuple[CallRow, int, int]:
    """Return a call with a window of its prompt's messages, its start, and the total count.

    Without `start` they are the last messages. The tokens are left out.

    Raises:
        NotFoundError: there is no such call in this project.
    """
    record = _get(call_id, project)
    leaf = _leaf(record.prompt_node_id)
    total = count_messages(leaf)
    first = max(0, total - count) if start is None else min(start, total)
    messages = load_window(leaf, start=first, count=count) if leaf is not None else []
    prompts = {leaf: tuple(messages)} if leaf is not None else {}
    return _row(record, prompts), first, total


def load_answer(call_id: UUID, project: UUID) -> CallRow:
    """Return a call without the messages of its prompt.

    Raises:
        NotFoundError: there is no such call in this project.
    """
    return load_call_window(call_id, project, count=0)[0]


def count_shared_messages(call_id: UUID, other_id: UUID, project: UUID) -> tuple[int, int]:
    """Return how many leading messages two calls share, and how many the other one has."""
    records = LLMCallRecord.objects.filter(project_id=project, id__in=(call_id, other_id))
    leaves = {id: _leaf(node) for id, node in records.values_list("id", "prompt_node_id")}
    one, other = leaves.get(call_id), leaves.get(other_id)
    return count_shared(one, other), count_messages(other)


def previous_call(call_id: UUID, tape_id: UUID, project: UUID) -> UUID | None:
    """Return the call before this one on a tape by the same agent."""
    spans = get_spans(tape_id, project)
    mine = StepRecord.objects.filter(spans_filter(spans), llm_call_id=call_id).order_by()
    agents = {(log, at): agent for log, at, agent in mine.values_list(*_PLACE, "agent")}
    if not agents:
        return None
    for index, span in enumerate(spans):
        places = [at for log, at in agents if log == span.log and span.start <= at < span.end]
        if not places:
            continue
        first = min(places)
        head = Span(span.log, span.start, first - span.start)
        # Backwards along an index: the match is near, but the tape may be long.
        return _last_call((*spans[:index], head), agents[span.log, first])
    return None


_PLACE = ("log_id", "position")


def _last_call(spans: Spans, agent: str) -> UUID | None:
    for span in reversed(spans):
        steps = StepRecord.objects.filter(
            spans_filter((span,)), agent=agent, llm_call__isnull=False
        )
        found = steps.order_by("-position").values_list("llm_call_id", flat=True).first()
        if found is not None:
            return found
    return None


def _leaf(node: Any) -> bytes | None:
    return None if node is None else bytes(node)


def was_made_for(call_id: UUID, tape_id: UUID, project: UUID) -> bool:
    """Return whether a call was made for a tape, whatever the result."""
    calls = LLMCallRecord.objects.filter(id=call_id, tape_id=tape_id, project_id=project)
    return calls.exists()


def link_calls(call_ids: Collection[UUID], tape_id: UUID, project: UUID) -> None:
    """Link calls that were made for no tape to the tape they are on."""
    calls = LLMCallRecord.objects.filter(project_id=project, id__in=call_ids, tape=None)
    calls.update(tape_id=tape_id)


def model_name_of(call: LLMCall) -> str:
    """Return the name of the model that a call recorded."""
    for key in ("model_name", "model"):
        name = call.llm.get(key)
        if isinstance(name, str) and name:
            return fit_text(name, 300)
    return ""


def _calls_of(project: UUID) -> QuerySet[LLMCallRecord]:
    calls = LLMCallRecord.objects.filter(project_id=project).order_by("created_at", "id")
    return _with_contents(calls)


def _calls_of_tape(
    tape_id: UUID, project: UUID
) -> tuple[QuerySet[LLMCallRecord], QuerySet[LLMCallRecord]]:
    """Return the calls behind a tape's steps, and those made for it that left no step.

    This takes two queries, because no index serves both conditions together. The tape was found in
    the project, so its calls are in the same one.
    """
    spans = get_spans(tape_id, project)
    shown = StepRecord.objects.filter(spans_filter(spans), llm_call__isnull=False)
    calls = LLMCallRecord.objects.order_by()
    return (
        calls.filter(id__in=shown.order_by().values("llm_call_id")),
        calls.filter(tape_id=tape_id, steps__isnull=True),
    )


def _in_order(records: Iterable[LLMCallRecord]) -> list[LLMCallRecord]:
    return sorted(records, key=lambda record: (record.created_at, record.id))


def _with_contents(records: QuerySet[LLMCallRecord]) -> QuerySet[LLMCallRecord]:
    return records.select_related("settings", "llm")


def _read_calls(found: Iterable[LLMCallRecord]) -> list[CallRow]:
    found = list(found)
    leaves = [bytes(record.prompt_node_id) for record in found if record.prompt_node_id]
    prompts = load_prompts(leaves) if leaves else {}
    tokens = load_tokens([record.id for record in found]) if found else {}
    return [_row(record, prompts, tokens.get(record.id)) for record in found]


def _row(record: LLMCallRecord, prompts: _Prompts, tokens: CallTokens | None = None) -> CallRow:
    return row_of(CallRow, record, call=_read_call(record, prompts, tokens))


def _read_call(record: LLMCallRecord, prompts: _Prompts, tokens: CallTokens | None) -> LLMCall:
    node = record.prompt_node_id
    messages = prompts[bytes(node)] if node else ()
    return LLMCall(
        prompt=Prompt(**{**record.settings.body, "id": prompt_id_of(record), "messages": messages}),
        output=LLMOutput.model_validate(record.output),
        usage=read_usage(record),
        llm=record.llm.body,
        started_at=read_started_at(record),
        is_cached=record.is_cached,
        tokens=tokens,
        **read_plain_fields(record),
    )
