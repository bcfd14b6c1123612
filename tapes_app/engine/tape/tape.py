"""The tape: an immutable log of steps with its lineage; the only state of a session."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal, overload

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, WrapValidator

from tapes_app.engine.errors import TapeRangeError
from tapes_app.engine.frozen_model import FrozenModel, new_id
from tapes_app.engine.plain_json import dump_json_data
from tapes_app.engine.tape.steps import AnyStep, Step

if TYPE_CHECKING:
    from tapes_app.engine.tape.view import ViewStack


Split = Literal["", "train", "validation", "test"]
"""The tape's role in training; empty: unspecified, so it may be trained on."""


class TapeMetadata(FrozenModel):
    """Where a tape comes from (paper 2.5). Unknown keys are kept."""

    model_config = ConfigDict(frozen=True, extra="allow", use_attribute_docstrings=True)

    id: str = Field(default_factory=new_id)
    parent_id: str | None = None
    """The tape that this one continues or revises."""

    author: str | None = None
    """The agent, environment or person that wrote, extended or revised it."""

    n_added_steps: int = 0
    """How many steps the last author added."""

    error: Any = None
    result: Any = None


def _trust_steps(value: Any, handler: Any) -> Any:
    # Steps are frozen: a tuple of them needs no validation, and a long tape no traversal.
    if type(value) is tuple and all(isinstance(step, Step) for step in value):
        return value
    return handler(value)


Steps = Annotated[tuple[AnyStep, ...], WrapValidator(_trust_steps)]


class Tape(BaseModel):
    """A session: context, steps and lineage. Changing it makes another tape.

    `append` keeps the id, because a run grows one tape; `fork`, slicing and editing make a
    child that names its parent.
    """

    metadata: TapeMetadata = Field(default_factory=TapeMetadata)
    context: Any = None
    """What the session starts from: null, text, an object, or another tape."""

    steps: Steps = ()

    # The view stack of exactly these steps, moved along (never shared) as the tape grows.
    _views: ViewStack | None = PrivateAttr(default=None)

    @property
    def id(self) -> str:
        return self.metadata.id

    def __len__(self) -> int:
        return len(self.steps)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Step]:  # type: ignore[override]  # pydantic iterates fields
        return iter(self.steps)

    @overload
    def __getitem__(self, key: int) -> Step: ...
    @overload
    def __getitem__(self, key: slice) -> Tape: ...
    def __getitem__(self, key: int | slice) -> Step | Tape:
        """Return one step, or a child of this tape with the steps of the slice."""
        if isinstance(key, int):
            return self.steps[key]
        return self._child(self.steps[key])

    def append(self, *steps: Step, author: str | None = None) -> Tape:
        """Return this tape extended by `steps`; it keeps its id and records who added them."""
        metadata = self._grown_metadata(len(steps), author)
        grown = _build(metadata, self.context, self.steps + steps)
        grown._views, self._views = self._views, None
        return grown

    def _grown_metadata(self, added: int, author: str | None) -> TapeMetadata:
        changes: dict[str, Any] = {"n_added_steps": added}
        if author is not None:
            changes["author"] = author
        return self.metadata.model_copy(update=changes)

    def settle(self) -> Tape:
        """Return this tape as a plain value (see `growing_tape`)."""
        return self

    def __add__(self, steps: tuple[Step, ...]) -> Tape:
        """Return a child with `steps` added: fresh id, this tape as its parent."""
        return self._child((*self.steps, *steps), n_added_steps=len(steps))

    def fork(self, at: int | None = None) -> Tape:
        """Return a child with the first `at` steps (all by default).

        Raises:
            TapeRangeError: `at` is negative or past the end.
        """
        count = len(self.steps) if at is None else at
        if not 0 <= count <= len(self.steps):
            raise TapeRangeError(
                f"Cannot fork at step {count}: the tape has {len(self.steps)} steps.",
                at=count,
                step_count=len(self.steps),
            )
        return self._child(self.steps[:count])

    def with_steps(self, steps: tuple[Step, ...], *, author: str) -> Tape:
        """Return a child with other steps, written by `author`."""
        return self._child(steps, author=author)

    def with_metadata(self, **values: Any) -> Tape:
        return _build(self.metadata.model_copy(update=values), self.context, self.steps)

    def _child(self, steps: tuple[Step, ...], **metadata: Any) -> Tape:
        lineage = {"id": new_id(), "parent_id": self.id, "n_added_steps": 0, **metadata}
        return _build(self.metadata.model_copy(update=lineage), self.context, steps)

    def to_json(self) -> dict[str, Any]:
        """Return the tape as data: the fields that were set, no defaults (see `Step.to_json`)."""
        return {
            "metadata": dump_json_data(self.metadata, exclude_unset=True),
            "context": self.context,
            "steps": [step.to_json() for step in self.steps],
        }

    def content_equals(self, other: Tape) -> bool:
        """Return whether context and steps are the same apart from metadata."""
        return (
            self.context == other.context
            and len(self) == len(other)
            and all(a.content_equals(b) for a, b in zip(self, other, strict=True))
        )


def _build(metadata: TapeMetadata, context: Any, steps: tuple[Step, ...]) -> Tape:
    """Make a tape from parts that are already valid; skips validation, which is linear."""
    return Tape.model_construct(metadata=metadata, context=context, steps=steps)
