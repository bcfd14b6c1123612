"""Detectors about the content of steps: schemas, unparseable answers, unsupported answers."""

import re
from collections.abc import Iterator
from typing import Any

from tapes_app.engine.schema_fit import find_misfit
from tapes_app.engine.tape.control_steps import FinalStep
from tapes_app.engine.tape.dialog_steps import PARSING_FAILURE, ParsingFailure, ToolCalls
from tapes_app.engine.tape.steps import UnknownStep, first_place, first_reason, nearest_misfit
from tapes_app.engine.tape.thoughts import answered_json
from tapes_app.lint.domain.findings import Found
from tapes_app.lint.domain.reading import Reading, is_talk
from tapes_app.lint.domain.words import numbers_of, speaks_of_failure, stems_of, texts_of

_ANSWER_FIELDS = ("answer", "value", "text", "content", "result", "reason")
_SHORT_ANSWER_WORDS = 3
_SHORTEST_NAME = 4
_EMPTY_WORDS = frozenset(
    stem
    for word in ("done", "finished", "completed", "yes", "okay", "none", "unknown", "true", "false",
                 "success", "successful", "answer", "thanks", "hello", "welcome", "task", "this",
                 "that", "with", "from", "have", "been", "your", "will", "ready")
    for stem in (word, word[:6])
)  # fmt: skip
_NAME = re.compile(r"(?<![.!?:\n] )(?<!^)\b[A-ZÀ-Þ][\w\u2019'-]{2,}", re.MULTILINE)


def find_invalid_steps(reading: Reading) -> Iterator[Found]:
    """Find steps that fit no class of their kind, and arguments that do not fit their tool."""
    tools = reading.context.tools or {}
    for position, step in enumerate(reading.steps):
        if isinstance(step, UnknownStep):
            yield from _misfit_of_kind(position, step, reading.bodies[position])
        elif isinstance(step, ToolCalls):
            for index, call in enumerate(step.tool_calls):
                field = f"/tool_calls/{index}/function/arguments"
                name = call.function.name
                try:
                    arguments = call.parsed_arguments()
                except (ValueError, RecursionError):
                    yield Found(
                        position, f"The arguments of {name!r} are not a JSON object.", field
                    )
                    continue
                misfit = find_misfit(tools.get(name, {}), arguments)
                if misfit is not None:
                    where, reason = misfit
                    place = where if isinstance(call.function.arguments, dict) else ""
                    yield Found(
                        position,
                        f"The arguments of {name!r} do not match its schema: {reason}.",
                        field + place,
                    )


def find_parse_failures(reading: Reading) -> Iterator[Found]:
    """Find model answers that could not be parsed."""
    for position, step in enumerate(reading.steps):
        if isinstance(step, ParsingFailure):
            reason = step.error.strip().partition("\n")[0][:200].rstrip(".")
            yield Found(
                position,
                f"The model's answer could not be parsed: {reason or 'no reason given'}.",
                "/error",
            )
        elif step.kind == PARSING_FAILURE:
            yield Found(position, "The model's answer could not be parsed.")


def find_unseen_answers(reading: Reading) -> Iterator[Found]:
    """Find a final answer none of whose numbers or names appear in an observation.

    Only if tools or an environment were asked at all, and if the answer states something.
    """
    position = reading.answer
    asked = [
        at
        for item in reading.exchanges
        if not is_talk(item.step)
        for at in item.answers
        if not reading.is_from_person(at) and not reading.is_error(at)
    ]
    if position is None or not asked or isinstance(reading.steps[position], FinalStep):
        return
    field, answer = _answer_of(answered_json(reading.steps[position]))
    if not answer or speaks_of_failure(answer):
        return
    before = reading.families[:position]
    seen = [at for at, family in enumerate(before) if family == "observation"]
    start = "\n".join(texts_of(reading.start))
    numbers = numbers_of(answer)
    if numbers:
        observed = {number for at in seen for number in numbers_of(reading.texts[at])}
        observed.update(numbers_of(start))
        if not any(_is_observed(number, observed) for number in numbers):
            shown = ", ".join(numbers[:3])
            yield Found(
                position, f"Numbers in this answer appear in no observation ({shown}).", field
            )
        return
    names = _names_of(answer, is_whole=not is_talk(reading.steps[position]))
    known = stems_of(start).union(*(reading.stems[at] for at in seen))
    if names and not any(stems_of(name) & known for name in names):
        shown = ", ".join(repr(name) for name in names[:3])
        yield Found(position, f"Names in this answer appear in no observation ({shown}).", field)


def _misfit_of_kind(position: int, step: UnknownStep, body: dict[str, Any]) -> Iterator[Found]:
    """Report a misfit with the class that comes closest to fitting."""
    nearest = nearest_misfit(step.kind, body)
    if nearest is not None:
        message = f"This does not match the schema of kind {step.kind!r}: {first_reason(nearest)}."
        yield Found(position, message, first_place(nearest))


def _answer_of(body: dict[str, Any]) -> tuple[str, str]:
    for name in _ANSWER_FIELDS:
        text = "\n".join(texts_of(body.get(name)))
        if text.strip():
            return f"/{name}", text
    return "", ""


def _is_observed(number: str, observed: set[str]) -> bool:
    """Return whether a number was observed, at the precision in which it is written."""
    if number in observed:
        return True
    digits = len(number.partition(".")[2])
    wanted = float(number)
    return any(round(float(other), digits) == wanted for other in observed)


def _names_of(answer: str, *, is_whole: bool) -> list[str]:
    """Return the words of an answer that name something.

    These are the capitalised words, or all words of a short text that is nothing but an answer.
    """
    words = re.findall(r"[^\W\d_][\w\u2019'-]+", answer)
    if is_whole and len(words) <= _SHORT_ANSWER_WORDS:
        return [
            word
            for word in words
            if len(word) >= _SHORTEST_NAME and word.lower() not in _EMPTY_WORDS
        ]
    return [name for name in _NAME.findall(answer) if len(name) >= _SHORTEST_NAME]
