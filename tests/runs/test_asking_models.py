"""What a run asks a model that really listens, and what its calls keep of the answer."""

from typing import Any

import pytest
from pydantic import ValidationError

from tapes_app.agents.store.llm_models import create_model
from tapes_app.engine import AgentSpec, LLMSpec, TalkNode
from tapes_app.engine.agent.spec import NodeSpec
from tapes_app.engine.environment.tool_functions import Tools, tool
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.model.llm import CallTokens
from tapes_app.engine.tape.dialog_steps import ToolCalls
from tapes_app.runs.domain.request import RunRequest
from tapes_app.tapes.store.calls import list_calls
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.runs.browsers import work
from tests.runs.sessions import start_session, store_member

pytestmark = pytest.mark.django_db(transaction=True)
CALL = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a":1,"b":2}'}}


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class AskingNode(TalkNode):
    type_name = "test_asking_models.AskingNode"
    tools: Tools = (add,)


def build_spec() -> AgentSpec:
    chosen = {"temperature": 0.2, "max_tokens": 50, "seed": 4}
    settings = {"name": "ask", "sampling": chosen, "tool_choice": "auto"}
    return AgentSpec(
        name="asking",
        llms={"default": LLMSpec(model="served", parameters={"max_tokens": 20, "top_p": 0.5})},
        templates={"system": "Add."},
        nodes=(NodeSpec(type=AskingNode.type_name, settings=settings),),
    )


def test_the_run_goes_over_the_node_the_node_over_its_agent_and_the_agent_over_the_model() -> None:
    with OpenAIServer() as server:
        person = store_member()
        create_model(
            person.project_id,
            name="served",
            litellm_model="openai/qwen3-8b",
            base_url=server.base_url,
            parameters={"top_p": 0.9, "presence_penalty": 1},
            record_tokens=True,
        )
        server.plan(
            Behaviour(message={"reasoning_content": "Add them", "tool_calls": [CALL]}),
            Behaviour(text="3."),
        )

        session = start_session(
            "1 + 2",
            spec=build_spec(),
            person=person,
            parameters={"seed": 9, "reasoning_effort": "low"},
        )
        work()

    first, second = server.requests
    wanted = {
        "presence_penalty": 1, "top_p": 0.5, "max_tokens": 50, "temperature": 0.2, "seed": 9,
        "reasoning_effort": "low", "tool_choice": "auto",
    }  # fmt: skip
    assert {name: first[name] for name in wanted} == wanted
    calls = [row.call for row in list_calls(session.tape_id, person.project_id)]
    assert calls[0].prompt.sampling == {"temperature": 0.2, "max_tokens": 50}
    assert calls[0].prompt.tool_choice == "auto"
    assert calls[1].tokens == CallTokens(
        prompt_ids=(0, 1, 2, 3), ids=(101,), texts=("3.",), logprobs=(-0.25,)
    )
    asked = next(step for step in session.load_tape() if isinstance(step, ToolCalls))
    assert asked.reasoning_content == "Add them"
    assert second["messages"][2]["reasoning_content"] == "Add them"


@pytest.mark.parametrize("effort", ["extreme", 3, ["low"]])
def test_an_effort_that_nobody_knows_is_refused(effort: Any) -> None:
    session = store_member()

    with pytest.raises((InvalidInputError, ValidationError), match="reasoning_effort"):
        RunRequest(agent_version_id=session.project_id, parameters={"reasoning_effort": effort})
