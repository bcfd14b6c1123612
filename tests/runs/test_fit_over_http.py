"""Whether an agent can go on from a tape, asked over HTTP before anything runs."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone

from tapes_app.agents.store import agents
from tapes_app.agents.store import llm_models as models
from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.engine.tape.control_steps import Call, FinalStep, SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolCalls, UserStep
from tapes_app.engine.tape.steps import Step, UnknownStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.store.commands import request_cancel
from tapes_app.models import AgentRecord, JobRecord, ProjectRecord, TapeRecord
from tapes_app.tapes.store import saving as tape_saving
from tests.builders.nodes import SayNode
from tests.http.asking import call, put_draft
from tests.http.worlds import World, spec

pytestmark = pytest.mark.django_db


def node(name: str) -> NodeSpec:
    return NodeSpec(type=SayNode.type_name, settings={"name": name})


def team(name: str, *nodes: str, members: tuple[AgentSpec, ...] = ()) -> AgentSpec:
    return AgentSpec(
        name=name,
        llms={"default": LLMSpec(model="script:echo")},
        nodes=tuple(map(node, nodes)),
        subagents=members,
    )


def by(agent: str, node: str, step: Step) -> Step:
    return step.with_metadata(agent=agent, node=node, prompt_id="p")


def store(project: ProjectRecord, *steps: Step) -> UUID:
    return tape_saving.save_tape(project.id, Tape().append(*steps))


def look(studio: Client, tape: UUID, version: UUID, query: str = "") -> Any:
    return call(studio, "GET", f"tapes/{tape}/fit?agent_version={version}{query}")


def test_the_agent_that_wrote_the_tape_goes_on_and_the_next_node_is_named(
    studio: Client, world: World
) -> None:
    fit = look(studio, world.tape, world.version)

    assert fit["can_continue"]
    assert (fit["agent"], fit["node"], fit["problems"], fit["notes"]) == ("talker", "say", [], [])


def test_a_node_that_the_agent_lacks_is_named_and_the_agent_that_has_it_is_offered(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    steps = (UserStep(content="hi"), by("planner", "plan", SetNextNode(next_node="act")))
    tape = store(project, *steps)
    lacking = agents.create_agent(project.id, team("planner", "plan"))
    able = agents.create_agent(project.id, team("planner2", "plan", "act"))

    fit = look(studio, tape, lacking.id)

    assert not fit["can_continue"]
    (problem,) = fit["problems"]
    assert (problem["code"], problem["name"]) == ("node_missing", "act")
    assert "Node 'act' not found in agent 'planner'" in problem["message"]
    first = fit["nearest"][0]
    assert (first["name"], first["agent_version_id"]) == ("planner2", str(able.id))
    assert all(near["name"] != "planner" for near in fit["nearest"])


def test_a_subagent_that_the_team_lacks_is_named(studio: Client, project: ProjectRecord) -> None:
    tape = store(
        project,
        UserStep(content="hi"),
        by("boss", "main", Call(agent_name="helper", content="do it")),
    )
    alone = agents.create_agent(project.id, team("boss", "main"))
    member = team("helper", "work")
    whole = agents.create_agent(project.id, team("boss2", "main", members=(member,)))

    fit = look(studio, tape, alone.id)

    (problem,) = fit["problems"]
    assert (problem["code"], problem["name"]) == ("subagent_missing", "helper")
    assert [near["agent_version_id"] for near in fit["nearest"]] == [str(whole.id)]
    fits = look(studio, tape, whole.id)
    assert fits["can_continue"]
    assert (fits["agent"], fits["node"]) == ("boss2/helper", "work")


def test_a_caller_that_could_not_take_over_again_is_told_before_the_run(
    studio: Client, project: ProjectRecord
) -> None:
    tape = store(
        project,
        UserStep(content="hi"),
        by("boss", "gone", Call(agent_name="helper", content="do it")),
    )
    version = agents.create_agent(
        project.id, team("boss", "main", members=(team("helper", "work"),))
    )

    fit = look(studio, tape, version.id)

    assert [(one["code"], one["name"]) for one in fit["problems"]] == [("node_missing", "gone")]


def test_an_open_action_of_an_unknown_kind_is_named(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    asked = UnknownStep.model_validate({"kind": "search_action", "query": "moon"})
    tape = store(project, UserStep(content="hi"), by("gaia", "act", asked))

    fit = look(studio, tape, world.version)
    before_it = look(studio, tape, world.version, "&at=1")

    assert fit["open_actions"] == ["search_action"]
    assert [one["code"] for one in fit["problems"]] == ["kind_missing"]
    assert before_it["can_continue"]


def test_a_tape_that_has_ended_says_so_until_it_is_cut(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    tape = store(project, UserStep(content="hi"), by("talker", "say", FinalStep(reason="Done.")))

    fit = look(studio, tape, world.version)
    before_it = look(studio, tape, world.version, "&at=1")

    assert (fit["is_finished"], fit["node"]) == (True, "")
    assert fit["notes"] == ["The tape is finished: edit or cut it to continue."]
    assert not before_it["is_finished"]


def test_a_tape_of_a_foreign_team_may_be_continued_and_says_so(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    tape = store(project, UserStep(content="hi"), by("gaia", "x", AssistantStep(content="yes")))

    fit = look(studio, tape, world.version)

    assert fit["can_continue"]
    (note,) = fit["notes"]
    assert note.startswith("'gaia' wrote this tape; 'talker' starts at its first node, 'say',")


def test_kinds_that_nobody_knows_here_are_noted(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    odd = UnknownStep.model_validate({"kind": "moon_thought", "text": "hm"})
    again = by("talker", "say", SetNextNode(next_node="say"))
    tape = store(project, by("talker", "say", odd), again, UserStep(content="hi"))

    fit = look(studio, tape, world.version)

    assert fit["can_continue"]
    assert "'moon_thought' are unknown here" in fit["notes"][0]


def test_an_answered_tool_call_is_not_open(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    calls = ToolCalls.model_validate(
        {"tool_calls": [{"id": "a", "function": {"name": "add", "arguments": "{}"}}]}
    )
    tape = store(project, UserStep(content="hi"), by("talker", "say", calls))

    assert look(studio, tape, world.version)["open_actions"] == ["add"]
    assert look(studio, tape, world.version, "&at=1")["open_actions"] == []


def test_an_agent_that_was_deleted_is_no_dead_end(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    other = agents.create_agent(project.id, spec("other"))
    AgentRecord.objects.filter(id=world.agent).update(deleted_at=timezone.now())

    fit = look(studio, world.tape, world.version)

    assert [one["code"] for one in fit["problems"]] == ["agent_missing"]
    assert [near["agent_version_id"] for near in fit["nearest"]] == [str(other.id)]


def test_a_model_without_its_key_and_one_that_is_gone_are_told(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    keyless = models.create_model(
        project.id, name="keyless", litellm_model="openai/x", api_key_env="NO_SUCH_KEY_HERE"
    )

    without_key = look(studio, world.tape, world.version, f"&model={keyless.id}")
    without_model = look(studio, world.tape, world.version, f"&model={uuid4()}")

    (problem,) = without_key["problems"]
    assert (problem["code"], problem["name"]) == ("model_key_missing", "keyless")
    assert "NO_SUCH_KEY_HERE" in problem["message"]
    assert without_key["nearest"] == []
    assert [one["code"] for one in without_model["problems"]] == ["model_missing"]


def test_an_archived_tape_stays_as_it_is(studio: Client, world: World) -> None:
    TapeRecord.objects.filter(id=world.tape).update(archived_at=timezone.now())

    fit = look(studio, world.tape, world.version)

    assert [one["code"] for one in fit["problems"]] == ["archived"]


@pytest.mark.parametrize(
    "signature",
    [{"metadata": {"agent": "talker", "node": "say", "prompt_id": "mine"}}, {}],
    ids=["signed", "unsigned"],
)
def test_the_draft_counts_where_it_is_asked_for(
    studio: Client, world: World, signature: dict[str, Any]
) -> None:
    pointer = {"kind": "set_next_node", "next_node": "elsewhere"}
    insert = {"op": "insert", "position": 6, "step": {**pointer, **signature}}
    put_draft(studio, world.tape, insert)

    plain = look(studio, world.tape, world.version)
    edited = look(studio, world.tape, world.version, "&use_draft=true")

    assert plain["can_continue"]
    assert [(one["code"], one["name"]) for one in edited["problems"]] == [
        ("node_missing", "elsewhere")
    ]


def test_a_draft_that_cuts_an_edited_answer_keeps_its_pointer_here_too(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    words = by("talker", "say", UnknownStep.model_validate({"kind": "moon_thought", "text": "hm"}))
    again = by("talker", "say", SetNextNode(next_node="say"))
    tape = store(project, UserStep(content="hi"), words, again)
    written = {"kind": "moon_thought", "text": "better"}
    put_draft(studio, tape, {"op": "replace", "position": 1, "step": written})

    fit = look(studio, tape, world.version, "&use_draft=true")

    assert (fit["can_continue"], fit["node"]) == (True, "say")


def test_resume_refuses_what_does_not_fit_and_makes_nothing(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    tape = store(
        project, UserStep(content="hi"), by("planner", "plan", SetNextNode(next_node="act"))
    )
    lacking = agents.create_agent(project.id, team("planner", "plan"))
    request_cancel(project.id, world.job, person="ada")
    count = TapeRecord.objects.count()

    body = {"agent_version_id": str(lacking.id), "at": 2}
    refused = call(studio, "POST", f"tapes/{tape}/resume", body, expect=409)

    assert refused["code"] == "agent_unfit"
    assert refused["details"]["problems"][0]["missing"] == "node"
    assert refused["details"]["nearest"][0]["name"] == "talker"
    assert TapeRecord.objects.count() == count
    assert not JobRecord.objects.filter(tape_id=tape).exists()
