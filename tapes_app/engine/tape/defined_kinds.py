"""Kinds of steps that an agent defines by their fields, as data; and what is wrong with them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.steps import Action, list_step_classes

MOST_KINDS = 50
MOST_FIELDS = 50
MOST_CHOICES = 100
LONGEST_NAME = 64
LONGEST_DESCRIPTION = 1_000
LONGEST_CHOICE = 200

KindFamily = Literal["thought", "action", "stop", "observation"]
FieldType = Literal["text", "number", "whole_number", "yes_no", "choice", "texts"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_NAME_RULE = f"use up to {LONGEST_NAME} letters, digits and underscores, and begin with a letter"


class KindField(FrozenModel):
    """A field of a defined kind."""

    name: str
    type: FieldType = "text"
    description: str = ""
    """What the model is told about it."""

    required: bool = True
    choices: tuple[str, ...] = Field(default_factory=tuple, exclude_if=lambda texts: not texts)
    """What a field of type `choice` may be."""


class DefinedKind(FrozenModel):
    """A kind of step that an agent defines."""

    name: str
    family: KindFamily = "thought"
    """What its steps are: a thought, an action, an action that ends the tape (`stop`), or an
    observation, which people put on a tape and agents only read."""

    description: str = ""
    """What the model is told about it."""

    fields: tuple[KindField, ...] = ()


class KindProblem(NamedTuple):
    """What is wrong with the kinds of an agent."""

    place: tuple[str | int, ...]
    """The path to it from the list of kinds."""

    message: str


def check_kinds(kinds: Sequence[DefinedKind]) -> Iterator[KindProblem]:
    """Yield what is wrong with the kinds of an agent."""
    if len(kinds) > MOST_KINDS:
        yield KindProblem(
            (), f"An agent can define {MOST_KINDS} kinds of steps; this one has {len(kinds):,}."
        )
        return
    for at, kind in enumerate(kinds):
        for place, message in check_kind(kind):
            yield KindProblem((at, *place), message)
    for at in _list_repeated([kind.name for kind in kinds]):
        name = kinds[at].name
        message = f"Another kind is named {_short(name)}; rename one of them."
        yield KindProblem((at, "name"), message)


def check_kind(kind: DefinedKind) -> Iterator[KindProblem]:
    """Yield what is wrong with one kind; places are paths from it."""
    name = _short(kind.name)
    if not _is_name(kind.name):
        yield KindProblem(("name",), f"A kind cannot be named {name}; {_NAME_RULE}.")
    elif list_step_classes(kind.name):
        message = f"The studio or a plugin has a kind {name} already; choose another name."
        yield KindProblem(("name",), message)
    if len(kind.description) > LONGEST_DESCRIPTION:
        yield KindProblem(("description",), _say_length(f"kind {name}", kind.description))
    if len(kind.fields) > MOST_FIELDS:
        message = f"Kind {name} has {len(kind.fields):,} fields; it can have {MOST_FIELDS}."
        yield KindProblem(("fields",), message)
        return
    for at, field in enumerate(kind.fields):
        for place, message in _check_field(field):
            yield KindProblem(("fields", at, *place), message)
    for at in _list_repeated([field.name for field in kind.fields]):
        message = f"Kind {name} has two fields {_short(kind.fields[at].name)}; rename one of them."
        yield KindProblem(("fields", at, "name"), message)


def _check_field(field: KindField) -> Iterator[KindProblem]:
    name = _short(field.name)
    if not _is_name(field.name):
        yield KindProblem(("name",), f"A field cannot be named {name}; {_NAME_RULE}.")
    elif _is_taken(field.name):
        message = f"A field cannot be named {name}, which means something in every step."
        yield KindProblem(("name",), f"{message} Choose another name.")
    if len(field.description) > LONGEST_DESCRIPTION:
        yield KindProblem(("description",), _say_length(f"field {name}", field.description))
    if field.type == "choice":
        yield from _check_choices(field)
    elif field.choices:
        message = f"Field {name} lists choices; make it a choice, or remove them."
        yield KindProblem(("choices",), message)


def _check_choices(field: KindField) -> Iterator[KindProblem]:
    name, choices = _short(field.name), field.choices
    if not 1 <= len(choices) <= MOST_CHOICES:
        message = f"Field {name} needs from 1 to {MOST_CHOICES} choices; it has {len(choices):,}."
        yield KindProblem(("choices",), message)
    elif not all(0 < len(choice) <= LONGEST_CHOICE for choice in choices):
        message = f"Each choice of field {name} needs from 1 to {LONGEST_CHOICE} characters."
        yield KindProblem(("choices",), message)
    elif len(set(choices)) < len(choices):
        yield KindProblem(("choices",), f"Field {name} has the same choice twice; remove one.")


def _is_name(name: str) -> bool:
    return len(name) <= LONGEST_NAME and _NAME.fullmatch(name) is not None


def _is_taken(name: str) -> bool:
    """Return whether a name stands for a field or a method of steps."""
    return hasattr(Action, name) or name in (*Action.model_fields, "definition")


def _list_repeated(names: Sequence[str]) -> Iterator[int]:
    seen: Counter[str] = Counter()
    for at, name in enumerate(names):
        seen[name] += 1
        if name and seen[name] > 1:
            yield at


def _short(name: str) -> str:
    return repr(name[:LONGEST_NAME])


def _say_length(what: str, text: str) -> str:
    return (
        f"The description of {what} has {len(text):,} characters; it can have "
        f"{LONGEST_DESCRIPTION:,}."
    )
