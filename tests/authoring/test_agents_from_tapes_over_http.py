"""An agent from the tape of another one: its instruction, its tools, its kinds of steps."""

from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.messages import system_message, user_message
from tapes_app.engine.tape.dialog_steps import AssistantStep, AssistantThought, SystemStep, UserStep
from tapes_app.engine.tape.steps import Step, parse_step
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import ProjectRecord
from tapes_app.tapes.store.saving import save_tape
from tests.http.asking import call
from tests.http.worlds import World

pytestmark = pytest.mark.django_db


def tool(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": {}}}


def make(client: Client, tape: UUID, name: str = "mine", expect: int = 201) -> Any:
    body = {"tape_id": str(tape), "name": name}
    return call(client, "POST", "agents/from-tape", body, expect=expect)


def store(project: ProjectRecord, *steps: Step, calls: list[LLMCall] | None = None) -> UUID:
    return save_tape(project.id, Tape().append(*steps), calls=calls or [])


def test_the_instruction_and_the_tools_of_a_call_are_taken_over(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    asked = (system_message("You sell shoes."), user_message("Hi"))
    offered = (tool("calculate"), tool("order_shoes"))
    sold = LLMCall(
        prompt=Prompt(id="p", messages=asked, tools=offered), output=LLMOutput(content="Yes?")
    )
    said = AssistantStep(content="Yes?").with_metadata(agent="seller", prompt_id="p")
    tape = store(project, UserStep(content="Hi"), said, calls=[sold])

    agent = make(studio, tape)

    (version,) = agent["versions"]
    (node,) = version["spec"]["nodes"]
    assert version["spec"]["templates"] == {"system": "You sell shoes."}
    assert node["type"] == "engine.TalkNode"
    assert node["settings"]["tools"] == ["tapes_app.gallery.chat.tools.calculate"]
    assert version["spec"]["llms"]["default"]["model"] == "tiny"
    assert "'order_shoes'" in version["note"]
    prompt = {"tape_id": str(tape), "position": 1}
    shown = call(studio, "POST", f"agents/{agent['id']}/draft/prompt", prompt)
    assert [one["op"] for one in shown["changes"]] == ["equal"]


def test_kinds_of_its_own_make_an_agent_that_writes_them(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    steps = [
        SystemStep(content="Think first."),
        UserStep(content="Hi"),
        AssistantThought(content="Well."),
        parse_step({"kind": "unheard_of_thought", "text": "Hm."}),
        AssistantStep(content="Hello."),
    ]

    agent = make(studio, store(project, *steps))

    (version,) = agent["versions"]
    (node,) = version["spec"]["nodes"]
    assert version["spec"]["templates"] == {"system": "Think first."}
    assert node["settings"]["steps"] == ["assistant", "assistant_thought"]
    assert "'unheard_of_thought'" in version["note"]


def test_a_tape_that_tells_nothing_makes_a_plain_agent(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    agent = make(studio, store(project, UserStep(content="Hi")))

    assert agent["versions"][0]["spec"]["templates"]["system"]
    assert call(studio, "GET", f"agents/{agent['id']}/draft")["problems"] == []


@pytest.mark.parametrize(("name", "status"), [("talker", 409), ("a/b", 422), ("", 422)])
def test_a_name_that_no_agent_can_get_is_refused(
    studio: Client, world: World, name: str, status: int
) -> None:
    make(studio, world.tape, name, expect=status)


def test_the_tape_of_another_project_is_not_there(studio: Client, elsewhere: World) -> None:
    make(studio, elsewhere.tape, expect=404)
