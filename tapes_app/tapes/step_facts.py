"""What the columns beside a step's body say of it: one line, and its words."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tapes_app.engine.control_steps import Call
from tapes_app.engine.dialog_steps import SIGNED
from tapes_app.engine.messages import content_text
from tapes_app.engine.steps import Family, Step, family_of
from tapes_app.engine.tape import Tape
from tapes_app.projects.columns import fit_line, fit_text

GIST_LENGTH = 200
TITLE_LENGTH = 300
SEARCHED_LENGTH = 100_000
"""PostgreSQL refuses to index a text of over a megabyte of words."""

_GIST_FIELDS = (
    "content", "text", "reasoning", "task", "question", "query", "answer", "message", "error",
    "result", "code", "expression", "url", "reason", "next_node",
)  # fmt: skip
_BLOB_LENGTH = 1000
_NO_WORDS = frozenset({"kind", "metadata", *SIGNED})


def describe_step(body: dict[str, Any]) -> str:
    """Return one line that says what the step says."""
    gist = _first_gist(body)
    return fit_line(gist, GIST_LENGTH)


def words_of(body: dict[str, Any]) -> str:
    """Return the step's words for full-text search, without its metadata."""
    found: list[str] = []
    room = SEARCHED_LENGTH
    for text in strings_in(value for key, value in body.items() if key not in _NO_WORDS):
        if len(text) > _BLOB_LENGTH and not any(blank in text[:_BLOB_LENGTH] for blank in " \n"):
            continue  # an image or another blob: no words
        found.append(text[:room])
        room -= len(text) + 1
        if room <= 0:
            break
    return fit_text("\n".join(found), SEARCHED_LENGTH)


def title_of(tape: Tape) -> str:
    """Return a line that tells a tape from others: the first thing asked or said."""
    return find_title(tape.steps) or _context_title(tape.context)


def find_title(steps: Sequence[Step]) -> str:
    """Return the first thing asked or said in some steps; empty when nothing was.

    A team's tape may open with a call that carries the task; only then come observations.
    """
    opening = steps[0] if steps else None
    if isinstance(opening, Call) and isinstance(opening.content, str) and opening.content.strip():
        return fit_line(opening.content, TITLE_LENGTH)
    spoken: Family
    for spoken in ("observation", "thought", "action", "control"):
        for step in steps[:50]:
            if family_of(step) == spoken and step.kind != "system":
                gist = _first_gist(step.to_json())
                if gist:
                    return fit_line(gist, TITLE_LENGTH)
    return ""


def root_agent(steps: Iterable[Step]) -> str:
    """Return the name of the agent at the root of the team that wrote the steps."""
    for step in steps:
        if step.metadata.agent:
            return fit_text(step.metadata.agent.partition("/")[0], 200)
    return ""


def _context_title(context: Any) -> str:
    if isinstance(context, str):
        return fit_line(context, TITLE_LENGTH)
    return fit_line(_first_gist(context), TITLE_LENGTH) if isinstance(context, dict) else ""


def _first_gist(body: dict[str, Any]) -> str:
    for name in _GIST_FIELDS:
        value = body.get(name)
        if isinstance(value, list):  # parts of a message
            value = content_text(value)
        if isinstance(value, str) and not value.isspace() and value:
            return value
    if isinstance(body.get("next_node"), int):
        return str(body["next_node"])
    calls = body.get("tool_calls")
    if isinstance(calls, list | tuple) and calls:
        return ", ".join(_describe_call(call) for call in calls[:5])
    rest = {key: value for key, value in body.items() if key not in {"kind", "metadata"}}
    strings = (text for text in strings_in(rest.values()) if text and not text.isspace())
    first = next(strings, "")
    return first or (json.dumps(rest, default=str)[: GIST_LENGTH * 2] if rest else "")


def _describe_call(call: Any) -> str:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        return ""
    return f"{function.get('name', '')}({function.get('arguments', '')})"[: GIST_LENGTH * 2]


def strings_in(values: Iterable[Any]) -> Iterator[str]:
    """Give all texts inside JSON values in order, without recursion: depth is hostile too."""
    stack = [iter(values)]
    while stack:
        for value in stack[-1]:
            if isinstance(value, str):
                yield value
            elif isinstance(value, dict):
                stack.append(iter(value.values()))
                break
            elif isinstance(value, list | tuple):
                stack.append(iter(value))
                break
        else:
            stack.pop()
