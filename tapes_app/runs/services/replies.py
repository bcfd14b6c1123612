"""A person's answers to a waiting run: text, data of a given shape, or an approval."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from jsonschema import SchemaError
from jsonschema.validators import validator_for

from tapes_app.engine.environment.actions import PendingAction, unfulfilled_actions
from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.engine.frozen_model import new_id
from tapes_app.engine.tape.dialog_steps import ToolResult, UserStep
from tapes_app.engine.tape.lanes import put_in_lane
from tapes_app.engine.tape.media import check_attachments
from tapes_app.engine.tape.steps import Step, parse_step
from tapes_app.jobs.domain.run_result import Asks
from tapes_app.jobs.store.commands import Reply, answer_job
from tapes_app.jobs.store.job import Job, load_job
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import RunRequest
from tapes_app.runs.services.store_node import describe_steps
from tapes_app.tapes.store import access as tape_access
from tapes_app.tapes.store import loading as tape_loading
from tapes_app.tapes.store import tapes as tape_storage

LONGEST_DATA = 1_000_000
_REFUSED = "Error: a person denied this action."
_NOTHING: Any = object()


class AnswerError(InvalidInputError):
    """An answer does not have the requested shape; `details["path"]` shows where."""

    code = "answer_invalid"


@dataclass(frozen=True)
class GivenAnswer:
    """Exactly one of: a text, data, yes or no to an action, or the wish to emulate its tool."""

    text: str | None = None
    data: Any = _NOTHING
    approve: bool | None = None
    attachments: Sequence[Any] = ()
    """Images and recordings sent with a text."""

    emulates: bool = False
    """Emulate the tool from here on, in this run."""


def reply_to_tape(person: Person, tape_id: UUID, given: GivenAnswer) -> Job:
    """Put a person's answer on the tape of a waiting run, which then continues.

    Raises:
        NotFoundError: no such tape in the project.
        ConflictError: no run of this tape waits, or it does not ask for a yes or no, or not for the
            result of a tool.
        AnswerError: the data do not have the requested shape; the run still waits.
    """
    tape_access.require_tape(tape_id, person.project_id)

    def store(job: Job) -> Reply:
        tape = tape_loading.load_tape(tape_id, person.project_id)
        pending = next(iter(unfulfilled_actions(tape)), None)
        result = job.run
        asks = result.asks if result is not None else None
        if given.emulates:
            return Reply(request=_emulate(job, pending))
        if given.approve is not None:
            if asks is None or not asks.can_approve:
                message = "This action does not need approval; enter the answer instead."
                raise ConflictError(message)
            if given.approve and pending is not None:
                return Reply(approval=pending.key)
        tape_storage.append_steps(
            tape_id,
            [build_answer(pending, asks, given)],
            project=person.project_id,
            expected_count=len(tape),
            writer="person",
            owner=person.user_id,
        )
        return Reply(describe_steps(tape_id, person.project_id, start=len(tape), count=1))

    return answer_job(person.project_id, tape_id, write=store)


def _emulate(job: Job, pending: PendingAction | None) -> dict[str, Any]:
    """Return the request of a run that emulates the tool that it waits for."""
    if pending is None or pending.tool_call is None:
        raise ConflictError("The run does not wait for a tool, so there is nothing to emulate.")
    request = RunRequest.model_validate(job.request)
    tools = request.tools.emulating(pending.name)
    changed = request.model_copy(update={"tools": tools})
    return changed.model_dump(mode="json", exclude_defaults=True)


def reply_to_job(person: Person, job_id: UUID, given: GivenAnswer) -> Job:
    job = load_job(person.project_id, job_id)
    if job.tape_id is None:
        raise ConflictError("This job has no tape, so it is not waiting for an answer.")
    return reply_to_tape(person, job.tape_id, given)


def build_answer(pending: PendingAction | None, asks: Asks | None, given: GivenAnswer) -> Step:
    """Return the step that answers what the agent waits for.

    Raises:
        AnswerError: the answer does not have the requested shape.
    """
    step = _build_step(pending, asks, given)
    return put_in_lane(step, pending.action.metadata.lane) if pending is not None else step


def _build_step(pending: PendingAction | None, asks: Asks | None, given: GivenAnswer) -> Step:
    schema = asks.data_schema if asks is not None else None
    answer_kind = asks.answer_kind if asks is not None else ""
    value = _value_of(given, schema)
    step: Step
    if pending is not None and pending.tool_call is not None:
        is_error = given.approve is False
        if given.attachments and isinstance(value, str):
            value = [{"type": "text", "text": value}, *check_attachments(given.attachments)]
        step = ToolResult(content=value, tool_call_id=pending.tool_call.id, is_error=is_error)
    elif answer_kind and isinstance(value, dict):
        _refuse_attachments(given)
        step = parse_step({"kind": answer_kind, **value})
    else:
        text = value if isinstance(value, str) else _as_text(value)
        return make_user_step(text, given.attachments)
    return step.with_metadata(id=new_id())


def make_user_step(content: str, attachments: Sequence[Any] = ()) -> UserStep:
    """Return a person's message as a step, with its images and recordings.

    Raises:
        MediaError: an attachment is not an image or recording, or is too large.
    """
    step = UserStep.from_text(content, check_attachments(attachments))
    return step.with_metadata(id=new_id())


def _refuse_attachments(given: GivenAnswer) -> None:
    if given.attachments:
        raise AnswerError("A form takes no attachments; send its fields alone.", path="attachments")


def _value_of(given: GivenAnswer, schema: dict[str, Any] | None) -> Any:
    if given.approve is False:
        return _REFUSED
    if given.data is _NOTHING:
        if schema is None or _fits_text(schema):
            return given.text
        given = GivenAnswer(data=_read_data(given.text or ""))
    if len(_as_text(given.data)) > LONGEST_DATA:
        raise AnswerError(f"An answer can have at most {LONGEST_DATA:,} characters.", path="")
    if schema is not None:
        check_data(given.data, schema)
    return given.data


def _read_data(text: str) -> Any:
    """Return the data that a text stands for where data are requested: `50`, `true`, `{"a": 1}`."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise AnswerError(
            'This answer must be data: write it as JSON, such as 50, true or "words".',
            path="",
        ) from error


def check_data(data: Any, schema: dict[str, Any]) -> None:
    """Refuse data that do not fit a JSON schema.

    Raises:
        AnswerError: the data do not fit; the error shows where and why.
    """
    validator = validator_for(schema)
    try:
        validator.check_schema(schema)
        error = next(iter(sorted(validator(schema).iter_errors(data), key=_depth)), None)
    except (SchemaError, RecursionError):  # a mistake of the agent's author
        return
    if error is not None:
        path = "/".join(str(part) for part in error.absolute_path)
        where = f" at {path!r}" if path else ""
        raise AnswerError(f"The answer is invalid{where}: {error.message[:500]}.", path=path)


def _depth(error: Any) -> int:
    return len(error.absolute_path)


def _fits_text(schema: dict[str, Any]) -> bool:
    wanted = schema.get("type")
    return wanted is None or wanted == "string" or (isinstance(wanted, list) and "string" in wanted)


def _as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
