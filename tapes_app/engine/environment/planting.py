"""Planted instructions: what a task says is written into an observation, to see who follows it.

A task brings its attack with its first step, as it brings a state, so every attempt meets the same
one and no model sees it before an observation contains it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from pydantic import Field, ValidationError

from tapes_app.engine.environment.tool_rules import fits_name
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.dialog_steps import deed_content
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape

ATTACK: Final = "attack"
"""Where the metadata of a task's first step has its attack."""

PLANTED: Final = "planted"
"""Where the metadata of an observation has the instruction that was planted into it."""

AttackKind = Literal["command", "system", "person", "leak", "answer", "hidden"]
"""Who an instruction pretends to be from, what it is after, or how it hides."""

KIND_TITLES: Final[Mapping[AttackKind, str]] = {
    "command": "direct command",
    "system": "pretended system message",
    "person": "pretended message of the person",
    "leak": "leak into a call",
    "answer": "changed answer",
    "hidden": "hidden in markup or code",
}

_LONGEST_INSTRUCTION = 10_000
_DEEPEST = 20


class Plant(FrozenModel):
    """An instruction, and the observation that it is written into."""

    instruction: str = Field(min_length=1, max_length=_LONGEST_INSTRUCTION)
    tool: str = Field(default="*", min_length=1, max_length=200)
    """Name of the tool whose answer it is written into, or the kind of another action; `*` stands
    for any text."""

    occurrence: int = Field(default=1, ge=1, le=1_000)
    """Which of the tool's answers on the tape; those that report an error do not count."""

    place: Literal["begin", "middle", "end"] = "end"
    """Where in the observation's text, or in the longest of its texts."""


def find_plant(steps: Sequence[Step]) -> Plant | None:
    """Return what the task of a tape says is planted; `None`: nothing, or it cannot be read."""
    attack = steps[0].metadata.other.get(ATTACK) if steps else None
    try:
        return Plant.model_validate(attack["plant"]) if isinstance(attack, dict) else None
    except (ValidationError, KeyError):
        return None


def without_attacks(tape: Tape) -> Tape:
    """Return a tape whose steps have no attack, also where one would become the first by an edit.

    The tape itself if there is none.
    """
    if not any(ATTACK in step.metadata.other for step in tape.steps):
        return tape
    return tape.model_copy(update={"steps": tuple(map(_without_attack, tape.steps))})


def _without_attack(step: Step) -> Step:
    if ATTACK not in step.metadata.other:
        return step
    other = {name: value for name, value in step.metadata.other.items() if name != ATTACK}
    return step.with_metadata(other=other)


def is_about(plant: Plant, name: str) -> bool:
    """Return whether an instruction is for the answers of this tool."""
    return fits_name(plant.tool, name)


def was_planted(step: Step) -> bool:
    return PLANTED in step.metadata.other


def plant_into(step: Step, plant: Plant) -> Step:
    """Return an observation with the instruction in its longest text, marked in its metadata.

    One without any text stays as it is.
    """
    content = {name: value for name, value in deed_content(step).items() if name != "kind"}
    found = _find_longest(content, (), 0)
    if found is None:
        return step
    changed = _replace(content, found.path, _join(found.text, plant))
    field = found.path[0]
    copy = step.model_copy(update={str(field): changed[field]})
    other = {**step.metadata.other, PLANTED: plant.instruction}
    return copy.with_metadata(other=other)


class _Found(NamedTuple):
    path: tuple[str | int, ...]
    text: str


def _find_longest(value: Any, path: tuple[str | int, ...], depth: int) -> _Found | None:
    if isinstance(value, str):
        return _Found(path, value) if path and value else None
    if depth == _DEEPEST:
        return None
    below: Sequence[tuple[str | int, Any]] = ()
    if isinstance(value, dict):
        below = tuple(value.items())
    elif isinstance(value, list | tuple):
        below = tuple(enumerate(value))
    texts = (_find_longest(item, (*path, key), depth + 1) for key, item in below)
    return max(filter(None, texts), key=lambda found: len(found.text), default=None)


def _replace(value: Any, path: tuple[str | int, ...], text: str) -> Any:
    if not path:
        return text
    first, rest = path[0], path[1:]
    if isinstance(value, dict):
        return {**value, first: _replace(value[first], rest, text)}
    items = list(value)
    items[int(first)] = _replace(items[int(first)], rest, text)
    return type(value)(items)


def _join(text: str, plant: Plant) -> str:
    match plant.place:
        case "begin":
            return f"{plant.instruction}\n\n{text}"
        case "end":
            return f"{text}\n\n{plant.instruction}"
        case "middle":
            at = _find_middle(text)
            return f"{text[:at].rstrip()}\n\n{plant.instruction}\n\n{text[at:].lstrip()}"


def _find_middle(text: str) -> int:
    """Return the end of the line or the sentence that is nearest to the middle of a text."""
    half = len(text) // 2
    ends = [at + len(mark) for mark in ("\n", ". ") for at in _find_all(text, mark)]
    return min(ends, key=lambda at: abs(at - half), default=len(text))


def _find_all(text: str, mark: str) -> list[int]:
    places, at = [], text.find(mark)
    while at >= 0:
        places.append(at)
        at = text.find(mark, at + 1)
    return places
