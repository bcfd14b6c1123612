"""The one node of a judge: read what is shown, give a verdict, be asked again where it is none."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, ClassVar

from tapes_app.engine.dialog_steps import AssistantThought
from tapes_app.engine.llm import LLMOutput, LLMStream
from tapes_app.engine.steps import PartialStep, Step
from tapes_app.engine.structured_node import StructuredNode
from tapes_app.engine.structured_output import write_structured
from tapes_app.engine.tape import Tape
from tapes_app.gallery.judge.steps import (
    AnyAnswer,
    ConstraintAnswer,
    JudgeAnswer,
    PairAnswer,
    Verdict,
    answer_of,
    verdict_of,
)

if TYPE_CHECKING:
    from tapes_app.engine.agent import Agent


class JudgeNode(StructuredNode):
    """Gives a score by the rubric in its template."""

    type_name = "judge.JudgeNode"

    output: ClassVar[type[AnyAnswer]] = JudgeAnswer

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        async for step in super().generate_steps(agent, tape, llm_stream):
            if isinstance(step, AssistantThought):
                yield verdict_of(self.output.model_validate(step.content))
            else:
                yield step

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        step = tape.steps[index]
        if isinstance(step, Verdict):
            return LLMOutput(content=write_structured(answer_of(step)))
        return super().make_llm_output(agent, tape, index)


class PairNode(JudgeNode):
    """Says which of two is better by the rubric in its template."""

    type_name = "judge.PairNode"

    output = PairAnswer


class ConstraintNode(JudgeNode):
    """Says whether the one constraint in its template holds."""

    type_name = "judge.ConstraintNode"

    output = ConstraintAnswer
