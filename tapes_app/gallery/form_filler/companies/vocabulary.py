"""The words of one company: what can be requested there, and which slots its forms have."""

from dataclasses import dataclass
from typing import Literal

Split = Literal["train", "test"]


@dataclass(frozen=True)
class Request:
    """What one form is for, as in "reserve a rental car"."""

    verb: str
    thing: str


@dataclass(frozen=True)
class Option:
    """One allowed value of a choice, and how it is explained."""

    name: str
    trait: str
    """What sets it apart from the others, as in "cheapest"."""

    need: str
    """Whom it suits, as the end of "good to …"."""


@dataclass(frozen=True)
class Choice:
    name: str
    about: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Plain:
    """A slot that takes any value of its type."""

    name: str
    about: str


@dataclass(frozen=True)
class Text(Plain):
    """A slot for free text, with values that somebody may give."""

    samples: tuple[str, ...]


@dataclass(frozen=True)
class Code(Plain):
    """A slot for text that begins with fixed letters and goes on with digits."""

    letters: str
    digits: int


@dataclass(frozen=True)
class Amount(Plain):
    least: int
    most: int


@dataclass(frozen=True)
class Period:
    """Two dates, the second of which comes after the first."""

    first: Plain
    last: Plain


@dataclass(frozen=True)
class Vocabulary:
    company: str
    business: str
    split: Split
    domain: str
    """Where its people have e-mail and its pages are."""

    desk: str
    approver: str
    requests: tuple[Request, ...]
    choices: tuple[Choice, ...]
    periods: tuple[Period, ...]
    dates: tuple[Plain, ...]
    times: tuple[Plain, ...]
    texts: tuple[Text, ...]
    codes: tuple[Code, ...]
    counts: tuple[Amount, ...]
    amounts: tuple[Amount, ...]
    flags: tuple[Plain, ...]
    emails: tuple[Plain, ...]
    sites: tuple[Plain, ...]
    names: tuple[str, ...]
    """First names from which addresses are made."""
