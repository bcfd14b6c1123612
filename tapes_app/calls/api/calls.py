"""`/tapes/{id}/calls/{id}` and what an inspector shows about a call next to the call itself."""

from typing import Annotated, Any
from uuid import UUID

from ninja import Query
from pydantic import Field

from tapes_app.calls.services import (
    calls,
    parsed_outputs,
    prompt_changes,
    step_links,
    training_texts,
)
from tapes_app.calls.services.calls import CallDetail, CallTotals, MessagePage
from tapes_app.calls.services.parsed_outputs import MadeSteps, ParsedOutput
from tapes_app.calls.services.prompt_changes import PromptChanges
from tapes_app.calls.services.step_links import StepLinks
from tapes_app.calls.services.training_texts import TrainingTextDetail
from tapes_app.engine.model.llm import LLMOutput
from tapes_app.projects.api.bodies import In, Out
from tapes_app.projects.api.people import LARGEST, PersonRequest, Position, make_router
from tapes_app.tapes.domain.word_diff import FieldChange

of_steps = make_router("tapes")
router = make_router("calls")


class OutputIn(In):
    """A different answer, in the form a model would give it."""

    content: str | None = None
    tool_calls: list[dict[str, Any]] = Field(default_factory=list, max_length=1000)
    reasoning_content: str | None = None


class FieldDiffListOut(Out):
    """The differences between two prompts, in the order of the prompts."""

    fields: list[FieldChange]


@of_steps.get("/{tape_id}/steps/{position}/call", response=CallDetail)
def show_call(request: PersonRequest, tape_id: UUID, position: Position) -> CallDetail:
    """Return the LLM call behind a step: exact prompt, output, tokens and prices."""
    return calls.load_call_of_step(request.auth, tape_id, position)


@of_steps.get("/{tape_id}/calls/{call_id}", response=CallDetail)
def show_call_by_id(request: PersonRequest, tape_id: UUID, call_id: UUID) -> CallDetail:
    """Return one LLM call of a tape: its prompt, its output, tokens and cost."""
    return calls.load_call(request.auth, tape_id, call_id)


@router.get("/{tape_id}/calls/{call_id}/messages", response=MessagePage)
def list_messages(
    request: PersonRequest,
    tape_id: UUID,
    call_id: UUID,
    start: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
    count: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> MessagePage:
    """Return `count` messages of a prompt, from `start` on."""
    return calls.load_messages(request.auth, tape_id, call_id, start=start, count=count)


@router.get("/{tape_id}/calls/{call_id}/changes", response=PromptChanges)
def compare_prompt(request: PersonRequest, tape_id: UUID, call_id: UUID) -> PromptChanges:
    """Compare the prompt with that of the same agent's previous call."""
    return prompt_changes.compare_with_previous(request.auth, tape_id, call_id)


@router.get("/{tape_id}/calls/{call_id}/diff", response=FieldDiffListOut)
def diff_prompts(
    request: PersonRequest, tape_id: UUID, call_id: UUID, other_tape: UUID, other_call: UUID
) -> FieldDiffListOut:
    """Compare the prompt with that of a call of another tape."""
    pair = (tape_id, call_id), (other_tape, other_call)
    return FieldDiffListOut(fields=prompt_changes.diff_prompts(request.auth, *pair))


@router.get("/{tape_id}/calls/{call_id}/parsed", response=ParsedOutput)
def show_parsed_output(request: PersonRequest, tape_id: UUID, call_id: UUID) -> ParsedOutput:
    """Return which parts of the answer became which steps, and where parsing failed."""
    return parsed_outputs.load_parsed_output(request.auth, tape_id, call_id)


@router.post("/{tape_id}/calls/{call_id}/steps", response=MadeSteps)
def make_steps(request: PersonRequest, tape_id: UUID, call_id: UUID, body: OutputIn) -> MadeSteps:
    """Return the steps that a different answer would have made; nothing is stored."""
    output = LLMOutput.model_validate(body.model_dump())
    return parsed_outputs.make_steps(request.auth, tape_id, call_id, output)


@router.get("/{tape_id}/calls/{call_id}/training-text", response=TrainingTextDetail)
def show_training_text(request: PersonRequest, tape_id: UUID, call_id: UUID) -> TrainingTextDetail:
    """Return what a model would learn from this call, or why it cannot."""
    return training_texts.load_training_text(request.auth, tape_id, call_id)


@router.get("/{tape_id}/steps/{position}/totals", response=CallTotals)
def show_totals(request: PersonRequest, tape_id: UUID, position: Position) -> CallTotals:
    """Return what the calls up to a step took: its agent's calls, and all calls of the tape."""
    return calls.load_totals(request.auth, tape_id, position)


@router.get("/{tape_id}/steps/{position}/links", response=StepLinks)
def show_links(request: PersonRequest, tape_id: UUID, position: Position) -> StepLinks:
    """Return the call that a step answers, and the later prompts that contain it."""
    return step_links.load_step_links(request.auth, tape_id, position)
