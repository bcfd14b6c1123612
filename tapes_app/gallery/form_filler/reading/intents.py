"""Finds the form that a message asks for."""

from collections.abc import Sequence
from dataclasses import dataclass

from tapes_app.gallery.form_filler.reading.cues import FORMS
from tapes_app.gallery.form_filler.reading.words import content_of, has_any, keys_of

_LEAST_SHARE = 0.4


@dataclass(frozen=True)
class Intent:
    form: str = ""
    asks_for_all: bool = False
    """Whether the message asks what there is."""


def find_form(message: str, forms: Sequence[tuple[str, str]]) -> Intent:
    """Return the form whose purpose shares most words with a message."""
    keys = keys_of(message)
    asked = content_of(keys)
    shares = {name: _share(asked, purpose) for name, purpose in forms}
    best = max(shares.values(), default=0.0)
    found = [name for name, share in shares.items() if share == best]
    if best >= _LEAST_SHARE and len(found) == 1:
        return Intent(found[0])
    return Intent(asks_for_all=has_any(keys, FORMS))


def _share(asked: frozenset[str], purpose: str) -> float:
    words = content_of(keys_of(purpose))
    return len(asked & words) / len(words) if words else 0.0
