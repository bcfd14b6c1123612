"""The built-in transforms, which need no code, and those that plugins provide, as data."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tapes_app.bulk.transform.places import read_places
from tapes_app.bulk.transform.replacing import LONGEST_REPLACEMENT, check_replacement
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.registry import Registry
from tapes_app.engine.tape.splice import Operation
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.text_pattern import LONGEST_PATTERN, compile_pattern

MOST_KINDS = 50
Name = Annotated[str, Field(min_length=1, max_length=200)]
CustomTransform = Callable[[Tape, Mapping[str, Any]], Sequence[Operation]]
"""Takes a tape and settings, and returns the operations to apply; its docstring describes it."""

transforms: Registry[CustomTransform] = Registry("transform")


class _Transform(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class _OfSteps(_Transform):
    step_kinds: tuple[Name, ...] = Field(default=(), max_length=MOST_KINDS)
    """Only steps of these kinds; empty: all."""

    pointer: str = Field(default="", max_length=1_000)
    """Where in a step, as in `/tool_calls/*/function/arguments`; empty: anywhere."""


class ReplaceText(_OfSteps):
    """Replace matches of a regular expression in the texts of steps."""

    kind: Literal["replace_text"] = "replace_text"
    pattern: str = Field(min_length=1, max_length=LONGEST_PATTERN)
    replacement: str = Field(default="", max_length=LONGEST_REPLACEMENT)
    r"""`\1` and `\g<name>` stand for groups of the pattern."""

    ignore_case: bool = False


class SetValue(_OfSteps):
    """Set the value at a place in steps; places that do not exist are not created."""

    kind: Literal["set_value"] = "set_value"
    value: Any


class DropSteps(_Transform):
    """Remove all steps of the given kinds."""

    kind: Literal["drop_steps"] = "drop_steps"
    step_kinds: tuple[Name, ...] = Field(min_length=1, max_length=MOST_KINDS)


class ChangeTool(_Transform):
    """Rename a tool and its arguments, in calls and in what the tape declares."""

    kind: Literal["change_tool"] = "change_tool"
    name: Name
    new_name: Name
    arguments: dict[Name, Name] = Field(default_factory=dict, max_length=100)
    """Old names of arguments to new ones; empty renames none."""


class CustomTransformUse(_Transform):
    """Apply a function of a plugin."""

    kind: Literal["custom"] = "custom"
    name: Name
    settings: dict[str, Any] = Field(default_factory=dict)


Transform = Annotated[
    ReplaceText | SetValue | DropSteps | ChangeTool | CustomTransformUse,
    Field(discriminator="kind"),
]


def check_transform(transform: Transform) -> None:
    """Refuse a transform that makes no sense, before any tape is read.

    Raises:
        InvalidInputError: the message names the wrong part and why it is wrong.
    """
    match transform:
        case ReplaceText():
            pattern = compile_pattern(transform.pattern, ignore_case=transform.ignore_case)
            check_replacement(pattern, transform.replacement)
            read_places(transform.pointer)
        case SetValue():
            names = read_places(transform.pointer)
            if not names or names[0] in {"kind", "metadata", "*"}:
                raise InvalidInputError(
                    "Choose the value to set, such as /content; kind and metadata cannot change.",
                    field=transform.pointer,
                )
        case CustomTransformUse() if transform.name not in transforms:
            raise InvalidInputError(
                f"There is no transform {transform.name!r}; plugins provide {sorted(transforms)}."
            )
