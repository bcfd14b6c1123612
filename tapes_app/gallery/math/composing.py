"""Newly composed sentences of train problems: only the words that indicate an operation stay.

A student that sees a few dozen fixed sentences memorizes them, and takes a new one for whichever
looks similar. So most words around the indicative ones are made up on the spot: what sentences of
one operation have in common is all there is to learn.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from tapes_app.gallery.math.sentences import FORMS, Part

Invent = Callable[[], str]
"""Returns a newly made-up word."""

_FIXED_SHARE = 0.3
_FORMS_OF_A_PART = 4
"""More than a problem needs for one part."""

_LEADS = (
    "", "", "", "In the evening ", "Later ", "Then ", "After lunch ", "Before school ",
    "On Monday ", "Near the {p} ", "With {m} ", "At the {p} ", "Because of {m} ",
    "On the way home ", "When {m} VERB, ", "As the NOUN VERB, ", "Before {n} VERB, ",
)  # fmt: skip
_TAILS = (
    "", "", "", "", " in the {p}", " from {m}", " with {m}", " at home", " near the {p}",
    " before lunch", " on the table", " in a {c}",
)  # fmt: skip
_VERB_ENDINGS = ("s", "es", "ts", "ks", "lls", "nds", "kes", "ngs")
_CORES: Mapping[Part, Sequence[str]] = {
    "opening": (
        "WHO has {a} {t}", "WHO VERB {a} {t}", "WHO VERB {a} {t}", "there are {a} {t}",
        "{a} {t} NOUN",
    ),
    "boxes": ("WHO has {a} {cs}", "WHO VERB {a} {cs}", "there are {a} {cs}", "{a} {cs} NOUN"),
    "add": (
        "WHO VERB ADDED", "WHO VERB ADDED", "WHO VERB {n} ADDED", "ADDED come", "ADDED NOUN",
    ),
    "subtract": (
        "WHO VERB {b} THEM away", "WHO VERB {b} away", "WHO VERB away {b} THEM",
        "WHO loses {b} THEM", "WHO loses {b}", "WHO sells {b} THEM", "WHO sells {b}",
        "{b} THEM break", "{b} break",
    ),
    "multiply": (
        "there are {b} times as many", "there are {b} times as many {t}",
        "WHO VERB {b} times as many {t}", "the {t} NOUN {b} times as many",
        "WHO VERB them into {b} times as many", "WHO and WHO NOUN {b} times as many {t}",
    ),
    "each": (
        "EACH VERB {b} {t}", "EACH VERB {b} {t}", "WHO VERB {b} {t} into EACH",
        "there are {b} {t} in EACH", "{b} {t} NOUN in EACH",
    ),
    "divide": (
        "WHO VERB the {t} into {b} equal NOUNs and keeps one",
        "WHO VERB them into {b} equal NOUNs, and {n} VERB one",
        "{b} NOUNs share them equally, one of them {n}", "{b} NOUNs share the {t} equally",
        "WHO VERB the {t} equally among {b} NOUNs", "of {b} equal NOUNs {n} VERB one",
    ),
    "aside": (
        "the NOUN VERB", "WHO VERB", "WHO VERB a NOUN", "it is a NOUN NOUN", "the {p} is NOUN",
        "WHO VERB {t}", "the NOUN VERB on the {p}", "WHO is NOUN",
    ),
    "question": (
        "How many {t} does {n} NOUN", "How many {t} can {n} NOUN", "How many {t} are NOUN",
        "How many {t} has {n} NOUN", "How many {t} are there NOUN",
    ),
}  # fmt: skip
_CHOICES: Mapping[str, Sequence[str]] = {
    "WHO": ("{n}", "{n}", "{m}", "a NOUN"),
    "ADDED": ("{b} more", "{b} more {t}", "another {b}", "another {b} {t}", "{b} extra {t}"),
    "THEM": ("{t}", "of them", "of the {t}"),
    "EACH": ("each {c}", "every {c}", "each of them"),
}


_KEPT_FROM_TRAINING = {
    part: {*FORMS["validation"][part], *FORMS["test"][part]} for part in get_args(Part)
}


def compose_forms(chance: random.Random, invent: Invent) -> dict[Part, list[str]]:
    """Return different forms for every part of one problem, some of them fixed ones."""
    return {part: _compose_some(part, chance, invent) for part in get_args(Part)}


def _compose_some(part: Part, chance: random.Random, invent: Invent) -> list[str]:
    # A dict, not a set: the order of a set differs from process to process.
    made: dict[str, None] = {}
    while len(made) < _FORMS_OF_A_PART:
        is_fixed = chance.random() < _FIXED_SHARE
        form = chance.choice(FORMS["train"][part]) if is_fixed else _compose(part, chance, invent)
        if form not in _KEPT_FROM_TRAINING[part]:
            made[form] = None
    return list(made)


def _compose(part: Part, chance: random.Random, invent: Invent) -> str:
    core = chance.choice(_CORES[part])
    if part == "question":
        return _fill(f"{core}?", chance, invent)
    form = _fill(f"{chance.choice(_LEADS)}{core}{chance.choice(_TAILS)}.", chance, invent)
    return form[0].upper() + form[1:]


def _fill(form: str, chance: random.Random, invent: Invent) -> str:
    """Replace the capitalized placeholders in a form with chosen and made-up words."""
    for name, choices in _CHOICES.items():
        while name in form:
            form = form.replace(name, chance.choice(choices), 1)
    while "VERB" in form:
        form = form.replace("VERB", invent() + chance.choice(_VERB_ENDINGS), 1)
    while "NOUN" in form:
        form = form.replace("NOUN", invent(), 1)
    return form
