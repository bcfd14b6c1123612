"""Forms: what an assistant can submit for a user, read from the schemas of functions.

A schema is that of the paper (5.4): a name, a description, the parameters as JSON Schema, and what
comes back. `rules` is ours: what must hold between several slots.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, JsonValue, ValidationError, model_validator

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.steps import first_reason
from tapes_app.engine.text_pattern import compile_pattern
from tapes_app.gallery.form_filler.values import SlotValueError, read_value

MOST_SLOTS = 100
MOST_CHOICES = 200
LONGEST_TEXT = 4_000
_LONGEST_REASON = 250

Name = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f]+$")]
"""Of a form or a slot: models and people read it on one line."""

Choice = Annotated[str, Field(min_length=1, max_length=200)]
Bound = Annotated[float, Field(allow_inf_nan=False)]

SlotType = Literal[
    "string", "categorical", "date", "time", "email", "url", "number", "integer", "boolean"
]
_ORDERED = frozenset({"date", "time", "number", "integer"})


class FormError(InvalidInputError):
    """A form that cannot be used; the sentence names the place."""

    code = "form"


class Parameter(FrozenModel):
    """One slot in JSON Schema, as far as forms use it."""

    type: Literal["string", "number", "integer", "boolean"]
    description: str = Field(default="", max_length=LONGEST_TEXT)
    format: Literal["date", "time", "email", "uri", "url"] | None = None
    enum: tuple[Choice, ...] | None = Field(default=None, min_length=1, max_length=MOST_CHOICES)
    default: JsonValue = None
    pattern: str | None = Field(default=None, max_length=200)
    minimum: Bound | None = None
    maximum: Bound | None = None
    max_length: int | None = Field(default=None, ge=1, alias="maxLength")

    model_config = ConfigDict(populate_by_name=True)  # the public schemas say `max_length`

    @property
    def slot_type(self) -> SlotType:
        if self.enum is not None:
            return "categorical"
        if self.format is not None:
            return "url" if self.format == "uri" else self.format
        return self.type

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.enum is not None and len({choice.casefold() for choice in self.enum}) < len(
            self.enum
        ):
            raise ValueError("two of its allowed values are the same")
        if self.type != "string" and (self.enum or self.format or self.pattern):
            raise ValueError("only a string has allowed values, a format or a pattern")
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise ValueError("its minimum is above its maximum")
        if self.pattern is not None:
            _check_pattern(self.pattern)
        return self


def _check_pattern(pattern: str) -> None:
    try:
        compile_pattern(pattern)
    except InvalidInputError as error:
        raise ValueError(f"its pattern cannot be used: {error}") from None


class Parameters(FrozenModel):
    type: Literal["object"] = "object"
    properties: dict[Name, Parameter] = Field(min_length=1, max_length=MOST_SLOTS)
    required: tuple[str, ...] = ()


class OrderRule(FrozenModel):
    """One value comes before another, as a departure before the return."""

    earlier: str
    later: str
    may_be_equal: bool = False


class NeedRule(FrozenModel):
    """A slot is required once another one has a certain value."""

    slot: str
    other: str
    value: str


class FunctionSchema(FrozenModel):
    """A form. Slots are its parameters, in their order."""

    name: Name
    description: str = Field(max_length=LONGEST_TEXT)
    parameters: Parameters
    return_value: dict[str, Any] = Field(default_factory=dict)
    """What comes back once the form is submitted, as JSON Schema."""

    rules: tuple[OrderRule | NeedRule, ...] = Field(default=(), max_length=MOST_SLOTS)

    @classmethod
    def read(cls, data: object) -> Self:
        """Return the form of JSON or YAML data.

        Raises:
            FormError: it is not a form, or nobody could fill it in.
        """
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            name = data.get("name") if isinstance(data, Mapping) else None
            form = f"The form {name!r}" if isinstance(name, str) else "The form"
            reason = f"{first_reason(error):.{_LONGEST_REASON}}"
            raise FormError(f"{form:.130} cannot be used: {reason}.") from error

    @cached_property
    def slots(self) -> Mapping[str, Parameter]:
        return self.parameters.properties

    @property
    def order_rules(self) -> tuple[OrderRule, ...]:
        return tuple(rule for rule in self.rules if isinstance(rule, OrderRule))

    def is_required(self, slot: str, values: Mapping[str, JsonValue]) -> bool:
        """Return whether a slot must have a value, given those of the others."""
        if slot in self.parameters.required:
            return True
        return any(
            isinstance(rule, NeedRule)
            and rule.slot == slot
            and values.get(rule.other) == rule.value
            for rule in self.rules
        )

    def fits(self, values: Mapping[str, JsonValue]) -> bool:
        """Return whether values go together, and nothing is missing beside them."""
        required = (name for name in self.slots if self.is_required(name, values))
        return all(name in values for name in required) and not any(self.find_broken_rules(values))

    def find_broken_rules(self, values: Mapping[str, JsonValue]) -> Iterator[str]:
        """Yield a sentence for each pair of values that do not fit together."""
        for rule in self.order_rules:
            earlier, later = values.get(rule.earlier), values.get(rule.later)
            # Dates and times are ISO 8601 here, which sorts as they do.
            if earlier is None or later is None or earlier < later:  # type: ignore[operator]
                continue
            if earlier == later and rule.may_be_equal:
                continue
            yield f"{rule.later!r} ({later}) must come after {rule.earlier!r} ({earlier})"

    @model_validator(mode="after")
    def _check(self) -> Self:
        slots = self.parameters.properties
        for name in self.parameters.required:
            if name not in slots:
                raise ValueError(f"the required slot {name!r} is not among its slots")
        for name, slot in slots.items():
            if slot.default is not None:
                _check_default(name, slot)
        for rule in self.rules:
            _check_rule(rule, slots)
        _refuse_cycles(self.rules)
        return self


def _check_default(name: str, slot: Parameter) -> None:
    if slot.default == "":  # how the public schemas write that there is none
        return
    try:
        read_value(slot, slot.default)
    except SlotValueError as error:
        raise ValueError(f"the default of slot {name!r} is not a value of it: {error}") from None


def _check_rule(rule: OrderRule | NeedRule, slots: Mapping[str, Parameter]) -> None:
    names = (rule.earlier, rule.later) if isinstance(rule, OrderRule) else (rule.slot, rule.other)
    for name in names:
        if name not in slots:
            raise ValueError(f"a rule is about the slot {name!r}, which is not among its slots")
    first, second = (slots[name] for name in names)
    if isinstance(rule, NeedRule):
        try:
            read_value(second, rule.value)
        except SlotValueError as error:
            raise ValueError(f"a rule expects a value of {rule.other!r}: {error}") from None
    elif first.slot_type != second.slot_type or first.slot_type not in _ORDERED:
        raise ValueError(f"a rule orders {names[0]!r} and {names[1]!r}, which have no order")


def _refuse_cycles(rules: tuple[OrderRule | NeedRule, ...]) -> None:
    for kind in (OrderRule, NeedRule):
        graph = TopologicalSorter[str]()
        for rule in rules:
            if isinstance(rule, kind):
                before, after = (
                    (rule.earlier, rule.later)
                    if isinstance(rule, OrderRule)
                    else (rule.other, rule.slot)
                )
                graph.add(after, before)
        try:
            graph.prepare()
        except CycleError as error:
            names = ", ".join(repr(name) for name in error.args[1])
            raise ValueError(f"its rules go round in a circle: {names}") from None
