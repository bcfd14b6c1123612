"""Putting one message together from the pieces of a chat-completions stream."""

import json
from typing import Any

from tapes_app.engine.llm import LLMDelta, LLMOutput, Usage
from tapes_app.engine.reasoning import BLOCKS, DETAILS, REASONING, TEXT
from tapes_app.engine.steps import new_id
from tapes_app.llms.reasoning import join_blocks, join_details
from tapes_app.llms.token_record import TokenRecord

_OWN_KEYS = frozenset({"role", "content", "tool_calls", "reasoning", "function_call", *REASONING})


ESTIMATED = "is_estimate"
"""Key of a usage that a client's library counted itself."""


class AnswerBuilder:
    """Takes chunks in OpenAI's wire format and gives deltas, then the whole message.

    Tool calls are merged by index. Servers that leave the index out, or give every call index
    0, are told apart by the id of the call.
    """

    def __init__(self) -> None:
        self.finish_reason = ""
        self.is_complete = False
        """Whether the end of the answer has come: a finish reason, or the message as a whole."""

        self.usage = Usage()
        self.tokens = TokenRecord()
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._is_whole = False
        self._blocks: dict[str, list[Any]] = {BLOCKS: [], DETAILS: []}
        self._calls: list[_PartialCall] = []
        self._slots: dict[object, int] = {}
        self._extra: dict[str, Any] = {}

    def add(self, chunk: dict[str, Any]) -> list[LLMDelta]:
        """Take one chunk and return what is new in it, often a single delta."""
        usage = chunk.get("usage")
        if usage:
            self.usage = read_usage(usage)
        deltas: list[LLMDelta] = []
        for choice in chunk.get("choices") or ():
            if choice.get("index"):
                continue  # only one answer is asked for
            self.finish_reason = choice.get("finish_reason") or self.finish_reason
            self.is_complete = bool(self.finish_reason or choice.get("message"))
            self.tokens.add(chunk, choice)
            # A server that does not stream answers with a whole `message` instead.
            piece = choice.get("delta") or choice.get("message")
            self._is_whole = bool(choice.get("message"))
            if piece:
                self._add_piece(piece, deltas)
        return deltas

    def _add_piece(self, piece: dict[str, Any], deltas: list[LLMDelta]) -> None:
        reasoning = piece.get(TEXT) or piece.get("reasoning")
        if isinstance(reasoning, str) and reasoning:
            self._reasoning.append(reasoning)
            deltas.append(LLMDelta(reasoning=reasoning))
        for name, known in self._blocks.items():
            blocks = piece.get(name)
            known.extend(blocks if isinstance(blocks, list) else ())
        content = piece.get("content")
        if isinstance(content, str) and content:
            self._text.append(content)
            deltas.append(LLMDelta(text=content))
        deltas.extend(self._add_call(call) for call in piece.get("tool_calls") or ())
        for key, value in piece.items():
            if key not in _OWN_KEYS and value is not None:
                self._add_extra(key, value)

    def _add_call(self, call: dict[str, Any]) -> LLMDelta:
        slot = self._slot_of(call)
        partial = self._calls[slot]
        function = call.get("function") or {}
        name = function.get("name") or ""
        arguments = function.get("arguments") or ""
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        partial.id = partial.id or call.get("id") or ""
        if name and name != partial.name:
            partial.name += name
        partial.arguments.append(arguments)
        partial.extra.update(
            {
                key: value
                for key, value in call.items()
                if key not in ("id", "index", "type", "function") and value is not None
            }
        )
        return LLMDelta(tool_index=slot, tool_name=name, tool_arguments=arguments)

    def _slot_of(self, call: dict[str, Any]) -> int:
        call_id = call.get("id") or ""
        index = call.get("index")
        slot = self._slots.get(index) if index is not None else self._slots.get(call_id)
        if index is None and not call_id and self._calls:
            slot = len(self._calls) - 1
        if slot is not None and call_id and self._calls[slot].id not in ("", call_id):
            slot = self._slots.get(call_id)
        if slot is None:
            slot = len(self._calls)
            self._calls.append(_PartialCall())
        if index is not None:
            self._slots[index] = slot
        if call_id:
            self._slots[call_id] = slot
        return slot

    def _add_extra(self, key: str, value: Any) -> None:
        old = self._extra.get(key)
        both_grow = (isinstance(old, str) and isinstance(value, str)) or (
            isinstance(old, list) and isinstance(value, list)
        )
        self._extra[key] = old + value if both_grow else value

    @property
    def is_empty(self) -> bool:
        blocks = any(self._blocks.values())
        return not (self._text or self._reasoning or blocks or self._calls)

    def build(self) -> LLMOutput:
        """Return the whole message; keys that a provider added are kept."""
        details = [block for block in self._blocks[DETAILS] if isinstance(block, dict)]
        joined = {
            BLOCKS: join_blocks(self._blocks[BLOCKS]),
            DETAILS: details if self._is_whole else join_details(details),
        }
        signed = {name: blocks for name, blocks in joined.items() if blocks}
        return LLMOutput.model_validate(
            {
                **self._extra,
                "content": "".join(self._text) or None,
                "tool_calls": [call.to_json() for call in self._calls],
                TEXT: "".join(self._reasoning) or None,
                **signed,
            }
        )


class _PartialCall:
    def __init__(self) -> None:
        self.id = ""
        self.name = ""
        self.arguments: list[str] = []
        self.extra: dict[str, Any] = {}

    def to_json(self) -> dict[str, Any]:
        return {
            # Results are matched by id, so a server that gives none gets one here.
            "id": self.id or f"call_{new_id()}",
            "type": "function",
            "function": {"name": self.name, "arguments": "".join(self.arguments)},
            **self.extra,
        }


def read_usage(usage: dict[str, Any]) -> Usage:
    """Read token counts from the shapes that providers use for them."""
    asked = usage.get("prompt_tokens_details") or {}
    answered = usage.get("completion_tokens_details") or {}
    return Usage(
        input_tokens=_count(usage.get("prompt_tokens")),
        cache_read_tokens=_first_count(
            asked.get("cached_tokens"),
            usage.get("cache_read_input_tokens"),
            usage.get("prompt_cache_hit_tokens"),
        ),
        cache_write_tokens=_first_count(
            asked.get("cache_creation_tokens"), usage.get("cache_creation_input_tokens")
        ),
        output_tokens=_count(usage.get("completion_tokens")),
        reasoning_tokens=_first_count(
            answered.get("reasoning_tokens"), usage.get("reasoning_tokens")
        ),
        is_estimate=usage.get(ESTIMATED) is True,
    )


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_count else None


def _first_count(*values: Any) -> int | None:
    counts = [count for value in values if (count := _count(value)) is not None]
    # Providers send zeros beside the field that they really fill.
    return next((count for count in counts if count), counts[0] if counts else None)
