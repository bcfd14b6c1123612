"""The view stack as the debugger shows it."""

from typing import Any

from tapes_app.engine.tape.control_steps import Call, Respond
from tapes_app.engine.tape.dialog_steps import AssistantThought, UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.tapes.services.tapes import describe_views


def by(step: Step, agent: str, node: str) -> Step:
    return step.with_metadata(agent=agent, node=node, prompt_id=f"{agent}.{node}")


def test_frames_name_agents_by_path_and_steps_by_position() -> None:
    steps: list[Any] = [
        UserStep(content="go"),
        by(Call(agent_name="helper", content="look"), "boss", "act"),
        by(AssistantThought(content="hm"), "boss/helper", "think"),
    ]

    frames = describe_views(steps).views

    assert [frame.agent for frame in frames] == ["boss", "boss/helper"]
    assert [frame.positions for frame in frames] == [[0, 1], [1, 2]]
    assert [frame.last_node for frame in frames] == ["act", "think"]


def test_steps_that_break_the_rules_give_a_reason_instead_of_a_stack() -> None:
    frames = describe_views([by(Respond(content="done"), "boss", "act")])

    assert frames.views == []
    assert "no agent was called" in frames.error
