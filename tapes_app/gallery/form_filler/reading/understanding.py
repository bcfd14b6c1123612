"""All that a message means in a dialogue with a chosen form."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tapes_app.gallery.form_filler.form_state import FormState
from tapes_app.gallery.form_filler.reading.acts import Reading, find_skipped, read_act
from tapes_app.gallery.form_filler.reading.values import read_named, read_unnamed


@dataclass(frozen=True)
class Understanding:
    values: Mapping[str, str] = field(default_factory=dict)
    """What the message says of slots, as it is written."""

    reading: Reading = field(default_factory=Reading)


def understand(text: str, state: FormState) -> Understanding:
    """Return the values that a message gives, or else what it does."""
    assert state.form is not None
    message = read_named(text, state.form)
    asked = "" if state.may else state.requested
    skipped = find_skipped(message.words, state) if asked else ""
    if skipped and _is_short(message.named, skipped):
        return Understanding(reading=Reading("skips", skipped))
    reading = Reading() if message.named else read_act(message.words, state)
    if reading.act:
        return Understanding(reading=reading)
    unnamed = read_unnamed(message, state.form, asked, state.assigned)
    values = {**unnamed, **message.named}
    is_talk = not values and bool(asked or state.may)
    return Understanding(values, Reading("talks") if is_talk else reading)


def _is_short(named: Mapping[str, str], slot: str) -> bool:
    """Return whether nothing is named but a slot, with too little for a sentence in it."""
    return set(named) <= {slot} and len(named.get(slot, "").split()) <= _MOST_SKIPPING


_MOST_SKIPPING = 3
"""Words, as in "like to skip"."""
