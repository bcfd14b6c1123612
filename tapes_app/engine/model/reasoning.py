"""What a model thought before an answer: the fields that answers, steps and messages share."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final

from pydantic import Field

Reasoning = Annotated[str | None, Field(exclude_if=lambda text: text is None)]
"""What a model thought before its answer."""

SignedBlocks = Annotated[
    tuple[dict[str, Any], ...] | None, Field(exclude_if=lambda blocks: blocks is None)
]
"""The same, signed by its provider: it is sent back unchanged, next to the tool calls."""

TEXT: Final = "reasoning_content"
BLOCKS: Final = "thinking_blocks"
DETAILS: Final = "reasoning_details"
"""OpenRouter's blocks, in one form for all providers behind it."""

SIGNED: Final = frozenset({BLOCKS, DETAILS})
REASONING: Final = (TEXT, BLOCKS, DETAILS)


def reasoning_of(source: object) -> dict[str, Any]:
    """Return the reasoning of an answer or a step, by field; empty if there is none."""
    if not any(
        getattr(source, name, None) for name in REASONING
    ):  # the usual case, checked at each step
        return {}
    return read_reasoning({name: getattr(source, name, None) for name in REASONING})


def read_reasoning(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given fields that hold reasoning in the shape that steps use."""
    text = fields.get(TEXT)
    found = {TEXT: text} if isinstance(text, str) and text else {}
    return found | {name: fields[name] for name in REASONING if _are_blocks(fields.get(name))}


def read_thoughts(fields: Mapping[str, Any]) -> str:
    """Return reasoning as text, from the blocks if only they have it; "" where it is encrypted."""
    found = read_reasoning(fields)
    if TEXT in found:
        return str(found[TEXT])
    # Anthropic's blocks come first: those of OpenRouter repeat them.
    return next(filter(None, (_join_blocks(found.get(name, ())) for name in (BLOCKS, DETAILS))), "")


def _join_blocks(blocks: Iterable[Mapping[str, Any]]) -> str:
    texts = (block.get(name) for block in blocks for name in ("thinking", "text", "summary"))
    return "\n\n".join(text for text in texts if isinstance(text, str) and text)


def _are_blocks(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(block, dict) for block in value)
    )
