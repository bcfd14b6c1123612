"""A mistake in an agent's own code is told on its run, and the run goes on once it is mended."""

from collections.abc import AsyncIterator
from typing import ClassVar

import pytest

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.engine.model.llm import LLMStream, Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep, AssistantThought
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tests.runs.browsers import RunBrowser

pytestmark = pytest.mark.django_db(transaction=True)


class LookUpNode(Node):
    """Thinks what the model says and says the word that it is asked for, if it has it."""

    type_name = "test.LookUp"
    words: ClassVar[dict[str, str]] = {}

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        return Prompt(messages=(user_message("Say something."),))

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step]:
        yield AssistantThought(content=await llm_stream.get_text())
        yield SetNextNode(next_node=self.name)
        yield AssistantStep(content=self.words["asked for"])


def build_looker() -> AgentSpec:
    return AgentSpec(
        name="looker",
        llms={"default": LLMSpec(model="script:test-echo")},
        nodes=(NodeSpec(type=LookUpNode.type_name, settings={"name": "look"}),),
        environment="test-person",
    )


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> RunBrowser:
    monkeypatch.setattr(LookUpNode, "words", {})
    return RunBrowser(spec=build_looker())


def test_it_is_told_with_its_last_lines_and_what_came_before_is_kept(page: RunBrowser) -> None:
    job = page.run()

    assert (job["state"], job["error_code"]) == ("failed", "agent_code")
    assert job["message"].startswith(
        "Node 'look' of agent 'looker' failed with KeyError: 'asked for' (test_code_mistakes.py, "
    )
    (line,) = job["run"]["code_lines"]
    assert (line["file"], line["function"]) == ("test_code_mistakes.py", "generate_steps")
    assert line["code"] == 'yield AssistantStep(content=self.words["asked for"])'
    assert page.kinds() == ["user", "assistant_thought", "set_next_node"]
    ends = [frame for frame in page.frames() if frame["type"] == "node.finished"]
    assert ends[0]["error"] == job["message"]


def test_the_rest_is_made_of_the_recorded_answer_once_it_is_mended(
    page: RunBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = page.run()
    kept = page.kinds()

    again = page.run()
    assert (again["message"], page.kinds()) == (broken["message"], kept)

    monkeypatch.setattr(LookUpNode, "words", {"asked for": "there it is"})
    mended = page.run()
    assert (mended["state"], mended["run"]["code_lines"]) == ("waiting", [])
    assert page.kinds() == [*kept, "assistant"]
    assert len(page.calls()) == 1
