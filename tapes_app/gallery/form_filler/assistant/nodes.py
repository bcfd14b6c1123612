"""The nodes of the form-filling assistant (paper, figure 5).

Each prompt is a template and a brief: what the node needs of the form, its state and the dialogue.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from tapes_app.builders import MonoNode
from tapes_app.builders.control_flow import ControlNode
from tapes_app.engine.agent.nodes import Route
from tapes_app.engine.model.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.model.messages import system_message, user_message
from tapes_app.engine.prompts.answer_schema import describe_form, make_steps_format
from tapes_app.engine.tape.control_steps import FinalStep, SetNextNode
from tapes_app.engine.tape.dialog_steps import ParsingFailure, UserStep
from tapes_app.engine.tape.steps import PartialStep, Step, family_of
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.form_filler.form_state import FormState, advance, read_state
from tapes_app.gallery.form_filler.reading.briefs import list_dialogue, write_sections
from tapes_app.gallery.form_filler.steps import (
    FunctionCandidates,
    FunctionResult,
    PromptUserForTextMessageAction,
    ResolveFunctionAction,
)

if TYPE_CHECKING:
    from tapes_app.engine.agent.agent import Agent

ShownForm = Literal["", "whole", "short"]
GREETING = "Hi, how can I help you?"
_LAST_TURNS = 2


class FormSelectedNode(ControlNode):
    """Goes on by whether a form has been chosen; greets first, and ends after the last step."""

    type_name = "form_filler.FormSelectedNode"

    find_form: str = "Intent Discovery"
    fill_form: str

    def write_steps(self, agent: Agent, tape: Tape) -> Sequence[Step]:
        steps = agent.compute_view(tape).top.steps
        observed = [step for step in steps if family_of(step) == "observation"]
        if not observed:
            turn = SetNextNode(next_node=self.name)
            return (turn, PromptUserForTextMessageAction(prompt=GREETING))
        if isinstance(observed[-1], FunctionResult):
            return (FinalStep(reason="The form is submitted."),)
        has_form = read_state(steps).form is not None
        return (self.go_to(agent, self.fill_form if has_form else self.find_form),)

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        return (Route(self.fill_form, "a form is chosen"), Route(self.find_form, "otherwise"))


class BriefedNode(MonoNode):
    """Writes some of the assistant's steps from a brief instead of the entire tape."""

    type_name = "form_filler.BriefedNode"
    talks: ClassVar[bool] = False

    form: ShownForm = "whole"
    """How much of the form the model is shown."""

    has_thoughts: bool = False
    """Whether it is shown the thoughts of this turn."""

    remembers: bool = True
    """Whether it is shown the whole dialogue, and not only the last two messages."""

    describes_steps: bool = True
    """Whether the prompt has the schemas of its steps."""

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        steps = agent.compute_view(tape).top.steps
        wanted = self.describe_answer(steps)
        text = agent.read_template(self.template)
        if self.describes_steps:
            text = f"{text}\n\n{describe_form(wanted)}"
        messages = [
            system_message(text),
            user_message(write_sections({"Node": self.name, **self.list_sections(steps)})),
        ]
        if isinstance(steps[-1], ParsingFailure):
            messages.append(user_message(f"Your answer could not be used: {steps[-1].error}"))
        return Prompt.model_validate(
            {
                "messages": tuple(messages),
                "response_format": wanted if self.answers == "structured" else None,
            }
        )

    def describe_answer(self, seen: Sequence[Step]) -> dict[str, Any]:
        """Return the `response_format` of an answer to what the node sees."""
        return make_steps_format(tuple(self.steps))

    def list_sections(self, seen: Sequence[Step]) -> dict[str, Any]:
        """Return what the model is told of what the node sees, by its headings."""
        dialogue = list_dialogue(seen)
        sections: dict[str, Any] = {}
        if self.form:
            turn = find_turn(seen)
            before = read_state(seen[:turn])
            state = reduce(advance, seen[turn:], before)
            sections |= {"Form": _SHOWN_FORMS[self.form](state), "State": show_state(state, before)}
        else:
            sections["Forms"] = list_forms(seen)
        sections["Conversation"] = dialogue if self.remembers else dialogue[-_LAST_TURNS:]
        if self.has_thoughts:
            sections["Thoughts of this turn"] = list_thoughts(seen)
        return sections


class IntentNode(BriefedNode):
    """Lists the forms without asking a model; then chooses one, or asks which one is meant."""

    type_name = "form_filler.IntentNode"

    form: ShownForm = ""

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        if self._must_list(agent, tape):
            return Prompt()
        return super().make_prompt(agent, tape)

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        if llm_stream.prompt:
            async for step in super().generate_steps(agent, tape, llm_stream):
                yield step
            return
        yield SetNextNode(next_node=self.after_answer)
        yield ResolveFunctionAction(query=find_message(agent.compute_view(tape).top.steps))

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        run = tape.steps[index : index + 2]
        if any(isinstance(step, ResolveFunctionAction) for step in run):
            return LLMOutput()
        return super().make_llm_output(agent, tape, index)

    def _must_list(self, agent: Agent, tape: Tape) -> bool:
        return read_state(agent.compute_view(tape).top.steps).candidates is None


def find_message(steps: Sequence[Step]) -> str:
    """Return what the user wrote last."""
    spoken = (step.content for step in reversed(steps) if isinstance(step, UserStep))
    return next(spoken, "")


def list_forms(steps: Sequence[Step]) -> list[dict[str, str]]:
    found = (step for step in reversed(steps) if isinstance(step, FunctionCandidates))
    listed = next(found, FunctionCandidates(candidates=[]))
    return [
        {"name": candidate.function, "purpose": candidate.short_description}
        for candidate in listed.candidates
    ]


def list_thoughts(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Return what the assistant has thought since the last observation."""
    turn = steps[find_turn(steps) :]
    return [step.llm_dict() for step in turn if family_of(step) == "thought"]


def find_turn(steps: Sequence[Step]) -> int:
    """Return where the assistant's turn begins: after the last observation."""
    places = (n for n in range(len(steps), 0, -1) if family_of(steps[n - 1]) == "observation")
    return next(places, 0)


def show_state(state: FormState, before: FormState) -> dict[str, Any]:
    """Return the slots as they are now, and what the user's last message answers."""
    return {
        "filled": state.assigned,
        "skipped": state.skipped,
        "open": state.outstanding,
        "asked for": "" if before.may else before.requested,
        "asked to confirm": before.may,
    }


def _show_whole(state: FormState) -> dict[str, Any]:
    assert state.form is not None
    return state.form.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def _show_short(state: FormState) -> dict[str, Any]:
    """Leave out what the description or the names of the slots say."""
    shown = _show_whole(state)
    shown.pop("return_value", None)
    for slot in shown["parameters"]["properties"].values():
        slot.pop("description", None)
    return shown


_SHOWN_FORMS: Mapping[str, Callable[[FormState], dict[str, Any]]] = {
    "whole": _show_whole,
    "short": _show_short,
}
