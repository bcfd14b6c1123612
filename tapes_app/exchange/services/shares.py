"""A tape as one file to share with somebody else, without any secrets."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal
from uuid import UUID

from tapes_app.calls.services.snippets import recorded_parameters
from tapes_app.engine.model.llm import LLMCall, Usage
from tapes_app.engine.model.messages import Message
from tapes_app.engine.redaction import redact, redact_json
from tapes_app.engine.tape.field_diff import count_equal_start
from tapes_app.exchange.services.export_targets import ExportTarget
from tapes_app.exchange.services.exports import ExportReport
from tapes_app.exchange.services.share_page import write_html
from tapes_app.interchange.folders import clean_name
from tapes_app.interchange.markdown import write_markdown
from tapes_app.interchange.shared_tape import SharedCall, SharedStep, SharedTape, VisualFamily
from tapes_app.interchange.tape_codec import SOURCE_KEY, encode_tape
from tapes_app.projects.domain.columns import fit_line
from tapes_app.projects.services.downloads import Download, write_download
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.rows import StepRow, TapeHeader, Totals
from tapes_app.tapes.domain.task_outcome import Outcome
from tapes_app.tapes.store import calls as call_storage
from tapes_app.tapes.store import headers
from tapes_app.tapes.store import loading as tape_loading
from tapes_app.tapes.store.calls import CallRow

ShareFormat = Literal["html", "markdown", "json"]

_ENDINGS: dict[ShareFormat, tuple[str, str]] = {
    "html": (".html", "text/html; charset=utf-8"),
    "markdown": (".md", "text/markdown; charset=utf-8"),
    "json": (".json", "application/json"),
}
MOST_CALLS = 1000
"""A tape with more LLM calls is shared without them: the file would be too large to open."""

_PAGE = 500
_MICRO = 1_000_000


def share_tape(person: Person, tape_id: UUID, wanted: ShareFormat) -> Download:
    """Return a tape as one file.

    Raises:
        NotFoundError: no such tape in the person's project.
    """
    header = headers.load_header(tape_id, person.project_id)
    ending, content_type = _ENDINGS[wanted]
    pieces = _write(person, header, wanted)
    return write_download(_file_name(header), ending, content_type, pieces)


def share_into(
    person: Person, tape_ids: Iterable[UUID], wanted: ShareFormat, target: ExportTarget
) -> ExportReport:
    """Write the given tapes, each to a separate file.

    Raises:
        NotFoundError: a tape is not in the person's project.
        ConflictError: the folder already has a file of the same name.
    """
    names: list[str] = []
    call_count = 0
    for tape_id in tape_ids:
        header = headers.load_header(tape_id, person.project_id)
        name = f"{_file_name(header)}{_ENDINGS[wanted][0]}"
        with target.open_text(name) as file:
            file.writelines(_write(person, header, wanted))
        names.append(name)
        call_count += header.totals.llm_call_count
    return ExportReport(tapes=len(names), llm_calls=call_count, files=tuple(names))


_TITLE_LENGTH = 60


def _file_name(header: TapeHeader) -> str:
    title = clean_name(redact(header.title)[:_TITLE_LENGTH]).replace("/", " ")
    return f"{title} {str(header.id)[:8]}".strip()


def _write(person: Person, header: TapeHeader, wanted: ShareFormat) -> Iterator[str]:
    match wanted:
        case "html":
            return write_html(_shared_tape(person, header))
        case "markdown":
            return write_markdown(_shared_tape(person, header))
        case "json":
            return _write_json(person, header)


def _write_json(person: Person, header: TapeHeader) -> Iterator[str]:
    """Yield the tape as a file that can be imported again, without the notes of its own import."""
    tape = tape_loading.load_tape(header.id, person.project_id)
    value = encode_tape(tape)
    value.get("metadata", {}).pop(SOURCE_KEY, None)
    yield json.dumps(redact_json(value), indent=2, ensure_ascii=True)
    yield "\n"


def _shared_tape(person: Person, header: TapeHeader) -> SharedTape:
    note, calls = "", dict[UUID, CallRow]()
    if header.totals.llm_call_count <= MOST_CALLS:
        calls = {row.id: row for row in call_storage.list_calls(header.id, person.project_id)}
    else:
        note = (
            f"LLM calls are omitted: the tape has {header.totals.llm_call_count:,}, and one file "
            f"can show at most {MOST_CALLS:,}."
        )
    metadata = {name: value for name, value in header.metadata.items() if name != SOURCE_KEY}
    return SharedTape(
        title=redact(header.title),
        facts=tuple((name, redact(value)) for name, value in _facts(header) if value),
        steps=_shared_steps(person, header, calls),
        context=redact_json(header.context),
        metadata=redact_json(metadata),
        note=note,
    )


_OUTCOMES: dict[Outcome, str] = {"": "", "pass": "Passed", "fail": "Failed"}
_SHOWN = 300
"""Characters of an answer; what the agent gave is on the tape in full."""


def _facts(header: TapeHeader) -> Iterable[tuple[str, str]]:
    totals = header.totals
    version = "" if header.agent_version is None else f" v{header.agent_version}"
    yield "Outcome", _OUTCOMES[header.outcome]
    yield "Expected", fit_line(header.expected, _SHOWN)
    yield "Got", fit_line(header.actual, _SHOWN)
    yield "Tape", str(header.id)
    yield "Agent", f"{header.agent_name}{version}" if header.agent_name else ""
    yield "Author", header.author
    yield "Batch", header.batch_name
    yield "Forked from", _origin(header)
    yield "Written", header.created_at.strftime("%Y-%m-%d %H:%M UTC")
    yield "Steps", f"{header.step_count:,}"
    if totals.llm_call_count:
        yield "LLM calls", f"{totals.llm_call_count:,}"
        yield "Input tokens", f"{totals.input_tokens:,}"
        yield "Cached", f"{totals.cache_read_tokens:,}" if totals.cache_read_tokens else ""
        yield "Output tokens", f"{totals.output_tokens:,}"
        yield "Cost", _cost(totals)


def _cost(totals: Totals) -> str:
    if totals.unpriced_call_count == totals.llm_call_count:
        return "unknown"
    cost = _dollars(totals.cost_micro_usd)
    return f"at least {cost}" if totals.unpriced_call_count else cost


def _origin(header: TapeHeader) -> str:
    if header.parent_id is None:
        return ""
    return f"{header.parent_id} at step {header.forked_at or 0}"


def _dollars(micro_usd: int) -> str:
    return f"${micro_usd / _MICRO:.6f}".rstrip("0").rstrip(".")


def _shared_steps(
    person: Person, header: TapeHeader, calls: Mapping[UUID, CallRow]
) -> Iterator[SharedStep]:
    shown: set[UUID] = set()
    last: dict[str, tuple[int, tuple[Message, ...]]] = {}
    for start in range(0, header.step_count, _PAGE):
        for row in headers.load_steps(header.id, person.project_id, start=start, count=_PAGE):
            call = None
            found = calls.get(row.call_id) if row.call_id is not None else None
            if found is not None and found.id not in shown:
                shown.add(found.id)
                call = _shared_call(found, last.get(row.agent))
                last[row.agent] = row.position, found.call.prompt.messages
            yield _shared_step(row, call)


def _shared_step(row: StepRow, call: SharedCall | None) -> SharedStep:
    fields = {name: value for name, value in row.body.items() if name not in {"kind", "metadata"}}
    return SharedStep(
        position=row.position,
        kind=redact(row.kind),
        family=_visual_family(row),
        agent=redact(row.agent),
        node=redact(row.node),
        fields=redact_json(fields),
        call=call,
    )


_FAILURE = re.compile(
    r"(error|failure|exception)(_step|_action|_thought|_observation)?$", re.IGNORECASE
)
_COMMUNICATION = frozenset({"call", "call_together", "respond", "broadcast"})


def _visual_family(row: StepRow) -> VisualFamily:
    """Return the family that colours a step: delegation is communication, failures are errors."""
    if row.is_error or _FAILURE.search(row.kind):
        return "error"
    return "communication" if row.kind.lower() in _COMMUNICATION else row.family


def _shared_call(row: CallRow, before: tuple[int, tuple[Message, ...]] | None) -> SharedCall:
    call = row.call
    messages = call.prompt.messages
    shared = count_equal_start(before[1], messages) if before is not None else 0
    return SharedCall(
        model=redact(row.model_name),
        facts=tuple(_call_facts(call)),
        messages=tuple(redact_json(dict(message)) for message in messages[shared:]),
        shared_count=shared,
        previous=before[0] if before is not None and shared else None,
        tools=tuple(redact_json(list(call.prompt.tools or ()))),
        output=redact_json(_output(call)),
        parameters=recorded_parameters(call),
        error=redact(call.error),
    )


def _output(call: LLMCall) -> dict[str, Any]:
    output = call.output.model_dump(mode="python")
    return {name: value for name, value in output.items() if value not in (None, (), [], "")}


def _call_facts(call: LLMCall) -> Iterable[tuple[str, str]]:
    usage: Usage = call.usage
    if usage.input_tokens is not None:
        yield "prompt tokens", f"{usage.input_tokens:,}"
    if usage.cache_read_tokens:
        yield "cached", f"{usage.cache_read_tokens:,}"
    if usage.output_tokens is not None:
        yield "completion tokens", f"{usage.output_tokens:,}"
    if call.cost_micro_usd is not None:
        yield "cost", _dollars(call.cost_micro_usd)
    if call.duration_seconds is not None:
        yield "worked", f"{call.duration_seconds:.1f} s"
