"""`/tapes/{id}/calls/{id}` and what an inspector asks about a call beside the call itself."""

from typing import Annotated
from uuid import UUID

from ninja import Path, Query

from tapes_app.calls.api.call_schemas import OutputIn
from tapes_app.calls.services import calls, parsed_outputs, prompt_changes, training_texts
from tapes_app.calls.services.calls import CallTotals, MessagePage
from tapes_app.calls.services.parsed_outputs import MadeSteps, ParsedOutput
from tapes_app.calls.services.prompt_changes import PromptChanges
from tapes_app.calls.services.training_texts import TrainingTextDetail
from tapes_app.engine.llm import LLMOutput
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.tapes.api.diff_schemas import FieldDiffListOut

router = make_router("calls")


@router.get("/{tape_id}/calls/{call_id}/messages", response=MessagePage)
def list_messages(
    request: PersonRequest,
    tape_id: UUID,
    call_id: UUID,
    start: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    count: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> MessagePage:
    """Give `count` messages of a prompt from `start` on."""
    return calls.load_messages(request.auth, tape_id, call_id, start=start, count=count)


@router.get("/{tape_id}/calls/{call_id}/changes", response=PromptChanges)
def compare_prompt(request: PersonRequest, tape_id: UUID, call_id: UUID) -> PromptChanges:
    """Compare the prompt with that of the same agent's call before it."""
    return prompt_changes.compare_with_previous(request.auth, tape_id, call_id)


@router.get("/{tape_id}/calls/{call_id}/diff", response=FieldDiffListOut)
def diff_prompts(
    request: PersonRequest, tape_id: UUID, call_id: UUID, other_tape: UUID, other_call: UUID
) -> FieldDiffListOut:
    """Compare the prompt with that of a call of another tape: what that one asks otherwise."""
    pair = (tape_id, call_id), (other_tape, other_call)
    return FieldDiffListOut(fields=prompt_changes.diff_prompts(request.auth, *pair))


@router.get("/{tape_id}/calls/{call_id}/parsed", response=ParsedOutput)
def show_parsed_output(request: PersonRequest, tape_id: UUID, call_id: UUID) -> ParsedOutput:
    """Tell which pieces of the answer became which steps, and where it could not be read."""
    return parsed_outputs.load_parsed_output(request.auth, tape_id, call_id)


@router.post("/{tape_id}/calls/{call_id}/steps", response=MadeSteps)
def make_steps(request: PersonRequest, tape_id: UUID, call_id: UUID, body: OutputIn) -> MadeSteps:
    """Give the steps that another answer would have made; nothing is stored."""
    output = LLMOutput.model_validate(body.model_dump())
    return parsed_outputs.make_steps(request.auth, tape_id, call_id, output)


@router.get("/{tape_id}/calls/{call_id}/training-text", response=TrainingTextDetail)
def show_training_text(request: PersonRequest, tape_id: UUID, call_id: UUID) -> TrainingTextDetail:
    """Give what a model would learn from this call, or why it cannot."""
    return training_texts.load_training_text(request.auth, tape_id, call_id)


@router.get("/{tape_id}/steps/{position}/totals", response=CallTotals)
def show_totals(
    request: PersonRequest, tape_id: UUID, position: Annotated[int, Path(ge=0, le=2**31 - 1)]
) -> CallTotals:
    """Give what the calls up to a step took: those of its agent, and all of the tape."""
    return calls.load_totals(request.auth, tape_id, position)
