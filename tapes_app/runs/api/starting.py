"""`/tapes`: starting, resuming and replaying sessions, and answering a waiting agent."""

from uuid import UUID

from ninja import Status

from tapes_app.engine.agent.replay import ReplayResult
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.services.listeners import ShownJob, show_job
from tapes_app.projects.api.people import PersonRequest, created, make_router
from tapes_app.runs.api.schemas import ReplayIn, ReplayOut, ReplyIn, ResumeIn, StartTapeIn
from tapes_app.runs.domain.request import RunChoices
from tapes_app.runs.services import improving, replays, replies, starting
from tapes_app.runs.services.starting import DraftUse, StartedRun

router = make_router("tapes")


@router.post("", response=created(StartedRun))
def start_tape(request: PersonRequest, body: StartTapeIn) -> Status[StartedRun]:
    """Start a session: a new tape with the first message, and a run of the agent on it."""
    started = starting.start_tape(
        request.auth, body.to_request(), message=body.message, attachments=body.attachments or ()
    )
    return Status(201, started)


@router.post("/{tape_id}/replay", response=ReplayOut)
def replay_tape(
    request: PersonRequest, tape_id: UUID, body: ReplayIn | None = None
) -> ReplayResult:
    """Run the agent again on the recorded answers and return where it first differs."""
    version_id = body.agent_version_id if body is not None else None
    return replays.replay_tape(request.auth, tape_id, agent_version_id=version_id)


@router.post("/{tape_id}/resume", response=created(StartedRun))
def resume_tape(request: PersonRequest, tape_id: UUID, body: ResumeIn) -> Status[StartedRun]:
    """Continue with an agent: on a child after an edit or a cut, else on the tape itself."""
    started = starting.resume_tape(
        request.auth,
        tape_id,
        body.to_request(),
        draft=DraftUse(body.fix, is_kept=body.keeps_draft) if body.use_draft else None,
        at=body.at,
    )
    return Status(201, started)


@router.post("/{tape_id}/improve", response=created(StartedRun))
def improve_tape(request: PersonRequest, tape_id: UUID, body: RunChoices) -> Status[StartedRun]:
    """Let the improver rewrite one step of a tape, on a tape of its own."""
    return Status(201, improving.improve_tape(request.auth, tape_id, body))


@router.post("/{tape_id}/reply", response=JobOut)
def reply_to_tape(request: PersonRequest, tape_id: UUID, body: ReplyIn) -> ShownJob:
    """Answer the agent that waits for a person on this tape."""
    return show_job(replies.reply_to_tape(request.auth, tape_id, body.to_answer()))
