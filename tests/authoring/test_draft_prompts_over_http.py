"""What a draft would ask at a step of a tape, compared with what was asked there."""

from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tapes_app.agents.store import agents
from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.messages import system_message, user_message
from tapes_app.engine.tape.control_steps import Call, SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import ProjectRecord
from tapes_app.tapes.store import saving as tape_saving
from tests.http.asking import call
from tests.http.worlds import World, spec

pytestmark = pytest.mark.django_db

SYSTEM = "You help people. Be polite. Answer in one sentence."
TALK = NodeSpec(type="engine.TalkNode", settings={"name": "talk"})


def build(**changes: Any) -> AgentSpec:
    whole = AgentSpec(
        name="helper",
        llms={"default": LLMSpec(model="script:echo")},
        templates={"system": SYSTEM},
        nodes=(TALK,),
    )
    return whole.model_copy(update=changes)


def by(agent: str, node: str, prompt_id: str, *steps: Step) -> list[Step]:
    return [step.with_metadata(agent=agent, node=node, prompt_id=prompt_id) for step in steps]


@pytest.fixture
def helper(project: ProjectRecord, world: World) -> UUID:
    return agents.create_agent(project.id, build()).agent_id


@pytest.fixture
def tape(project: ProjectRecord) -> UUID:
    """A question, and the answer of the helper's node."""
    asked = (system_message(SYSTEM), user_message("Why?"))
    recorded = LLMCall(prompt=Prompt(id="p", messages=asked), output=LLMOutput(content="So."))
    answer = (SetNextNode(next_node="talk"), AssistantStep(content="So."))
    steps = [UserStep(content="Why?"), *by("helper", "talk", "p", *answer)]
    return tape_saving.save_tape(project.id, Tape().append(*steps), calls=[recorded])


def ask(
    client: Client,
    agent: UUID,
    tape: UUID,
    draft: AgentSpec | dict[str, Any] | None = None,
    *,
    position: int = 2,
    expect: int = 200,
) -> Any:
    body: dict[str, Any] = {"tape_id": str(tape), "position": position}
    if draft is not None:
        body["spec"] = draft if isinstance(draft, dict) else draft.model_dump(mode="json")
    return call(client, "POST", f"agents/{agent}/draft/prompt", body, expect=expect)


def test_a_variable_of_an_instruction_has_the_value_that_the_tape_has_there(
    studio: Client, helper: UUID, tape: UUID
) -> None:
    templates = {"system": "{{ user.content | json }}{{ assistant.content }}"}

    prompt = ask(studio, helper, tape, build(templates=templates))

    assert [message["content"] for message in prompt["messages"]] == ['"Why?"', "Why?"]


def test_an_unchanged_draft_asks_what_was_asked(studio: Client, helper: UUID, tape: UUID) -> None:
    prompt = ask(studio, helper, tape)

    assert (prompt["node"], prompt["node_name"]) == ("/nodes/0", "talk")
    assert [message["content"] for message in prompt["messages"]] == [SYSTEM, "Why?"]
    assert prompt["recorded_call_id"]
    assert [(one["op"], one["count"]) for one in prompt["changes"]] == [("equal", 2)]
    assert not prompt["has_other_tools"]


def test_a_changed_sentence_is_marked_word_by_word(
    studio: Client, helper: UUID, tape: UUID
) -> None:
    changed = build(templates={"system": SYSTEM.replace("polite", "blunt")})

    prompt = ask(studio, helper, tape, changed)

    first, rest = prompt["changes"]
    assert (first["op"], first["old"]["content"]) == ("changed", SYSTEM)
    assert [one for one in first["words"] if one["op"] != "equal"] == [
        {"op": "delete", "text": "polite"},
        {"op": "insert", "text": "blunt"},
    ]
    assert (rest["op"], rest["before"], rest["after"]) == ("equal", 1, 1)


def test_the_stored_draft_is_what_is_asked_by_default(
    studio: Client, helper: UUID, tape: UUID
) -> None:
    draft = build(templates={"system": "Stored."}).model_dump(mode="json")
    call(studio, "PUT", f"agents/{helper}/draft", {"spec": draft, "revision": 0})

    stored = ask(studio, helper, tape)
    typed = ask(studio, helper, tape, build(templates={"system": "Typed."}))

    assert stored["messages"][0]["content"] == "Stored."
    assert typed["messages"][0]["content"] == "Typed."
    draft = call(studio, "GET", f"agents/{helper}/draft")["spec"]
    assert draft["templates"] == {"system": "Stored."}


def test_another_tool_is_told(studio: Client, helper: UUID, tape: UUID) -> None:
    settings = {"name": "talk", "tools": ["tapes_app.gallery.chat.tools.calculate"]}

    prompt = ask(
        studio, helper, tape, build(nodes=(TALK.model_copy(update={"settings": settings}),))
    )

    assert [tool["function"]["name"] for tool in prompt["tools"]] == ["calculate"]
    assert prompt["has_other_tools"]


@pytest.mark.parametrize(
    "text",
    ["{0.__class__}", "{system.__init__.__globals__}", "{{ 7*7 }}", "%(name)s ${HOME}", "{" * 9999],
)
def test_a_template_is_text_and_never_code(
    studio: Client, helper: UUID, tape: UUID, text: str
) -> None:
    prompt = ask(studio, helper, tape, build(templates={"system": text, "__class__": text}))

    assert prompt["messages"][0]["content"] == text


def test_a_team_shows_the_prompt_of_the_member_that_wrote_the_step(
    studio: Client, project: ProjectRecord, tape: UUID
) -> None:
    calls = NodeSpec(type="builders.CallNode", settings={"name": "ask", "subagent": "worker"})
    idle, worker = build(name="idle"), build(name="worker", nodes=(TALK,), llms={})
    team = build(name="team", nodes=(calls,), subagents=(idle, worker))
    agent = agents.create_agent(project.id, team).agent_id
    steps = [
        UserStep(content="Why?"),
        *by("team", "ask", "", Call(agent_name="worker", content="Tell.")),
        *by("team/worker", "talk", "p", AssistantStep(content="So.")),
    ]
    written = tape_saving.save_tape(project.id, Tape().append(*steps))

    prompt = ask(studio, agent, written)
    asks_nobody = ask(studio, agent, written, position=1)

    assert (prompt["node"], prompt["recorded_call_id"]) == ("/subagents/1/nodes/0", None)
    assert [message["content"] for message in prompt["messages"]] == [SYSTEM, "Tell."]
    assert (asks_nobody["node"], asks_nobody["messages"]) == ("/nodes/0", [])


def test_on_the_tape_of_another_agent_the_node_that_would_act_is_asked(
    studio: Client, helper: UUID, world: World
) -> None:
    prompt = ask(studio, helper, world.tape, position=1)

    assert prompt["node_name"] == "talk"
    assert [message["content"] for message in prompt["messages"]] == [SYSTEM, "question 0"]
    assert [one["op"] for one in prompt["changes"]] == ["inserted", "equal"]


@pytest.mark.parametrize(
    ("position", "code", "reason"),
    [(0, "no_node_run", "an observation"), (3, "tape_range", "no step 3")],
)
def test_only_steps_of_an_agent_have_a_prompt(
    studio: Client, helper: UUID, tape: UUID, position: int, code: str, reason: str
) -> None:
    refused = ask(studio, helper, tape, position=position, expect=422)

    assert refused["code"] == code
    assert reason in refused["message"]


@pytest.mark.parametrize(
    ("draft", "status", "code"),
    [
        (build(nodes=(NodeSpec(type=TALK.type, settings={"name": "say"}),)), 409, "node_not_found"),
        (build(templates={}), 422, "agent_config"),
        (build(nodes=(NodeSpec(type="os.system"),)), 422, "agent_config"),
        ({"name": 7}, 422, "draft_invalid"),
        ({"nodes": [{"type": "a"}] * 10_000}, 422, "spec_too_large"),
    ],
)
def test_a_draft_without_that_prompt_is_told_why(
    studio: Client, helper: UUID, tape: UUID, draft: Any, status: int, code: str
) -> None:
    refused = ask(studio, helper, tape, draft, expect=status)

    assert refused["code"] == code
    assert refused["message"]


def test_a_tape_of_another_project_is_not_there(
    studio: Client, helper: UUID, elsewhere: World
) -> None:
    ask(studio, helper, elsewhere.tape, position=1, expect=404)


def test_a_model_without_a_key_changes_no_prompt(studio: Client, helper: UUID, tape: UUID) -> None:
    draft = build(llms={"default": LLMSpec(model="gone")})

    assert ask(studio, helper, tape, draft)["messages"][0]["content"] == SYSTEM


def test_a_long_tape_takes_as_many_queries_as_a_short_one(
    studio: Client, helper: UUID, tape: UUID, project: ProjectRecord
) -> None:
    steps: list[Step] = [UserStep(content="Why?")]
    calls: list[LLMCall] = []
    for at in range(50):
        asked = (system_message(SYSTEM), user_message("Why?"))
        prompt = Prompt(id=f"p{at}", messages=asked)
        calls.append(LLMCall(prompt=prompt, output=LLMOutput(content="So.")))
        steps += by("helper", "talk", f"p{at}", AssistantStep(content="So."))
    long = tape_saving.save_tape(project.id, Tape().append(*steps), calls=calls)
    ask(studio, helper, tape)

    with CaptureQueriesContext(connection) as short_queries:
        ask(studio, helper, tape)
    with CaptureQueriesContext(connection) as long_queries:
        ask(studio, helper, long, position=50)

    assert len(long_queries) <= len(short_queries)


def test_what_shows_a_prompt_stores_nothing(studio: Client, world: World) -> None:
    body = {"tape_id": str(world.tape), "position": 1, "spec": spec(text="x").model_dump()}

    call(studio, "POST", f"agents/{world.agent}/draft/prompt", body)

    assert call(studio, "GET", f"agents/{world.agent}/draft")["revision"] == 0
