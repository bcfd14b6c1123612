"""The keys that tapes of batches are paired by: a column, their beginning, or a place in JSON.

A key comes from the network. It is a name or a JSON pointer, never an executed expression.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tapes_app.batches.domain.comparing import digest_content
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.json_pointer import find_value, read_pointer
from tapes_app.engine.model.messages import canonical_json, digest_json
from tapes_app.engine.tape.steps import family_of, parse_step

COLUMNS = ("task", "title", "source_id", "expected")
PLACES = ("metadata", "context")
START = "start"
OPENING_STEPS = 8
"""How many steps of a tape are searched for its first observation."""

_LONGEST_KEY = 500


@dataclass(frozen=True, slots=True)
class PairKey:
    """What identifies two tapes as attempts at the same task."""

    kind: Literal["column", "start", "pointer"]
    name: str
    """The column, or the pointer starting with `/metadata` or `/context`."""


def read_pair_key(text: str) -> PairKey:
    """Return the key that a text names; empty means `task`.

    Raises:
        InvalidInputError: the text does not name a key.
    """
    name = text.strip() or "task"
    if name in COLUMNS:
        return PairKey("column", name)
    if name == START:
        return PairKey("start", name)
    if name.startswith("/") and read_pointer(name)[0] in PLACES:
        return PairKey("pointer", name)
    raise InvalidInputError(
        f"Tapes cannot be paired by {name[:100]!r}; use task, start, title, source_id, expected, "
        "or a JSON pointer such as /metadata/seed or /context/env_spec.",
        by=name[:100],
    )


def find_key(pointer: str, metadata: Any, context: Any) -> str | None:
    """Return the value at a pointer on a tape as text, or `None` if there is none."""
    try:
        value = find_value({"metadata": metadata, "context": context}, pointer)
    except InvalidInputError:
        return None
    if value is None or value == "":
        return None
    return (value if isinstance(value, str) else canonical_json(value))[:_LONGEST_KEY]


def digest_opening(bodies: Sequence[dict[str, Any]], context: Any) -> str | None:
    """Return a digest of how a tape begins: its context and its steps up to the first request.

    An agent's greeting is the same on every tape; the first step by a person or the environment
    distinguishes them. `None` for a tape without steps.
    """
    opening: list[str] = []
    for body in bodies[:OPENING_STEPS]:
        opening.append(digest_content(body).hex())
        if family_of(parse_step(body)) == "observation":
            break
    return digest_json([context, opening]).hex() if opening else None
