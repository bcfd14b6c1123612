"""Two prompts and two agent versions side by side, over HTTP."""

from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tapes_app.agents.store.agents import add_version, create_agent
from tapes_app.engine.agent.spec import NodeSpec
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.messages import Message, system_message, user_message
from tapes_app.engine.tape.dialog_steps import AssistantStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import ProjectRecord
from tapes_app.tapes.store.saving import save_tape
from tests.builders.nodes import SayNode
from tests.http.worlds import World, spec

pytestmark = pytest.mark.django_db


def get(client: Client, path: str, expect: int = 200) -> Any:
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == expect, answer.content
    return answer.json()


def fields_of(answer: Any) -> list[tuple[str, str, Any, Any]]:
    return [(one["op"], one["path"], one["old"], one["new"]) for one in answer["fields"]]


def store_asking(project: ProjectRecord, owner: User, *messages: Message) -> UUID:
    """Store a tape whose one step came of a call with some messages."""
    prompt = Prompt(messages=messages)
    step = AssistantStep(content="ok").with_metadata(agent="boss", prompt_id=prompt.id)
    call = LLMCall(prompt=prompt, output=LLMOutput(content="ok"))
    return save_tape(project.id, Tape().append(step), owner=owner.pk, calls=[call])


def call_of(client: Client, tape: UUID) -> str:
    return str(get(client, f"tapes/{tape}/steps")["items"][0]["call_id"])


def test_prompts_of_two_tapes_differ_message_by_message(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    careful = system_message("You are a careful analyst of prices.")
    careless = system_message("You are a careless analyst of prices.")
    one = store_asking(project, owner, careful, user_message("hi"))
    two = store_asking(project, owner, careless, user_message("hi"), user_message("more"))
    left, right = call_of(studio, one), call_of(studio, two)

    found = get(studio, f"tapes/{one}/calls/{left}/diff?other_tape={two}&other_call={right}")

    assert fields_of(found) == [
        ("changed", "messages.0.content", careful["content"], careless["content"]),
        ("added", "messages.2 user", None, "more"),
    ]
    assert {"op": "delete", "text": "careful"} in found["fields"][0]["words"]


def test_a_call_of_no_such_tape_is_not_compared(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    one = store_asking(project, owner, user_message("hi"))
    two = store_asking(project, owner, user_message("ho"))
    left, right = call_of(studio, one), call_of(studio, two)

    get(studio, f"tapes/{one}/calls/{left}/diff?other_tape={one}&other_call={right}", expect=404)
    get(studio, f"tapes/{two}/calls/{left}/diff?other_tape={two}&other_call={right}", expect=404)


def test_versions_of_an_agent_differ_by_node_and_template(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    first = spec("compared", text="Answer the question in full sentences.")
    begin = NodeSpec(type=SayNode.type_name, settings={"name": "begin"})
    second = first.model_copy(
        update={
            "templates": {"system": "Answer the question in few words."},
            "nodes": (begin, *first.nodes),
        }
    )
    one = create_agent(project.id, first, owner=owner.pk)
    two = add_version(one.agent_id, project.id, second, owner=owner.pk)

    found = get(studio, f"agents/diff?a={one.id}&b={two.id}")

    assert [found[side]["number"] for side in ("left", "right")] == [1, 2]
    assert [(op, path) for op, path, *_ in fields_of(found)] == [
        ("changed", "templates.system"),
        ("added", "nodes.begin"),
    ]
    assert get(studio, f"agents/diff?a={one.id}&b={one.id}")["fields"] == []


def test_versions_of_other_projects_are_not_compared(
    studio: Client, world: World, elsewhere: World
) -> None:
    get(studio, f"agents/diff?a={world.version}&b={elsewhere.version}", expect=404)
