"""Tool calls in a model's answer: JSON that names a tool of the request.

Chat templates write calls in many ways, nearly all of them as an object of a name and arguments
between some marks: Hermes and Qwen in `<tool_call>`, Llama 3.1 bare and with `parameters`, Mistral
as a list. So we look for the object, and it counts as a call only if it names a tool of the
request.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_MARKS = ("<tool_call>", "</tool_call>", "<|python_tag|>", "[TOOL_CALLS]", "```json", "```")
_BEGINNINGS = "{[<`"
"""Characters with which a call, or the mark before it, may start."""

_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class WrittenCall:
    name: str
    arguments: str
    """JSON, as in OpenAI's format; arguments that are text already stay as they are."""


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    content: str
    calls: tuple[WrittenCall, ...] = ()


def list_tool_names(tools: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Return the names of tools in OpenAI's format."""
    functions = (tool.get("function") for tool in tools)
    return frozenset(
        str(one["name"]) for one in functions if isinstance(one, dict) and "name" in one
    )


def read_answer(text: str, names: Collection[str]) -> ReadAnswer:
    """Split an answer into its text and its calls; without calls it stays as it is."""
    texts, calls, after = [], [], 0
    for start, end, value in _find_json(text):
        found = _read_calls(value, names)
        if found:
            texts.append(text[after:start])
            calls += found
            after = end
    if not calls:
        return ReadAnswer(text)
    content = "".join((*texts, text[after:]))
    for mark in _MARKS:
        content = content.replace(mark, "")
    return ReadAnswer(content.strip(), tuple(calls))


def count_sure(text: str) -> int:
    """Return how many leading characters are certainly text, whatever follows them."""
    return min(
        (place for mark in _BEGINNINGS if (place := text.find(mark)) >= 0), default=len(text)
    )


def _find_json(text: str) -> Iterator[tuple[int, int, Any]]:
    """Yield each object and list in a text; takes time proportional to its length."""
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
    """Return the calls in a value; empty if any part of it is something else."""
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
