"""Names and values that are made up, so that nothing can be learnt by heart."""

import random
import re
import string

_SYLLABLES: list[str] = re.findall(
    r"\w+",
    """
    ba be bi bo bu da de di do du fa fe fi fo ga go ha he hi ho ja jo ka ke ki ko la le li lo
    lu ma me mi mo mu na ne ni no nu pa pe pi po ra re ri ro ru sa se si so su ta te ti to tu
    va ve vi vo wa we wi za zo ar en in or st ch th sh
    """,
)
_WORDS: list[str] = re.findall(
    r"\w+",
    """
    red blue green small large old new fast slow north south east west home work day night
    week year book paper table chair door window water coffee tea bread apple orange train bus
    car street city river garden school market doctor teacher friend brother sister morning
    evening summer winter monday tuesday friday sunday number name address phone email date
    time price amount color size order list item note plan answer question first second last
    next
    """,
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_HOW_OFTEN = (8, 2, 3, 4, 12, 2, 2, 6, 7, 1, 1, 4, 2, 7, 8, 2, 1, 6, 6, 9, 3, 1, 2, 1, 2, 1)
"""Frequency among a hundred letters of English."""
FIELDS = ("name", "city", "day", "color", "size", "price", "phone", "item", "time", "note")


def make_key(chance: random.Random) -> str:
    """Return the name of a field; many are of several words, as in programs."""
    if chance.random() < 0.3:  # noqa: PLR2004
        return chance.choice(FIELDS)
    return "_".join(make_word(chance) for _ in range(chance.choice((1, 1, 2, 3))))


def make_value(chance: random.Random) -> str:
    if chance.random() < 0.1:  # noqa: PLR2004
        # A sign that was never written cannot be: what comes before an unseen token is not learnt
        # by an adapter.
        return chance.choice(string.punctuation).join((make_word(chance), make_word(chance)))
    match chance.randint(0, 4):
        case 0:
            return chance.choice(_WORDS)
        case 1:
            return make_number(chance)
        case 2:
            return make_word(chance).capitalize()
        case _:
            return make_word(chance)


def make_number(chance: random.Random) -> str:
    return str(chance.randint(0, 10 ** chance.randint(1, 6)))


def make_word(chance: random.Random) -> str:
    if chance.random() < 0.3:  # noqa: PLR2004
        # Letters in any order, so that words of any language can be copied.
        return "".join(chance.choices(_LETTERS, _HOW_OFTEN, k=chance.randint(3, 8)))
    return "".join(chance.choice(_SYLLABLES) for _ in range(chance.randint(2, 4)))


def make_sentence(chance: random.Random) -> str:
    """Return a sentence of made-up words, often with a number in it."""
    words = [chance.choice((make_word(chance), chance.choice(_WORDS)))
             for _ in range(chance.randint(1, 5))]  # fmt: skip
    if chance.random() < 0.7:  # noqa: PLR2004
        words.insert(chance.randint(0, len(words)), make_number(chance))
    return " ".join((make_word(chance).capitalize(), *words)) + "."
