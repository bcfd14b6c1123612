"""Editing: a draft is a list of operations; applying them is a pure function.

Positions in an operation count steps of the tape as the previous operations left it. What `arrange`
reports of stale steps and of where to continue is implemented again in the browser, which must
respond to every key press: both are tested on `tests/engine/splice_cases.json`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, NamedTuple, assert_never

from pydantic import Field, TypeAdapter, field_validator

from tapes_app.engine.errors import EditError, StepError
from tapes_app.engine.frozen_model import FrozenModel, new_id
from tapes_app.engine.tape.steps import Step, parse_step
from tapes_app.engine.tape.tape import Tape, TapeMetadata

LINEAGE = ("id", "parent_id", "author", "n_added_steps")
"""Metadata that records where a tape comes from: nobody edits it."""


class _Operation(FrozenModel):
    group: int | None = Field(default=None, ge=0, exclude_if=lambda group: group is None)
    """Neighbours with the same number were made together: undo removes all of them at once."""


class ReplaceStep(_Operation):
    """Replace a step with another one."""

    op: Literal["replace"] = "replace"
    position: int = Field(ge=0)
    step: dict[str, Any]


class InsertStep(_Operation):
    """Insert a step before the one at `position`; at the end when it equals the length."""

    op: Literal["insert"] = "insert"
    position: int = Field(ge=0)
    step: dict[str, Any]


class DeleteStep(_Operation):
    """Remove a step."""

    op: Literal["delete"] = "delete"
    position: int = Field(ge=0)


class CutHere(_Operation):
    """Drop the step at `position` and everything after it."""

    op: Literal["cut"] = "cut"
    position: int = Field(ge=0)


class MoveStep(_Operation):
    """Move the step at `position` so that it ends up at `to`."""

    op: Literal["move"] = "move"
    position: int = Field(ge=0)
    to: int = Field(ge=0)


class KeepStep(_Operation):
    """Let the agent continue no earlier than after this step, although it follows an edit."""

    op: Literal["keep"] = "keep"
    position: int = Field(ge=0)


class EditContext(_Operation):
    """Replace the context that the session starts from."""

    op: Literal["context"] = "context"
    value: Any


class EditMetadata(_Operation):
    """Give the tape another title and other metadata; its lineage stays."""

    op: Literal["metadata"] = "metadata"
    title: str | None = Field(default=None, max_length=300)
    """`None` leaves the title as it is."""

    values: dict[str, Any]
    """Everything but the lineage: `result`, `error` and whatever else the tape should hold."""

    @field_validator("values")
    @classmethod
    def _has_no_lineage(cls, values: dict[str, Any]) -> dict[str, Any]:
        fixed = [name for name in LINEAGE if name in values]
        if fixed:
            raise ValueError(f"{fixed[0]!r} records where the tape comes from and cannot be edited")
        return values


StepOperation = ReplaceStep | InsertStep | DeleteStep | CutHere | MoveStep | KeepStep
Operation = Annotated[StepOperation | EditContext | EditMetadata, Field(discriminator="op")]
OPERATIONS: TypeAdapter[tuple[Operation, ...]] = TypeAdapter(tuple[Operation, ...])


class EditedPlace(NamedTuple):
    """One place of the edited tape."""

    origin: int | None
    """Position on the original; `None` for an inserted step."""

    written: dict[str, Any] | None = None
    """What a person put here, as JSON; `None` for a step as recorded."""

    number: int = 0
    """The number of the operation that wrote it, from 1."""

    is_kept: bool = False


@dataclass(frozen=True)
class Arrangement:
    """The places that operations leave, and what they change on the tape around its steps."""

    original_count: int
    places: tuple[EditedPlace, ...]
    context: EditContext | None = None
    metadata: EditMetadata | None = None

    @property
    def edited_at(self) -> int | None:
        """The first place that is not as recorded; `None` when all are.

        What follows was recorded under other circumstances.
        """
        if self.context is not None:
            return 0
        for position, place in enumerate(self.places):
            if place.origin != position or place.written is not None:
                return position
        return len(self.places) if len(self.places) < self.original_count else None

    def resume_at(self, opening_count: int) -> int | None:
        """Return how many steps stay when an agent continues; `None` when none was touched.

        The agent continues after the last place that was written, moved, removed, cut or kept:
        everything that follows is stale. Under another context it starts again after the opening:
        the first `opening_count` steps of the original, which no agent wrote.
        """
        if self.edited_at is None:
            return None
        end, tail = len(self.places), self.original_count
        while end and self._is_as_recorded(end - 1, tail - 1):
            end, tail = end - 1, tail - 1
        if self.context is not None:
            end = max(end, self._count_opening(opening_count))
        kept = (at for at, place in enumerate(self.places, start=1) if place.is_kept)
        return max([end, *kept])

    def _is_as_recorded(self, position: int, origin: int) -> bool:
        place = self.places[position]
        return place.origin == origin and place.written is None

    def _count_opening(self, opening_count: int) -> int:
        for position, place in enumerate(self.places):
            if place.origin is None or place.origin >= opening_count:
                return position
        return len(self.places)


class SplicedStep(NamedTuple):
    """A step after editing; `source` is its position in the original, `None` if newly written."""

    step: Step
    source: int | None


def arrange(step_count: int, operations: Sequence[Operation]) -> Arrangement:
    """Return the places that operations make of a tape of `step_count` steps. Reads no step.

    Raises:
        EditError: a position is outside the tape as it is by then.
    """
    places = [EditedPlace(index) for index in range(step_count)]
    edited = Arrangement(step_count, ())
    for number, operation in enumerate(operations, start=1):
        match operation:
            case EditContext():
                edited = replace(edited, context=operation)
            case EditMetadata():
                edited = replace(edited, metadata=operation)
            case _:
                _check_position(operation, number, len(places))
                _apply(places, operation, number)
    return replace(edited, places=tuple(places))


def apply_operations(tape: Tape, operations: Sequence[Operation]) -> tuple[SplicedStep, ...]:
    """Return the edited steps, each with where it comes from.

    Raises:
        EditError: a position is outside the tape as it is by then, or a step cannot be read.
    """
    return read_places(tape, arrange(len(tape), operations))


def read_places(tape: Tape, arrangement: Arrangement) -> tuple[SplicedStep, ...]:
    """Return the steps of an arrangement of this tape.

    Raises:
        EditError: a written step cannot be read.
    """
    return tuple(
        SplicedStep(
            read_place(place, position, tape.steps), place.origin if place.written is None else None
        )
        for position, place in enumerate(arrangement.places)
    )


def splice(tape: Tape, operations: Sequence[Operation], *, author: str) -> Tape:
    """Return the child of a tape that an edit makes; it names its parent and its author."""
    arrangement = arrange(len(tape), operations)
    edited = tuple(spliced.step for spliced in read_places(tape, arrangement))
    return revise(tape, arrangement).with_steps(edited, author=author)


def revise(tape: Tape, arrangement: Arrangement) -> Tape:
    """Return a tape with the context and metadata that a draft gives it; its steps stay."""
    context = tape.context if arrangement.context is None else arrangement.context.value
    metadata = tape.metadata
    if arrangement.metadata is not None:
        lineage = metadata.model_dump(include=set(LINEAGE), exclude_unset=True)
        values = {**lineage, "id": metadata.id, **arrangement.metadata.values}
        metadata = TapeMetadata.model_validate(values)
    return tape.model_copy(update={"context": context, "metadata": metadata})


def read_place(
    place: EditedPlace, position: int, originals: Sequence[Step] | Mapping[int, Step]
) -> Step:
    """Return the step of one place.

    A step that a person wrote gets its own id. If it replaces another step, it takes over that
    step's agent, node and prompt id, so that views and node choice continue as before.

    Raises:
        EditError: the written step cannot be read.
    """
    old = None if place.origin is None else originals[place.origin]
    if place.written is None:
        assert old is not None
        return old
    data = {key: item for key, item in place.written.items() if key != "metadata"}
    signature = place.written.get("metadata")
    if old is None and isinstance(signature, dict):
        data["metadata"] = signature
    try:
        step = parse_step(data, known=(type(old),) if old is not None else ())
    except StepError as error:
        raise EditError(
            f"Edit {place.number}: {error.message}", operation=place.number, position=position
        ) from error
    if old is None:
        return step.with_metadata(id=new_id())
    return step.model_copy(update={"metadata": old.metadata.model_copy(update={"id": new_id()})})


def _check_position(operation: StepOperation, number: int, length: int) -> None:
    last = length if isinstance(operation, InsertStep) else length - 1
    positions = [operation.position]
    if isinstance(operation, MoveStep):
        positions.append(operation.to)
    for position in positions:
        if position > last:
            raise EditError(
                f"Edit {number} ({operation.op}) is at step {position}, but by then the tape "
                f"has {length} steps.",
                operation=number,
                position=position,
            )


def _apply(places: list[EditedPlace], operation: StepOperation, number: int) -> None:
    match operation:
        case ReplaceStep(position=position, step=value):
            places[position] = _rewritten(places[position], value, number)
        case InsertStep(position=position, step=value):
            places.insert(position, EditedPlace(None, value, number))
        case DeleteStep(position=position):
            del places[position]
        case CutHere(position=position):
            del places[position:]
        case MoveStep(position=position, to=to):
            places.insert(to, places.pop(position))
        case KeepStep(position=position):
            places[position] = places[position]._replace(is_kept=True)
        case _:
            assert_never(operation)


def _rewritten(place: EditedPlace, value: dict[str, Any], number: int) -> EditedPlace:
    """Put other JSON in a place; an inserted step keeps the agent it was inserted for."""
    signature = (place.written or {}).get("metadata") if place.origin is None else None
    written = {**value, "metadata": signature} if signature is not None else value
    return place._replace(written=written, number=number)
