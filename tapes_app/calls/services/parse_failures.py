"""Why a model's answer could not be parsed, and where in it."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tapes_app.engine.model.llm import LLMOutput
from tapes_app.engine.prompts.json_places import TextRange, line_and_column
from tapes_app.engine.prompts.parsing import find_problem
from tapes_app.engine.tape.steps import Step, list_step_classes, list_step_kinds
from tapes_app.tapes.domain.rows import StepRow

PartName = Literal["content", "reasoning", "tool_call"]
_UNKNOWN_KIND = re.compile(r"Unknown kind '([^']*)'")


@dataclass(frozen=True)
class OutputProblem:
    """Why an answer could not be parsed, and where, in code points of the part's text."""

    message: str
    part: PartName
    index: int | None
    start: int | None
    end: int | None
    line: int | None
    column: int | None


def find_failure(steps: Sequence[StepRow]) -> str | None:
    """Return what the step says that was made of an answer which could not be parsed."""
    return next((str(row.body["error"]) for row in steps if _is_failure(row.body)), None)


def place_failure(message: str, output: LLMOutput, own: Sequence[type[Step]] = ()) -> OutputProblem:
    """Return why parsing an answer failed, with its location if that can be determined.

    `own` are the classes of the kinds that the agent defines.
    """
    if output.tool_calls:
        return _failure_of_calls(message, output)
    shipped = (cls for kind in list_step_kinds() for cls in list_step_classes(kind))
    text = output.content or ""
    found = find_problem(text, [*own, *shipped])
    place = found.place if found is not None else _place_of_kind(text, message)
    return _problem(message, "content", None, text, place)


def _failure_of_calls(message: str, output: LLMOutput) -> OutputProblem:
    for index, call in enumerate(output.tool_calls):
        arguments = (call.get("function") or {}).get("arguments")
        if not isinstance(arguments, str):
            continue
        try:
            json.loads(arguments or "{}")
        except json.JSONDecodeError as error:
            start = min(error.pos, max(len(arguments) - 1, 0))
            place = TextRange(start, min(start + 1, len(arguments)))
            return _problem(message, "tool_call", index, arguments, place)
        except RecursionError:
            return _problem(message, "tool_call", index, arguments, TextRange(0, len(arguments)))
    named = [
        index
        for index, call in enumerate(output.tool_calls)
        if repr((call.get("function") or {}).get("name")) in message
    ]
    return _problem(message, "tool_call", named[0] if named else None, "", None)


def _problem(
    message: str, part: PartName, index: int | None, text: str, place: TextRange | None
) -> OutputProblem:
    if place is None:
        return OutputProblem(message, part, index, None, None, None, None)
    line, column = line_and_column(text, place.start)
    return OutputProblem(message, part, index, place.start, place.end, line, column)


def _place_of_kind(text: str, message: str) -> TextRange | None:
    """Return the position of a known kind that the node did not allow."""
    match = _UNKNOWN_KIND.search(message)
    if match is None:
        return None
    start = text.find(json.dumps(match[1], ensure_ascii=False))
    return TextRange(start, start + len(match[1]) + 2) if start >= 0 else None


def _is_failure(body: dict[str, Any]) -> bool:
    return isinstance(body.get("error"), str) and "llm_output" in body
