"""What models thought: put together as it comes, and given back to those that want it back."""

import re
from collections.abc import Iterable
from typing import Any

from tapes_app.engine.messages import Message

BLOCKS = "thinking_blocks"
TEXT = "reasoning_content"

_WANT_SIGNED = re.compile(r"claude|anthropic")
_WANT_TEXT = re.compile(r"deepseek|kimi|moonshot|glm|zai/|minimax|qwen|gpt-oss")
"""Models whose makers ask for it in a loop of tool calls, by what is in their names. Others
refuse the field, or would be misled by the thoughts of a stranger."""


def messages_for(
    model: str, messages: Iterable[Message], *, effort: object = None
) -> list[dict[str, Any]]:
    """Return messages as a model takes them: signed blocks, plain reasoning, or neither.

    `effort` is what the request asks of it: with "none", signed blocks would be refused.
    """
    name = model.lower()
    left_out = {TEXT, BLOCKS}
    if _WANT_SIGNED.search(name):
        left_out -= {BLOCKS} if effort != "none" else set()
    elif _WANT_TEXT.search(name):
        left_out -= {TEXT}
    return [
        {key: value for key, value in message.items() if key not in left_out}
        for message in messages
    ]


def join_blocks(pieces: Iterable[Any]) -> list[dict[str, Any]]:
    """Return the blocks of a stream: thoughts join until their signature comes.

    Without any signature there are none: they would say what the plain text says.
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
