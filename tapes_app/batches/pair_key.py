"""By what tapes of batches are paired: a column, how they begin, or a place in their JSON.

A key comes from the network. It is a name or a JSON pointer, never an expression that runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tapes_app.batches.comparing import digest_content
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.json_pointer import find_value, read_pointer
from tapes_app.engine.messages import canonical_json, digest_json
from tapes_app.engine.steps import family_of, parse_step

COLUMNS = ("task", "title", "source_id", "expected")
PLACES = ("metadata", "context")
START = "start"
OPENING_STEPS = 8
"""How far into a tape its first observation is looked for."""

_LONGEST_KEY = 500


@dataclass(frozen=True, slots=True)
class PairKey:
    """What makes two tapes attempts at the same thing."""

    kind: Literal["column", "start", "pointer"]
    name: str
    """The column, or the pointer from `/metadata` or `/context` on."""


def read_pair_key(text: str) -> PairKey:
    """Return the key that a text names; `task` for an empty one.

    Raises:
        InvalidInputError: it names none.
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
    """Return what a pointer names on a tape as text; `None` where it has nothing there."""
    try:
        value = find_value({"metadata": metadata, "context": context}, pointer)
    except InvalidInputError:
        return None
    if value is None or value == "":
        return None
    return (value if isinstance(value, str) else canonical_json(value))[:_LONGEST_KEY]


def digest_opening(bodies: Sequence[dict[str, Any]], context: Any) -> str | None:
    """Return a digest of how a tape begins: its context and its steps up to what was asked first.

    An agent's greeting is the same on every tape; what a person or the world said tells them
    apart. `None` for a tape without steps.
    """
    opening: list[str] = []
    for body in bodies[:OPENING_STEPS]:
        opening.append(digest_content(body).hex())
        if family_of(parse_step(body)) == "observation":
            break
    return digest_json([context, opening]).hex() if opening else None
