"""Step classes of the kinds that agents define: made from data, and known to their agent only.

Nothing of a definition is executed: its names are checked, and each type of field is one of six
that are written here. Steps have the family of their kind in their metadata, so that a tape can be
read without the agent that wrote it.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, ValidationError, create_model, model_validator

from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.tape.defined_kinds import (
    DefinedKind,
    FieldType,
    KindFamily,
    KindField,
    KindProblem,
    check_kind,
    check_kinds,
)
from tapes_app.engine.tape.families import DECLARED_FAMILY
from tapes_app.engine.tape.steps import (
    Action,
    Observation,
    Step,
    StopAction,
    Thought,
    first_reason,
    parse_step,
)


class DefinedStep(Step):
    """A step of a defined kind; a field that is null is left out."""

    model_config = ConfigDict(use_attribute_docstrings=False, protected_namespaces=())

    definition: ClassVar[DefinedKind]

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Keep the class out of the registry: other agents may define the same name otherwise."""

    @model_validator(mode="before")
    @classmethod
    def _leave_out_nulls(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        return {name: value for name, value in values.items() if value is not None}

    def to_json(self) -> dict[str, Any]:
        """Return the step as it is stored, with the family of its kind in the metadata."""
        body = super().to_json()
        metadata = body.get("metadata", {})
        other = {**metadata.get("other", {}), DECLARED_FAMILY: self.definition.family}
        return {**body, "metadata": {**metadata, "other": other}}

    def content_dict(self) -> dict[str, Any]:
        """Return what was written, as of a step that was loaded without its agent."""
        hidden = {"metadata", *self.opaque_fields}
        return {name: value for name, value in self.to_json().items() if name not in hidden}


class _DefinedThought(DefinedStep, Thought):
    pass


class _DefinedAction(DefinedStep, Action):
    pass


class _DefinedStop(DefinedStep, StopAction):
    pass


class _DefinedObservation(DefinedStep, Observation):
    pass


StepClassesByName = Mapping[str, type[DefinedStep]]
NO_KINDS: StepClassesByName = {}
_TEAM_KINDS = "team_kinds"


def in_team(kinds: StepClassesByName) -> dict[str, Any]:
    """Return the context of pydantic in which the settings of a team's nodes are read."""
    return {_TEAM_KINDS: kinds}


def kinds_of_team(context: Mapping[str, Any] | None) -> StepClassesByName:
    """Return the classes of the kinds that a team defines, from the context of its settings."""
    found: StepClassesByName = (context or {}).get(_TEAM_KINDS, NO_KINDS)
    return found


_BASES: Mapping[KindFamily, type[DefinedStep]] = {
    "thought": _DefinedThought,
    "action": _DefinedAction,
    "stop": _DefinedStop,
    "observation": _DefinedObservation,
}
_TYPES: Mapping[FieldType, Any] = {
    "text": str,
    "number": Annotated[float, Field(allow_inf_nan=False)],
    "whole_number": int,
    "yes_no": bool,
    "texts": tuple[str, ...],
}


@lru_cache(maxsize=512)
def build_step_class(kind: DefinedKind) -> type[DefinedStep]:
    """Return the class of a kind's steps; for equal definitions the same one, while it is cached.

    Raises:
        AgentConfigError: the definition has a mistake; it names the first one.
    """
    _refuse(check_kind(kind))
    base = _BASES[kind.family]
    fields: dict[str, Any] = {one.name: _declare(one) for one in kind.fields}
    fields["kind"] = (Literal[kind.name], kind.name)
    fields["definition"] = (ClassVar[DefinedKind], kind)
    description = kind.description or None
    return create_model(
        kind.name, __base__=base, __module__=__name__, __doc__=description, **fields
    )


def _declare(field: KindField) -> tuple[Any, Any]:
    annotation = Literal[field.choices] if field.type == "choice" else _TYPES[field.type]
    description = field.description or None
    if field.required:
        return annotation, Field(description=description)
    return annotation | None, Field(default=None, description=description)


def build_step_classes(kinds: Sequence[DefinedKind]) -> dict[str, type[DefinedStep]]:
    """Return the step classes of an agent's kinds by name.

    Raises:
        AgentConfigError: there is a mistake in them; it names the first one.
    """
    _refuse(check_kinds(kinds))
    return {kind.name: build_step_class(kind) for kind in kinds}


def _refuse(problems: Iterable[KindProblem]) -> None:
    for _, message in problems:
        raise AgentConfigError(message)


def list_definitions(classes: Iterable[type[Step]]) -> tuple[DefinedKind, ...]:
    """Return the definitions of those classes that were made from one."""
    return tuple(cls.definition for cls in classes if issubclass(cls, DefinedStep))


def recognize(step: Step, classes: Iterable[type[Step]]) -> Step:
    """Return a step that was loaded without its agent as one of the agent's kinds, if it fits."""
    own = tuple(cls for cls in classes if issubclass(cls, DefinedStep))
    known = any(cls.definition.name == step.kind for cls in own)
    return parse_step(step.to_json(), known=own) if known and not isinstance(step, own) else step


def require_fit(value: Any, cls: type[DefinedStep]) -> Step:
    """Return a step of a defined kind from JSON data.

    Raises:
        AgentConfigError: the data do not fit.
    """
    try:
        return cls.model_validate(value)
    except ValidationError as error:
        raise AgentConfigError(
            f"A step of kind {cls.definition.name!r} does not fit it: {first_reason(error)}.",
            kind=cls.definition.name,
        ) from error
