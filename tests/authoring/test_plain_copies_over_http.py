"""Copies of agents without the node classes of plugins, and what only their code decides."""

from typing import Any, ClassVar

import pytest
from django.test import Client

from tapes_app.builders import MonoNode
from tapes_app.engine import Agent, AssistantStep, TalkNode
from tapes_app.engine.agent.spec import LLMSpec, describe_agent
from tests.builders.nodes import SayNode
from tests.http.asking import call

pytestmark = pytest.mark.django_db


class PoliteNode(TalkNode):
    """Only other defaults."""

    type_name: ClassVar[str] = "tests.PoliteNode"

    template: str = "polite"
    after_answer: str | int = "thanks"


class HurriedNode(PoliteNode):
    type_name: ClassVar[str] = "tests.HurriedNode"

    @property
    def says_every_word(self) -> bool:
        return False


class LoudNode(MonoNode):
    type_name: ClassVar[str] = "tests.LoudNode"

    volume: int = 11


def add(client: Client, *nodes: Any, members: tuple[Agent, ...] = ()) -> Any:
    agent = Agent.create(
        "host", templates={"polite": "Be polite."}, nodes=list(nodes), subagents=list(members)
    )
    models = {name: LLMSpec(model="script:stand-in") for name in ("default", *agent.llm_names)}
    spec = describe_agent(agent, models=models).model_dump(mode="json")
    return call(client, "POST", "agents", {"spec": spec}, expect=201)


def copy(client: Client, agent: Any) -> Any:
    return call(client, "GET", f"agents/versions/{agent['latest_version_id']}/plain-copy")


def test_a_class_that_only_sets_defaults_becomes_one_that_ships(studio: Client) -> None:
    agent = add(studio, PoliteNode(name="talk", guidance="polite"), TalkNode(name="thanks"))

    made = copy(studio, agent)

    talk, thanks = made["spec"]["nodes"]
    assert (made["has_code"], made["code"]) == (True, [])
    assert talk == {
        "type": "engine.TalkNode",
        "settings": {
            "name": "talk", "template": "polite", "after_answer": "thanks", "guidance": "polite"
        },
    }  # fmt: skip
    assert thanks["settings"] == {"name": "thanks"}
    call(studio, "POST", "agents", {"spec": {**made["spec"], "name": "host_copy"}}, expect=201)


def test_what_only_code_decides_is_listed_with_its_place(studio: Client) -> None:
    worker = Agent.create("worker", nodes=[LoudNode(name="shout", steps=[AssistantStep])])
    agent = add(studio, HurriedNode(name="talk"), SayNode(name="say"), members=(worker,))

    made = copy(studio, agent)

    assert made["spec"] is None
    assert [(one["path"], one["message"]) for one in made["code"]] == [
        ("/nodes/0", "Node 'talk' has code of its own: says_every_word."),
        ("/nodes/1", "Node 'say' has code of its own: generate_steps, make_prompt."),
        ("/subagents/0/nodes/0", "Node 'shout' has code of its own: volume."),
    ]
    assert made["code"][0]["source"].startswith("tests/authoring/test_plain_copies_over_http.py, ")


def test_an_agent_of_what_ships_has_no_code(studio: Client) -> None:
    made = copy(studio, add(studio, TalkNode(name="talk", template="polite")))

    assert (made["has_code"], made["code"]) == (False, [])
