"""The facts in the columns of a step next to its body: its summary line and its words."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias, TypeGuard

from tapes_app.engine.model.messages import content_text
from tapes_app.engine.model.reasoning import REASONING, SIGNED
from tapes_app.engine.tape.control_steps import Call
from tapes_app.engine.tape.families import Family
from tapes_app.engine.tape.steps import Step, family_of
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.thoughts import answered_fields, answered_json
from tapes_app.projects.domain.columns import fit_line, fit_text

GIST_LENGTH = 200
TITLE_LENGTH = 300
SEARCHED_LENGTH = 100_000
"""PostgreSQL refuses to index more than a megabyte of words."""

_GIST_FIELDS = (
    "content", "text", "reasoning", "task", "question", "query", "answer", "message", "error",
    "result", "code", "expression", "url", "reason", "next_node",
)  # fmt: skip
_BLOB_LENGTH = 1000
_NO_WORDS = frozenset({"kind", "metadata", *SIGNED})
_SAYS_NOTHING = frozenset({"kind", "metadata", "tool_call_id", *REASONING})


def describe_step(body: dict[str, Any], family: Family = "observation") -> str:
    """Return a one-line summary of the step: of an agent's what it says, or else what it thinks."""
    answered = answered_fields(body, family)
    if lanes := describe_lanes(body):
        return fit_line(lanes, GIST_LENGTH)
    gist = (_first_words(answered) if answered is not body else "") or _first_gist(body)
    return fit_line(gist, GIST_LENGTH)


def describe_lanes(body: dict[str, Any]) -> str:
    """Return who is called together, or which of them have answered; empty for other steps."""
    match body:
        case {"kind": "call_together", "calls": list() | tuple() as calls}:
            counts = Counter(
                call["agent_name"]
                for call in calls
                if isinstance(call, dict) and isinstance(call.get("agent_name"), str)
            )
            names = [name if n == 1 else f"{name} {n} times" for name, n in counts.items()]
            until = {"all": "all have answered", "first": "the first has answered"}
            rule = body.get("join", "all")
            goal = f"{rule} have answered" if type(rule) is int else until.get(str(rule), "")
            return f"{_list_words(names)} at once{', until ' if goal else ''}{goal}"
        case {"kind": "join"}:
            answered, cancelled = map(_numbers_in, (body.get("answered"), body.get("cancelled")))
            if not cancelled:
                return f"All have answered: {_list_words(answered)}"
            were = "were" if len(cancelled) > 1 else "was"
            return f"{_list_words(answered)} answered, {_list_words(cancelled)} {were} cancelled"
        case _:
            return ""


def _numbers_in(value: Any) -> list[str]:
    found = value if isinstance(value, list | tuple) else ()
    return [str(number) for number in found if type(number) is int]


def _list_words(words: Iterable[str]) -> str:
    """Return "a, b and c"."""
    *most, last = list(words) or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last


def words_of(body: dict[str, Any]) -> str:
    """Return the step's words for full-text search, without its metadata.

    Thoughts are among them: whatever a page shows of a step is found.
    """
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
    """Return a line that identifies a tape: the request, or else the first message.

    What a browser showed reveals nothing about the task: it is used only as a last resort.
    """
    return (
        _title_in(tape.steps, _ASKED)
        or _asked_in_context(tape.context)
        or _title_in(tape.steps, _BY_AGENT)
        or _context_title(tape.context)
        or _title_in(tape.steps, _SHOWN)
    )


def find_title(steps: Sequence[Step]) -> str:
    """Return the request in the given steps, or else the first message; empty if there is none."""
    return _title_in(steps, (*_ASKED, *_BY_AGENT, *_SHOWN))


_Sort: TypeAlias = Family | Literal["asked", "shown"]

_ASKED: tuple[_Sort, ...] = ("asked", "observation")
_BY_AGENT: tuple[_Sort, ...] = ("thought", "action", "control")
_SHOWN: tuple[_Sort, ...] = ("shown",)
_ASKING = frozenset({"user", "task", "question", "goal", "instruction"})
_PAGES = frozenset({"page", "html", "dom", "axtree", "screenshot"})


def _title_in(steps: Sequence[Step], sorts: Sequence[_Sort]) -> str:
    """Return the first line of the first sort that has one.

    A team's tape may start with a call that carries the task; only then do observations follow.
    """
    opening = steps[0] if steps else None
    if isinstance(opening, Call) and isinstance(opening.content, str) and opening.content.strip():
        return fit_line(opening.content, TITLE_LENGTH)
    first = [(_sort_of(step), step) for step in steps[:50] if step.kind != "system"]
    for sort in sorts:
        for found, step in first:
            gist = _first_gist(answered_json(step)) if found == sort else ""
            if gist:
                return fit_line(gist, TITLE_LENGTH)
    return ""


def _sort_of(step: Step) -> _Sort:
    family = family_of(step)
    words = set(step.kind.casefold().split("_"))
    if family != "observation":
        return family
    return "asked" if words & _ASKING else "shown" if words & _PAGES else family


def _asked_in_context(context: Any) -> str:
    """Return the task that a context names; a context of plain text is the material to work on."""
    if isinstance(context, str):
        return fit_line(context, TITLE_LENGTH)
    if not isinstance(context, dict):
        return ""
    texts = (context.get(name) for name in ("task", "question", "goal", "instruction"))
    return next((fit_line(text, TITLE_LENGTH) for text in texts if _is_text(text)), "")


def _is_text(text: Any) -> TypeGuard[str]:
    return isinstance(text, str) and text.strip() != ""


def root_agent(steps: Iterable[Step]) -> str:
    """Return the name of the agent at the root of the team that wrote the steps."""
    for step in steps:
        if step.metadata.agent:
            return fit_text(step.metadata.agent.partition("/")[0], 200)
    return ""


def _context_title(context: Any) -> str:
    return fit_line(_first_gist(context), TITLE_LENGTH) if isinstance(context, dict) else ""


def _first_gist(body: dict[str, Any]) -> str:
    if words := _first_words(body):
        return words
    for name in _GIST_FIELDS:
        if type(body.get(name)) in {int, float}:  # the answer of a tool that counts
            return str(body[name])
    rest = _rest_of(body)
    return json.dumps(rest, default=str)[: GIST_LENGTH * 2] if rest else ""


def _first_words(body: dict[str, Any]) -> str:
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
    strings = strings_in(_rest_of(body).values())
    return next((text for text in strings if text and not text.isspace()), "")


def _rest_of(body: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in body.items() if key not in _SAYS_NOTHING}


def _describe_call(call: Any) -> str:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        return ""
    return f"{function.get('name', '')}({function.get('arguments', '')})"[: GIST_LENGTH * 2]


def strings_in(values: Iterable[Any]) -> Iterator[str]:
    """Yield all texts in JSON values in order, without recursion: the depth may be hostile."""
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
