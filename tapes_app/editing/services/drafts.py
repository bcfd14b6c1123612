"""Drafts: one person's edits of one tape, stored while they type. Nothing runs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from tapes_app.editing.domain.rows import FIRST_FIX, DraftRow, Fix, OtherDraft
from tapes_app.editing.services.cut_steps import refuse_cut_steps
from tapes_app.editing.services.own_kinds import own_classes_of
from tapes_app.editing.services.previews import (
    Edit,
    PreviewStep,
    edit_tape,
    find_misfit,
    is_unknown,
    list_preview_steps,
)
from tapes_app.editing.store import drafts
from tapes_app.engine.errors import EditError, InvalidInputError, TapeGrownError
from tapes_app.engine.tape.splice import OPERATIONS, EditedPlace, Operation, arrange, read_place
from tapes_app.engine.tape.steps import parse_step
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.edit_words import describe_edit
from tapes_app.tapes.store import edits, headers, loading
from tapes_app.tapes.store.kind_families import assigned_families_in

EMPTY = DraftRow(
    fix=FIRST_FIX,
    name="",
    version=0,
    operations=(),
    applied_count=0,
    updated_at=None,
    base_step_count=0,
)


@dataclass(frozen=True)
class StepProblem:
    """Why a step of the edited tape would be refused."""

    position: int
    field: str
    """JSON pointer into the step; empty for the whole step."""

    message: str


@dataclass(frozen=True)
class OpenDraft(DraftRow):
    """A person's draft as their browser shows it."""

    step_count: int
    """How many steps the tape has now."""

    problems: tuple[StepProblem, ...]
    others: tuple[OtherDraft, ...]


@dataclass(frozen=True)
class DraftPreview:
    """The edited tape, and how many of its steps Resume keeps."""

    version: int
    items: list[PreviewStep]
    resume_at: int


@dataclass(frozen=True)
class FixRow(OpenDraft):
    """One of a person's fixes of a tape, as a tab shows and opens it."""

    words: str
    """What it changes, in one line; empty: nothing."""


def load_draft(person: Person, tape_id: UUID, fix: Fix = FIRST_FIX) -> DraftRow:
    """Return one of the person's drafts; an empty one of version 0 if there is none."""
    found = drafts.load_draft(tape_id, person.project_id, person=person.user_id, fix=fix)
    return found or replace(EMPTY, fix=fix)


def open_draft(person: Person, tape_id: UUID, fix: Fix = FIRST_FIX) -> OpenDraft:
    """Return the person's draft with its problems and who else edits the tape."""
    return _open(person, tape_id, load_draft(person, tape_id, fix))


def find_draft(person: Person, tape_id: UUID) -> OpenDraft | None:
    """Return the fix that the person changed last, or `None` if there is none."""
    found = drafts.find_newest_draft(tape_id, person=person.user_id)
    return None if found is None else _open(person, tape_id, found)


def list_fixes(person: Person, tape_id: UUID) -> list[FixRow]:
    """Return the person's fixes of a tape, by letter.

    Raises:
        NotFoundError: no such tape in the project.
    """
    found = drafts.list_drafts(tape_id, person.project_id, person=person.user_id)
    opened = _open_all(person, tape_id, found) if found else []  # most tapes have none
    return [row_of(FixRow, one, words=_words_of(person, tape_id, one)) for one in opened]


def save_draft(
    person: Person,
    tape_id: UUID,
    *,
    operations: Sequence[Operation],
    applied_count: int,
    version: int,
    base_step_count: int | None = None,
    fix: Fix = FIRST_FIX,
    name: str | None = None,
) -> OpenDraft:
    """Store one of the person's drafts in place of the version that was last read.

    `base_step_count` is how many steps the person knows; by default as many as when the draft was
    created.

    Raises:
        ArchivedError: the tape is archived.
        ConflictError: another tab has stored a newer version.
        CutStepError: an operation contains only the beginning of a step that was sent cut.
    """
    if applied_count > len(operations):
        raise InvalidInputError(
            f"The draft has {len(operations)} operations; {applied_count} of them cannot be "
            "applied.",
            applied_count=applied_count,
        )
    refuse_cut_steps(person, tape_id, operations, applied_count)
    stored = OPERATIONS.dump_python(tuple(operations), mode="json")
    saved = drafts.save_draft(
        tape_id,
        person.project_id,
        person=person.user_id,
        operations=stored,
        applied_count=applied_count,
        version=version,
        base_step_count=base_step_count,
        fix=fix,
        name=name,
    )
    return _open(person, tape_id, saved)


def preview_draft(person: Person, tape_id: UUID, fix: Fix = FIRST_FIX) -> DraftPreview:
    """Return the tape as the draft would leave it.

    Raises:
        EditError: an operation does not fit the tape; the message names it.
    """
    draft = load_draft(person, tape_id, fix)
    edit = _edit(person, tape_id, draft)
    assigned_families = assigned_families_in(person.project_id)
    return DraftPreview(draft.version, list_preview_steps(edit, assigned_families), edit.resume_at)


def apply_draft(person: Person, tape_id: UUID, draft: DraftRow) -> Edit:
    """Return the tape and the result of the applied operations, to create a child from it.

    Raises:
        EditError: an operation does not fit the tape.
        TapeGrownError: the tape has grown, and the person has not accepted the new steps.
    """
    edit = _edit(person, tape_id, draft)
    grown = len(edit.tape) - draft.base_step_count
    if grown:
        raise TapeGrownError(
            f"The tape now has {len(edit.tape)} steps, up from {draft.base_step_count} when "
            "this draft was created; review the new ones, then accept them in the draft.",
            base_step_count=draft.base_step_count,
            step_count=len(edit.tape),
        )
    return edit


def _edit(person: Person, tape_id: UUID, draft: DraftRow) -> Edit:
    tape = loading.load_tape(tape_id, person.project_id)
    return edit_tape(tape, _counting(draft), own_classes_of(person, tape_id))


def _open(person: Person, tape_id: UUID, draft: DraftRow) -> OpenDraft:
    return _open_all(person, tape_id, [draft])[0]


def _open_all(person: Person, tape_id: UUID, found: Sequence[DraftRow]) -> list[OpenDraft]:
    """Return drafts of one tape with their problems; what they share is read once."""
    step_count = headers.load_header(tape_id, person.project_id).step_count
    others = drafts.list_other_drafts(tape_id, person.project_id, person=person.user_id)
    return [
        row_of(
            OpenDraft,
            draft,
            base_step_count=draft.base_step_count if draft.operations else step_count,
            step_count=step_count,
            problems=_find_problems(person, tape_id, step_count, _counting(draft)),
            others=others,
        )
        for draft in found
    ]


def _words_of(person: Person, tape_id: UUID, draft: OpenDraft) -> str:
    try:
        arrangement = arrange(draft.step_count, _counting(draft))
    except EditError as error:
        return error.message
    origins = [place.origin for place in arrangement.places if place.written is not None]
    known = [origin for origin in origins if origin is not None]
    return describe_edit(arrangement, edits.load_bodies(tape_id, person.project_id, known))


def _counting(draft: DraftRow) -> tuple[Operation, ...]:
    return OPERATIONS.validate_python(draft.operations[: draft.applied_count])


def _find_problems(
    person: Person, tape_id: UUID, step_count: int, operations: Sequence[Operation]
) -> tuple[StepProblem, ...]:
    """Return what Save and Resume would refuse in a draft, reported while somebody types.

    Only the steps that the draft wrote are checked, and nothing else of the tape, so that every
    save of a draft can be checked, however long the tape is.
    """
    try:
        places = arrange(step_count, operations).places
    except EditError as error:
        return (_of_error(error),)
    written = [(at, place) for at, place in enumerate(places) if place.written is not None]
    if not written:
        return ()
    origins = [place.origin for _, place in written if place.origin is not None]
    bodies = edits.load_bodies(tape_id, person.project_id, origins)
    olds = {origin: parse_step(body) for origin, body in bodies.items()}

    find_own = own_classes_of(person, tape_id)

    def was_unknown(kind: str) -> bool:
        used = edits.list_bodies_of_kind(tape_id, person.project_id, kind)
        return any(is_unknown(parse_step(body), find_own) for body in used)

    def check(position: int, place: EditedPlace) -> StepProblem | None:
        try:
            misfit = find_misfit(read_place(place, position, olds), was_unknown, find_own)
        except EditError as error:
            return _of_error(error)
        return None if misfit is None else StepProblem(position, misfit.field, misfit.message)

    return tuple(problem for at, place in written if (problem := check(at, place)) is not None)


def _of_error(error: EditError) -> StepProblem:
    return StepProblem(int(error.details.get("position", 0)), "", error.message)
