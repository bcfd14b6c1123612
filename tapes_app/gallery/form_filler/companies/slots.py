"""Which slots a form has, drawn from a vocabulary, and the JSON Schema of each."""

from collections.abc import Iterator, Mapping
from functools import singledispatch
from random import Random
from typing import Any, TypeAlias

from tapes_app.gallery.form_filler.companies.vocabulary import (
    Amount,
    Choice,
    Code,
    Plain,
    Text,
    Vocabulary,
)

SlotWords: TypeAlias = Choice | Plain

_DEFAULT_SHARE = 0.3
_LONGEST_TEXT = 80


def draw_slots(words: Vocabulary, chance: Random) -> tuple[dict[str, SlotWords], dict[str, Any]]:
    """Return the words of a form's slots by name, in the form's order, and their schemas."""
    drawn: dict[str, tuple[SlotWords, dict[str, Any]]] = {}
    for format_, slots in _draw_by_format(words, chance):
        for slot in slots:
            drawn[slot.name] = (slot, {**describe(slot, chance), **_FORMATS[format_]})
    order = list(drawn)
    chance.shuffle(order)
    # A period's first date is asked for before its last one.
    for period in words.periods:
        if period.first.name in drawn:
            first, last = sorted(order.index(day.name) for day in (period.first, period.last))
            order[first], order[last] = period.first.name, period.last.name
    return {name: drawn[name][0] for name in order}, {name: drawn[name][1] for name in order}


_FORMATS: Mapping[str, dict[str, Any]] = {
    "": {},
    "date": {"format": "date"},
    "time": {"format": "time"},
    "email": {"format": "email"},
    "url": {"format": "uri"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
}


def _draw_by_format(
    words: Vocabulary, chance: Random
) -> Iterator[tuple[str, tuple[SlotWords, ...]]]:
    yield "", tuple(chance.sample(words.choices, chance.randint(2, 3)))
    yield "", tuple(chance.sample(words.texts, chance.randint(1, 2)))
    if chance.random() < 0.6:  # noqa: PLR2004
        period = chance.choice(words.periods)
        yield "date", (period.first, period.last)
    else:
        yield "date", (chance.choice(words.dates),)
    rest: list[tuple[str, tuple[Plain, ...]]] = [
        ("", words.codes),
        ("time", words.times),
        ("integer", words.counts),
        ("number", words.amounts),
        ("boolean", words.flags),
        ("email", words.emails),
        ("url", words.sites),
    ]
    for format_, slots in chance.sample(rest, chance.randint(3, 5)):
        yield format_, (chance.choice(slots),)


@singledispatch
def describe(slot: SlotWords, chance: Random) -> dict[str, Any]:
    """Return the schema of a slot, apart from its format."""
    return {"type": "string", "description": slot.about}


@describe.register
def _(slot: Choice, chance: Random) -> dict[str, Any]:
    names = [option.name for option in slot.options]
    chance.shuffle(names)
    default = {"default": chance.choice(names)} if chance.random() < _DEFAULT_SHARE else {}
    return {"type": "string", "description": slot.about, "enum": names, **default}


@describe.register
def _(slot: Text, chance: Random) -> dict[str, Any]:
    return {"type": "string", "description": slot.about, "maxLength": _LONGEST_TEXT}


@describe.register
def _(slot: Code, chance: Random) -> dict[str, Any]:
    example = slot.letters + "-" + "4821937"[: slot.digits]
    return {
        "type": "string",
        "description": f"{slot.about}, as in {example}",
        "pattern": f"{slot.letters}-[0-9]{{{slot.digits}}}",
    }


@describe.register
def _(slot: Amount, chance: Random) -> dict[str, Any]:
    default = {"default": slot.least} if chance.random() < _DEFAULT_SHARE else {}
    return {"description": slot.about, "minimum": slot.least, "maximum": slot.most, **default}
