"""Agents with kinds of steps of their own: written in every form, retried, trained on, answered."""

import json
from typing import Any

import pytest

from tapes_app.builders import StepsNode, build_mono_agent
from tapes_app.engine import (
    Agent,
    AgentConfigError,
    DefinedKind,
    KindField,
    LLMOutput,
    Tape,
    UserStep,
    environment_of,
    make_training_text,
    run_to_end,
)
from tapes_app.engine.agent.spec import AgentSpec, build_agent, describe_agent
from tapes_app.engine.tape.dialog_steps import PARSING_FAILURE
from tapes_app.engine.tape.steps import family_of
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order

VERDICT = DefinedKind(
    name="Verdict",
    description="What you think of the claim.",
    fields=(
        KindField(name="label", type="choice", choices=("true", "false")),
        KindField(name="reason", description="One sentence."),
        KindField(name="sure", type="number", required=False),
    ),
)
ESCALATE = DefinedKind(name="Escalate", family="action", fields=(KindField(name="to"),))
CLOSE = DefinedKind(name="Close", family="stop")
ASKED = Tape(steps=(UserStep(content="Is the sky green?"),))
RIGHT = {"kind": "Verdict", "label": "false", "reason": "It is blue."}
WRONG = {**RIGHT, "label": "maybe"}


def write(body: dict[str, Any], answers: str) -> LLMOutput:
    if answers != "tool_calls":
        return LLMOutput(content=json.dumps({"steps": [body]}))
    fields = {name: value for name, value in body.items() if name != "kind"}
    function = {"name": body["kind"], "arguments": json.dumps(fields)}
    return LLMOutput(tool_calls=({"id": "a", "type": "function", "function": function},))


def build(*outputs: LLMOutput, **settings: Any) -> Agent:
    """Return an agent as it is built from stored data."""
    made = build_mono_agent(
        "judge", "Judge claims.", steps=[VERDICT, ESCALATE, CLOSE, "assistant"], **settings
    )
    spec = describe_agent(made, models={"default": "script:none"})
    stored = AgentSpec.model_validate_json(spec.model_dump_json())
    assert stored.kinds == (VERDICT, ESCALATE, CLOSE)
    return build_agent(stored, lambda _: ScriptedLLM(answers_in_order(outputs)))


def load(tape: Tape) -> Tape:
    """Return a tape as it is read without its agent."""
    bodies = [json.loads(json.dumps(step.to_json())) for step in tape.steps]
    return Tape.model_validate({"steps": bodies})


@pytest.mark.parametrize("answers", ["structured", "json", "tool_calls"])
async def test_a_step_of_an_own_kind_is_written_in_every_form_of_answer(answers: Any) -> None:
    outputs = [write(body, answers) for body in (WRONG, RIGHT, {"kind": "Close"})]
    agent = build(*outputs, answers=answers)

    finished = await run_to_end(agent, ASKED, environment_of(agent))

    tape = load(finished.tape)
    bodies = [step.llm_dict() for step in tape if step.kind not in ("user", "set_next_node")]
    assert finished.status == "finished"
    assert [body["kind"] for body in bodies] == [PARSING_FAILURE, "Verdict", "Close"]
    assert "does not match its schema: label" in bodies[0]["error"]
    assert bodies[1] == RIGHT
    assert len(await make_training_text(agent, tape)) == 3


async def test_a_person_answers_an_action_of_an_own_kind_before_and_after_loading() -> None:
    escalate = write({"kind": "Escalate", "to": "Ada"}, "json")
    agent = build(escalate, write({"kind": "Close"}, "json"))

    waiting = await run_to_end(agent, ASKED, environment_of(agent))
    again = await run_to_end(agent, load(waiting.tape), environment_of(agent))
    answered = load(waiting.tape).append(UserStep(content="Close it."))
    finished = await run_to_end(agent, answered, environment_of(agent))

    assert (waiting.status, again.status) == ("external_input_needed", "external_input_needed")
    assert finished.status == "finished"
    assert [family_of(step) for step in load(finished.tape)] == [
        "observation", "control", "action", "observation", "control", "action",
    ]  # fmt: skip


def test_fixed_steps_may_be_of_an_own_kind_and_have_to_fit_it() -> None:
    node = {"type": StepsNode.type_name, "settings": {"name": "fix", "steps": [RIGHT]}}
    spec = AgentSpec.model_validate({"name": "fixer", "kinds": [VERDICT], "nodes": [node]})
    wrong = {**node, "settings": {"name": "fix", "steps": [WRONG]}}

    agent = build_agent(spec, lambda _: ScriptedLLM(lambda _: ""))

    assert agent.list_defined_kinds() == (VERDICT,)
    with pytest.raises(AgentConfigError, match="'Verdict' does not fit it: label"):
        build_agent(AgentSpec.model_validate({**dict(spec), "nodes": [wrong]}), lambda _: None)  # type: ignore[arg-type, return-value]


def test_an_agent_cannot_write_observations_of_its_own_kinds() -> None:
    seen = DefinedKind(name="Seen", family="observation")

    with pytest.raises(AgentConfigError, match="cannot write a Seen"):
        build_mono_agent("judge", "Judge.", steps=[seen])
