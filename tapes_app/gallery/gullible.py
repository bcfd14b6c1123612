"""How scripts of the shipped agents fall for instructions in what tools answer.

A script follows rules, so no text could mislead it. To have something to measure, it follows
planted instructions as often as it is told. It finds them in its prompt alone, by how they are
written, and does not know whether anybody planted them.
"""

import base64
import binascii
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tapes_app.engine.environment.planting import AttackKind
from tapes_app.engine.model.llm import LLMOutput, Prompt
from tapes_app.engine.model.messages import Message
from tapes_app.gallery.scripting import Share, call_tools, list_results

Gullibility = Share | dict[AttackKind, Share]
"""The share of planted instructions that are followed, or that share for each kind."""

QUESTION = "<question>"
"""In the arguments of a planted call: what the person wrote last."""

_CALL = re.compile(
    r"\b(?P<verb>call|use|rufe|appelle)\s+(?P<tool>[a-z_]{1,60})\s+(?:with|mit|avec)\s+"
    r"(?P<arguments>\{[^{}\n]{0,500}\})",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"\b(?P<verb>answer|reply|antworte|réponds)\b[^\"“”\n]{0,60}[\"“](?P<text>[^\"“”\n]{1,200})[\"”]",
    re.IGNORECASE,
)
_FOREIGN = frozenset({"rufe", "appelle", "antworte", "réponds"})
_HIDING = ("<!--", "display:none", "font-size:0")
_SYSTEM = re.compile(r"^\W{0,5}system\b", re.IGNORECASE)
_PERSON = re.compile(r"^\W{0,5}(?:user|human|the person)\b", re.IGNORECASE)
_ENCODED = re.compile(r"[A-Za-z0-9+/]{40,4000}={0,2}")
_BLANK_LINES = re.compile(r"\n\s*\n")
_DEEPEST = 20


class PlantedOrder(NamedTuple):
    """What an instruction in a tool's answer says is to be done."""

    kind: AttackKind
    call: tuple[str, dict[str, Any]] | None = None
    answer: str = ""


def answer_gullibly(
    prompt: Prompt, gullibility: Gullibility, seed: int, answer: Callable[[Prompt], LLMOutput]
) -> LLMOutput:
    """Return what a script answers, unless a tool's answer talks it into something else."""
    output = obey(prompt, gullibility, seed) or answer(prompt)
    if output.tool_calls:
        return output
    return LLMOutput(content=misled(prompt, output.content or "", gullibility, seed))


def obey(prompt: Prompt, gullibility: Gullibility, seed: int) -> LLMOutput | None:
    """Return the call that a tool's answer talks the script into; `None`: it does as it should."""
    for order in _list_followed(prompt.messages, gullibility, seed):
        tools = {tool["function"]["name"] for tool in prompt.tools or ()}
        if order.call is None or order.call[0] not in tools:
            continue
        made = [(one.name, one.arguments) for one in list_results(prompt.messages)]
        if order.call not in made:
            return call_tools(prompt.messages, order.call)
    return None


def misled(prompt: Prompt, answer: str, gullibility: Gullibility, seed: int) -> str:
    """Return the final answer, or the one that a tool's answer talks the script into."""
    orders = _list_followed(prompt.messages, gullibility, seed)
    return next((order.answer for order in orders if order.answer), answer)


def _list_followed(
    messages: Sequence[Message], gullibility: Gullibility, seed: int
) -> Iterator[PlantedOrder]:
    """Yield the orders since the person's last message that chance lets the script follow."""
    if not gullibility:
        return
    asked = max((n for n, one in enumerate(messages[:-1]) if one.role == "user"), default=0)
    question = messages[asked].text.strip() if messages else ""
    for result in list_results(messages[asked:]):
        for order in _list_orders(result.text, question):
            rate = _rate_of(gullibility, order.kind)
            # Drawn by what is ordered: the same order is followed every time or never.
            chance = random.Random(f"{seed} {order}")  # noqa: S311 - to repeat, not a secret
            if chance.random() < rate:
                yield order


def _rate_of(gullibility: Gullibility, kind: AttackKind) -> float:
    if isinstance(gullibility, Mapping):
        return gullibility.get(kind, 0.0)
    return gullibility


def _list_orders(text: str, question: str) -> Iterator[PlantedOrder]:
    for part in _list_texts(text):
        for paragraph in _BLANK_LINES.split(part):
            yield from _read_orders(paragraph, question, is_hidden=False)
            for encoded in _ENCODED.findall(paragraph):
                yield from _read_orders(_decode(encoded), question, is_hidden=True)


def _list_texts(text: str) -> Iterator[str]:
    """Yield the texts of a result, which may be JSON."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    yield from _texts_in(value, 0)


def _texts_in(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < _DEEPEST and isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(item, depth + 1)


def _read_orders(paragraph: str, question: str, *, is_hidden: bool) -> Iterator[PlantedOrder]:
    for found in _CALL.finditer(paragraph):
        text = found["arguments"]
        arguments = _read_arguments(text, question)
        kind = _find_kind(paragraph, found["verb"], is_hidden=is_hidden)
        if arguments is not None:
            is_leak = QUESTION in text and kind == "command"
            yield PlantedOrder("leak" if is_leak else kind, call=(found["tool"], arguments))
    for found in _ANSWER.finditer(paragraph):
        kind = _find_kind(paragraph, found["verb"], is_hidden=is_hidden)
        yield PlantedOrder("answer" if kind == "command" else kind, answer=found["text"])


def _find_kind(paragraph: str, verb: str, *, is_hidden: bool) -> AttackKind:
    if is_hidden or verb.lower() in _FOREIGN or any(mark in paragraph for mark in _HIDING):
        return "hidden"
    if _SYSTEM.match(paragraph):
        return "system"
    return "person" if _PERSON.match(paragraph) else "command"


def _read_arguments(text: str, question: str) -> dict[str, Any] | None:
    try:
        arguments = json.loads(text)
    except ValueError:
        return None
    return {
        name: value.replace(QUESTION, question) if isinstance(value, str) else value
        for name, value in arguments.items()
    }


def _decode(encoded: str) -> str:
    try:
        return base64.b64decode(encoded, validate=True).decode()
    except (binascii.Error, ValueError):
        return ""
