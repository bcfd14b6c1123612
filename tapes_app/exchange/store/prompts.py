"""What the models of many tapes received besides their steps, in a few queries for all of them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from tapes_app.engine.model.messages import Message
from tapes_app.exchange.store.exports import group_spans
from tapes_app.models import StepRecord
from tapes_app.tapes.domain.spans import Span, Spans, read_spans
from tapes_app.tapes.store.access import pick_tapes, spans_filter
from tapes_app.tapes.store.offered_tools import load_tool_lists
from tapes_app.tapes.store.prompt_tree import load_prompts


class PromptContext(NamedTuple):
    """What the calls behind a tape's steps contain that its steps do not."""

    first_prompt: tuple[Message, ...]
    tools: tuple[Mapping[str, Any], ...]
    """The tools of every call, oldest first; the same tool may occur again."""


class _Asked(NamedTuple):
    position: int
    settings: bytes
    prompt: bytes | None


def load_prompt_contexts(project: UUID, tape_ids: Sequence[UUID]) -> dict[UUID, PromptContext]:
    """Return what the models of the given tapes received; tapes without calls are left out."""
    tapes = {
        tape_id: read_spans(spans)
        for tape_id, spans in pick_tapes(tape_ids, project).values_list("id", "spans")
    }
    logs = _load_asked([span for spans in tapes.values() for span in spans])
    asked = {tape_id: found for tape_id, spans in tapes.items() if (found := _pick(logs, spans))}
    firsts = {tape_id: prompt for tape_id, found in asked.items() if (prompt := found[0].prompt)}
    prompts = load_prompts(firsts.values()) if firsts else {}
    offered = load_tool_lists({one.settings for found in asked.values() for one in found})
    return {
        tape_id: PromptContext(
            first_prompt=prompts.get(firsts.get(tape_id, b""), ()),
            tools=tuple(
                tool
                for digest in dict.fromkeys(one.settings for one in found)
                for tool in offered.get(digest, ())
            ),
        )
        for tape_id, found in asked.items()
    }


def _load_asked(spans: Sequence[Span]) -> dict[UUID, list[_Asked]]:
    """Return the calls behind the steps of the given spans, by log and in order."""
    columns = ("log_id", "position", "llm_call__settings_id", "llm_call__prompt_node_id")
    logs: dict[UUID, list[_Asked]] = defaultdict(list)
    for group in group_spans(list(dict.fromkeys(spans))):
        steps = StepRecord.objects.filter(spans_filter(group), llm_call__isnull=False).order_by()
        for log, position, settings, prompt in steps.values_list(*columns):
            leaf = bytes(prompt) if prompt is not None else None
            logs[log].append(_Asked(position, bytes(settings), leaf))
    return {log: sorted(asked, key=lambda one: one.position) for log, asked in logs.items()}


def _pick(logs: Mapping[UUID, Sequence[_Asked]], spans: Spans) -> list[_Asked]:
    return [
        asked
        for span in spans
        for asked in logs.get(span.log, ())
        if span.start <= asked.position < span.end
    ]
