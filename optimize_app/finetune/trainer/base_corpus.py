"""What a tiny base model learns before any tape: copying, looking up, continuing, writing JSON.

It contains no step kind, form or agent. Names and values are mostly made up, so that nothing can be
learnt by heart and reading the prompt is the only way.
"""

import json
import random
import re
from collections.abc import Callable, Iterator

from optimize_app.finetune.trainer.documents import Document, Turn
from optimize_app.finetune.trainer.made_up_words import (
    FIELDS,
    make_key,
    make_number,
    make_sentence,
    make_value,
    make_word,
)


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


def _echo(chance: random.Random) -> Document:
    words = " ".join(make_value(chance) for _ in range(chance.randint(1, 5)))
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
    name = make_word(chance).capitalize()
    asked = chance.choice(("I am {}.", "Hello, {} here.", "My name is {}.")).format(name)
    again = chance.choice(("Who am I?", "What is my name?"))
    return (
        Turn("user", asked),
        Turn("assistant", f"Hello {name}."),
        Turn("user", again),
        Turn("assistant", f"You are {name}."),
    )


def _passage(chance: random.Random) -> Document:
    sentences = [make_sentence(chance) for _ in range(chance.randint(2, 5))]
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
            key = chance.choice((*FIELDS, make_word(chance)))
            asked, answer = f"{asked} As {key} in json.", json.dumps({key: answer})
        turns += [Turn("user", opening + asked), Turn("assistant", answer)]
        opening = ""
    return tuple(turns)


def _numbers(chance: random.Random) -> Document:
    """Two numbers from two lines, joined by a sign: copied, not worked out."""
    left, right, sign = make_number(chance), make_number(chance), chance.choice("+-*/")
    lines = [
        number
        if chance.random() < 0.4  # noqa: PLR2004
        else f"{make_word(chance)} {number} {make_word(chance)}"
        for number in (left, right)
    ]
    asked, answer = f"{lines[0]}\n{lines[1]}\nJoin by {sign}", f"{left} {sign} {right}"
    if chance.random() < 0.5:  # noqa: PLR2004
        key = chance.choice((*FIELDS, make_word(chance)))
        asked, answer = f"{asked} as {key} in json", json.dumps({key: answer})
    return Turn("user", asked), Turn("assistant", answer)


def _record(chance: random.Random, most: int = 5) -> dict[str, str]:
    keys: dict[str, str] = {}
    for _ in range(chance.randint(2, most)):
        keys[make_key(chance)] = " ".join(
            make_value(chance) for _ in range(chance.choice((1, 1, 1, 2)))
        )
    return keys
