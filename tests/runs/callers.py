"""Programs that call an agent at the OpenAI-compatible address."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application
from openai import AsyncOpenAI, OpenAI

from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.models import TapeRecord
from tapes_app.tapes.store.loading import load_tape
from tests.jobs.hosting import workers_beside
from tests.runs.browsers import RunBrowser

WEATHER: Any = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "Say the weather of a town.",
        "parameters": {"type": "object", "properties": {"town": {"type": "string"}}},
    },
}


def answer_or_call(prompt: Prompt) -> LLMOutput:
    last = prompt.messages[-1]
    if prompt.tools and last["role"] == "user":
        function = {"name": "weather", "arguments": '{"town": "Oslo"}'}
        return LLMOutput(tool_calls=({"id": "c1", "type": "function", "function": function},))
    return LLMOutput(content=f"{len(prompt.messages)}: {last['content']}")


scripts.add("test-called", answer_or_call)


def build_called() -> AgentSpec:
    return AgentSpec(
        name="called",
        templates={"system": "Be brief."},
        llms={"default": LLMSpec(model="script:test-called")},
        nodes=(NodeSpec(type="engine.TalkNode", settings={"name": "main"}),),
        environment="test-person",
    )


class Caller:
    """A program with a token of a project that has the agent."""

    def __init__(self) -> None:
        self.browser = RunBrowser(spec=build_called())
        made = self.browser.ask("POST", "tokens", {"name": "app", "access": "write"}, expect=201)
        self.token = made["token"]

    def open(self) -> OpenAI:
        transport = httpx.WSGITransport(app=get_wsgi_application())
        return OpenAI(
            api_key=self.token,
            base_url="http://testserver/api/v1/openai",
            http_client=httpx.Client(transport=transport),
            max_retries=0,
        )

    def open_beside(self) -> AsyncOpenAI:
        transport = httpx.ASGITransport(app=get_asgi_application())  # type: ignore[arg-type]
        return AsyncOpenAI(
            api_key=self.token,
            base_url="http://testserver/api/v1/openai",
            http_client=httpx.AsyncClient(transport=transport),
            max_retries=0,
        )

    def add_local(self, name: str, base_url: str, **settings: Any) -> None:
        """Add an agent that is answered by a model at an address."""
        model = {"name": "local", "litellm_model": "openai/test-model", "base_url": base_url}
        self.browser.ask("POST", "models", model, expect=201)
        node = NodeSpec(type="engine.TalkNode", settings={"name": "main", **settings})
        spec = AgentSpec(
            name=name,
            templates={"system": "Be brief."},
            llms={"default": LLMSpec(model="local")},
            nodes=(node,),
            environment="test-person",
        )
        self.browser.ask("POST", "agents", {"spec": spec.model_dump(mode="json")}, expect=201)

    def tapes(self) -> list[list[str]]:
        """Return the kinds and callers' words of each tape in the batch of calls."""
        rows = TapeRecord.objects.filter(batch__name="Calls of called 1").order_by("created_at")
        tapes = [load_tape(row.id, self.browser.person.project_id) for row in rows]
        return [[step.content for step in t if isinstance(step, UserStep)] for t in tapes]


@pytest.fixture
def caller() -> Iterator[Caller]:
    caller = Caller()
    with workers_beside("agents"):
        yield caller
