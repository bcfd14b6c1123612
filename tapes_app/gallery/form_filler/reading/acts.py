"""What a message does beside giving values: it skips, asks, agrees, leaves or talks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tapes_app.gallery.form_filler.form_state import FormState
from tapes_app.gallery.form_filler.reading import cues
from tapes_app.gallery.form_filler.reading.facts import find_fact
from tapes_app.gallery.form_filler.reading.options import advise, explain_option
from tapes_app.gallery.form_filler.reading.spans import find_labels, find_options
from tapes_app.gallery.form_filler.reading.words import (
    Word,
    content_of,
    has_any,
    keys_of,
)

Act = Literal["", "agrees", "refuses", "leaves", "skips", "asks", "wonders", "talks"]
"""`asks` has an answer in the form or its state, `wonders` has none, `talks` is off topic."""


@dataclass(frozen=True)
class Reading:
    """What a message does, with the slot or the answer that it is about."""

    act: Act = ""
    slot: str = ""
    answer: str = ""
    """A sentence that answers the question."""


def read_act(words: Sequence[Word], state: FormState) -> Reading:
    """Return what a message does that names no slot with a value."""
    keys = cues.keys_in(words)
    if state.may:
        answer = _answer_confirmation(words, keys, state)
        if answer is not None:
            return answer
    elif state.requested and cues.skips(words):
        return Reading("skips", find_skipped(words, state) or state.requested)
    if has_any(keys, cues.LEAVING) and not has_any(keys, ("cancelled",)):
        return Reading("leaves")
    if not (state.requested or state.may or state.assigned):
        return Reading()  # the message that the form was chosen by
    if cues.asks(words) or has_any(keys, cues.ADVICE) or _asks_for_status(keys):
        rest = cues.after_greeting(words)
        return _read_question(rest, cues.keys_in(rest), state)
    return Reading()


def _answer_confirmation(
    words: Sequence[Word], keys: Sequence[str], state: FormState
) -> Reading | None:
    if cues.asks(words):
        return None
    agrees = cues.agrees(keys)
    if agrees is not None:
        return Reading("agrees" if agrees else "refuses")
    is_leaving = has_any(keys, cues.LEAVING)
    if state.may == "exit":
        return Reading("agrees" if is_leaving else "refuses")
    is_going = has_any(keys, ("off it goes", "go out", "go on", "proceed"))
    return Reading("agrees") if is_going and not is_leaving else None


def find_skipped(words: Sequence[Word], state: FormState) -> str:
    """Return the slot that is to be left out by its name, as in "skip the gate time"."""
    assert state.form is not None
    for label in find_labels(words, state.form):
        start = label.start - (words[label.start - 1].key in _ARTICLES if label.start else 0)
        renamed = (*words[:start], _IT, *words[label.end :])
        if cues.skips(renamed):
            return label.slot
    return ""


_IT = Word("it", "it", "")
_ARTICLES = ("the", "my", "our", "this", "that")


def _asks_for_status(keys: Sequence[str]) -> bool:
    return has_any(keys, ("recap", "summarise", "summarize", "read back", "repeat what"))


def _read_question(words: Sequence[Word], keys: Sequence[str], state: FormState) -> Reading:
    form = state.form
    assert form is not None
    answers = (
        _answer_advice(keys, state),
        _explain(words, state),
        find_fact(keys, form.description),
        _say_status(keys, state),
    )
    answer = next(filter(None, answers), "")
    if answer:
        return Reading("asks", answer=answer)
    known = content_of(keys_of(f"{form.description} {' '.join(form.slots)}".replace("_", " ")))
    is_near = len(content_of(keys) & known) > 1
    return Reading("wonders" if is_near else "talks")


def _answer_advice(keys: Sequence[str], state: FormState) -> str:
    form, slot = state.form, state.requested
    if form is None or slot not in form.slots or form.slots[slot].slot_type != "categorical":
        return ""
    if not has_any(keys, cues.ADVICE):
        return ""
    option = advise(keys, form, slot)
    return f"I would take {option}: {explain_option(form, option)}." if option else ""


def _explain(words: Sequence[Word], state: FormState) -> str:
    """Return what the form says of the values or slots that a question names."""
    form = state.form
    assert form is not None
    named = [word for span in find_options(words, form) for word in words[span.start : span.end]]
    text = " ".join(word.key for word in named)
    options = [one for slot in form.slots.values() for one in slot.enum or () if one in text]
    parts = list(filter(None, (explain_option(form, option) for option in options)))
    return f"{'; '.join(parts)}.".capitalize() if parts else ""


def _say_status(keys: Sequence[str], state: FormState) -> str:
    if has_any(keys, cues.FILLED):
        return say_filled(state)
    return say_missing(state) if has_any(keys, cues.MISSING) else ""


def say_filled(state: FormState) -> str:
    values = [f"{name.replace('_', ' ')} is {_show(one)}" for name, one in state.assigned.items()]
    return f"So far, {', '.join(values)}." if values else "Nothing is filled in yet."


def say_missing(state: FormState) -> str:
    names = [name.replace("_", " ") for name in state.outstanding]
    return f"Still open: {', '.join(names)}." if names else "Nothing is missing."


def _show(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
