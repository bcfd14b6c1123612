"""A place on a stored tape, or on a draft of it: the state there, and what is read of the tape."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from uuid import UUID

from tapes_app.editing.domain.rows import FIRST_FIX, Fix
from tapes_app.editing.services import drafts
from tapes_app.editing.services.children import list_kept
from tapes_app.engine.model.llm import LLMOutput
from tapes_app.engine.prompts.briefing import answered_kinds, mark_answered_actions
from tapes_app.engine.tape.control_steps import CALL_TOGETHER
from tapes_app.engine.tape.steps import (
    Step,
    StepMetadata,
    UnknownStep,
    list_step_classes,
    parse_step,
)
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.view import ViewStack
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.fit import Standing, stand, tape_parts, turn_start
from tapes_app.runs.store import basis as run_basis
from tapes_app.runs.store.basis import StepAuthor
from tapes_app.tapes.store import calls as call_storage
from tapes_app.tapes.store import loading as tape_loading


@dataclass(frozen=True)
class TapePoint:
    """A place on a tape: the state there, and which team wrote the steps before it."""

    standing: Standing
    parts: frozenset[str]
    unknown_kinds: tuple[str, ...]
    is_cut: bool
    """Whether the steps before and after the place belong to the same node run."""

    load_steps: Callable[[], Sequence[Step]]
    """Returns the steps before the place, with their bodies."""

    load_outputs: Callable[[], dict[str, LLMOutput]]
    """Returns the models' answers on the tape, by prompt id."""


def find_point(
    person: Person, tape_id: UUID, *, at: int | None, use_draft: bool, fix: Fix = FIRST_FIX
) -> TapePoint:
    """Return the place after the first `at` steps; for a draft, by default after what it edits.

    Raises:
        NotFoundError: no such tape in the project.
        EditError: the draft does not fit the tape.
        DelegationError: the delegation on the tape cannot be followed.
    """
    draft = drafts.load_draft(person, tape_id, fix) if use_draft else drafts.EMPTY
    if not draft.applied_count:
        return find_stored_point(person.project_id, tape_id, at=at)
    edit = drafts.apply_draft(person, tape_id, draft)
    keep = edit.resume_at if at is None else at
    steps = [spliced.step for spliced in list_kept(edit, at)]
    steps = mark_answered_actions(steps, answered_kinds(steps))
    prompt_ids = [spliced.step.metadata.prompt_id for spliced in edit.steps]
    return TapePoint(
        stand(steps),
        tape_parts((step.metadata.agent, step.metadata.node) for step in steps),
        _find_unknown_kinds(step.kind for step in steps),
        _is_cut(prompt_ids, keep),
        lambda: steps,
        cache(lambda: call_storage.outputs_by_prompt_id(tape_id, person.project_id)),
    )


def find_stored_point(project_id: UUID, tape_id: UUID, *, at: int | None) -> TapePoint:
    """Find the place from the steps' authors; only the bodies of the last turn are read.

    All are read if agents were called together: only the bodies say what belongs to whom.

    Raises:
        NotFoundError: no such tape in the project.
        DelegationError: the delegation on the tape cannot be followed.
    """
    with_next = None if at is None else at + 1
    found = run_basis.list_authors(tape_id, project_id, until=with_next)
    authors = found[:at]
    start = turn_start([author.family == "observation" for author in authors])
    has_lanes = any(author.kind == CALL_TOGETHER for author in authors)
    last_turn = tape_loading.load_part(
        tape_id, project_id, start=0 if has_lanes else start, end=len(authors)
    )
    answered = {author.kind for author in authors if author.family == "action"}
    answered_steps = mark_answered_actions(last_turn, answered)
    if has_lanes:
        standing = stand(answered_steps)
    else:
        stack = ViewStack.compute(_as_step(author) for author in authors)
        standing = Standing(stack, Tape(steps=tuple(answered_steps)))
    return TapePoint(
        standing,
        tape_parts((author.agent, author.node) for author in authors),
        _find_unknown_kinds(author.kind for author in authors),
        _is_cut([author.prompt_id for author in found], len(authors)),
        cache(lambda: tape_loading.load_part(tape_id, project_id, end=len(authors))),
        cache(lambda: call_storage.outputs_by_prompt_id(tape_id, project_id)),
    )


def _is_cut(prompt_ids: Sequence[str], at: int) -> bool:
    return 0 < at < len(prompt_ids) and prompt_ids[at - 1] == prompt_ids[at] != ""


def _find_unknown_kinds(kinds: Iterable[str]) -> tuple[str, ...]:
    return tuple(kind for kind in dict.fromkeys(kinds) if not list_step_classes(kind))


def _as_step(author: StepAuthor) -> Step:
    """Return a step that views treat like the stored one."""
    if author.body is not None:
        return parse_step(author.body)
    wrote = author.agent if author.family != "observation" else ""
    metadata = StepMetadata.model_construct(
        agent=wrote, node=author.node, prompt_id=author.prompt_id
    )
    return UnknownStep.model_construct(kind="thought", metadata=metadata)
