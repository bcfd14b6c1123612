"""Conditions over what an agent sees of its tape: data, never code."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, PlainSerializer

from tapes_app.builders.step_refs import StepRef, value_of
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.steps import Step, family_of

Comparison = Literal[
    "equals", "differs", "less", "at_most", "greater", "at_least", "contains", "is_empty"
]
_MISSING = object()


class LastStepIs(FrozenModel):
    """The last step is of one of the kinds; choices of the next node do not count."""

    type: Literal["last_step_is"] = "last_step_is"
    kinds: tuple[str, ...]

    def holds(self, steps: Sequence[Step]) -> bool:
        counted = (step for step in reversed(steps) if not isinstance(step, SetNextNode))
        last = next(counted, None)
        return last is not None and last.kind in self.kinds

    def describe(self) -> str:
        return f"the last step is {' or '.join(self.kinds)}"


class LastObservationIs(FrozenModel):
    """The last observation is of one of the kinds."""

    type: Literal["last_observation_is"] = "last_observation_is"
    kinds: tuple[str, ...]

    def holds(self, steps: Sequence[Step]) -> bool:
        return last_observation_kind(steps) in self.kinds

    def describe(self) -> str:
        return f"the last observation is {' or '.join(self.kinds)}"


class FieldCompares(FrozenModel):
    """A field of a step compares with a value; `is_empty` needs none.

    A step or field that is missing is empty and differs from everything. Values of two types, such
    as a text and a number, differ, and none of them is less than the other.
    """

    type: Literal["field_compares"] = "field_compares"
    step: StepRef = StepRef()
    comparison: Comparison = "equals"
    value: Any = None

    def holds(self, steps: Sequence[Step]) -> bool:
        step = self.step.find(steps)
        found: Any = _MISSING
        if step is not None:
            try:
                found = value_of(step, self.step.field)
            except InvalidInputError:
                found = _MISSING
        return _compare(found, self.comparison, self.value)

    def describe(self) -> str:
        words = self.comparison.replace("_", " ")
        value = "" if self.comparison == "is_empty" else f" {self.value!r}"
        return f"{self.step.describe()} {words}{value}"


def last_observation_kind(steps: Sequence[Step]) -> str:
    """Return the kind of the last observation among steps; empty if there is none."""
    observed = (step for step in reversed(steps) if family_of(step) == "observation")
    last = next(observed, None)
    return last.kind if last is not None else ""


def _compare(found: Any, comparison: Comparison, value: Any) -> bool:
    match comparison:
        case "is_empty":
            return found is _MISSING or found is None or found in ("", [], {})
        case "equals":
            return _are_equal(found, value)
        case "differs":
            return not _are_equal(found, value)
        case "contains":
            if isinstance(found, str):
                return isinstance(value, str) and value in found
            return isinstance(found, list | dict) and any(_are_equal(one, value) for one in found)
        case _ if not _are_ordered(found, value):
            return False
        case "less":
            return bool(found < value)
        case "at_most":
            return bool(found <= value)
        case "greater":
            return bool(found > value)
        case "at_least":
            return bool(found >= value)


def _are_equal(one: Any, other: Any) -> bool:
    # In Python `True == 1`, in JSON it is not.
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _are_ordered(one: Any, other: Any) -> bool:
    return any(isinstance(one, types) and isinstance(other, types) for types in (str, (int, float)))


Condition = Annotated[
    LastStepIs | LastObservationIs | FieldCompares,
    Field(discriminator="type"),
    # The type stays when a node is stored without its defaults.
    PlainSerializer(
        lambda made: {"type": made.type, **made.model_dump(mode="json", exclude_defaults=True)},
        dict[str, Any],
    ),
]
