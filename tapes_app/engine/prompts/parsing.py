"""From a model's output to steps: JSON by kind, tool calls, or plain text."""

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from tapes_app.engine.errors import LLMError
from tapes_app.engine.model.llm import LLMOutput
from tapes_app.engine.prompts.json_places import TextRange, find_place
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import ParsingFailure, ReasoningThought, ToolCall, ToolCalls
from tapes_app.engine.tape.steps import Step, first_reason
from tapes_app.engine.tape.thoughts import find_answer_range

_OPENING = re.compile(r"\s*```[a-zA-Z0-9_-]*(?:[^\S\n]*\n)+")
_CLOSING = "```"


class EmptyOutputError(LLMError):
    """The model's answer is empty."""

    code = "empty_output"


class _UnreadableError(ValueError):
    """An output does not fit; the reason becomes a parsing failure that the model sees."""

    def __init__(
        self, message: str, *, path: tuple[str | int, ...] = (), at: int | None = None
    ) -> None:
        super().__init__(message)
        self.path = path
        """The path to the value that does not fit, in the JSON of the complete text."""

        self.at = at
        """Where the text stops being JSON, in code points after an opening fence."""


class OutputProblem(NamedTuple):
    """What is wrong in a text, and where."""

    message: str
    place: TextRange


def parse_output(
    output: LLMOutput,
    *,
    step_classes: Sequence[type[Step]],
    node_name: str,
    tool_names: Sequence[str] = (),
) -> list[Step]:
    """Return the steps that an output represents.

    The output is one JSON object, a list of them or `{"steps": […]}`, optionally in a code fence;
    the class of its `kind` reads each. A tool call named after a kind becomes that step; calls of
    `tool_names` become one `ToolCalls`. Unreadable output becomes a `ParsingFailure` and a return
    to `node_name`, so that the model sees its mistake.

    Raises:
        EmptyOutputError: there is no text and no tool call.
    """
    try:
        if output.tool_calls:
            return _parse_tool_calls(output, step_classes, tool_names)
        return parse_text(output.content or "", step_classes)
    except _UnreadableError as error:
        text = output.content or json.dumps(list(output.tool_calls), ensure_ascii=False)
        return [
            ParsingFailure(error=str(error), llm_output=text),
            SetNextNode(next_node=node_name),
        ]


def parse_text(text: str, step_classes: Sequence[type[Step]]) -> list[Step]:
    """Return the steps of a text; without classes, text that is not JSON is a thought."""
    if not text.strip():
        raise EmptyOutputError("The model's answer is empty.")
    try:
        value = json.loads(bare_answer(text))
    except ValueError as error:
        if not step_classes:
            return [ReasoningThought(reasoning=text)]
        at = error.pos if isinstance(error, json.JSONDecodeError) else None
        raise _UnreadableError(
            f"Expected a step or a list of steps as JSON: {error}.", at=at
        ) from error
    except RecursionError as error:
        raise _UnreadableError("The JSON is nested too deeply.") from error
    if not step_classes:
        return [ReasoningThought(reasoning=text)]
    path: tuple[str | int, ...] = ()
    if isinstance(value, dict) and value.keys() == {"steps"}:  # as `make_steps_format` asks
        value, path = value["steps"], ("steps",)
    if not isinstance(value, list):
        return [_read_step(value, step_classes, path=path)]
    if not value:
        raise _UnreadableError("Expected at least one step, got an empty list.", path=path)
    return [_read_step(item, step_classes, path=(*path, at)) for at, item in enumerate(value)]


def find_problem(text: str, step_classes: Sequence[type[Step]]) -> OutputProblem | None:
    """Return why a text cannot be read as steps, and where; `None` if it can, or is empty."""
    try:
        parse_text(text, step_classes)
    except EmptyOutputError:
        return None
    except _UnreadableError as error:
        return OutputProblem(str(error), _locate(text, error))
    return None


def _locate(text: str, error: _UnreadableError) -> TextRange:
    offset, end = _find_body(text)
    body = text[offset:end]
    if error.at is not None:
        start = min(offset + error.at, max(len(text) - 1, 0))
        return TextRange(start, min(start + 1, len(text)))
    try:
        found = find_place(body, error.path)
    except (ValueError, RecursionError):  # nested too deeply to be read at all
        found = None
    return TextRange(offset + found.start, offset + found.end) if found else TextRange(0, len(text))


def bare_answer(text: str) -> str:
    """Return an answer without the thoughts in front of it and a code fence around the rest."""
    start, end = _find_body(text)
    return text[start:end]


def _find_body(text: str) -> tuple[int, int]:
    """Return where an answer begins and ends, or if it is in a fence, the text in the fence."""
    start, end = find_answer_range(text)
    opening = _OPENING.match(text, start)
    closing = len(text[:end].rstrip()) - len(_CLOSING)
    if opening is None or closing < opening.end() or not text.startswith(_CLOSING, closing):
        return start, end
    return opening.end(), max(len(text[:closing].rstrip()), opening.end())


def _read_step(
    value: Any, step_classes: Sequence[type[Step]], *, path: tuple[str | int, ...] = ()
) -> Step:
    if not isinstance(value, dict):
        raise _UnreadableError(
            f"Expected a JSON object with a kind, got {type(value).__name__}.", path=path
        )
    kind = value.get("kind")
    reasons: list[tuple[str, tuple[str | int, ...]]] = []
    for cls in step_classes:
        if cls.model_fields["kind"].default != kind:
            continue
        try:
            return cls.model_validate(
                {key: item for key, item in value.items() if key not in cls.hidden_fields}
            )
        except ValidationError as error:
            where = error.errors(include_url=False, include_input=False)[0]["loc"]
            reasons.append((first_reason(error), where))
    if reasons:
        reason, where = reasons[0]
        raise _UnreadableError(
            f"A step of kind {kind!r} does not match its schema: {reason}.", path=(*path, *where)
        )
    known = sorted({str(cls.model_fields["kind"].default) for cls in step_classes})
    raise _UnreadableError(f"Unknown kind {kind!r}; allowed: {known}.", path=(*path, "kind"))


def _parse_tool_calls(
    output: LLMOutput, step_classes: Sequence[type[Step]], tool_names: Sequence[str]
) -> list[Step]:
    by_kind = {str(cls.model_fields["kind"].default): cls for cls in step_classes}
    steps: list[Step] = []
    calls: list[ToolCall] = []
    for data in output.tool_calls:
        try:
            call = ToolCall.model_validate(data)
            arguments = call.parsed_arguments()
        except ValidationError as error:
            raise _UnreadableError(f"A tool call is invalid: {first_reason(error)}.") from error
        except ValueError as error:
            raise _UnreadableError(
                f"The arguments of a tool call are not a JSON object: {error}."
            ) from error
        name = call.function.name
        if name in by_kind:
            steps.append(_read_step({**arguments, "kind": name}, step_classes))
        elif name in tool_names:
            calls.append(call)
        else:
            known = sorted({*by_kind, *tool_names})
            raise _UnreadableError(f"There is no tool {name!r}; available: {known}.")
    if calls and not steps:
        return [ToolCalls.from_llm_output(output)]
    if calls:
        steps.append(ToolCalls(tool_calls=tuple(calls)))
    return steps
