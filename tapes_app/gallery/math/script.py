"""The teacher: it solves problems whose sentences it knows, with a configurable error rate."""

import random
import re
from collections.abc import Mapping, Sequence

from tapes_app.engine.errors import LLMError
from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tapes_app.engine.prompts.structured_output import write_structured
from tapes_app.gallery.math.nodes import NOTHING
from tapes_app.gallery.math.problems import apply_operation
from tapes_app.gallery.math.sentences import find_operation
from tapes_app.gallery.math.steps import (
    FinalAnswerAction,
    Operation,
    ReasoningThought,
    UseCalculatorAction,
)
from tapes_app.gallery.scripting import Share

MODEL = "script:math-teacher"


_OPERATIONS: tuple[Operation, ...] = ("add", "subtract", "multiply", "divide")
_SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_ASKED = re.compile(r"Sentence \d+")
_COUNTED = re.compile(r"How many (\w+)")
_LIMITS = (
    "I am a script, not a language model: I know the sentences of the problems that make_problems "
    "makes, and no others. Choose a model to solve anything else."
)


@scripts.register("math-teacher")
def answer(prompt: Prompt, *, error_rate: Share = 0.0, seed: int = 0) -> LLMOutput:
    """Answer as the node that asks, identified by the lines of its prompt.

    `error_rate` is the share of calculation sentences that are skipped or taken for another
    operation, so that the result is wrong. `seed` decides which ones.
    """
    text = prompt.messages[-1].text if prompt.messages else ""
    lines = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    if "Operation" in lines:
        return _write(_calculate(lines))
    if "Question" in lines:
        return _write(_answer(lines))
    return _write(_reason(lines, error_rate, seed))


def _reason(lines: Mapping[str, str], error_rate: float, seed: int) -> ReasoningThought:
    asked = next((line for line in lines if _ASKED.fullmatch(line)), None)
    if asked is None or "Total" not in lines:
        raise LLMError(_LIMITS)
    sentence, total = lines[asked], lines["Total"]
    operation = find_operation(sentence) or _place(sentence)
    chance = random.Random(f"{seed} {sentence} {total}")  # noqa: S311 - to repeat, not a secret
    if operation in _OPERATIONS and chance.random() < error_rate:
        operation = chance.choice(_list_errors(operation, sentence, total) or (operation,))
    return ReasoningThought(sentence=int(asked.split()[1]), operation=operation)


def _place(sentence: str) -> Operation:
    """Return the role of a sentence that involves no calculation."""
    if sentence.endswith("?"):
        return "answer"
    return "start" if _NUMBER.search(sentence) else "skip"


def _list_errors(right: Operation, sentence: str, total: str) -> Sequence[Operation]:
    """Return the operations to mistake a sentence for, so that the total comes out different."""
    number = _NUMBER.search(sentence)
    if number is None or not _NUMBER.fullmatch(total):
        return ()
    results = {
        operation: _try(operation, float(total), float(number[0])) for operation in _OPERATIONS
    }
    wrong = [other for other, result in results.items() if result != results[right]]
    return ["skip", *wrong] if results[right] != float(total) else wrong


def _try(operation: Operation, total: float, number: float) -> float | None:
    try:
        return apply_operation(operation, total, number)
    except ZeroDivisionError:
        return None


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


def _write(step: ReasoningThought | UseCalculatorAction | FinalAnswerAction) -> LLMOutput:
    return LLMOutput(content=write_structured(step))
