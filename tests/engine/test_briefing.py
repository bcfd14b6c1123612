"""What an agent is told beside the steps: the families of kinds, and the last recorded prompt."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.agent.orchestrator import run_to_end
from tapes_app.engine.environment.actions import PendingAction
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.errors import EndlessTurnError
from tapes_app.engine.model.llm import LLMStream, Prompt
from tapes_app.engine.model.messages import Message, assistant_message, system_message, user_message
from tapes_app.engine.prompts.briefing import Briefing, RecordedPrompt
from tapes_app.engine.tape.dialog_steps import SystemStep, UserStep
from tapes_app.engine.tape.families import AssignedFamily
from tapes_app.engine.tape.steps import Step, StepMetadata, UnknownStep
from tapes_app.engine.tape.tape import Tape

RULES, FORM = system_message("Find things out."), user_message("Write steps as JSON.")
NEXT = user_message("Give the next step.")
TASK = UnknownStep.model_validate({"kind": "task", "task": "How deep is the lock by the mill?"})
PLAN = UnknownStep.model_validate({"kind": "plan_thought", "plan": "Look it up."})


def read(*messages: Message, steps: tuple[Step, ...] = (TASK, PLAN)) -> RecordedPrompt:
    return RecordedPrompt.of(Prompt(messages=messages), steps)


@pytest.mark.parametrize(
    "said",
    [
        (user_message(TASK.llm_view()), assistant_message(PLAN.llm_view())),
        (user_message("Your task: How deep is the lock by the mill?"),),
        (assistant_message("Look it up."),),
        (user_message('{"kind": "task", "task": "shortened"}'), assistant_message("I see.")),
    ],
    ids=["as JSON", "in a sentence", "a field of it", "told in other words"],
)
def test_what_stands_around_the_steps_is_kept(said: tuple[Message, ...]) -> None:
    recorded = read(RULES, FORM, *said, NEXT)

    assert recorded == RecordedPrompt(opening=(RULES, FORM), closing=(NEXT,))


def test_examples_before_the_steps_are_kept_whole() -> None:
    example = (user_message("Example: 1 + 1?"), assistant_message("2"))

    recorded = read(RULES, *example, user_message(TASK.llm_view()))

    assert recorded.opening == (RULES, *example)


def test_of_a_prompt_that_tells_no_step_only_the_system_message_is_kept() -> None:
    recorded = read(RULES, user_message("Go on with this talk:\nA: hello\nB: hi"))

    assert recorded == RecordedPrompt(opening=(RULES,))


def test_a_system_message_that_is_on_the_tape_is_not_kept_twice() -> None:
    steps = (SystemStep(content=RULES.text), UserStep(content="hi"))

    recorded = read(RULES, user_message("hi"), NEXT, steps=steps)

    assert recorded == RecordedPrompt(closing=(NEXT,))


class GlideNode(Node):
    """Writes steps of a kind whose name says nothing."""

    type_name = "tests.GlideNode"
    reads_whole_tape = True

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step]:
        yield UnknownStep.model_validate({"kind": "glide"})


class Air(Environment):
    async def observe(self, pending: PendingAction, tape: Tape) -> list[Step]:
        return [UnknownStep.model_validate({"kind": "wind_observation"})]


async def glide(*steps: Step, told: dict[str, AssignedFamily]) -> Any:
    agent = Agent.create("bird", nodes=[GlideNode()], max_iterations=5)
    briefed = agent.with_briefing(Briefing(families=told))
    return await run_to_end(briefed, Tape(steps=steps), Air(), max_loops=2)


async def test_a_new_step_of_an_unknown_kind_has_the_told_family_inside_its_run() -> None:
    acting = await glide(UserStep(content="go"), told={"glide": "action"})
    stopping = await glide(UserStep(content="go"), told={"glide": "stop"})

    kinds = [step.kind for step in acting.tape.steps]
    assert kinds == ["user", "glide", "wind_observation", "glide", "wind_observation"]
    assert [step.kind for step in stopping.tape.steps] == ["user", "glide"]
    assert stopping.status == "finished"


async def test_a_new_step_is_an_action_where_one_of_its_kind_was_answered_before() -> None:
    metadata = StepMetadata(agent="bird", node="GlideNode", prompt_id="p")
    before = UnknownStep.model_validate({"kind": "glide", "metadata": metadata})
    wind = UnknownStep.model_validate({"kind": "wind_observation"})

    end = await glide(UserStep(content="go"), before, wind, told={})

    assert [step.kind for step in end.tape.steps[3:]] == ["glide", "wind_observation"] * 2


async def test_a_new_step_that_nobody_told_of_is_a_thought() -> None:
    with pytest.raises(EndlessTurnError):
        await glide(UserStep(content="go"), told={})
