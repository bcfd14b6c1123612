"""Answers that callers got before, by the ids of their responses: read again, or continued."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from tapes_app.engine.environment.actions import unfulfilled_actions
from tapes_app.engine.errors import InvalidInputError, NotFoundError
from tapes_app.engine.tape.dialog_steps import SystemStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.domain.protocol import JobState
from tapes_app.jobs.domain.run_result import RUN_KIND
from tapes_app.jobs.store.job import list_jobs
from tapes_app.runs.domain.chat_completions import PREFIX, answer_message
from tapes_app.runs.domain.request import RunRequest
from tapes_app.runs.domain.response_items import AnswerPlace, read_response_id
from tapes_app.tapes.store import headers
from tapes_app.tapes.store import loading as tape_loading


@dataclass(frozen=True, slots=True)
class PastAnswer:
    """An answer on a tape, or the place where it is missing."""

    place: AnswerPlace
    tape: Tape
    """The conversation up to its end."""

    model: str
    version_id: UUID | None
    asked_at: datetime
    message: dict[str, Any] | None
    """In the form of chat completions; `None`: there is no answer, or not yet."""

    state: JobState
    """That of the newest run of the tape."""

    reason: str
    """What that run says of itself."""

    @property
    def end(self) -> int:
        """The position after its last step."""
        return len(self.tape)

    @property
    def call_ids(self) -> tuple[str, ...]:
        """The calls that still wait for their results."""
        pending = unfulfilled_actions(self.tape)
        return tuple(one.tool_call.id for one in pending if one.tool_call is not None)

    def check_instructions(self, given: str) -> None:
        """Refuse instructions other than those that the conversation began with.

        Raises:
            InvalidInputError: they are others.
        """
        first = self.tape.steps[0]
        if not isinstance(first, SystemStep) or first.content != given:
            raise InvalidInputError(
                "A conversation keeps the instructions that it began with; send the same ones, or "
                "none, with previous_response_id.",
                field="instructions",
            )


def find_answer(project: UUID, response_id: str) -> PastAnswer:
    """Return an answer that somebody got in this project.

    Raises:
        NotFoundError: there is no such response here.
    """
    place = read_response_id(response_id)
    unknown = NotFoundError(
        f"There is no response {response_id[:80]!r} in this project; send the conversation as "
        "input instead.",
        response_id=response_id[:80],
    )
    if place is None:
        raise unknown
    try:
        header = headers.load_header(place.tape_id, project)
    except NotFoundError:
        raise unknown from None
    writers = [row.writer for row in headers.load_outline(place.tape_id, project)]
    runs = list_jobs(project, tape_id=place.tape_id, kinds=(RUN_KIND,), limit=1)
    if not runs or not _begins(writers, place.start):
        raise unknown
    (run,) = runs
    (asked,) = headers.load_steps(place.tape_id, project, start=place.start - 1, count=1)
    end = _find_end(writers, place.start)
    tape = tape_loading.load_tape(place.tape_id, project)
    heard = tape.model_copy(update={"steps": tape.steps[:end]})
    is_last = end == len(writers)
    names = _caller_tools(run.request) if is_last else _pending_names(heard)
    is_answered = not is_last or run.state in ("waiting", "succeeded")
    return PastAnswer(
        place=place,
        tape=heard,
        model=f"{PREFIX}{header.agent_name}@{header.agent_version}",
        version_id=header.agent_version_id,
        asked_at=asked.created_at,
        message=answer_message(heard, place.start, names) if is_answered else None,
        state=run.state,
        reason=run.message,
    )


def _begins(writers: Sequence[str], start: int) -> bool:
    """Return whether an answer begins here: after what somebody said."""
    if start > len(writers) or writers[start - 1] != "person":
        return False
    return start == len(writers) or writers[start] != "person"


def _find_end(writers: Sequence[str], start: int) -> int:
    """Return where somebody says something again; the end of the tape if nobody does."""
    later = (at for at in range(start, len(writers)) if writers[at] == "person")
    return next(later, len(writers))


def _caller_tools(request: dict[str, Any]) -> frozenset[str]:
    offered = RunRequest.model_validate(request).caller_tools
    return frozenset(tool["function"]["name"] for tool in offered)


def _pending_names(tape: Tape) -> frozenset[str]:
    """Return the tools that were called at the end of a tape: the caller answered them later."""
    return frozenset(one.name for one in unfulfilled_actions(tape))
