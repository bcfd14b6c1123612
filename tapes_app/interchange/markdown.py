"""A tape as Markdown, to be pasted elsewhere.

Text from a tape is always in a code fence or inline code, so that nothing can interpret it as
Markdown or HTML.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tapes_app.interchange.shared_tape import (
    FAMILY_WORDS,
    SharedCall,
    SharedStep,
    SharedTape,
    pretty_json,
    read_arguments,
    visible_text,
)

_SHORT = 60
_CODE_NAMES = {"code": "python", "sql": "sql", "command": "bash", "expression": "python"}


def write_markdown(tape: SharedTape) -> Iterator[str]:
    """Yield the text piece by piece, each with its trailing line feeds."""
    yield f"# {_words(tape.title or 'Untitled tape')}\n\n"
    for name, value in tape.facts:
        yield f"- {_words(name)}: {_code(value)}\n"
    if tape.note:
        yield f"\n{tape.note}\n"
    if tape.context is not None:
        yield f"\n## Context\n\n{_value('context', tape.context)}"
    for step in tape.steps:
        yield _step(step)


def _step(step: SharedStep) -> str:
    by = f" by {_code(step.name)}" if step.name else ""
    head = f"\n## {step.position} · {FAMILY_WORDS[step.family]} {_code(step.kind)}{by}\n\n"
    call = "" if step.call is None else _call(step.call)
    return f"{head}{_fields(step.fields)}{call}"


def _fields(fields: Mapping[str, Any]) -> str:
    if not fields:
        return "No data\n"
    return "".join(_field(name, value) for name, value in fields.items())


def _field(name: str, value: Any) -> str:
    if name == "tool_calls" and isinstance(value, list | tuple) and value:
        return "".join(_tool_call(call) for call in value)
    if _is_short(value):
        shown = value if isinstance(value, str) else pretty_json(value)
        return f"- {_words(name)}: {_code(shown) if shown else 'empty'}\n"
    return f"{_words(name)}:\n\n{_value(name, value)}"


def _is_short(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _SHORT and "\n" not in value
    return not isinstance(value, dict | list | tuple) or not value


def _tool_call(call: Any) -> str:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        return f"Tool call:\n\n{_value('', call)}"
    arguments = read_arguments(function.get("arguments"))
    return f"Calls {_code(str(function.get('name', '')))}:\n\n{_value('', arguments)}"


def _value(name: str, value: Any) -> str:
    if isinstance(value, str):
        return _fence(value, _CODE_NAMES.get(name, "text"))
    return _fence(pretty_json(value), "json")


def _call(call: SharedCall) -> str:
    facts = _words(", ".join(f"{name} {value}" for name, value in call.facts))
    return (
        f"\nLLM call {_code(call.model or 'of an unknown model')}{', ' if facts else ''}{facts}\n"
    )


def _fence(value: str, language: str) -> str:
    shown = visible_text(value)
    longest = max((len(run) for run in re.findall(r"`{3,}", shown)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{shown}\n{fence}\n\n"


def _code(value: str) -> str:
    """Return a text on one line, inside enough backticks to keep it together."""
    shown = " ".join(visible_text(value).split())
    if not shown:
        return "``"
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def _words(value: str) -> str:
    """Return a text on one line, without anything that has a meaning in Markdown or HTML."""
    line = " ".join(visible_text(value).split())
    return re.sub(r"([\\`*_{}\[\]()<>#+!|~&@:/$-])", r"\\\1", line)
