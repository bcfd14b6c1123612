"""Tool calls in what a model wrote: JSON that names a tool of the request.

Chat templates write calls in many ways, nearly all of them as an object of a name and arguments
between some marks: Hermes and Qwen in `<tool_call>`, Llama 3.1 bare and with `parameters`, Mistral
as a list. So it is the object that is looked for, and only a tool of the request makes it a call.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_MARKS = ("<tool_call>", "</tool_call>", "<|python_tag|>", "[TOOL_CALLS]", "```json", "```")
_BEGINNINGS = "{[<`"
"""With one of these a call, or the mark before it, may begin."""

_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class WrittenCall:
    name: str
    arguments: str
    """JSON, as OpenAI's form has it; what was text already stays as it is."""


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    content: str
    calls: tuple[WrittenCall, ...] = ()


def list_tool_names(tools: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Return the names in tools of OpenAI's form."""
    functions = (tool.get("function") for tool in tools)
    return frozenset(
        str(one["name"]) for one in functions if isinstance(one, dict) and "name" in one
    )


def read_answer(text: str, names: Collection[str]) -> ReadAnswer:
    """Part an answer into what is said and what is called; without calls it stays as it is."""
    said, calls, after = [], [], 0
    for start, end, value in _find_json(text):
        found = _read_calls(value, names)
        if found:
            said.append(text[after:start])
            calls += found
            after = end
    if not calls:
        return ReadAnswer(text)
    content = "".join((*said, text[after:]))
    for mark in _MARKS:
        content = content.replace(mark, "")
    return ReadAnswer(content.strip(), tuple(calls))


def count_sure(text: str) -> int:
    """Return how many characters are said for certain, whatever follows them."""
    return min(
        (place for mark in _BEGINNINGS if (place := text.find(mark)) >= 0), default=len(text)
    )


def _find_json(text: str) -> Iterator[tuple[int, int, Any]]:
    """Give each object and list that stands in a text; in time that grows with its length."""
    place = 0
    while (place := _find_bracket(text, place)) >= 0:
        try:
            value, end = _DECODER.raw_decode(text, place)
        except json.JSONDecodeError as error:
            place = max(place + 1, error.pos)
        except RecursionError:
            return
        else:
            yield place, end, value
            place = end


def _find_bracket(text: str, place: int) -> int:
    found = [at for bracket in "{[" if (at := text.find(bracket, place)) >= 0]
    return min(found, default=-1)


def _read_calls(value: Any, names: Collection[str]) -> list[WrittenCall]:
    """Return the calls that a value is; none where any part of it is something else."""
    calls = []
    for one in value if isinstance(value, list) else [value]:
        if not isinstance(one, dict) or one.get("name") not in names:
            return []
        arguments = one.get("arguments", one.get("parameters", {}))
        if not isinstance(arguments, dict | str):
            return []
        written = arguments if isinstance(arguments, str) else json.dumps(arguments)
        calls.append(WrittenCall(str(one["name"]), written))
    return calls
