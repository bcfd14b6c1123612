"""The sentences that word problems are made of; no two splits share a form.

`{n}` and `{m}` are people, `{t}` what is counted, `{p}` a place, `{c}` and `{cs}` a container in
the singular and plural; `{a}` is the first number of a problem, `{b}` that of an operation. All
splits share the words that indicate an operation: more, away, times, equal and so on. Train
problems also have composed sentences; see `composing`.
"""

import re
from typing import Literal

from tapes_app.gallery.math.steps import Operation

ProblemSplit = Literal["train", "validation", "test"]
Part = Literal[
    "opening", "boxes", "add", "subtract", "multiply", "each", "divide", "aside", "question"
]
"""`boxes` opens with containers, and `each` states what is in one; `aside` has no number."""

FORMS: dict[ProblemSplit, dict[Part, tuple[str, ...]]] = {
    "train": {
        "opening": (
            "{n} has {a} {t}.",
            "There are {a} {t} on the table of {n}.",
            "{n} begins the day with {a} {t}.",
            "In the morning {n} counts {a} {t}.",
            "{n} finds {a} {t} in the {p}.",
            "A neighbor brings {a} {t} to {n}.",
        ),
        "boxes": (
            "{n} carries {a} {cs} home.",
            "There are {a} {cs} in the {p}.",
            "{n} has {a} {cs}.",
        ),
        "add": (
            "{n} buys {b} more {t}.",
            "Then {m} gives {n} {b} more.",
            "{b} more {t} arrive in the evening.",
            "{n} finds {b} more {t} in the {p}.",
            "Later {n} gets {b} more from {m}.",
            "After lunch {m} adds another {b} {t}.",
            "{n} receives another {b} {t}.",
            "Another {b} {t} come from {m}.",
            "{m} puts {b} extra {t} into the {c}.",
            "For helping in the {p} {n} earns {b} extra {t}.",
        ),
        "subtract": (
            "{n} gives {b} {t} away.",
            "Then {n} gives away {b} of them.",
            "{n} loses {b} {t} in the {p}.",
            "On the way {n} loses {b}.",
            "{n} sells {b} of them to {m}.",
            "{m} takes {b} {t} away.",
            "{n} throws away {b} broken {t}.",
            "At night {b} of the {t} break.",
            "Later {n} sells {b} {t}.",
            "{b} of the {t} break on the way to the {p}.",
        ),
        "multiply": (
            "Soon there are {b} times as many {t}.",
            "{m} helps to make it {b} times as many.",
            "After a week {n} has {b} times as many {t}.",
            "Then the {t} become {b} times as many.",
            "{n} works on until it is {b} times as many {t}.",
            "By the evening there are {b} times as many {t} on the table.",
            "{m} brings so many that there are {b} times as many.",
            "One year later {n} has {b} times as many {t}.",
            "In the {p} the {t} become {b} times as many.",
            "Now {n} needs {b} times as many {t} and gets them.",
        ),
        "each": (
            "Each {c} holds {b} {t}.",
            "There are {b} {t} in each {c}.",
            "Every {c} has {b} {t} in it.",
            "{n} counts {b} {t} in each of them.",
            "In every {c} there are {b} {t}.",
            "{b} {t} are in each {c}.",
        ),
        "divide": (
            "{n} packs them into {b} equal {cs} and keeps one.",
            "{n} splits them into {b} equal parts and takes one.",
            "Then {b} people share the {t} equally, and {n} is one of them.",
            "{m} divides the {t} equally among {b} people, one of them {n}.",
            "Then {n} makes {b} equal heaps and keeps one heap.",
            "{n} and some friends, {b} in all, share the {t} equally.",
            "Of {b} equal shares {n} keeps one.",
            "{m} cuts the {t} into {b} equal shares, and {n} gets one.",
        ),
        "aside": (
            "It is a warm day.",
            "{m} is watching.",
            "{n} is glad.",
            "The {p} is far away.",
            "{m} likes {t} too.",
        ),
        "question": (
            "How many {t} does {n} have now?",
            "How many {t} are there in the end?",
            "How many {t} are left for {n}?",
            "How many {t} does that make?",
        ),
    },
    "validation": {
        "opening": (
            "At home {n} stores {a} {t}.",
            "{n} arrives with {a} {t}.",
            "On the wall of {n} hang {a} {t}.",
        ),
        "boxes": (
            "{n} paints {a} {cs}.",
            "Behind the {p} stand {a} {cs}.",
        ),
        "add": (
            "A friend hands {n} {b} more {t}.",
            "Near the {p} {m} discovers another {b}.",
            "During the night {b} more {t} appear.",
            "{m} pays with {b} extra {t}.",
        ),
        "subtract": (
            "{n} sends {b} of them away.",
            "While walking {n} loses {b} {t}.",
            "To the people of the {p} {n} sells {b} of the {t}.",
            "As {m} falls, {b} of them break.",
        ),
        "multiply": (
            "By Sunday {n} owns {b} times as many.",
            "With the help of {m} the {t} grow to {b} times as many {t}.",
        ),
        "each": (
            "In each {c} lie {b} {t}.",
            "{n} fits {b} {t} into every {c}.",
        ),
        "divide": (
            "{n} lays the {t} into {b} equal lines and picks one line.",
            "Finally {b} neighbors share the {t} equally, {n} too.",
        ),
        "aside": (
            "Rain falls on the {p}.",
            "{m} reads about {t}.",
        ),
        "question": (
            "How many {t} belong to {n} now?",
            "How many {t} is that?",
        ),
    },
    "test": {
        "opening": (
            "{n} owns {a} {t}.",
            "At first {n} keeps {a} {t} at home.",
            "{n} comes from the {p} with {a} {t}.",
        ),
        "boxes": (
            "{n} orders {a} {cs}.",
            "A truck brings {a} {cs} to the {p}.",
        ),
        "add": (
            "{m} brings {b} more {t} for {n}.",
            "In the {p} {n} collects another {b}.",
            "The next day {b} more {t} come.",
            "{n} takes {b} extra {t} along.",
        ),
        "subtract": (
            "{m} carries {b} of them away.",
            "On the road {n} loses {b} of the {t}.",
            "In the {p} {n} sells {b}.",
            "When {m} comes, {b} {t} break.",
        ),
        "multiply": (
            "A month later there are {b} times as many.",
            "{n} and {m} turn them into {b} times as many {t}.",
        ),
        "each": (
            "Each {c} contains {b} {t}.",
            "{m} puts {b} {t} into each {c}.",
        ),
        "divide": (
            "{n} sorts the {t} into {b} equal rows and keeps one row.",
            "At last {b} friends share them equally, {n} among them.",
        ),
        "aside": (
            "The sun shines on the {p}.",
            "{n} sings a song.",
        ),
        "question": (
            "How many {t} has {n} got?",
            "How many {t} are there now?",
        ),
    },
}

CUES: dict[Operation, frozenset[str]] = {
    "divide": frozenset({"equal", "equally"}),
    "multiply": frozenset({"times", "each", "every"}),
    "add": frozenset({"more", "another", "extra"}),
    "subtract": frozenset({"away", "loses", "sells", "break"}),
}
"""The words that indicate an operation; if there are two, the first one counts."""

_WORD = re.compile(r"[A-Za-z]+")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, each with its closing punctuation mark."""
    return [part.strip() for part in re.split(r"(?<=[.?!])\s", text) if part.strip()]


def find_operation(sentence: str) -> Operation | None:
    """Return what a sentence asks for; `None` for an opening, an aside, or no indication."""
    if sentence.startswith("How many") and sentence.endswith("?"):
        return "answer"
    if not any(map(str.isdecimal, sentence)):
        return None
    first, *others = _WORD.findall(sentence) or [""]
    words = {first.lower(), *others}
    return next((operation for operation, cues in CUES.items() if cues & words), None)
