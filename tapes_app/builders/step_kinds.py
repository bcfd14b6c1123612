"""Step classes and steps as settings of a node: themselves in Python, data in a stored agent."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from pydantic import PlainSerializer, PlainValidator, ValidationInfo, WithJsonSchema

from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.tape.defined_kinds import DefinedKind
from tapes_app.engine.tape.defined_steps import (
    NO_KINDS,
    DefinedStep,
    StepClassesByName,
    build_step_class,
    kinds_of_team,
    require_fit,
)
from tapes_app.engine.tape.steps import (
    Step,
    family_of,
    list_step_classes,
    list_step_kinds,
    parse_step,
)


def name_step_class(cls: type[Step]) -> str:
    """Return what a stored agent calls a step class.

    That is its kind, or its module and name if another class had the kind first. A kind that the
    agent itself defines is always called by its kind.
    """
    kind = str(cls.model_fields["kind"].default)
    if issubclass(cls, DefinedStep):
        return kind
    return kind if list_step_classes(kind)[:1] == (cls,) else _full_name(cls)


def find_step_class(name: str, own: StepClassesByName = NO_KINDS) -> type[Step]:
    """Return the step class with a kind, or with a module and name; one of an agent's `own` first.

    Raises:
        AgentConfigError: there is none.
    """
    if name in own:
        return own[name]
    if found := list_step_classes(name):
        return found[0]
    classes = (cls for kind in list_step_kinds() for cls in reversed(list_step_classes(kind)))
    named = next((cls for cls in classes if _full_name(cls) == name), None)
    if named is None:
        raise AgentConfigError(
            f"There is no step of kind {name!r}; load the module that defines it, define it, or "
            f"choose one of {[*own, *list_step_kinds()]}.",
            kind=name,
        )
    return named


def _full_name(cls: type[Step]) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _read_classes(value: Any, info: ValidationInfo) -> tuple[type[Step], ...]:
    items = (value,) if isinstance(value, str | type | DefinedKind) else value
    if not isinstance(items, Iterable):
        items = (value,)
    own = kinds_of_team(info.context)
    return tuple(dict.fromkeys(_read_class(item, own) for item in items))


def _read_class(value: Any, own: StepClassesByName) -> type[Step]:
    cls = find_step_class(value, own) if isinstance(value, str) else value
    if isinstance(cls, DefinedKind):
        cls = build_step_class(cls)
    if not (isinstance(cls, type) and issubclass(cls, Step)):
        raise AgentConfigError(f"{value!r} is not a step class; name a kind, or give the class.")
    if cls.family == "observation" or not isinstance(cls.model_fields["kind"].default, str):
        raise AgentConfigError(
            f"An agent cannot write a {cls.__name__}; give kinds of thoughts and actions.",
        )
    return cls


def _read_steps(value: Any, info: ValidationInfo) -> tuple[Step, ...]:
    items = (value,) if isinstance(value, Step | dict) else value
    if isinstance(items, str) or not isinstance(items, Iterable):
        raise AgentConfigError(f"{str(value)[:100]!r} is no list of steps; give complete steps.")
    own = kinds_of_team(info.context)
    steps = tuple(_read_step(item, own) for item in items)
    for step in steps:
        if family_of(step) == "observation":
            raise AgentConfigError(
                f"An agent cannot write a step of kind {step.kind!r}; give thoughts and actions.",
                kind=step.kind,
            )
    return steps


def _read_step(value: Any, own: StepClassesByName) -> Step:
    cls = own.get(str(value.get("kind"))) if isinstance(value, dict) else None
    return parse_step(value) if cls is None else require_fit(value, cls)


StepClasses = Annotated[
    Sequence[type[Step]],
    PlainValidator(_read_classes),
    PlainSerializer(lambda classes: [name_step_class(cls) for cls in classes], list[str]),
    WithJsonSchema({"type": "array", "items": {"type": "string"}}),
]
"""Kinds of steps that an agent may write."""

StepsAsData = Annotated[
    Sequence[Step],
    PlainValidator(_read_steps),
    PlainSerializer(lambda steps: [step.to_json() for step in steps], list[dict[str, Any]]),
    WithJsonSchema({"type": "array", "items": {"type": "object"}}),
]
"""Complete steps that an agent writes."""
