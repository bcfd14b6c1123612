"""Nodes of the solver: read the next sentence, calculate with it, answer.

Each prompt shows only what its node needs, so that a very small model can learn it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from pydantic import BaseModel

from tapes_app.engine.agent.nodes import Route
from tapes_app.engine.agent.structured_node import StructuredNode
from tapes_app.engine.model.llm import LLMStream, Prompt
from tapes_app.engine.model.messages import content_text, system_message, user_message
from tapes_app.engine.prompts.answer_schema import make_response_format
from tapes_app.engine.prompts.chat_messages import as_text
from tapes_app.engine.tape.control_steps import Call, SetNextNode
from tapes_app.engine.tape.dialog_steps import ParsingFailure, UserStep
from tapes_app.engine.tape.steps import PartialStep, Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.math.sentences import split_sentences
from tapes_app.gallery.math.steps import (
    ActionExecutionFailure,
    CalculationResultObservation,
    FinalAnswerAction,
    Operation,
    ReasoningThought,
    UseCalculatorAction,
)

if TYPE_CHECKING:
    from tapes_app.engine.agent.agent import Agent

REASON, CALCULATE, ANSWER = "reason", "calculate", "answer"
"""Names of the nodes; a thought chooses the next one."""

NOTHING = "none"
_LONGEST_ERROR = 200


@dataclass(frozen=True)
class Progress:
    """How far the solver has come with a problem since it was asked."""

    problem: str = ""
    thought: ReasoningThought | None = None
    read: int = 0
    """How many sentences have been dealt with."""

    total: str = ""
    error: str = ""
    """The calculator's complaint about the last expression; empty when it gave a result."""

    unread: str = ""
    """Why the last answer could not be read; empty when it could."""

    @property
    def sentence(self) -> str:
        """The next sentence; at the end of the problem its last one, the question."""
        sentences = split_sentences(self.problem) or [self.problem]
        return sentences[min(self.read, len(sentences) - 1)]

    @property
    def is_at_end(self) -> bool:
        return self.read >= len(split_sentences(self.problem)) - 1


def read_progress(steps: Sequence[Step]) -> Progress:
    """Return how far the solver has come with the last problem in the given steps."""
    progress = Progress()
    for step in steps:
        match step:
            case UserStep():
                progress = Progress(problem=content_text(step.content))
            case Call():
                progress = Progress(problem=as_text(step.content))
            case ReasoningThought():
                skipped = step.operation == "skip"
                progress = replace(progress, thought=step, unread="", read=progress.read + skipped)
            case CalculationResultObservation():
                read = progress.read + 1
                progress = replace(progress, total=step.result, read=read, error="")
            case ActionExecutionFailure():
                progress = replace(progress, error=step.error)
            case UseCalculatorAction():
                progress = replace(progress, unread="")
            case ParsingFailure():
                progress = replace(progress, unread=step.error[:_LONGEST_ERROR])
            case _:
                pass
    return progress


class MathNode(StructuredNode):
    """Asks with its template and a few lines on the progress so far."""

    type_name = "math.MathNode"
    output: ClassVar[type[BaseModel]] = ReasoningThought

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        progress = read_progress(agent.compute_view(tape).top.steps)
        errors = (progress.error, progress.unread)
        lines = [*self.describe(progress), *(f"Error: {error}" for error in errors if error)]
        asked = (
            system_message(agent.read_template(self.template)),
            user_message("\n".join(lines)),
        )
        return Prompt(messages=asked, response_format=make_response_format(self.output))

    def describe(self, progress: Progress) -> tuple[str, ...]:
        """Return the lines that the model is shown."""
        raise NotImplementedError


class ReasonNode(MathNode):
    """Decides what the next sentence of the problem asks for."""

    type_name = "math.ReasonNode"
    output = ReasoningThought
    template: str = REASON

    def describe(self, progress: Progress) -> tuple[str, ...]:
        return (
            f"Sentence {progress.read + 1}: {progress.sentence}",
            f"Total: {progress.total or NOTHING}",
        )

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        progress = read_progress(agent.compute_view(tape).top.steps)
        async for step in super().generate_steps(agent, tape, llm_stream):
            if isinstance(step, ReasoningThought):
                yield SetNextNode(next_node=_choose_node(step.operation, progress))
            yield step

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        return (
            Route(REASON, "nothing is counted"),
            Route(CALCULATE, "a number is counted"),
            Route(ANSWER, "at the end of the problem"),
        )


def _choose_node(operation: Operation, progress: Progress) -> str:
    """Return the node after a thought; after the last sentence it is always the answer."""
    if operation == "answer" or (operation == "skip" and progress.is_at_end):
        return ANSWER
    return REASON if operation == "skip" else CALCULATE


class CalculateNode(MathNode):
    """Writes the expression for the next sentence."""

    type_name = "math.CalculateNode"
    output = UseCalculatorAction
    template: str = CALCULATE

    def describe(self, progress: Progress) -> tuple[str, ...]:
        return (
            f"Next: {progress.sentence}",
            f"Operation: {progress.thought.operation if progress.thought else NOTHING}",
            f"Total: {progress.total or NOTHING}",
        )


class AnswerNode(MathNode):
    """Writes the result as the answer to the question."""

    type_name = "math.AnswerNode"
    output = FinalAnswerAction
    template: str = ANSWER

    def describe(self, progress: Progress) -> tuple[str, ...]:
        return (f"Question: {progress.sentence}", f"Total: {progress.total or NOTHING}")
