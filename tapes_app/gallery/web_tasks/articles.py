"""The knowledge of a desk: articles with facts, and older ones that no longer hold."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from tapes_app.engine.frozen_model import FrozenModel

OUTDATED = "Out of date"
"""How the title of an article begins whose facts no longer hold."""


class Article(FrozenModel):
    number: str
    title: str
    facts: tuple[tuple[str, str], ...]
    """What each sentence is about, and its value."""

    @property
    def sentences(self) -> Sequence[str]:
        return [f"The {what} is {value}." for what, value in self.facts]

    @property
    def is_outdated(self) -> bool:
        return self.title.startswith(OUTDATED)

    def has_word(self, text: str) -> bool:
        """Return whether a search for a text finds it: without case, and in any place."""
        return text.casefold() in "\n".join((self.title, *self.sentences)).casefold()


class _Topic(NamedTuple):
    title: str
    facts: tuple[tuple[str, str, int, int], ...]
    """About what, its unit, and the least and most of it."""


_TOPICS = (
    _Topic("Mail", (("largest attachment", "MB", 10, 40), ("mailbox size", "GB", 5, 90))),
    _Topic("Passwords", (("shortest password", "characters", 9, 20),
                         ("age at which a password expires", "days", 60, 360))),
    _Topic("Remote access", (("lifetime of a VPN token", "days", 7, 90),
                             ("number of devices with remote access", "devices", 2, 9))),
    _Topic("Printing", (("monthly print allowance", "pages", 100, 900),
                        ("time for which a print job is kept", "hours", 4, 48))),
    _Topic("Loans", (("longest loan of a laptop", "days", 5, 60),
                     ("fee for a lost charger", "euros", 20, 95))),
)  # fmt: skip


def make_articles(chance: random.Random) -> tuple[Article, ...]:
    """Return two articles on each topic: one that holds, and one with other values."""
    made = [(topic, is_old) for topic in _TOPICS for is_old in (True, False)]
    chance.shuffle(made)
    drawn = {
        what: chance.sample(range(least, most), 2)
        for topic in _TOPICS
        for what, _, least, most in topic.facts
    }
    return tuple(
        Article(
            number=f"KB{at}",
            title=f"{OUTDATED}: {topic.title}" if is_old else topic.title,
            facts=tuple(
                (what, f"{drawn[what][is_old]} {unit}") for what, unit, _, _ in topic.facts
            ),
        )
        for at, (topic, is_old) in enumerate(made, start=11)
    )
