"""Prompts of any agent are messages that every provider takes, whoever wrote the tape."""

from typing import Any

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.talk_node import TalkNode
from tapes_app.engine.model.messages import assistant_message, user_message
from tapes_app.engine.prompts.chat_messages import step_of_message
from tapes_app.engine.prompts.sound_messages import FROM_TOOLS, NO_RESULT, merge_turns
from tapes_app.engine.tape.dialog_steps import ToolCalls, ToolResult, UserStep
from tapes_app.engine.tape.tape import Tape

PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}


def ask(tape: Tape) -> list[dict[str, Any]]:
    """Return what a native agent asks behind its own system message."""
    agent = Agent.create("talker", templates={"system": "Be brief."}, nodes=[TalkNode()])
    return [dict(message) for message in agent.nodes[0].make_prompt(agent, tape).messages[1:]]


def transcript(*messages: dict[str, Any]) -> Tape:
    return Tape(steps=tuple(step_of_message(message) for message in messages))


def test_a_native_agent_asks_with_arguments_as_text_made_ids_and_images() -> None:
    seen = [{"type": "text", "text": "What is this?"}, PICTURE]
    call = {"function": {"name": "look", "arguments": {"at": 1}}}

    asked = ask(
        transcript(
            {"role": "user", "content": seen, "weight": 1},
            {"role": "assistant", "content": "I look.", "tool_calls": [call]},
            {"role": "tool", "content": [{"type": "text", "text": "A cat"}, PICTURE]},
            {"role": "critic", "content": "Hm."},
        )
    )

    function = {"name": "look", "arguments": '{"at": 1}'}
    made = {"id": "call_1_0", "type": "function", "function": function}
    shown = [{"type": "text", "text": FROM_TOOLS}, PICTURE]
    assert asked == [
        {"role": "user", "content": seen},
        {"role": "assistant", "content": "I look.", "tool_calls": [made]},
        {"role": "tool", "tool_call_id": "call_1_0", "content": "A cat"},
        {"role": "user", "content": shown},
        {"role": "user", "content": "critic: Hm."},
    ]


def test_data_that_a_tool_gave_is_read_as_json_and_no_parts() -> None:
    calls = ToolCalls.model_validate({"tool_calls": [{"id": "a", "function": {"name": "find"}}]})
    found = [{"type": "bird", "text": "heron"}]

    asked = ask(Tape(steps=(calls, ToolResult(content=found, tool_call_id="a"))))

    assert asked[-1]["content"] == '[{"type": "bird", "text": "heron"}]'


def test_a_result_that_comes_later_takes_the_place_of_a_missing_one() -> None:
    calls = ToolCalls.model_validate({"tool_calls": [{"id": "a", "function": {"name": "find"}}]})
    waiting = Tape(steps=(UserStep(content="go"), calls))

    before = ask(waiting)
    after = ask(waiting.append(ToolResult(content="here", tool_call_id="a")))

    assert [message["content"] for message in before] == ["go", None, NO_RESULT]
    assert [message["content"] for message in after] == ["go", None, "here"]


def test_messages_of_one_role_become_one_turn_with_their_images() -> None:
    calling = {"role": "assistant", "content": "b", "tool_calls": [{"id": "x"}]}
    result = {"role": "tool", "tool_call_id": "x", "content": "1"}

    turns = merge_turns(
        [
            user_message("one"),
            {"role": "user", "content": [PICTURE]},
            assistant_message("a"),
            calling,
            result,
            result,
            user_message("two"),
        ]
    )

    first = [{"type": "text", "text": "one"}, PICTURE]
    assert turns == [
        {"role": "user", "content": first},
        {**calling, "content": "a\n\nb"},
        result,
        result,
        {"role": "user", "content": "two"},
    ]
