"""`/agents/{id}/draft`: the draft of an agent, its prompts, and what is made of it."""

from typing import Annotated, Any
from uuid import UUID

from ninja import Query, Status
from pydantic import Field

from tapes_app.agents.domain.rows import LONGEST_NOTE, AgentVersion
from tapes_app.authoring.domain.rows import Draft
from tapes_app.authoring.services import draft_prompts, draft_runs, drafts
from tapes_app.authoring.services.draft_prompts import DraftPrompt
from tapes_app.projects.api.bodies import In, Line
from tapes_app.projects.api.people import LARGEST, PersonRequest, created, emptied, make_router
from tapes_app.runs.domain.request import RunChoices
from tapes_app.runs.services.starting import StartedRun
from tapes_app.tapes.domain.word_diff import FieldChange

router = make_router("agent drafts")


class RevisionIn(In):
    revision: int = Field(ge=0)
    """The last revision that the writer read."""


class AgentDraftIn(RevisionIn):
    """The complete spec as the page has it."""

    spec: dict[str, Any]


class DraftPlaceIn(In):
    """A step of a tape; what counts is the node run that wrote it."""

    tape_id: UUID
    position: int = Field(ge=0, le=LARGEST)


class DraftPromptIn(DraftPlaceIn):
    spec: dict[str, Any] | None = None
    """What to render instead of the stored draft, so that nothing need be saved to see it."""


class SaveDraftIn(RevisionIn):
    note: Line = Field(default="", max_length=LONGEST_NOTE)
    """What the version is about."""

    ignores_newer: bool = False
    """Save it although a version was added after the draft was begun."""


class RunDraftIn(RevisionIn, DraftPlaceIn):
    request: RunChoices = RunChoices()


@router.get("/{agent_id}/draft", response=Draft)
def show_agent_draft(request: PersonRequest, agent_id: UUID) -> Draft:
    """Return the draft of an agent; if there is none, its newest version."""
    return drafts.open_draft(request.auth, agent_id)


@router.put("/{agent_id}/draft", response=Draft)
def save_agent_draft(request: PersonRequest, agent_id: UUID, body: AgentDraftIn) -> Draft:
    """Store the draft, even if it is invalid; refused if somebody has changed it meanwhile."""
    return drafts.change_draft(request.auth, agent_id, body.spec, revision=body.revision)


@router.delete("/{agent_id}/draft", response=emptied())
def discard_agent_draft(request: PersonRequest, agent_id: UUID) -> Status[None]:
    """Discard the draft and what can be undone in it."""
    drafts.discard_draft(request.auth, agent_id)
    return Status(204, None)


@router.post("/{agent_id}/draft/undo", response=Draft)
def undo_agent_draft(request: PersonRequest, agent_id: UUID, body: RevisionIn) -> Draft:
    """Undo the last change of the draft, whoever made it."""
    return drafts.undo(request.auth, agent_id, revision=body.revision)


@router.post("/{agent_id}/draft/redo", response=Draft)
def redo_agent_draft(request: PersonRequest, agent_id: UUID, body: RevisionIn) -> Draft:
    """Repeat the change that was undone last."""
    return drafts.redo(request.auth, agent_id, revision=body.revision)


@router.get("/{agent_id}/draft/changes", response=list[FieldChange])
def list_draft_changes(
    request: PersonRequest, agent_id: UUID, revision: Annotated[int, Query(ge=0)]
) -> list[FieldChange]:
    """Return what the draft changes about the version that it was begun with, if it works."""
    return drafts.list_changes(request.auth, agent_id, revision=revision)


@router.post("/{agent_id}/draft/prompt", response=DraftPrompt)
def show_draft_prompt(request: PersonRequest, agent_id: UUID, body: DraftPromptIn) -> DraftPrompt:
    """Return the prompt that the draft makes where a step was written, and what differs in it."""
    return draft_prompts.render_prompt(
        request.auth, agent_id, body.tape_id, body.position, spec=body.spec
    )


@router.post("/{agent_id}/draft/save", response=created(AgentVersion))
def save_draft_as_version(
    request: PersonRequest, agent_id: UUID, body: SaveDraftIn
) -> Status[AgentVersion]:
    """Save the draft as the next version; refused if it contains errors, or is outdated."""
    version = drafts.save_version(
        request.auth,
        agent_id,
        revision=body.revision,
        note=body.note,
        ignores_newer=body.ignores_newer,
    )
    return Status(201, version)


@router.post("/{agent_id}/draft/run", response=created(StartedRun))
def run_draft(request: PersonRequest, agent_id: UUID, body: RunDraftIn) -> Status[StartedRun]:
    """Continue a tape with the draft, on a child that ends before the step."""
    started = draft_runs.run_draft(
        request.auth,
        agent_id,
        body.tape_id,
        body.position,
        body.request,
        revision=body.revision,
    )
    return Status(201, started)
