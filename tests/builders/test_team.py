"""Teams on one tape: who is told what, who speaks next, and who may be a member."""

from typing import Any

import pytest

from tapes_app.builders import (
    FieldCompares,
    SpeakerRule,
    StepRef,
    build_initiator,
    build_mono_agent,
    build_team,
    build_worker,
)
from tapes_app.engine import (
    Agent,
    AgentConfigError,
    AssistantStep,
    LLMOutput,
    Respond,
    Step,
    TalkNode,
    Tape,
    UserStep,
    environment_of,
    make_training_text,
    run_to_end,
    tool,
)
from tapes_app.engine.agent.spec import AgentSpec, build_agent, describe_agent
from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.tape.dialog_steps import PARSING_FAILURE
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order


@tool
def measure(mountain: str) -> int:
    """Say how high a mountain is."""
    return 8849


ASKED = Tape(steps=(UserStep(content="Write a rhyme."),))


def build_members() -> list[Agent]:
    return [build_worker(name, f"You are the {name}.") for name in ("poet", "critic")]


def build(*answers: LLMOutput | str, members: list[Agent] | None = None, **choices: Any) -> Agent:
    llm = ScriptedLLM(answers_in_order(answers))
    return build_team("team", members or build_members(), llms=llm, **choices)


async def run(agent: Agent, tape: Tape = ASKED) -> Tape:
    return (await run_to_end(agent, tape, environment_of(agent))).tape


def speakers_of(tape: Tape) -> list[str]:
    return [step.agent_name for step in tape if step.kind == "call" and hasattr(step, "agent_name")]


def prompt_at(agent: Agent, tape: Tape, position: int, member: str = "") -> list[str]:
    """Return what the agent is asked before a step, as lines of role and text."""
    asking = agent.find_subagent(member)
    prompt: Prompt = asking.nodes[1 if not member else 0].make_prompt(asking, tape.fork(position))
    return [f"{message.role}: {message.text}" for message in prompt.messages]


def find(tape: Tape, kind: str, number: int = 0) -> int:
    return [at for at, step in enumerate(tape) if step.kind == kind][number]


async def test_members_speak_in_turn_and_the_last_word_is_said_to_the_person() -> None:
    agent = build("Roses.", "Nice.", "Violets.", most_calls=3)

    tape = await run(agent)

    assert speakers_of(tape) == ["poet", "critic", "poet"]
    assert tape[-1].content_equals(AssistantStep(content="Violets."))
    assert len(await make_training_text(agent, tape)) == 3


async def test_each_member_is_told_what_the_others_said() -> None:
    agent = build("Roses.", "Nice.", "Violets.", most_calls=3)
    tape = await run(agent)

    second, third = find(tape, "respond", 1), find(tape, "respond", 2)

    assert prompt_at(agent, tape, second, "critic") == [
        "system: You are the critic.", "user: person: Write a rhyme.", "user: poet: Roses.",
    ]  # fmt: skip
    assert prompt_at(agent, tape, third, "poet") == [
        "system: You are the poet.", "user: person: Write a rhyme.", "assistant: Roses.",
        "user: critic: Nice.",
    ]  # fmt: skip


async def test_a_second_task_is_begun_with_the_members_who_remember() -> None:
    agent = build("Roses.", "Nice.", "Violets.", "Good.", most_calls=2)
    tape = await run(agent)

    again = await run(agent, tape.append(UserStep(content="One more.")))

    assert speakers_of(again) == ["poet", "critic"] * 2
    assert "user: person: One more." in prompt_at(agent, again, find(again, "respond", 2), "poet")
    assert len(await make_training_text(agent, again)) == 4


async def test_a_model_chooses_who_speaks_until_nobody_does() -> None:
    agent = build(
        '{"member": "critic"}', "A rhyme on what?", "nobody knows", '{"member": "nobody"}',
        choose="model", instruction="You lead poets.",
    )  # fmt: skip

    tape = await run(agent)
    asked = prompt_at(agent, tape, find(tape, PARSING_FAILURE))

    assert speakers_of(tape) == ["critic"]
    assert asked == [
        "system: You lead poets.", "user: Write a rhyme.", "assistant: To critic: ",
        "user: critic answers: A rhyme on what?",
        "user: Choose who speaks next. Members: poet, critic; nobody if all is said.",
    ]  # fmt: skip
    assert tape[-1].content_equals(AssistantStep(content="A rhyme on what?"))
    assert len(await make_training_text(agent, tape)) == 4


async def test_nobody_is_no_choice_before_a_member_has_spoken_on_the_task() -> None:
    agent = build(
        '{"member": "nobody"}', '{"member": "critic"}', "A rhyme on what?", '{"member": "nobody"}',
        '{"member": "nobody"}', '{"member": "poet"}', "Roses.", '{"member": "nobody"}',
        choose="model",
    )  # fmt: skip

    first = await run(agent)
    second = await run(agent, first.append(UserStep(content="On roses.")))

    assert [
        len([step for step in tape if step.kind == PARSING_FAILURE]) for tape in (first, second)
    ] == [1, 2]
    assert speakers_of(second) == ["critic", "poet"]
    assert second[-1].content_equals(AssistantStep(content="Roses."))
    assert prompt_at(agent, first, 2)[-1] == (
        "user: Choose who speaks next. Members: poet, critic."
    )
    assert len(await make_training_text(agent, second)) == 8


async def test_rules_decide_before_anybody_else() -> None:
    approved = FieldCompares(step=StepRef(subagent="critic"), comparison="contains", value="Good")
    agent = build("Roses.", "Bad.", "Violets.", "Good.", rules=(SpeakerRule(condition=approved),))

    tape = await run(agent)

    assert speakers_of(tape) == ["poet", "critic", "poet", "critic"]
    assert tape[-1].content_equals(AssistantStep(content="Good."))


async def test_a_rule_that_held_for_one_task_does_not_end_the_next() -> None:
    approved = FieldCompares(step=StepRef(subagent="critic"), comparison="contains", value="Good")
    rules = (SpeakerRule(condition=approved),)
    agent = build("Roses.", "Good.", "Violets.", "Good too.", rules=rules)
    tape = await run(agent)

    again = await run(agent, tape.append(UserStep(content="One more.")))

    assert again[-1].content_equals(AssistantStep(content="Good too."))


async def test_no_rule_ends_a_team_before_a_member_has_spoken_on_the_task() -> None:
    asked = FieldCompares(step=StepRef(kind="user"), comparison="contains", value="rhyme")
    agent = build("Roses.", rules=(SpeakerRule(condition=asked),))

    tape = await run(agent)

    assert speakers_of(tape) == ["poet"]
    assert tape[-1].content_equals(AssistantStep(content="Roses."))


async def test_members_see_the_images_of_a_task() -> None:
    agent = build("Roses.", "Nice.", most_calls=2)
    image = {
        "type": "image_url",
        "image_url": {"url": "data:image/gif;base64,R0lGODlhAQABAAAAACw="},
    }
    asked = Tape(steps=(UserStep(content="Rhyme on this.", attachments=(image,)),))
    tape = await run(agent, asked)
    poet = agent.find_subagent("poet")

    prompt = poet.nodes[0].make_prompt(poet, tape.fork(find(tape, "respond")))

    assert prompt.messages[1]["content"] == [
        {"type": "text", "text": "person: Rhyme on this."}, image,
    ]  # fmt: skip
    assert len(await make_training_text(agent, tape)) == 2


async def test_a_member_may_use_tools_before_it_responds() -> None:
    guide = build_worker("guide", "You know mountains.", tools=[measure])
    call = LLMOutput.calling("measure", mountain="Everest")
    agent = build(call, "8849 metres.", members=[guide], most_calls=1)

    tape = await run(agent)

    assert prompt_at(agent, tape, find(tape, "respond"), "guide")[1:] == [
        "user: person: Write a rhyme.", "assistant: ", "tool: 8849",
    ]  # fmt: skip
    assert len(await make_training_text(agent, tape)) == 2


async def test_any_agent_may_be_a_member_and_its_call_tells_what_it_missed() -> None:
    other = build_mono_agent("other", "You count.", steps=[Respond])
    agent = build(
        "Roses.", '{"kind": "respond", "content": "One word."}', "Violets are blue.",
        '{"kind": "respond", "content": "Three words."}',
        members=[build_members()[0], other], most_calls=4,
    )  # fmt: skip

    tape = await run(agent)

    calls: list[Step] = [step for step in tape if step.kind == "call"]
    assert [step.llm_dict()["content"] for step in calls] == [
        "", "person: Write a rhyme.\n\npoet: Roses.", "", "poet: Violets are blue.",
    ]  # fmt: skip
    assert len(await make_training_text(agent, tape)) == 4


async def test_an_initiator_opens_a_team_and_ends_the_tape() -> None:
    agent = build_initiator("start", build("Roses.", "Nice.", most_calls=2), opening="Rhyme!")

    tape = await run(agent, Tape())

    assert speakers_of(tape) == ["team", "poet", "critic"]
    assert [step.kind for step in tape][-2:] == ["respond", "final_step"]
    assert next(step for step in tape if step.kind == "broadcast").llm_dict() == {
        "kind": "broadcast", "content": "Rhyme!", "from_": "start", "to": ["poet", "critic"],
    }  # fmt: skip
    assert len(await make_training_text(agent, tape)) == 2


async def test_an_initiator_passes_on_what_a_person_says_and_says_the_response() -> None:
    team = build("Roses.", "Nice.", most_calls=2)
    agent = build_initiator("start", team)

    tape = await run(agent)

    assert tape[-1].content_equals(AssistantStep(content="Nice."))


async def test_a_team_in_a_team_comes_back_from_its_spec() -> None:
    inner = build_team("poets", build_members(), choose="model")
    rule = SpeakerRule(condition=FieldCompares(value="x"), member="poets")
    agent = build_initiator("start", build_team("all", [inner], rules=(rule,), most_calls=1))

    stored = describe_agent(agent, models={"default": "any"}).model_dump_json()
    llm = ScriptedLLM(answers_in_order(['{"member": "poet"}', "Roses.", '{"member": "nobody"}']))
    again = build_agent(AgentSpec.model_validate_json(stored), lambda _: llm)

    for (path, member), (_, before) in zip(again.walk(), agent.walk(), strict=True):
        assert member.nodes == before.nodes, path
    assert (await run(again))[-1].content_equals(AssistantStep(content="Roses."))


def test_what_may_run_next_can_be_drawn() -> None:
    agent = build()

    routes = [node.list_routes(agent) for node in agent.nodes]

    assert [(route.node, route.agent) for route in routes[1]] == [
        ("tell", "poet"), ("tell", "critic"), ("respond", ""),
    ]  # fmt: skip
    assert agent.subagents[0].nodes[0].list_routes(agent.subagents[0]) == ()


@pytest.mark.parametrize(
    ("members", "rules"),
    [
        ([], ()),
        ([Agent.create("nobody", nodes=[TalkNode()])], ()),
        (build_members(), (SpeakerRule(condition=FieldCompares(), member="clown"),)),
    ],
)
def test_teams_that_cannot_work_are_refused(members: Any, rules: Any) -> None:
    with pytest.raises(AgentConfigError, match="Team 'team' needs members"):
        build_team("team", members, rules=rules)
