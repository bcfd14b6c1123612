"""Children of tapes: what a fork or a draft makes, stored completely or not at all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from tapes_app.editing.domain.rows import FIRST_FIX, Fix
from tapes_app.editing.services import drafts
from tapes_app.editing.services.previews import Edit, check_edit
from tapes_app.editing.store import drafts as drafts_store
from tapes_app.engine.errors import EditError
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.splice import SplicedStep
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.step_facts import title_of
from tapes_app.tapes.store import access, edits, headers


@dataclass(frozen=True)
class TapeCreated:
    tape_id: UUID


def fork_tape(person: Person, tape_id: UUID, *, at: int | None) -> TapeCreated:
    """Create a child with the first `at` steps; all of them by default."""
    child = edits.fork_tape(
        tape_id, project=person.project_id, at=at, owner=person.user_id, author=person.name
    )
    return TapeCreated(child)


@transaction.atomic
def save_child(person: Person, tape_id: UUID, fix: Fix = FIRST_FIX) -> TapeCreated:
    """Create the child that one of the person's drafts describes, and clear that draft.

    Raises:
        EditError: the draft is empty, or a step in it does not fit its kind.
    """
    draft = drafts.load_draft(person, tape_id, fix)
    if not draft.applied_count:
        access.require_tape(tape_id, person.project_id)  # raises for a tape of another project
        raise EditError(f"Fix {fix} of this tape changes nothing; change something first.")
    edit = drafts.apply_draft(person, tape_id, draft)
    child = store_edit(person, tape_id, edit, keep=len(edit.steps))
    drafts_store.delete_draft(tape_id, person.project_id, person=person.user_id, fix=fix)
    return TapeCreated(child)


def store_edit(
    person: Person,
    tape_id: UUID,
    edit: Edit,
    *,
    keep: int | None,
    agent_version_id: UUID | None = None,
) -> UUID:
    """Store an edit as a child of the tape, with the steps that `list_kept` returns.

    Raises:
        EditError: one of the steps does not fit its kind.
    """
    check_edit(edit, until=edit.resume_at if keep is None else keep)
    kept = list_kept(edit, keep)
    return edits.save_spliced(
        tape_id,
        edit.make_child(kept, author=person.name),
        project=person.project_id,
        sources=[spliced.source for spliced in kept],
        title=_title_of_child(person, tape_id, edit),
        owner=person.user_id,
        edited_by=person.user_id,
        writer="person",
        agent_version=agent_version_id,
        edit_words=edit.describe(),
    )


def list_kept(edit: Edit, keep: int | None) -> tuple[SplicedStep, ...]:
    """Return the first `keep` steps of an edit; `None`: those that stay when the agent continues.

    If that cuts an edited answer, its node pointers are kept (see `find_pointers`).
    """
    end = edit.resume_at if keep is None else keep
    others = edit.unaffected if keep is None else ()
    return (
        *edit.steps[:end],
        *find_pointers(edit.steps, end),
        *(edit.steps[position] for position in others),
    )


def find_pointers(steps: Sequence[SplicedStep], keep: int) -> Iterator[SplicedStep]:
    """Yield the `SetNextNode` steps that a cut right after an edited step would lose.

    Looping nodes write their pointer after the action. An edit in the middle of such an answer
    drops the action as stale; without the pointer the agent would not know how to continue.
    """
    if not 0 < keep < len(steps) or steps[keep - 1].source is not None:
        return
    prompt_id = steps[keep - 1].step.metadata.prompt_id
    for spliced in steps[keep:]:
        if not prompt_id or spliced.step.metadata.prompt_id != prompt_id:
            return
        if isinstance(spliced.step, SetNextNode):
            yield spliced


def _title_of_child(person: Person, tape_id: UUID, edit: Edit) -> str:
    """Return the title given to the child or its parent; empty: derive it from the steps."""
    metadata = edit.arrangement.metadata
    if metadata is not None and metadata.title:
        return metadata.title
    title = headers.load_header(tape_id, person.project_id).title
    return "" if title == title_of(edit.tape) else title
