"""JSON schemas of steps, from which editing forms are built."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.model.reasoning import REASONING, reasoning_of
from tapes_app.engine.tape.defined_steps import DefinedStep
from tapes_app.engine.tape.families import AssignedFamily, Family
from tapes_app.engine.tape.steps import AgentStep, Step, UnknownStep, family_of, list_step_classes
from tapes_app.engine.tape.steps import list_step_kinds as list_known_kinds

_NOT_DATA = frozenset({"kind", "metadata", *REASONING})


@dataclass(frozen=True)
class StepVariant:
    """One class of a kind; in real tapes a kind may have several."""

    title: str
    description: str
    data_schema: dict[str, Any]


@dataclass(frozen=True)
class StepSchema:
    kind: str
    family: Family
    is_known: bool
    data_schema: dict[str, Any]
    variants: tuple[StepVariant, ...] = ()
    declared_family: AssignedFamily | None = None
    """What each step of the kind has as `kind_family` in its metadata, because the tape's agent
    defines the kind; `None`: nothing."""


@dataclass(frozen=True)
class StepKind:
    """A kind that can be inserted."""

    kind: str
    family: Family
    description: str


def list_step_kinds() -> list[StepKind]:
    """Return the kinds that have a class here, by name."""
    firsts = [(kind, list_step_classes(kind)[0]) for kind in list_known_kinds()]
    return [StepKind(kind, cls.family, _first_line(cls)) for kind, cls in firsts]


def schema_of_kind(kind: str) -> StepSchema:
    """Return the schema of a known kind; of its first class if there are several.

    Raises:
        NotFoundError: no class knows the kind.
    """
    classes = list_step_classes(kind)
    if not classes:
        raise NotFoundError(f"There is no step kind {kind!r}; see the list of kinds.", kind=kind)
    return _schema_of_classes(kind, classes)


def schema_of_class(cls: type[DefinedStep]) -> StepSchema:
    """Return the schema of a kind that an agent defines."""
    return _schema_of_classes(cls.definition.name, (cls,))


def schema_of_step(step: Step) -> StepSchema:
    """Return the schema of a step's class; for an unknown step, a schema inferred from its data."""
    if isinstance(step, UnknownStep):
        properties = {
            name: infer_schema(value) for name, value in (step.__pydantic_extra__ or {}).items()
        }
        schema = {"title": step.kind, "type": "object", "properties": properties}
        return StepSchema(step.kind, family_of(step), is_known=False, data_schema=schema)
    others = tuple(cls for cls in list_step_classes(step.kind) if cls is not type(step))
    reasoning = tuple(reasoning_of(step)) if isinstance(step, AgentStep) else ()
    return _schema_of_classes(step.kind, (type(step), *others), reasoning)


def infer_schema(value: Any) -> dict[str, Any]:
    """Infer the schema of a JSON value: its types, its keys, the first item of a list."""
    match value:
        case bool():
            return {"type": "boolean"}
        case int():
            return {"type": "integer"}
        case float():
            return {"type": "number"}
        case str():
            return {"type": "string"}
        case list() | tuple():
            return {"type": "array", "items": infer_schema(value[0]) if value else {}}
        case dict():
            properties = {str(key): infer_schema(item) for key, item in value.items()}
            return {"type": "object", "properties": properties}
        case _:
            return {}


def _schema_of_classes(
    kind: str, classes: tuple[type[Step], ...], reasoning: tuple[str, ...] = ()
) -> StepSchema:
    """Return the schema of a kind; `reasoning` lists its reasoning fields that a step has."""
    variants = tuple(
        StepVariant(cls.__name__, _first_line(cls), _data_schema(cls, _held(cls, reasoning)))
        for cls in classes
    )
    return StepSchema(
        kind,
        classes[0].family,
        is_known=True,
        data_schema=variants[0].data_schema,
        variants=variants,
        declared_family=_declared_family(classes[0]),
    )


def _declared_family(cls: type[Step]) -> AssignedFamily | None:
    return cls.definition.family if issubclass(cls, DefinedStep) else None


def _held(cls: type[Step], names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name in cls.model_fields)


@lru_cache(maxsize=1000)
def _data_schema(cls: type[Step], reasoning: tuple[str, ...]) -> dict[str, Any]:
    """Return the schema of the fields that hold data, with references expanded."""
    schema = cls.model_json_schema()
    definitions = schema.pop("$defs", {})
    data = [name for name in schema.get("properties", {}) if name not in _NOT_DATA]
    properties = {
        name: _write_out(schema["properties"][name], definitions, ())
        for name in (*data, *reasoning)
    }
    required = [name for name in schema.get("required", []) if name not in _NOT_DATA]
    return {**schema, "properties": properties, "required": required}


def _write_out(value: Any, definitions: dict[str, Any], inside: tuple[str, ...]) -> Any:
    """Replace references by their definitions; a recursive reference becomes "anything"."""
    if isinstance(value, list):
        return [_write_out(item, definitions, inside) for item in value]
    if not isinstance(value, dict):
        return value
    reference = value.get("$ref")
    if not isinstance(reference, str):
        return {key: _write_out(item, definitions, inside) for key, item in value.items()}
    name = reference.rpartition("/")[2]
    rest = {key: item for key, item in value.items() if key != "$ref"}
    if name in inside or name not in definitions:
        return rest
    return {**_write_out(definitions[name], definitions, (*inside, name)), **rest}


def _first_line(cls: type[Step]) -> str:
    return (cls.__doc__ or "").strip().partition("\n")[0]
