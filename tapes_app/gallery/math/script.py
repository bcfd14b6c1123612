"""The teacher: it solves problems whose sentences it knows, and errs as often as it is told."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from pydantic import Field

from tapes_app.engine.errors import LLMError
from tapes_app.engine.llm import LLMOutput, Prompt
from tapes_app.engine.registry import scripts
from tapes_app.engine.structured_output import write_structured
from tapes_app.gallery.math.nodes import NOTHING
from tapes_app.gallery.math.problems import apply_operation
from tapes_app.gallery.math.sentences import find_operation, split_sentences
from tapes_app.gallery.math.steps import (
    FinalAnswerAction,
    Operation,
    ReasoningThought,
    UseCalculatorAction,
)

MODEL = "script:math-teacher"

Share = Annotated[float, Field(ge=0, le=1)]

_OPERATIONS: tuple[Operation, ...] = ("add", "subtract", "multiply", "divide")
_SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_COUNTED = re.compile(r"How many (\w+)")
_LIMITS = (
    "I am a script, not a language model: I know the sentences of the problems that make_problems "
    "makes, and no others. Choose a model to solve anything else."
)


@dataclass(frozen=True)
class _Reading:
    """One sentence as the teacher reads it, rightly or not."""

    quote: str
    operation: Operation
    number: float


@scripts.register("math-teacher")
def answer(prompt: Prompt, *, error_rate: Share = 0.0, seed: int = 0) -> LLMOutput:
    """Answer as the node that asks; its lines tell which one that is.

    `error_rate` is the share of problems whose answer comes out wrong: one sentence is skipped
    or taken for another operation. Which ones follows from `seed`.
    """
    text = prompt.messages[-1].text if prompt.messages else ""
    lines = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    if "Operation" in lines:
        return _write(_calculate(lines))
    if "Question" in lines:
        return _write(_answer(lines))
    return _write(_reason(text, error_rate, seed))


def _reason(text: str, error_rate: float, seed: int) -> ReasoningThought:
    problem, _, asked = text.removeprefix("Problem: ").rpartition("\nSentence ")
    number, _, rest = asked.partition(": ")
    sentence, mark, _ = rest.rpartition("\nTotal: ")
    if not mark or not number.isdecimal():
        raise LLMError(_LIMITS)
    readings = _read_with_errors(problem, error_rate, seed)
    operations = {reading.quote: reading.operation for reading in readings}
    return ReasoningThought(
        sentence=int(number), operation=operations.get(sentence) or _place(sentence)
    )


def _place(sentence: str) -> Operation:
    """Return what a sentence is for that nothing is calculated with."""
    if sentence.endswith("?"):
        return "answer"
    is_opening = find_operation(sentence) is None and _NUMBER.search(sentence)
    return "start" if is_opening else "skip"


def _calculate(lines: dict[str, str]) -> UseCalculatorAction:
    right, total = _NUMBER.search(lines.get("Next", "")), lines.get("Total", NOTHING)
    if right is None:
        raise LLMError("There is no number to calculate with. Choose a model, or edit the step.")
    if lines["Operation"] == "start" or total == NOTHING:
        return UseCalculatorAction(expression=right[0])
    sign = _SIGNS.get(lines["Operation"], "+")
    return UseCalculatorAction(expression=f"{total} {sign} {right[0]}")


def _answer(lines: dict[str, str]) -> FinalAnswerAction:
    total, counted = lines.get("Total", NOTHING), _COUNTED.search(lines["Question"])
    if not _NUMBER.fullmatch(total):
        return FinalAnswerAction(text=_LIMITS, value=None)
    value = float(total)
    return FinalAnswerAction(
        text=f"{total} {counted[1]}" if counted else total,
        value=int(value) if value.is_integer() else value,
    )


@lru_cache(maxsize=4096)
def _read_with_errors(problem: str, error_rate: float, seed: int) -> Sequence[_Reading]:
    """Return the sentences to calculate with, in one of them an error if it is this one's turn."""
    first, right = _read(problem)
    chance = random.Random(f"{seed} {problem}")  # noqa: S311 - to repeat, not a secret
    if not right or chance.random() >= error_rate:
        return right
    truth = _solve(first, right)
    wrong = [other for other in _list_errors(right) if _solve(first, other) != truth]
    return chance.choice(wrong) if wrong else right


def _read(problem: str) -> tuple[float, tuple[_Reading, ...]]:
    """Return the first number of a problem, and its calculations as they stand there."""
    readings = []
    for sentence in split_sentences(problem):
        operation, number = find_operation(sentence), _NUMBER.search(sentence)
        if operation is not None and operation != "answer" and number is not None:
            readings.append(_Reading(sentence, operation, float(number[0])))
    found = _NUMBER.search(problem)
    return float(found[0]) if found else 0.0, tuple(readings)


def _list_errors(right: Sequence[_Reading]) -> list[tuple[_Reading, ...]]:
    """Return the readings with one sentence skipped, or taken for another operation."""
    errors: list[tuple[_Reading, ...]] = []
    for place, reading in enumerate(right):
        before, after = tuple(right[:place]), tuple(right[place + 1 :])
        if before or after:
            errors.append((*before, *after))
        errors += [
            (*before, _Reading(reading.quote, operation, reading.number), *after)
            for operation in _OPERATIONS
            if operation != reading.operation
        ]
    return errors


def _solve(first: float, readings: Sequence[_Reading]) -> float:
    total = first
    for reading in readings:
        total = apply_operation(reading.operation, total, reading.number)
    return total


def _write(step: ReasoningThought | UseCalculatorAction | FinalAnswerAction) -> LLMOutput:
    return LLMOutput(content=write_structured(step))
