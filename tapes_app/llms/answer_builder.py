"""Assembles one message, and its tokens, from the pieces of a chat-completions stream."""

from typing import Any, assert_never

from pydantic import ValidationError

from tapes_app.engine.model.llm import CallTokens, LLMDelta, LLMOutput, Usage
from tapes_app.engine.model.reasoning import BLOCKS, DETAILS, REASONING, TEXT
from tapes_app.llms.call_pieces import CallPieces
from tapes_app.llms.content_parts import Part, read_parts, text_in
from tapes_app.llms.reasoning import join_blocks, join_details
from tapes_app.llms.reported_usage import read_usage

_OWN_KEYS = frozenset({"role", "content", "tool_calls", "reasoning", "function_call", *REASONING})

_OTHER_PARTS = "content_parts"
"""Key of the parts of a content that are neither text nor thoughts."""


class AnswerBuilder:
    """Takes chunks in OpenAI's wire format and returns deltas, then the complete message."""

    def __init__(self) -> None:
        self.finish_reason = ""
        self.is_complete = False
        """Whether the answer has ended: with a finish reason, or by arriving as one message."""

        self.usage = Usage()
        self.tokens = TokenRecord()
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._is_whole = False
        self._blocks: dict[str, list[Any]] = {BLOCKS: [], DETAILS: []}
        self._calls = CallPieces()
        self._extra: dict[str, Any] = {}

    def add(self, chunk: dict[str, Any]) -> list[LLMDelta]:
        """Process one chunk and return what is new in it, often a single delta."""
        usage = chunk.get("usage")
        if usage:
            self.usage = read_usage(usage)
        deltas: list[LLMDelta] = []
        for choice in chunk.get("choices") or ():
            if choice.get("index"):
                continue  # only one answer was requested
            self.finish_reason = choice.get("finish_reason") or self.finish_reason
            self.is_complete = bool(self.finish_reason or choice.get("message"))
            self.tokens.add(chunk, choice)
            # A server that does not stream answers with a complete `message` instead.
            piece = choice.get("delta") or choice.get("message")
            self._is_whole = bool(choice.get("message"))
            if piece:
                self._add_piece(piece, deltas)
        return deltas

    def _add_piece(self, piece: dict[str, Any], deltas: list[LLMDelta]) -> None:
        self._add_reasoning(text_in(piece.get(TEXT) or piece.get("reasoning")), deltas)
        for name, known in self._blocks.items():
            blocks = piece.get(name)
            known.extend(blocks if isinstance(blocks, list) else ())
        for part in read_parts(piece.get("content")):
            self._add_part(part, deltas)
        deltas.extend(self._calls.add_message(piece, is_whole=self._is_whole))
        for key, value in piece.items():
            if key not in _OWN_KEYS and value is not None:
                self._add_extra(key, value)

    def _add_part(self, part: Part, deltas: list[LLMDelta]) -> None:
        match part.kind:
            case "text":
                self._add_text(part.text, deltas)
            case "reasoning":
                self._add_reasoning(part.text, deltas)
                thought = {"thinking": part.text} if "thinking" in part.source else {}
                self._blocks[BLOCKS].append({**part.source, **thought})
            case "refusal":
                self._add_extra("refusal", part.text)
            case "other":
                self._add_extra(_OTHER_PARTS, [part.source])
            case _:
                assert_never(part.kind)

    def _add_text(self, text: str, deltas: list[LLMDelta]) -> None:
        if text:
            self._text.append(text)
            deltas.append(LLMDelta(text=text))

    def _add_reasoning(self, text: str, deltas: list[LLMDelta]) -> None:
        if text:
            self._reasoning.append(text)
            deltas.append(LLMDelta(reasoning=text))

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
        """Return the complete message; keys that a provider added are kept."""
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
                "tool_calls": self._calls.to_json(),
                TEXT: "".join(self._reasoning) or None,
                **signed,
            }
        )


class TokenRecord:
    """Collects the tokens of an answer from the places where servers put them in a stream.

    Takes chat-completions chunks: OpenAI's `logprobs`, and token ids as vLLM adds them. Masks are a
    field of the studio's own server.
    """

    def __init__(self) -> None:
        self._prompt_ids: list[Any] | None = None
        self._ids: list[Any] = []
        self._texts: list[Any] = []
        self._logprobs: list[Any] = []
        self._masks: list[Any] = []

    def add(self, chunk: dict[str, Any], choice: dict[str, Any]) -> None:
        # vLLM sends the prompt's ids once; other servers put them next to the choice.
        for holder in (chunk, choice):
            given = holder.get("prompt_token_ids")
            if self._prompt_ids is None and isinstance(given, list):
                self._prompt_ids = given
        ids = choice.get("token_ids")
        self._ids += ids if isinstance(ids, list) else []
        masks = choice.get("token_masks")
        self._masks += masks if isinstance(masks, list) else []
        reported = choice.get("logprobs")
        content = reported.get("content") if isinstance(reported, dict) else None
        for token in content if isinstance(content, list) else ():
            if isinstance(token, dict):
                self._texts.append(token.get("token"))
                self._logprobs.append(token.get("logprob"))

    def build(self) -> CallTokens | None:
        """Return the collected tokens; `None` if there were none, or they were invalid."""
        try:
            found = CallTokens(
                prompt_ids=None if self._prompt_ids is None else tuple(self._prompt_ids),
                ids=tuple(self._ids) or None,
                texts=tuple(self._texts) or None,
                logprobs=tuple(self._logprobs) or None,
                masks=tuple(self._masks) if any(self._masks) else None,
            )
        except ValidationError:  # a server's odd token format must not spoil an answer
            return None
        return found or None
