"""One tape of TapeAgents: JSON data to our tape and back, with equal data.

What a `Tape` cannot hold of a file (unknown top-level fields, absent ones, the file's name and
form) is kept in its metadata under one reserved key, and removed again on export.
"""

from hashlib import blake2b
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tapes_app.engine.errors import StepError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.messages import DIGEST_BYTES, canonical_json
from tapes_app.engine.tape.steps import Step, UnknownStep, first_reason, parse_step
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.interchange.refusals import FormatProblem, ImportLimits, NoTapeProblem
from tapes_app.interchange.values import check_value

SOURCE_KEY = "tape_studio_source"
"""Where imported tapes remember their file; never written to a file."""

SourceForm = Literal["json", "json_list", "yaml", "tapedata", "chat", "inspect"]

TAPE_FIELDS = ("metadata", "context", "steps")
_LONGEST: dict[str, int] = {"prompt_id": 100, "agent": 500, "node": 200}
_LONGEST_KIND = 100
_LONGEST_TAPE_ID = 200
_SHOWN_REASON = 160


class TapeSource(FrozenModel):
    """Where an imported tape was, and the parts of it that our tape cannot hold."""

    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)

    file: str
    """Name of the file inside its folder, as the person gave it; never used as a path."""

    form: SourceForm
    index: int = 0
    """The tape's index in its file, from 0."""

    tape_id: str = ""
    """The tape's id in the file. A tape with another id is a child, which has no file."""

    is_alphabetical: bool = False
    """The file has its fields in alphabetical order, as old YAML files do."""

    absent: tuple[str, ...] = ()
    """Tape fields that the file left out."""

    other: dict[str, Any] = Field(default_factory=dict)
    """Top-level fields that a tape does not have."""

    row: dict[str, Any] = Field(default_factory=dict)
    """Other columns, when the tape came from a table."""

    own: tuple[Any, ...] = ()
    """The file's own value of the reserved key, if it had that key."""


class ImportedTape(BaseModel):
    """A tape that was read, its position, and the digest of its content in the file."""

    tape: Tape
    source: TapeSource
    digest: str
    size: int
    """Characters of its JSON."""

    position: str
    unmapped: tuple[str, ...] = ()
    """What was kept of it but is in no step, in words."""

    had_attack: bool = False
    """Whether its task had an attack, which is left out."""


def decode_tape(
    value: Any, source: TapeSource, limits: ImportLimits, *, position: str = ""
) -> ImportedTape:
    """Turn the data of one tape into a tape that is written back as exactly this data.

    Raises:
        FormatProblem: it is not a tape; the position names the step.
    """
    if not isinstance(value, dict):
        raise NoTapeProblem(explain_no_tape(value))
    check_value(value, limits)
    text = canonical_json(value)
    steps = _decode_steps(value, limits)
    metadata = _decode_metadata(value.get("metadata", {}))
    # Most tapes need no closer check, so everything is compared in one go first.
    if canonical_json(_written(value, metadata, steps)) != text:
        if canonical_json(_dump(metadata)) != canonical_json(value.get("metadata", {})):
            raise FormatProblem("a field has a value of the wrong type", position="metadata")
        steps = _keep_exact(steps, value["steps"])
    extra = metadata.model_extra or {}
    source = source.model_copy(
        update={
            "tape_id": _given_id(metadata),
            "is_alphabetical": list(value) == sorted(value),
            "absent": tuple(name for name in TAPE_FIELDS if name not in value),
            "other": {name: v for name, v in value.items() if name not in TAPE_FIELDS},
            "own": (extra[SOURCE_KEY],) if SOURCE_KEY in extra else (),
        }
    )
    noted = metadata.model_copy(update={SOURCE_KEY: source.model_dump(exclude_defaults=True)})
    tape = Tape(metadata=noted, context=value.get("context"), steps=steps)
    return ImportedTape(
        tape=tape, source=source, digest=digest_text(text), size=len(text), position=position
    )


def digest_text(text: str) -> str:
    """Return the digest of a tape's canonical JSON, by which an imported tape is found again."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).hexdigest()


def _written(
    value: dict[str, Any], metadata: TapeMetadata, steps: tuple[Step, ...]
) -> dict[str, Any]:
    """Return the data of a tape as its parts would be written."""
    written = {**value, "steps": [step.to_json() for step in steps]}
    if "metadata" in value:
        written["metadata"] = _dump(metadata)
    return written


def _dump(metadata: TapeMetadata) -> dict[str, Any]:
    return metadata.model_dump(mode="json", exclude_unset=True)


def _keep_exact(steps: tuple[Step, ...], values: list[Any]) -> tuple[Step, ...]:
    """Return the steps; those that their class would write differently become unknown steps."""
    return tuple(
        _exact_step(step, value, f"step {number}")
        for number, (step, value) in enumerate(zip(steps, values, strict=True))
    )


def _exact_step(step: Step, value: Any, position: str) -> Step:
    wanted = canonical_json(value)
    if canonical_json(step.to_json()) == wanted:
        return step
    try:
        unknown = UnknownStep.model_validate(value)
    except ValidationError as error:
        raise FormatProblem(shown_reason(first_reason(error)), position=position) from error
    if canonical_json(unknown.to_json()) != wanted:
        raise FormatProblem("its metadata has a value of the wrong type", position=position)
    return unknown


def _given_id(metadata: TapeMetadata) -> str:
    return metadata.id if "id" in metadata.model_fields_set else ""


def _decode_steps(value: dict[str, Any], limits: ImportLimits) -> tuple[Step, ...]:
    steps = value.get("steps")
    if "steps" not in value:
        raise NoTapeProblem(explain_no_tape(value))
    if not isinstance(steps, list):
        raise FormatProblem("it is not a tape: 'steps' is not a list")
    if len(steps) > limits.max_steps:
        raise FormatProblem(f"one tape has more than {limits.max_steps:,} steps")
    return tuple(_decode_step(step, number) for number, step in enumerate(steps))


def _decode_step(value: Any, number: int) -> Step:
    position = f"step {number}"
    try:
        step = parse_step(value)
    except StepError as error:
        raise FormatProblem(shown_reason(error.message.rstrip(".")), position=position) from error
    for name, longest in _LONGEST.items():
        if len(getattr(step.metadata, name)) > longest:
            raise FormatProblem(
                f"metadata.{name} is longer than {longest} characters", position=position
            )
    if len(step.kind) > _LONGEST_KIND:
        raise FormatProblem(
            f"the kind is longer than {_LONGEST_KIND} characters", position=position
        )
    return step


def _decode_metadata(value: Any) -> TapeMetadata:
    if not isinstance(value, dict):
        raise FormatProblem("the tape's metadata is not a JSON object", position="metadata")
    try:
        metadata = TapeMetadata.model_validate(value)
    except ValidationError as error:
        raise FormatProblem(shown_reason(first_reason(error)), position="metadata") from error
    for identifier in (metadata.id, metadata.parent_id or ""):
        if len(identifier) > _LONGEST_TAPE_ID:
            raise FormatProblem(
                f"a tape id is longer than {_LONGEST_TAPE_ID} characters", position="metadata"
            )
    return metadata


def shown_reason(reason: str) -> str:
    """Return a validator's reason, at a readable length."""
    return reason if len(reason) <= _SHOWN_REASON else reason[:_SHOWN_REASON] + "…"


def explain_no_tape(value: Any) -> str:
    """Describe what a value that is not a tape seems to be; never quotes its contents."""
    if not isinstance(value, dict):
        return "it is not a tape: a tape is an object with metadata, context and steps"
    fields = set(value)
    if {"text", "n_predicted"} <= fields:
        return "it contains training samples, not tapes"
    if {"model_name", "parameters"} <= fields:
        return "it describes a model, not a tape; add models on the Models page"
    if {"prompt", "output"} <= fields:
        return "it is an LLM call, not a tape"
    if "_target_" in fields or any(
        isinstance(part, dict) and "_target_" in part for part in value.values()
    ):
        return "it is an agent configuration, not a tape"
    return "it is not a tape: it has no list 'steps'"


def source_of(metadata: TapeMetadata) -> TapeSource | None:
    """Return the original place of an imported tape, if it can go back there.

    `None` for other tapes, for children of imported ones, and for conversations and Inspect
    samples, which became tapes during the import.
    """
    noted = (metadata.model_extra or {}).get(SOURCE_KEY)
    if not isinstance(noted, dict):
        return None
    try:
        source = TapeSource.model_validate(noted)
    except ValidationError:
        return None
    is_there = source.form not in {"chat", "inspect"} and source.tape_id == _given_id(metadata)
    return source if is_there else None


def encode_tape(tape: Tape) -> dict[str, Any]:
    """Return the data of a tape in file form; for an imported tape, as its file had it."""
    value = tape.to_json()
    value["metadata"].pop(SOURCE_KEY, None)
    source = source_of(tape.metadata)
    if source is None:
        value["metadata"].setdefault("id", tape.id)
        return value
    if source.own:
        value["metadata"][SOURCE_KEY] = source.own[0]
    if not value["metadata"] and "metadata" in source.absent:
        del value["metadata"]
    if value["context"] is None and "context" in source.absent:
        del value["context"]
    value |= source.other
    return dict(sorted(value.items())) if source.is_alphabetical else value
