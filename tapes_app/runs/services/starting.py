"""Starting and resuming runs: the tape and its job are created together or not at all."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from tapes_app.agents.services.agents import build_live_agent
from tapes_app.agents.store import agents as agent_storage
from tapes_app.agents.store import llm_models as model_storage
from tapes_app.editing.domain.rows import FIRST_FIX, Fix
from tapes_app.editing.services import drafts
from tapes_app.editing.services.children import fork_tape, store_edit
from tapes_app.editing.store import drafts as drafts_store
from tapes_app.engine.errors import ConflictError, TapeRangeError
from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.domain.control import JobControl
from tapes_app.jobs.domain.run_result import RUN_KIND
from tapes_app.jobs.store.job import Job, create_job, find_active_job
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import RunRequest
from tapes_app.runs.services.fit import check_fit
from tapes_app.runs.services.gone_tools import build_for_tape
from tapes_app.runs.services.replies import make_user_step
from tapes_app.tapes.store import access as tape_access
from tapes_app.tapes.store import saving as tape_saving
from tapes_app.tapes.store.tapes import take_agent

_ADVICE: defaultdict[str, str] = defaultdict(
    lambda: "stop it or wait for it",
    paused="continue it, stop it, or make a change to continue on a new tape",
    waiting="answer it or stop it",
)


@dataclass(frozen=True)
class StartedRun:
    tape_id: UUID
    job_id: UUID


@dataclass(frozen=True)
class DraftUse:
    """Which of the person's drafts is run, and whether it is kept to be tried again."""

    fix: Fix = FIRST_FIX
    is_kept: bool = False


def start_tape(
    person: Person,
    request: RunRequest,
    *,
    message: str,
    attachments: Sequence[Any] = (),
    context: Any = None,
    title: str = "",
) -> StartedRun:
    """Create a tape with the person's message, and let the agent answer.

    Without a title, it is called by its message.

    Raises:
        MediaError: an attachment is not an image or recording, or is too large.
        NotFoundError: no such agent version or model.
        ModelKeyMissingError: the model has no key; nothing was created.
    """
    project = person.project_id
    first_message = make_user_step(message, attachments)
    build_live_agent(
        project,
        request.agent_version_id,
        model_id=request.model_id,
        parameters=request.parameters,
    )
    version = agent_storage.load_version(request.agent_version_id, project)
    with transaction.atomic():
        tape_id = tape_saving.save_tape(
            project,
            Tape(context=context).append(first_message, author=person.name),
            owner=person.user_id,
            writer="person",
            title=title,
            agent_name=version.agent_name,
            agent_version=version.id,
        )
        return StartedRun(tape_id, start_run(person, tape_id, request).id)


def resume_tape(
    person: Person,
    tape_id: UUID,
    request: RunRequest,
    *,
    draft: DraftUse | None = None,
    at: int | None = None,
) -> StartedRun:
    """Continue with an agent from a tape, an edit of it or a prefix.

    With a draft or `at` a child is created; without, the tape itself grows. `at` keeps only the
    first `at` steps, counted after the draft; with a draft it defaults to the end of the edits,
    because everything after them is stale.

    Raises:
        ConflictError: another run works on the tape that would grow.
        EditError: the draft does not fit the tape.
        ModelKeyMissingError: the model has no key; nothing was created.
        AgentUnfitError: the agent lacks a node, a subagent or a kind; nothing was created.
    """
    tape_access.require_tape(tape_id, person.project_id)
    build_for_tape(person.project_id, tape_id, request)
    with transaction.atomic():
        version_id = request.agent_version_id
        grown = _tape_to_grow(person, tape_id, version_id, draft=draft, at=at)
        check_fit(person.project_id, grown, request)
        return StartedRun(grown, start_run(person, grown, request).id)


@transaction.atomic
def start_run(person: Person, tape_id: UUID, request: RunRequest) -> Job:
    """Queue a run that continues the tape itself.

    Raises:
        NotFoundError: no such tape, agent version or model in the project.
        ArchivedError: the tape is archived.
        ConflictError: the tape already has a run that is active or waits.
    """
    # Locks it: one start at a time.
    tape = tape_access.get_tape_to_change(tape_id, person.project_id)
    version = agent_storage.load_version(request.agent_version_id, person.project_id)
    if request.model_id is not None:
        model_storage.load_model(request.model_id, person.project_id)
    active = find_active_job(tape_id)
    if active is not None:
        raise ConflictError(
            f"This tape already has a run that is {active.state}; {_ADVICE[active.state]}.",
            job_id=str(active.id),
            state=active.state,
        )
    take_agent(tape, version_id=version.id, agent_name=version.agent_name)
    return create_job(
        person.project_id,
        RUN_KIND,
        request=request.model_dump(mode="json", exclude_defaults=True),
        control=JobControl(breakpoints=request.breakpoints, is_stepping=request.is_stepping),
        title=f"{version.agent_name}: {tape.title}" if tape.title else version.agent_name,
        owner_id=person.user_id,
        tape_id=tape_id,
    )


def _tape_to_grow(
    person: Person, tape_id: UUID, version_id: UUID, *, draft: DraftUse | None, at: int | None
) -> UUID:
    applied = drafts.load_draft(person, tape_id, draft.fix) if draft else drafts.EMPTY
    if draft and applied.applied_count:
        edit = drafts.apply_draft(person, tape_id, applied)
        if at is not None:
            _check_range(at, len(edit.steps))
        child = store_edit(person, tape_id, edit, keep=at, agent_version_id=version_id)
        if not draft.is_kept:
            drafts_store.delete_draft(
                tape_id, person.project_id, person=person.user_id, fix=draft.fix
            )
        return child
    if at is not None:
        return fork_tape(person, tape_id, at=at).tape_id
    return tape_id


def _check_range(at: int, count: int) -> None:
    if at > count:
        raise TapeRangeError(
            f"Cannot keep {at} steps: the edited tape has {count}.", at=at, step_count=count
        )
