"""What models thought: assembled as it arrives, and returned to the models that want it back."""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from tapes_app.engine.model.messages import Message
from tapes_app.engine.model.reasoning import BLOCKS, DETAILS, REASONING, TEXT

_WANT_SIGNED = re.compile(r"claude|anthropic")
_WANT_TEXT = re.compile(r"deepseek|kimi|moonshot|glm|zai/|minimax|qwen|gpt-oss")
"""Models whose makers require it in a loop of tool calls, by parts of their names. Others refuse
the field, or would be misled by another model's thoughts."""

_OPENROUTER = "openrouter"


def messages_for(
    model: str, messages: Iterable[Message], *, base_url: str | None = None, effort: object = None
) -> list[dict[str, Any]]:
    """Return messages as a model accepts them: with signed blocks, plain reasoning, or neither.

    `effort` is what the request asks for: with "none", signed blocks would be refused.
    """
    wanted = _accepted_fields(model.lower(), base_url, is_thinking=effort != "none")
    return [_with_reasoning(message, wanted) for message in messages]


def _accepted_fields(name: str, base_url: str | None, *, is_thinking: bool) -> tuple[str, ...]:
    """Return the reasoning fields that a model accepts, in order of preference."""
    text = (TEXT,) if _WANT_TEXT.search(name) else ()
    if is_openrouter(name, base_url):
        return (DETAILS, *text) if is_thinking else text
    if _WANT_SIGNED.search(name):
        return (BLOCKS,) if is_thinking else ()
    return text


def is_openrouter(model: str, base_url: str | None) -> bool:
    """Return whether OpenRouter is called, judged by litellm's name for it or by its address."""
    host = urlsplit(base_url or "").hostname or ""
    return model.startswith(f"{_OPENROUTER}/") or f".{host}".endswith(f".{_OPENROUTER}.ai")


def _with_reasoning(message: Message, wanted: tuple[str, ...]) -> dict[str, Any]:
    kept = next((name for name in wanted if message.get(name)), None)
    return {key: value for key, value in message.items() if key not in REASONING or key == kept}


def join_details(pieces: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Reassemble the blocks of an OpenRouter stream.

    Pieces of a block share its index; but some streams use 0 for all of them, so a piece of another
    type, or with another id, also starts a new block.
    """
    blocks: list[dict[str, Any]] = []
    parts: list[list[dict[str, Any]]] = []
    newest: dict[str, int] = {}
    for piece in pieces:
        index = repr(piece.get("index"))
        at = newest.get(index)
        if at is None or not _continues(blocks[at], piece):
            at = newest[index] = len(blocks)
            blocks.append({})
            parts.append([])
        values = {name: value for name, value in piece.items() if value is not None}
        blocks[at] = {**piece, **blocks[at], **values}
        parts[at].append(values)
    return [{**block, **_join_texts(values)} for block, values in zip(blocks, parts, strict=True)]


_GROWING = ("text", "summary")
_AT_ITS_END = ("data", "signature")


def _continues(block: dict[str, Any], piece: dict[str, Any]) -> bool:
    """Return whether a piece belongs to a block; an encrypted or signed block is complete."""
    is_other = any(
        block.get(name) and piece.get(name) and block[name] != piece[name]
        for name in ("type", "id", "format")
    )
    has_more = any(piece.get(name) for name in (*_GROWING, "data"))
    return not is_other and not (has_more and any(block.get(name) for name in _AT_ITS_END))


def _join_texts(pieces: list[dict[str, Any]]) -> dict[str, str]:
    texts = {
        name: [text for piece in pieces if isinstance(text := piece.get(name), str)]
        for name in _GROWING
    }
    return {name: "".join(found) for name, found in texts.items() if found}


def join_blocks(pieces: Iterable[Any]) -> list[dict[str, Any]]:
    """Return the blocks of a stream: thoughts are joined until their signature arrives.

    Without a signature there are no blocks: they would only repeat the plain text.
    """
    blocks: list[dict[str, Any]] = []
    for piece in pieces:
        if not isinstance(piece, dict):
            continue
        last = blocks[-1] if blocks else {}
        if piece.get("type") == last.get("type") == "thinking" and not last.get("signature"):
            text = f"{last.get('thinking') or ''}{piece.get('thinking') or ''}"
            blocks[-1] = {**last, **piece, "thinking": text}
        else:
            blocks.append(piece)
    is_signed = any(block.get("signature") or block.get("data") for block in blocks)
    return blocks if is_signed else []
