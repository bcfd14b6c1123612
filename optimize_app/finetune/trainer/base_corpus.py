"""What a tiny base model learns before any tape: copying, looking up, continuing, writing JSON.

It contains no step kind, form or agent. Names and values are mostly made up, so that nothing can be
learnt by heart and reading the prompt is the only way.
"""

import json
import random
import re
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass

END = "<|end|>"
ROLES = ("<|system|>", "<|user|>", "<|assistant|>", "<|tool|>")

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
_FIELDS = ("name", "city", "day", "color", "size", "price", "phone", "item", "time", "note")


@dataclass(frozen=True)
class Turn:
    """One message of a document; only the assistant's count."""

    role: str
    text: str


Document = tuple[Turn, ...]


def list_documents(count: int, seed: int) -> Iterator[Document]:
    """Yield documents, the same for each seed; half of the first third are plain echoes."""
    chance = random.Random(f"base {seed}")  # noqa: S311 - a corpus to repeat, not a secret
    kinds: tuple[Callable[[random.Random], Document], ...] = (
        _echo, _echo, _look_up, _look_up, _look_up, _record_as_json, _sentence_as_json, _talk,
        _passage, _passage, _numbers,
    )  # fmt: skip
    for number in range(count):
        is_easy = number < count * 0.35 and chance.random() < 0.5  # noqa: PLR2004
        yield (_echo if is_easy else chance.choice(kinds))(chance)


def write_document(document: Document) -> tuple[str, list[tuple[int, int]]]:
    """Return a document as text, and the spans of the assistant's words with their end marks."""
    text, spans = "", []
    for turn in document:
        text += f"<|{turn.role}|>"
        start = len(text)
        text += turn.text + END
        if turn.role == "assistant":
            spans.append((start, len(text)))
        text += "\n"
    return text, spans


def _echo(chance: random.Random) -> Document:
    words = " ".join(_value(chance) for _ in range(chance.randint(1, 5)))
    asked = chance.choice(("Say: {}", "Repeat {}", "{}", 'Write "{}"', "echo {}")).format(words)
    return Turn("user", asked), Turn("assistant", words)


def _look_up(chance: random.Random) -> Document:
    record = _record(chance)
    lines = "\n".join(f"{key}: {value}" for key, value in record.items())
    turns = [Turn("system", lines)] if chance.random() < 0.5 else []  # noqa: PLR2004
    opening = "" if turns else f"{lines}\n"
    keys = list(record)
    for _ in range(chance.randint(1, 3)):
        key = chance.choice(keys)
        following = keys.index(key) + 1
        question, answer = chance.choice(
            (
                (f"What is the {key}?", record[key]),
                (f"{key}?", record[key]),
                (f"Which has {record[key]}?", key),
                (
                    f"What comes after {key}?",
                    keys[following] if following < len(keys) else "nothing",
                ),
                ("Which are there?", "; ".join(keys)),
            )
        )
        turns += [Turn("user", opening + question), Turn("assistant", answer)]
        opening = ""
    return tuple(turns)


def _record_as_json(chance: random.Random) -> Document:
    record = _record(chance)
    lines = "\n".join(f"{key}: {value}" for key, value in record.items())
    chosen = chance.sample(list(record), chance.randint(1, len(record)))
    asked = f"{lines}\n{', '.join(chosen)} as json"
    return (
        Turn("user", asked),
        Turn("assistant", json.dumps({key: record[key] for key in chosen})),
    )


def _sentence_as_json(chance: random.Random) -> Document:
    record = _record(chance, most=3)
    parts = [
        chance.choice(("the {} is {}", "{}: {}", "{} = {}")).format(*pair)
        for pair in record.items()
    ]
    words = chance.choice((", ", " and ", "; ")).join(parts)
    if chance.random() < 0.5:  # noqa: PLR2004
        answer = "\n".join(json.dumps({"field": key, "value": record[key]}) for key in record)
    else:
        answer = json.dumps(record)
    return Turn("user", f"{words}. In json."), Turn("assistant", answer)


def _talk(chance: random.Random) -> Document:
    name = _pseudo_word(chance).capitalize()
    asked = chance.choice(("I am {}.", "Hello, {} here.", "My name is {}.")).format(name)
    again = chance.choice(("Who am I?", "What is my name?"))
    return (
        Turn("user", asked),
        Turn("assistant", f"Hello {name}."),
        Turn("user", again),
        Turn("assistant", f"You are {name}."),
    )


def _passage(chance: random.Random) -> Document:
    sentences = [_sentence(chance) for _ in range(chance.randint(2, 5))]
    turns: list[Turn] = []
    opening = " ".join(sentences) + "\n"
    numbers = re.findall(r"\d+", opening)
    for _ in range(chance.randint(1, 2)):
        place = chance.randrange(len(sentences))
        words, following = sentences[place], sentences[place + 1 : place + 2]
        asked, answer = chance.choice(
            (
                (f"After: {words}", following[0] if following else "nothing"),
                (f"After: {words}", following[0] if following else "nothing"),
                (f"Which has {words.split()[0]}?", words),
                ("Which are the numbers?", "; ".join(numbers) or "none"),
            )
        )
        if chance.random() < 0.5:  # noqa: PLR2004
            key = chance.choice((*_FIELDS, _pseudo_word(chance)))
            asked, answer = f"{asked} As {key} in json.", json.dumps({key: answer})
        turns += [Turn("user", opening + asked), Turn("assistant", answer)]
        opening = ""
    return tuple(turns)


def _sentence(chance: random.Random) -> str:
    """Return a sentence of made-up words, often with a number in it."""
    words = [chance.choice((_pseudo_word(chance), chance.choice(_WORDS)))
             for _ in range(chance.randint(1, 5))]  # fmt: skip
    if chance.random() < 0.7:  # noqa: PLR2004
        words.insert(chance.randint(0, len(words)), _number(chance))
    return " ".join((_pseudo_word(chance).capitalize(), *words)) + "."


def _numbers(chance: random.Random) -> Document:
    """Two numbers from two lines, joined by a sign: copied, not worked out."""
    left, right, sign = _number(chance), _number(chance), chance.choice("+-*/")
    lines = [
        number
        if chance.random() < 0.4  # noqa: PLR2004
        else f"{_pseudo_word(chance)} {number} {_pseudo_word(chance)}"
        for number in (left, right)
    ]
    asked, answer = f"{lines[0]}\n{lines[1]}\nJoin by {sign}", f"{left} {sign} {right}"
    if chance.random() < 0.5:  # noqa: PLR2004
        key = chance.choice((*_FIELDS, _pseudo_word(chance)))
        asked, answer = f"{asked} as {key} in json", json.dumps({key: answer})
    return Turn("user", asked), Turn("assistant", answer)


def _record(chance: random.Random, most: int = 5) -> dict[str, str]:
    keys: dict[str, str] = {}
    for _ in range(chance.randint(2, most)):
        keys[_key(chance)] = " ".join(_value(chance) for _ in range(chance.choice((1, 1, 1, 2))))
    return keys


def _key(chance: random.Random) -> str:
    """Return the name of a field; many are of several words, as in programs."""
    if chance.random() < 0.3:  # noqa: PLR2004
        return chance.choice(_FIELDS)
    return "_".join(_pseudo_word(chance) for _ in range(chance.choice((1, 1, 2, 3))))


def _value(chance: random.Random) -> str:
    if chance.random() < 0.1:  # noqa: PLR2004
        # A sign that was never written cannot be: what comes before an unseen token is not learnt
        # by an adapter.
        return chance.choice(string.punctuation).join((_pseudo_word(chance), _pseudo_word(chance)))
    match chance.randint(0, 4):
        case 0:
            return chance.choice(_WORDS)
        case 1:
            return _number(chance)
        case 2:
            return _pseudo_word(chance).capitalize()
        case _:
            return _pseudo_word(chance)


def _number(chance: random.Random) -> str:
    return str(chance.randint(0, 10 ** chance.randint(1, 6)))


def _pseudo_word(chance: random.Random) -> str:
    if chance.random() < 0.3:  # noqa: PLR2004
        # Letters in any order, so that words of any language can be copied.
        return "".join(chance.choices(_LETTERS, _HOW_OFTEN, k=chance.randint(3, 8)))
    return "".join(chance.choice(_SYLLABLES) for _ in range(chance.randint(2, 4)))
