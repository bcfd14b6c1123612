"""Companies whose words are made up: there are as many as one likes, and none is like another.

A student that learns from a few companies learns them by heart. From names that come once it can
only learn to read them.
"""

import re
from collections.abc import Callable
from random import Random
from typing import TypeVar

from tapes_app.gallery.form_filler.companies.vocabulary import (
    Amount,
    Choice,
    Code,
    Option,
    Period,
    Plain,
    Request,
    Text,
    Vocabulary,
)

Made = TypeVar("Made")

_NAME = re.compile(r"MadeUp([0-9]{1,6})")


def _split(text: str) -> list[str]:
    return text.split()


_STARTS = _split(
    "b bl br c ch cl cr d dr f fl fr g gl gr h j k kl l m n p pl pr qu r s sc sh sk sl sm sn sp st "
    "str sw t th tr tw v w y z"
)
_VOWELS = _split("a a a e e e e i i i o o o u u ai ea ee ie oa oo ou")
_ENDS = _split("b ck d ft g ge ld ll lt m n nd ng nk nt p r rd rk rm rn rt s sh sk ss st t th x ze")
_TAILS = ("", "", "", "er", "et", "ing", "ion", "al", "ow", "ard", "ment", "y", "ic", "le")
_LEAST_LETTERS, _MOST_LETTERS = 4, 10
_PLAIN_WORDS = _split("""
alarm amber anchor apple autumn badge barrel basket beacon bell birch bottle branch bridge bronze
bucket button cable candle canyon carbon carpet castle cedar chalk cherry clay cliff cloud coral
cotton crystal curtain daisy delta desert drum eagle echo ember falcon feather fence field forest
fossil fountain garlic ginger glacier granite harvest hazel helmet honey island ivory jungle kettle
ladder lemon lily marble meadow melon moss needle oak olive onion orchard oyster paint pepper pine
planet plum poppy prairie pumpkin quartz rabbit ribbon river rocket rope saddle salt sand shell
shield spice spring square storm summit table thunder tiger timber tulip valley walnut wave willow
wolf
""")
_PLAIN_SHARE = 0.3
_VERBS = (
    "apply for", "ask for", "book", "buy", "change", "check", "close", "extend", "hand in", "lend",
    "move", "open", "order", "plan", "register", "renew", "repair", "replace", "report", "request",
    "reserve", "return", "sell", "send", "start", "stop",
)  # fmt: skip
_NEEDS = (
    "bring", "carry", "find", "have", "keep", "look at", "make", "see", "take", "use", "visit",
    "wait for", "walk to", "work with",
)  # fmt: skip
_ABOUTS = ("Kind of {}", "Which {} it is", "How the {} is", "What is wanted of the {}")
_DAY_ENDINGS = ("date", "day", "start", "end")
_TIME_ENDINGS = ("time", "hour", "from")
_TEXT_ENDINGS = ("name", "place", "note", "reason", "owner", "title", "contents", "purpose")
_CODE_ENDINGS = ("code", "number", "key", "tag", "serial")
_COUNT_ENDINGS = ("count", "number", "pieces", "share")
_AMOUNT_ENDINGS = ("sum", "weight", "price", "length", "budget", "limit")
_FLAG_ENDINGS = ("wanted", "insured", "mode", "consent", "option")
_MAIL_ENDINGS = ("email", "mail")
_SITE_ENDINGS = ("link", "page", "site")


def is_made_up(name: str) -> bool:
    """Return whether a company of this name has a vocabulary that is made up."""
    return _NAME.fullmatch(name) is not None


def list_made_up(count: int, first: int = 1) -> list[str]:
    """Return the names of so many companies."""
    return [f"MadeUp{number}" for number in range(first, first + count)]


def make_up_vocabulary(name: str) -> Vocabulary:
    """Return the vocabulary of a company, the same for the same name."""
    words = _Words(Random(f"made up {name}"))  # noqa: S311 - to repeat, no secret
    domain = words.take()
    return Vocabulary(
        company=name,
        business=f"has {words.take()} and {words.take()}",
        split="train",
        domain=f"{domain}.example",
        desk=f"{words.take()} desk",
        approver=f"{words.take()} manager",
        requests=words.many(10, words.make_request),
        choices=words.many(6, words.make_choice),
        periods=words.many(3, words.make_period),
        dates=words.many(2, lambda: words.make_slot(_DAY_ENDINGS, "Day of the {}")),
        times=words.many(2, lambda: words.make_slot(_TIME_ENDINGS, "Time of the {}")),
        texts=words.many(4, words.make_text),
        codes=words.many(2, words.make_code),
        counts=words.many(2, lambda: words.make_amount(_COUNT_ENDINGS, (1, 4), (5, 50))),
        amounts=words.many(2, lambda: words.make_amount(_AMOUNT_ENDINGS, (5, 900), (950, 9000))),
        flags=words.many(3, lambda: words.make_slot(_FLAG_ENDINGS, "Whether there is a {}")),
        emails=words.many(2, lambda: words.make_slot(_MAIL_ENDINGS, "E-mail address of the {}")),
        sites=words.many(2, lambda: words.make_slot(_SITE_ENDINGS, "Page of the {}")),
        names=words.many(6, words.take),
    )


class _Words:
    """Makes words, none of them twice: two forms or slots of a company share no word by chance."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._taken: set[str] = set()
        self._verbs = chance.sample(_VERBS, len(_VERBS))

    def many(self, count: int, make: Callable[[], Made]) -> tuple[Made, ...]:
        return tuple(make() for _ in range(count))

    def take(self) -> str:
        """Return a word that this company does not have yet."""
        while True:
            is_plain = self._chance.random() < _PLAIN_SHARE
            word = self._chance.choice(_PLAIN_WORDS) if is_plain else self._make()
            if word not in self._taken:
                self._taken.add(word)
                return word

    def _make(self) -> str:
        draw, word = self._chance.choice, ""
        while not _LEAST_LETTERS <= len(word) <= _MOST_LETTERS:
            syllables = [
                draw(_STARTS) + draw(_VOWELS) + draw((draw(_ENDS), "", ""))
                for _ in range(draw((1, 1, 2, 2, 3)))
            ]
            word = "".join(syllables) + draw(_TAILS)
        return word

    def take_phrase(self, *sizes: int) -> str:
        return " ".join(self.take() for _ in range(self._chance.choice(sizes)))

    def make_request(self) -> Request:
        verb = self._verbs.pop() if self._chance.random() < 0.8 else self.take()  # noqa: PLR2004
        thing = self.take_phrase(1, 2, 2, 3)
        article = "an" if thing[0] in "aeiou" else "a"
        return Request(verb, self._chance.choice((f"{article} {thing}", thing)))

    def make_choice(self) -> Choice:
        name = "_".join(self.take() for _ in range(self._chance.choice((1, 2, 2))))
        return Choice(
            name,
            self._chance.choice(_ABOUTS).format(name.replace("_", " ")),
            self.many(self._chance.choice((2, 2, 3, 3, 4)), self._make_option),
        )

    def _make_option(self) -> Option:
        trait = self._chance.choice((f"{self.take()}est", f"most {self.take()}", self.take()))
        need = f"{self._chance.choice(_NEEDS)} {self.take_phrase(1, 2)}"
        return Option(self.take_phrase(1, 2, 2), trait, need)

    def make_slot(self, endings: tuple[str, ...], about: str) -> Plain:
        name, described = self._name_slot(endings, about)
        return Plain(name, described)

    def _name_slot(self, endings: tuple[str, ...], about: str) -> tuple[str, str]:
        word = self.take()
        end = self._chance.choice(endings) if self._chance.random() < 0.7 else self.take()  # noqa: PLR2004
        return f"{word}_{end}", about.format(word)

    def make_period(self) -> Period:
        first, last = self.take(), self.take()
        ending = self._chance.choice(_DAY_ENDINGS[:2])
        return Period(
            Plain(f"{first}_{ending}", f"First day of the {first}"),
            Plain(f"{last}_{ending}", f"Day on which the {last} ends"),
        )

    def make_text(self) -> Text:
        name, about = self._name_slot(_TEXT_ENDINGS, "What is known of the {}")
        is_title = self._chance.random() < 0.5  # noqa: PLR2004
        samples = self.many(5, lambda: self.take_phrase(1, 2, 2, 3))
        return Text(name, about, tuple(one.title() if is_title else one for one in samples))

    def make_code(self) -> Code:
        name, about = self._name_slot(_CODE_ENDINGS, "Code of the {}")
        letters = "".join(self._chance.choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=2))
        return Code(name, about, letters, self._chance.choice((4, 5, 6)))

    def make_amount(
        self, endings: tuple[str, ...], least: tuple[int, int], most: tuple[int, int]
    ) -> Amount:
        name, about = self._name_slot(endings, "Number for the {}")
        return Amount(name, about, self._chance.randint(*least), self._chance.randint(*most))
