"""What an agent says of its environment: a name, a type with settings, or several in order."""

from collections.abc import Iterator, Sequence

import pytest

from tapes_app.engine import (
    Agent,
    AgentConfigError,
    AgentSpec,
    AssistantStep,
    Environment,
    EnvironmentSettings,
    EnvironmentSpec,
    ExternalInputNeeded,
    LLMSpec,
    PendingAction,
    SecretName,
    Step,
    Tape,
    ToolResult,
    environments,
    gallery_agents,
    register,
)
from tapes_app.engine.agent.spec import build_environment
from tapes_app.engine.environment.environment import EnvironmentGroup
from tests.engine.test_door import build_talker


class DeskSettings(EnvironmentSettings):
    greeting: str
    token: SecretName = "DESK_TOKEN"


class Desk(Environment):
    name = "desk"

    def __init__(self, settings: DeskSettings) -> None:
        self.greeting = settings.greeting

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if pending.tool_call is None:
            return await super().observe(pending, tape)
        return [ToolResult(content=self.greeting, tool_call_id=pending.tool_call.id)]


@pytest.fixture(autouse=True)
def desk() -> Iterator[None]:
    environments.add("test-desk", Desk)
    environments.add("test-plain", Environment)
    yield
    environments._entries.pop("test-desk")
    environments._entries.pop("test-plain")


def described(environment: object) -> AgentSpec:
    return AgentSpec.model_validate({"name": "a", "environment": environment})


def test_a_type_gets_its_settings() -> None:
    spec = described({"type": "test-desk", "settings": {"greeting": "Hello"}})

    found = build_environment(AgentSpec.model_validate_json(spec.model_dump_json()))

    assert isinstance(found, Desk)
    assert found.greeting == "Hello"


def test_a_bare_name_is_stored_as_before() -> None:
    spec = AgentSpec(name="a", llms={"default": LLMSpec(model="m")}, environment="test-plain")

    assert spec.model_dump(mode="json")["environment"] == "test-plain"
    assert spec.digest == "fd06a710e297cf8400e87f806623fbd1"
    assert type(build_environment(spec)) is Environment


@pytest.mark.parametrize(
    ("environment", "complaint"),
    [
        ("test-none", "There is no environment named 'test-none'"),
        ("test-desk", "settings of environment 'test-desk' are invalid: greeting: Field required"),
        (
            {"type": "test-desk", "settings": {"greeting": "Hi", "colour": "red"}},
            "environment 'test-desk' are invalid: colour: Extra inputs are not permitted",
        ),
        (
            {"type": "test-desk", "settings": {"greeting": "Hi", "token": "sk-1234"}},
            "environment 'test-desk' are invalid: token: String should match pattern",
        ),
        (
            {"type": "test-plain", "settings": {"greeting": "Hi"}},
            r"'test-plain' has no settings; leave out \['greeting'\]",
        ),
    ],
)
def test_settings_that_do_not_fit_are_refused(environment: object, complaint: str) -> None:
    with pytest.raises(AgentConfigError, match=complaint) as refused:
        build_environment(described(environment))

    assert "sk-1234" not in str(refused.value)


async def test_several_are_asked_in_order_and_an_empty_name_is_the_team_itself() -> None:
    desk = EnvironmentSpec(type="test-desk", settings={"greeting": "Hello"})
    try:
        register(build_talker("test-team"), environment=("test-plain", desk, ""))
        spec = gallery_agents.get("test-team")()
    finally:
        gallery_agents._entries.pop("test-team", None)

    team = build_environment(spec)

    assert isinstance(team, EnvironmentGroup)
    assert len(team.tool_schemas()) == 2
    with pytest.raises(ExternalInputNeeded):
        await team.react(Tape(steps=(AssistantStep(content="Hello?"),)))


def test_an_agent_with_settings_that_do_not_fit_is_not_registered() -> None:
    wrong = EnvironmentSpec(type="test-desk", settings={})

    with pytest.raises(AgentConfigError, match="greeting: Field required"):
        register(Agent.create("test-wrong"), environment=wrong)

    assert "test-wrong" not in gallery_agents
