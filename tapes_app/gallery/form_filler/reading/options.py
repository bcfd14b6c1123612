"""Finds an allowed value by its place in the list, or by how the form describes it."""

from collections.abc import Sequence
from itertools import pairwise

from tapes_app.gallery.form_filler.forms import FunctionSchema
from tapes_app.gallery.form_filler.reading.words import content_of, has_phrase, is_like, keys_of

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_LAST = "last"
_COUNTING = ("number", "option", "choice")


def find_described(keys: Sequence[str], form: FunctionSchema, slot: str) -> str:
    """Return the value that is meant by its place or by a trait; empty if none is."""
    options = form.slots[slot].enum or ()
    by_trait = [one for one in options if (trait := _trait(form, one)) and has_phrase(keys, trait)]
    if len(by_trait) == 1:
        return by_trait[0]
    place = _find_place(keys, len(options))
    return options[place] if place is not None else ""


def _find_place(keys: Sequence[str], count: int) -> int | None:
    if _LAST in keys:
        return count - 1
    for place, ordinal in enumerate(_ORDINALS[:count]):
        if ordinal in keys:
            return place
    for word, number in pairwise(keys):
        if (
            any(is_like(word, one) for one in _COUNTING)
            and number.isdigit()
            and 1 <= int(number) <= count
        ):
            return int(number) - 1
    return None


def explain_option(form: FunctionSchema, option: str) -> str:
    """Return what the description says of an allowed value; empty if it does not."""
    for sentence in form.description.replace("\n", " ").split(". "):
        # The sentence begins with the slot's name: "Cabin: coach is the cheapest; …".
        for part in sentence.partition(": ")[2].rstrip(".").split("; "):
            if part.startswith(f"{option} is "):
                return part
    return ""


def _trait(form: FunctionSchema, option: str) -> str:
    words = explain_option(form, option).removeprefix(f"{option} is the ")
    return " ".join(keys_of(words.partition(",")[0]))


def advise(keys: Sequence[str], form: FunctionSchema, slot: str) -> str:
    """Return the value whose description fits best what somebody needs; empty if none does."""
    wanted = content_of(keys)
    fits = {
        option: len(wanted & content_of(keys_of(explain_option(form, option).partition(",")[2])))
        for option in form.slots[slot].enum or ()
    }
    best = max(fits.values(), default=0)
    found = [option for option, count in fits.items() if count == best]
    return found[0] if best and len(found) == 1 else ""
