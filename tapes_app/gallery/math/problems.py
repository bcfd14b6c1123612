"""Word problems, generated from a seed: each with its program and its answer."""

import random
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tapes_app.gallery.math.composing import compose_forms
from tapes_app.gallery.math.sentences import CUES, FORMS, Part, ProblemSplit
from tapes_app.gallery.math.steps import Operation

_TEST_SHARE = 4
"""One in this many words and numbers is reserved for test problems."""

_LARGEST = 5_000
_ASIDE_SHARE = 0.2
_BOXES_SHARE = 0.25
_MADE_UP_SHARE = 0.5

_NAMES: list[str] = re.findall(
    r"\w+",
    """
    Ada Ben Cora Dan Elif Finn Greta Hugo Ines Jonas Kira Leon Mia Nils Olga Paul Rosa Sami Tara
    Umar Vera Wim Yara Zoe
""",
)
_THINGS: list[str] = re.findall(
    r"\w+",
    """
    apples pears books cards stamps shells marbles pencils coins stones eggs nuts plums roses
    candles buttons tickets stickers cookies beads photos ribbons spoons lemons
""",
)
_PLACES = (
    "garden", "market", "park", "school", "forest", "harbor", "kitchen", "village", "library",
    "station",
)  # fmt: skip
_CONTAINERS = (
    "box boxes", "bag bags", "basket baskets", "crate crates", "jar jars", "bowl bowls",
    "drawer drawers", "sack sacks",
)  # fmt: skip
_SYLLABLES: list[str] = re.findall(
    r"\w+",
    """
    ba bo da de di do fa fe ga go ha hi jo ka ke ki ko la le li lo lu ma me mi mo na ne ni no pa
    pe po ra re ri ro sa se si so ta te ti to va ve vi wa wo za zo
""",
)

_TELLING = frozenset().union(*CUES.values())
"""No made-up word is one that indicates an operation."""


@dataclass(frozen=True)
class Calculation:
    operation: Operation
    number: int


@dataclass(frozen=True)
class Problem:
    """A text and its solution: the first number, changed by one calculation after another."""

    text: str
    first: int
    program: tuple[Calculation, ...]
    answer: int


def make_problems(split: ProblemSplit, count: int, seed: int = 0) -> list[Problem]:
    """Return problems that differ from each other; the same ones for the same arguments.

    No two splits share a form of a sentence. Test problems share no counted or named word, and no
    list of numbers, with the other splits, which are used to make and to choose a student.
    """
    chance = random.Random(f"math {split} {seed}")  # noqa: S311 - to repeat, not a secret
    made: dict[str, Problem] = {}
    while len(made) < count:
        problem = _make_problem(split, chance)
        made.setdefault(problem.text, problem)
    return list(made.values())


def apply_operation(operation: Operation, left: float, right: float) -> float:
    """Return the result of one calculation.

    Raises:
        ZeroDivisionError: it divides by zero.
        ValueError: the operation is an answer, which calculates nothing.
    """
    match operation:
        case "add":
            return left + right
        case "subtract":
            return left - right
        case "multiply":
            return left * right
        case "divide":
            return left / right
        case _:
            raise ValueError(f"There is no calculation {operation!r}.")


def is_for(split: ProblemSplit, content: object) -> bool:
    """Return whether a word or a list of numbers may be in problems of a split."""
    is_test = zlib.crc32(repr(content).encode()) % _TEST_SHARE == 0
    return is_test == (split == "test")


def _make_problem(split: ProblemSplit, chance: random.Random) -> Problem:
    forms = _choose_forms(split, chance)
    opening, *parts = _choose_parts(chance)
    first, program = _choose_numbers(split, parts, chance)
    words = _choose_words(split, chance)
    sentences = [chance.choice(forms[opening]).format(a=first, **words)]
    # A dict, not a set: the order of a set differs from process to process.
    used = dict.fromkeys((*parts, "aside"))
    unused = {part: chance.sample(forms[part], len(forms[part])) for part in used}
    numbers = iter(program)
    for part in (*parts, "question"):
        if unused["aside"] and chance.random() < _ASIDE_SHARE / len(parts):
            sentences.append(unused["aside"].pop().format(**words))
        if part == "question":
            sentences.append(chance.choice(forms["question"]).format(**words))
        else:
            sentences.append(unused[part].pop().format(b=next(numbers).number, **words))
    answer = first
    for calculation in program:
        answer = _calculate(calculation, answer)
    return Problem(" ".join(sentences), first, program, answer)


def _choose_forms(split: ProblemSplit, chance: random.Random) -> Mapping[Part, Sequence[str]]:
    if split != "train":
        return FORMS[split]
    return compose_forms(chance, lambda: _made_up(split, chance))


def _choose_parts(chance: random.Random) -> list[Part]:
    """Return the opening and one to three operations, all about equally often."""
    operations: list[Part] = ["add", "subtract", "multiply", "divide"]
    count = chance.randint(1, 3)
    if chance.random() < _BOXES_SHARE:
        return ["boxes", "each", *chance.sample(operations * 2, count - 1)]
    return ["opening", *chance.sample(operations * 2, count)]


def _choose_numbers(
    split: ProblemSplit, parts: list[Part], chance: random.Random
) -> tuple[int, tuple[Calculation, ...]]:
    """Return the first number and the calculations: every result a whole number of 1 or more."""
    while True:
        first = chance.choice(
            (chance.randint(2, 12), chance.randint(2, 99), chance.randint(2, 400))
        )
        total, program = first, []
        for part in parts:
            calculation = _choose_calculation(part, total, chance)
            if calculation is None:
                break
            program.append(calculation)
            total = _calculate(calculation, total)
        numbers = (first, *(calculation.number for calculation in program))
        is_complete = len(program) == len(parts) and 1 <= total <= _LARGEST
        if is_complete and is_for(split, numbers):
            return first, tuple(program)


def _choose_calculation(part: Part, total: int, chance: random.Random) -> Calculation | None:
    """Return a calculation that fits the result so far; `None` if there is none."""
    match part:
        case "add":
            return Calculation("add", chance.randint(2, chance.choice((20, 99, 300))))
        case "subtract":
            return Calculation("subtract", chance.randint(2, total - 1)) if total > 2 else None  # noqa: PLR2004
        case "divide":
            fitting = [number for number in range(2, 13) if total % number == 0]
            return Calculation("divide", chance.choice(fitting)) if fitting else None
        case _:
            return Calculation("multiply", chance.randint(2, 12))


def _calculate(calculation: Calculation, total: int) -> int:
    return int(apply_operation(calculation.operation, total, calculation.number))


def _choose_words(split: ProblemSplit, chance: random.Random) -> dict[str, str]:
    names = _some_names(split, chance)
    n = next(names)
    counted = (_made_up(split, chance) + "s" if chance.random() < _MADE_UP_SHARE
              else _choose(split, _THINGS, chance))  # fmt: skip
    c, cs = _choose(split, _CONTAINERS, chance).split()
    return {
        "n": n,
        "m": next(name for name in names if name != n),
        "t": counted,
        "p": _choose(split, _PLACES, chance),
        "c": c,
        "cs": cs,
    }


def _some_names(split: ProblemSplit, chance: random.Random) -> Iterator[str]:
    while True:
        if chance.random() < _MADE_UP_SHARE:
            yield _made_up(split, chance).capitalize()
        else:
            yield _choose(split, _NAMES, chance)


def _choose(split: ProblemSplit, words: Sequence[str], chance: random.Random) -> str:
    return chance.choice([word for word in words if is_for(split, word)])


def _made_up(split: ProblemSplit, chance: random.Random) -> str:
    while True:
        word = "".join(chance.choice(_SYLLABLES) for _ in range(chance.randint(2, 3)))
        if is_for(split, word) and word not in _TELLING:
            return word
