"""Documents in which what is asked for stands hundreds of tokens before its question.

A model that has only seen short documents copies from near by, and mixes names that stand far away.
Each document is asked several things, so that most of its tokens are worth reading more than once.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from optimize_app.finetune.trainer.documents import Document, Turn
from optimize_app.finetune.trainer.made_up_words import (
    make_key,
    make_sentence,
    make_value,
    make_word,
)

_Answer = tuple[str, str]
Sheet = Mapping[str, str | list[str]]
_Ask = Callable[[random.Random, Sheet], _Answer]


def write_far(chance: random.Random, edition: int = 1) -> Document:
    """Return one document with two to eight questions about it."""
    kinds = (partial(_ask_sheet, questions=_ASKS[edition]), _ask_names, _ask_passage)
    return chance.choice((kinds[0], kinds[0], *kinds))(chance)


def _ask_sheet(chance: random.Random, questions: Sequence[_Ask]) -> Document:
    """A table of names, some with a choice of values, often after a passage."""
    sheet: dict[str, str | list[str]] = {}
    for _ in range(chance.randint(4, 14)):
        values = [_make_phrase(chance) for _ in range(chance.choice((1, 1, 1, 2, 3, 4)))]
        sheet[make_key(chance)] = values if len(values) > 1 else values[0]
    passage = _make_passage(chance, most=8) if chance.random() < 0.5 else ""  # noqa: PLR2004
    shown = {key: _join(value) for key, value in sheet.items()}
    text = json.dumps(shown) if chance.random() < 0.7 else _list_lines(shown)  # noqa: PLR2004
    count = chance.randint(3, 8)
    asks = [questions[chance.randrange(len(questions))](chance, sheet) for _ in range(count)]
    return _converse(chance, f"{passage}\n{text}" if passage else text, asks)


def _ask_names(chance: random.Random) -> Document:
    """A list of names, each with a purpose in other letters; one is meant by a word of it."""
    names = []
    for _ in range(chance.randint(3, 11)):
        words = [make_word(chance) for _ in range(chance.randint(2, 4))]
        name = "".join(word.capitalize() for word in words)
        names.append({"name": name, "purpose": f"{words[0].capitalize()} {' '.join(words[1:])}."})
    asks = []
    for _ in range(chance.randint(2, 6)):
        meant = chance.choice(names)
        words = meant["purpose"].rstrip(".").split()
        part = " ".join(words[chance.randint(0, 1) :]).lower()
        around = [make_word(chance) for _ in range(chance.randint(0, 3))]
        asks.append((f"{' '.join((*around, part))}?", json.dumps({"name": meant["name"]})))
    return _converse(chance, json.dumps(names), asks)


def _ask_passage(chance: random.Random) -> Document:
    passage = [make_sentence(chance) for _ in range(chance.randint(5, 16))]
    asks = []
    for _ in range(chance.randint(2, 6)):
        place = chance.randrange(len(passage))
        words, following = passage[place], passage[place + 1 : place + 2]
        asks.append(
            chance.choice(
                (
                    (f"After: {words}", following[0] if following else "nothing"),
                    (f"Which has {words.split()[0]}?", words),
                    (f"Which has {chance.choice(words.rstrip('.').split())}?", words),
                )
            )
        )
    return _converse(chance, " ".join(passage), asks)


def _converse(chance: random.Random, text: str, asks: list[_Answer]) -> Document:
    """Put the text before the first question, or into a system message of its own."""
    is_apart = chance.random() < 0.5  # noqa: PLR2004
    turns = [Turn("system", text)] if is_apart else []
    opening = "" if is_apart else f"{text}\n"
    for asked, answer in asks:
        turns += [Turn("user", opening + asked), Turn("assistant", answer)]
        opening = ""
    return tuple(turns)


def _say_value(chance: random.Random, sheet: Sheet) -> _Answer:
    key = chance.choice(list(sheet))
    return f"{key}?", _join(sheet[key])


def _find_key(chance: random.Random, sheet: Sheet) -> _Answer:
    key = chance.choice(list(sheet))
    return f"Which has {chance.choice(_values_of(sheet[key]))}?", key


def _say_next(chance: random.Random, sheet: Sheet) -> _Answer:
    keys = list(sheet)
    place = chance.randrange(len(keys))
    return f"What comes after {keys[place]}?", (*keys, "nothing")[place + 1]


def _spell_next(chance: random.Random, sheet: Sheet) -> _Answer:
    """In words, with all that may be chosen: what follows must be found and written anew."""
    keys = list(sheet)
    place = chance.randrange(len(keys) - 1)
    following = keys[place + 1]
    choices = ", ".join(_values_of(sheet[following]))
    return f"After {keys[place]} in words", f"{following.replace('_', ' ')}: {choices}."


def _write_json(chance: random.Random, sheet: Sheet) -> _Answer:
    keys = chance.sample(list(sheet), chance.randint(1, min(3, len(sheet))))
    chosen = {key: chance.choice(_values_of(sheet[key])) for key in keys}
    words = [f"{key.replace('_', ' ')} {value}" for key, value in chosen.items()]
    return f"{', '.join(words)} as json", json.dumps(chosen)


def _list_rest(chance: random.Random, sheet: Sheet) -> _Answer:
    keys = list(sheet)
    left_out = set(chance.sample(keys, chance.randint(1, len(keys) - 1)))
    named = [key for key in keys if key in left_out]
    rest = [key for key in keys if key not in left_out]
    return f"Without {json.dumps(named)}", json.dumps(rest[:3])


def _say_all(chance: random.Random, sheet: Sheet) -> _Answer:
    keys = chance.sample(list(sheet), min(len(sheet), chance.randint(2, 5)))
    words = [f"{key.replace('_', ' ')}: {_join(sheet[key])}" for key in keys]
    return f"Say {json.dumps(keys)}", "; ".join(words) + "."


def _say_first_left(chance: random.Random, sheet: Sheet) -> _Answer:
    """The first key that has no value yet, as in a form that is filled mostly in its order."""
    keys = list(sheet)
    filled = keys[: chance.randint(0, len(keys) - 1)]
    if filled and chance.random() < 0.3:  # noqa: PLR2004
        filled.remove(chance.choice(filled))
    filled += [key for key in keys if key not in filled and chance.random() < 0.1]  # noqa: PLR2004
    left = [key for key in keys if key not in filled]
    values = {key: chance.choice(_values_of(sheet[key])) for key in filled}
    return f"First after {json.dumps(values)}", left[0] if left else "nothing"


_EVEN: tuple[_Ask, ...] = (
    _say_value, _find_key, _find_key, _say_next, _spell_next, _write_json, _write_json, _list_rest,
    _say_all,
)  # fmt: skip
_ASKS: dict[int, tuple[_Ask, ...]] = {
    1: _EVEN,
    2: (*_EVEN, _say_next, _say_first_left, _say_first_left, _say_first_left, _list_rest),
}
"""By edition of the documents."""


def _make_phrase(chance: random.Random) -> str:
    return " ".join(make_value(chance) for _ in range(chance.choice((1, 1, 2))))


def _make_passage(chance: random.Random, most: int) -> str:
    return " ".join(make_sentence(chance) for _ in range(chance.randint(1, most)))


def _values_of(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]


def _join(value: str | list[str]) -> str:
    return " | ".join(_values_of(value))


def _list_lines(shown: Mapping[str, str]) -> str:
    return "\n".join(f"{key}: {value}" for key, value in shown.items())


def list_far(count: int, seed: int, edition: int = 1) -> Iterator[Document]:
    """Yield documents, the same for each seed."""
    chance = random.Random(f"far {seed}")  # noqa: S311 - a corpus to repeat, not a secret
    for _ in range(count):
        yield write_far(chance, edition)
