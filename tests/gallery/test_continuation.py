"""The continuation agent goes on from any tape, whoever made it."""

from collections.abc import Iterator
from typing import Any

import pytest

from tapes_app.engine.agent.orchestrator import run_to_end
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import build_agent
from tapes_app.engine.agent.training_text import make_training_text
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.spec import environments
from tapes_app.engine.errors import ImportRefusedError
from tapes_app.engine.model.llm import LLMOutput, Prompt
from tapes_app.engine.model.messages import Message
from tapes_app.engine.prompts.sound_messages import NO_RESULT
from tapes_app.engine.tape.control_steps import Call, FinalStep
from tapes_app.engine.tape.dialog_steps import (
    AssistantStep,
    SystemStep,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.steps import UnknownStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.environments.policy import PolicyEnvironment
from tapes_app.environments.recorded import RecordedEnvironment
from tapes_app.gallery.continuation.agent import GO_ON, NAME, SYSTEM
from tapes_app.interchange.folders import collect_files
from tapes_app.interchange.openai_chat import decode_conversation
from tapes_app.interchange.refusals import DEFAULT_LIMITS
from tapes_app.interchange.tape_codec import ImportedTape, TapeSource
from tapes_app.interchange.tapeagents import read_file
from tapes_app.llms.scripted import ScriptedLLM
from tapes_app.runs.domain.fit import find_misfits, stand
from tests.environments.test_answerers import recorded
from tests.interchange.chats import WEATHER_TOOL, build_call, build_conversation
from tests.recordings import RECORDINGS, SHARED

ANSWER = "What comes next."


class Model:
    """Answers in order, and remembers what it was asked."""

    def __init__(self, *answers: LLMOutput | str) -> None:
        self.prompts: list[Prompt] = []
        self._answers = list(answers) or [ANSWER]

    def __call__(self, prompt: Prompt) -> LLMOutput | str:
        self.prompts.append(prompt)
        return self._answers[min(len(self.prompts), len(self._answers)) - 1]


def build(model: Model) -> Any:
    return build_agent(gallery_agents.get(NAME)(), lambda _: ScriptedLLM(model, name="model"))


def environment() -> Environment:
    return environments.get(NAME)()


async def go_on(tape: Tape, *answers: LLMOutput | str, among: Environment | None = None) -> Any:
    model = Model(*answers)
    end = await run_to_end(build(model), tape, among or environment())
    return end, model.prompts


def transcript(*messages: dict[str, Any], **fields: Any) -> Tape:
    line = {"messages": list(messages), **fields}
    source = TapeSource(file="x", form="chat")
    return decode_conversation(line, source, DEFAULT_LIMITS, position="").tape


def calls(*data: dict[str, Any]) -> LLMOutput:
    return LLMOutput(tool_calls=data)


async def test_the_prompt_is_the_transcript_with_its_own_system_message_and_tools() -> None:
    conversation = build_conversation()
    asked = conversation["messages"][:4]

    end, (prompt,) = await go_on(transcript(*asked, tools=conversation["tools"]))

    assert [dict(message) for message in prompt.messages] == asked
    assert prompt.tools == (WEATHER_TOOL,)
    assert end.tape.steps[-1].content == ANSWER
    assert end.tape.steps[-1].metadata.agent == NAME
    assert end.status == "external_input_needed"  # it waits for what the person says


async def test_a_tool_call_waits_for_the_person_to_give_its_result() -> None:
    tape = transcript({"role": "user", "content": "Weather?"})
    call = build_call(id="new")

    end, _ = await go_on(tape, calls(call))
    answered = end.tape.append(ToolResult(content="Sun", tool_call_id="new"))
    last, (prompt,) = await go_on(answered)

    assert end.status == "external_input_needed"
    assert "'get_weather' cannot be run here" in end.message
    assert prompt.messages[-1] == {"role": "tool", "tool_call_id": "new", "content": "Sun"}
    assert prompt.tools is not None
    assert prompt.tools[0]["function"]["parameters"]["properties"] == {"city": {}}
    assert last.tape.steps[-1].content == ANSWER


async def test_a_tool_call_is_answered_from_the_record_or_by_a_prepared_text() -> None:
    recording = transcript(*build_conversation()["messages"])
    begun = Tape(steps=recording.steps[:2])
    replaying = PolicyEnvironment(
        environment(), {}, default="replay", recorded=RecordedEnvironment(recorded(recording))
    )
    mocking = PolicyEnvironment(
        environment(), {"get_weather": "mock"}, mocks={"get_weather": "Snow"}
    )

    replayed, _ = await go_on(begun, calls(build_call(id="new")), ANSWER, among=replaying)
    mocked, _ = await go_on(begun, calls(build_call(id="new")), ANSWER, among=mocking)

    assert [step.content for step in replayed.tape.steps[-2:]] == ["4 degrees, rain", ANSWER]
    assert [step.content for step in mocked.tape.steps[-2:]] == ["Snow", ANSWER]


async def test_it_goes_on_turn_after_turn_and_its_answers_can_be_trained() -> None:
    end, _ = await go_on(transcript({"role": "user", "content": "One"}), "First.")
    again, prompts = await go_on(end.tape.append(UserStep(content="Two")), "Second.")

    assert [message.text for message in prompts[0].messages[1:]] == ["One", "First.", "Two"]
    assert again.tape.steps[-1].content == "Second."
    texts = await make_training_text(build(Model()), again.tape)
    assert [text.output_text for text in texts] == ["First.<|end|>", "Second.<|end|>"]


ODD_TAPES: dict[str, tuple[Tape, list[Message]]] = {
    "a result that nobody asked for": (
        Tape(steps=(UserStep(content="a"), ToolResult(content="b", tool_call_id="x"))),
        [
            Message(role="user", content="a"),
            Message(role="user", content="Result of a tool:\nb"),
        ],
    ),
    "ids that are missing": (
        transcript(
            {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": ""}},
            {"role": "function", "name": "f", "content": "1"},
        ),
        [
            Message(
                role="assistant",
                content=None,
                tool_calls=[
                    {
                        "type": "function",
                        "function": {"name": "f", "arguments": ""},
                        "id": "call_1_0",
                    }
                ],
            ),
            Message(role="tool", tool_call_id="call_1_0", content="1"),
        ],
    ),
    "roles and keys that providers refuse": (
        transcript(
            {"role": "developer", "content": "d", "weight": 1},
            {"role": "critic", "content": "c"},
            {"role": "assistant", "content": None, "refusal": "no"},
            {"role": "user", "content": [{"type": "input_audio", "input_audio": {}}]},
        ),
        [
            Message(role="system", content="d"),
            Message(role="user", content="critic: c"),
            Message(role="assistant", content="no"),
            Message(role="user", content=[{"type": "input_audio", "input_audio": {}}]),
        ],
    ),
    "kinds that nobody knows": (
        Tape(
            steps=(
                SystemStep(content="s"),
                UnknownStep.model_validate({"kind": "look_observation", "sky": "blue"}),
                UnknownStep.model_validate({"kind": "plan_thought", "plan": 1}),
            )
        ),
        [
            Message(role="system", content="s"),
            Message(role="user", content='{\n  "kind": "look_observation",\n  "sky": "blue"\n}'),
            Message(role="assistant", content='{\n  "kind": "plan_thought",\n  "plan": 1\n}'),
            Message(role="user", content=GO_ON),
        ],
    ),
}


@pytest.mark.parametrize(("tape", "expected"), ODD_TAPES.values(), ids=ODD_TAPES.keys())
async def test_an_odd_tape_becomes_a_prompt_that_providers_take(
    tape: Tape, expected: list[Message]
) -> None:
    _, (prompt,) = await go_on(tape)

    messages = [message for message in prompt.messages if not message.text.startswith(SYSTEM)]
    assert messages == expected


async def test_a_call_that_was_cut_off_from_its_result_says_so() -> None:
    tool_calls = ToolCalls.model_validate({"tool_calls": [build_call(id="a"), build_call(id="b")]})
    tape = Tape(
        steps=(tool_calls, ToolResult(content="1", tool_call_id="b"), UserStep(content="And?"))
    )

    end, (prompt,) = await go_on(tape.append(ToolResult(content="", tool_call_id="a")))

    results = [m for m in prompt.messages if m.role == "tool"]
    assert [(m["tool_call_id"], m["content"]) for m in results] == [("b", "1"), ("a", NO_RESULT)]
    assert end.tape.steps[-1].content == ANSWER


async def test_it_takes_over_from_a_subagent_that_is_not_here() -> None:
    by = {"agent": "boss", "node": "main", "prompt_id": "p"}
    handed = Call(agent_name="helper", content="Find it").with_metadata(**by)
    tape = Tape(steps=(UserStep(content="Go"), handed))

    end, (prompt,) = await go_on(tape)

    assert [m.text for m in prompt.messages[1:]] == ["Go", "To helper: Find it", GO_ON]
    assert end.tape.steps[-1].content == ANSWER


async def test_the_context_of_a_tape_is_in_the_system_message() -> None:
    _, (prompt,) = await go_on(Tape(context={"form": "flights"}, steps=(UserStep(content="Hi"),)))

    assert prompt.messages[0].text.endswith('The session began with:\n{"form": "flights"}')


async def test_a_finished_tape_stays_finished_until_it_is_cut() -> None:
    tape = Tape(steps=(UserStep(content="Hi"), FinalStep()))

    end, prompts = await go_on(tape)
    cut, _ = await go_on(tape.fork(1))

    assert (end.status, prompts) == ("finished", [])
    assert isinstance(cut.tape.steps[-1], AssistantStep)


def list_recorded_tapes() -> Iterator[ImportedTape]:
    for file in [file for folder in RECORDINGS for file in collect_files(folder)]:
        try:
            for item in read_file(file.path, name=file.name):
                if isinstance(item, ImportedTape):
                    yield item
        except ImportRefusedError as error:
            if not error.details["is_other"]:
                raise


@pytest.mark.slow
def test_any_place_of_any_recorded_tape_fits_and_gives_a_sound_prompt() -> None:
    agent = build(Model())
    node = agent.nodes[0]
    count = 0

    for item in list_recorded_tapes():
        for at in range(1, len(item.tape) + 1):
            prefix = Tape(context=item.tape.context, steps=item.tape.steps[:at])
            assert find_misfits(agent, stand(prefix.steps), answers_anything=True) == ()
            check_sound(node.make_prompt(agent, prefix))
            count += 1

    assert count > (300 if SHARED in RECORDINGS else 80)


def check_sound(prompt: Prompt) -> None:
    """Check what providers refuse: calls and results that do not belong together, odd ends."""
    waiting: list[str] = []
    for message in prompt.messages:
        assert message.role in ("system", "user", "assistant", "tool")
        if message.role == "tool":
            waiting.remove(message["tool_call_id"])
            continue
        assert waiting == []
        waiting = [call["id"] for call in message.get("tool_calls", ())]
        assert message.get("content") is not None or waiting
    assert waiting == []
    assert prompt.messages[0].role == "system" or any(
        message.role == "system" for message in prompt.messages
    )
    assert prompt.messages[-1].role in ("user", "tool")
