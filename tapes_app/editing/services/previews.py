"""The tape as a draft would leave it: where steps come from, what is stale, what is invalid."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any

from tapes_app.editing.services.own_kinds import FindOwnClass, find_none
from tapes_app.engine.errors import EditError
from tapes_app.engine.tape.defined_steps import recognize
from tapes_app.engine.tape.families import Family
from tapes_app.engine.tape.other_lanes import list_facts, list_unaffected
from tapes_app.engine.tape.splice import (
    Arrangement,
    Operation,
    SplicedStep,
    arrange,
    read_places,
    revise,
)
from tapes_app.engine.tape.steps import (
    Step,
    UnknownStep,
    family_of,
    first_place,
    first_reason,
    nearest_misfit,
)
from tapes_app.engine.tape.tape import Tape
from tapes_app.tapes.domain.edit_words import describe_edit
from tapes_app.tapes.domain.step_facts import describe_step
from tapes_app.tapes.store.kind_families import LoadAssignedFamilies, assign_step_families

LONGEST_KIND = 100


@dataclass(frozen=True)
class PreviewStep:
    """A step after editing. `body` only if the draft wrote it."""

    position: int
    source: int | None
    is_stale: bool
    kind: str
    family: Family
    gist: str
    body: dict[str, Any] | None
    problem: str


@dataclass(frozen=True)
class Misfit:
    """Why a written step does not fit its kind; `field` is a JSON pointer into it."""

    field: str
    message: str


@dataclass(frozen=True)
class Edit:
    """A tape and the result of applying a draft to it."""

    tape: Tape
    arrangement: Arrangement
    steps: tuple[SplicedStep, ...]
    find_own: FindOwnClass = find_none

    @property
    def resume_at(self) -> int:
        """How many steps are kept when an agent continues; all of them if none was changed."""
        found = self.arrangement.resume_at(count_opening(self.tape.steps))
        return len(self.steps) if found is None else found

    @cached_property
    def unaffected(self) -> tuple[int, ...]:
        """Places behind `resume_at` that are kept, too: steps of other lanes than the edited."""
        facts = list_facts(self.tape.steps)
        return tuple(list_unaffected(self.arrangement, facts, self.resume_at))

    @property
    def is_same_session(self) -> bool:
        """Whether steps and context are as recorded: at most the metadata differ."""
        return self.arrangement.edited_at is None

    def describe(self) -> str:
        """Return one line that describes the changes."""
        origins = {place.origin for place in self.arrangement.places if place.written is not None}
        steps = {origin: self.tape.steps[origin] for origin in origins if origin is not None}
        recorded = {origin: step.to_json() for origin, step in steps.items()}
        return describe_edit(self.arrangement, recorded)

    def make_child(self, steps: Sequence[SplicedStep], *, author: str) -> Tape:
        """Return the child that this edit makes of the given steps.

        It has no result and error of its original, which belong to another session, unless the
        draft wrote them.
        """
        revised = revise(self.tape, self.arrangement)
        child = revised.with_steps(tuple(spliced.step for spliced in steps), author=author)
        if self.is_same_session and len(steps) == len(self.steps):
            return child
        before, after = self.tape.metadata, child.metadata
        stale = {
            name: None
            for name in ("result", "error")
            if getattr(after, name) is not None and getattr(after, name) == getattr(before, name)
        }
        return child.with_metadata(**stale) if stale else child


def edit_tape(
    tape: Tape, operations: Sequence[Operation], find_own: FindOwnClass = find_none
) -> Edit:
    """Apply a draft to a tape; `find_own` finds the kinds that its agents define.

    Raises:
        EditError: an operation does not fit the tape.
    """
    arrangement = arrange(len(tape), operations)
    return Edit(tape, arrangement, read_places(tape, arrangement), find_own)


def count_opening(steps: Sequence[Step]) -> int:
    """Return how many steps the tape begins with that no agent wrote."""
    return sum(1 for _ in takewhile(lambda step: not step.metadata.agent, steps))


def check_edit(edit: Edit, *, until: int | None = None) -> None:
    """Refuse an edit whose steps do not fit their kinds.

    Raises:
        EditError: a step does not fit; the details describe the first one.
    """
    for position, spliced in enumerate(edit.steps[:until]):
        misfit = _find_misfit(spliced, edit)
        if misfit is not None:
            raise EditError(
                f"Step {position}: {misfit.message} Fix it before saving.",
                position=position,
                field=misfit.field,
            )


def find_misfit(
    step: Step, was_unknown: Callable[[str], bool], find_own: FindOwnClass = find_none
) -> Misfit | None:
    """Return why a step that a person wrote does not fit its kind, or `None` if it fits.

    Invalid fields never make reading a step fail: it becomes an unknown step. That is right for a
    file, but wrong for a person who types. `was_unknown` returns whether the tape itself already
    uses a kind in a way that no class here knows; then it may continue to do so.
    """
    if len(step.kind) > LONGEST_KIND:
        return Misfit("/kind", f"kind: A kind can have at most {LONGEST_KIND} characters.")
    if not isinstance(step, UnknownStep):
        return None
    own = find_own(step.kind)
    nearest = nearest_misfit(step.kind, step.to_json(), () if own is None else (own,))
    if nearest is None or was_unknown(step.kind):
        return None
    return Misfit(first_place(nearest), f"{first_reason(nearest)}.")


def _find_misfit(spliced: SplicedStep, edit: Edit) -> Misfit | None:
    if spliced.source is not None:
        return None

    def was_unknown(kind: str) -> bool:
        used = (step for step in edit.tape.steps if step.kind == kind)
        return any(is_unknown(step, edit.find_own) for step in used)

    return find_misfit(spliced.step, was_unknown, edit.find_own)


def is_unknown(step: Step, find_own: FindOwnClass) -> bool:
    """Return whether a step fits no class here, and no kind that an agent defines."""
    if not isinstance(step, UnknownStep):
        return False
    own = find_own(step.kind)
    return own is None or isinstance(recognize(step, (own,)), UnknownStep)


def list_preview_steps(edit: Edit, families: LoadAssignedFamilies) -> list[PreviewStep]:
    resume_at, unaffected = edit.resume_at, set(edit.unaffected)
    return [
        PreviewStep(
            position=position,
            source=spliced.source,
            is_stale=position >= resume_at and position not in unaffected,
            kind=spliced.step.kind,
            family=family,
            gist=describe_step(spliced.step.to_json(), family),
            body=spliced.step.to_json() if spliced.source is None else None,
            problem=misfit.message if (misfit := _find_misfit(spliced, edit)) is not None else "",
        )
        for position, spliced in enumerate(edit.steps)
        for family in [family_of(*assign_step_families([spliced.step], families))]
    ]
