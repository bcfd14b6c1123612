"""What a tool gets that no model fills in: the place of its call, and what it depends on."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any

import pytest

from tapes_app.engine import (
    AgentConfigError,
    Depends,
    PendingAction,
    Tape,
    ToolCall,
    ToolCalls,
    ToolContext,
    ToolEnvironment,
    ToolResult,
    UserStep,
    tool,
)
from tapes_app.engine.environment.tool_threads import list_abandoned


async def call(one: Any, arguments: str = "{}") -> ToolResult:
    asked = ToolCall.model_validate(
        {"id": "c7", "function": {"name": one.name, "arguments": arguments}}
    )
    action = ToolCalls(tool_calls=(asked,))
    tape = Tape(steps=(UserStep(content="go"), action))
    result, *_ = await ToolEnvironment([one]).observe(PendingAction(1, action, asked), tape)
    assert isinstance(result, ToolResult)
    return result


async def test_a_tool_learns_where_it_is_called_and_the_model_sees_nothing_of_it() -> None:
    seen: list[ToolContext] = []

    @tool
    def look(word: str, context: ToolContext) -> str:
        """Look a word up.

        Args:
            word: what to look up
            context: not for the model
        """
        seen.append(context)
        return word.upper()

    result = await call(look, '{"word": "sea"}')
    refused = await call(look, '{"word": "sea", "context": {}}')

    parameters = look.schema()["function"]["parameters"]
    assert parameters["properties"].keys() == {"word"}
    assert parameters["required"] == ["word"]
    assert result.content == "SEA"
    (context,) = seen
    assert (context.position, context.call_id, len(context.tape)) == (1, "c7", 2)
    assert context.tape_id == context.tape.metadata.id
    assert (context.run_id, context.project_id) == (None, None)
    assert refused.is_error
    assert look("by hand", ToolContext()) == "BY HAND"


async def test_a_plain_function_that_asks_whether_it_is_wanted_leaves_no_thread_behind() -> None:
    has_ended = threading.Event()

    @tool(seconds=0.05)
    def count(context: ToolContext) -> None:
        while not context.wait(5):
            pass
        has_ended.set()

    result = await call(count)

    assert "was stopped: it had not finished after 0.05 seconds" in result.content
    assert await asyncio.to_thread(has_ended.wait, 10)


async def test_threads_that_never_end_are_counted_by_the_names_of_their_tools() -> None:
    may_end = threading.Event()

    @tool(seconds=0.01)
    def hold_for_ever() -> None:
        may_end.wait(60)

    before = list_abandoned().count("hold_for_ever")
    await call(hold_for_ever)
    while_held = list_abandoned().count("hold_for_ever")
    (thread,) = [one for one in threading.enumerate() if one.name == "tool-hold_for_ever"]
    may_end.set()
    await asyncio.to_thread(thread.join, 10)

    assert (before, while_held, list_abandoned().count("hold_for_ever")) == (0, 1, 0)


async def test_dependencies_are_made_for_each_call_once_and_cleaned_up_behind_it() -> None:
    events: list[str] = []

    def read_settings(context: ToolContext) -> dict[str, str]:
        events.append("settings")
        return {"call": context.call_id}

    async def open_connection(
        settings: Annotated[dict[str, str], Depends(read_settings)],
    ) -> AsyncIterator[str]:
        events.append("open")
        yield f"connection of {settings['call']}"
        events.append("close")

    @tool
    async def ask(
        question: str,
        connection: Annotated[str, Depends(open_connection)],
        settings: Annotated[dict[str, str], Depends(read_settings)],
    ) -> str:
        events.append("ask")
        return f"{question} {connection} {settings['call']}"

    @tool
    async def fail(connection: Annotated[str, Depends(open_connection)]) -> None:
        raise ValueError(connection)

    answered = await call(ask, '{"question": "why"}')
    failed = await call(fail)

    assert answered.content == "why connection of c7 c7"
    assert ask.schema()["function"]["parameters"]["properties"].keys() == {"question"}
    assert events[:4] == ["settings", "open", "ask", "close"]
    assert failed.content == "Error: ValueError: connection of c7"


def circle(value: "Annotated[int, Depends(circle)]") -> int:
    return value


def plain() -> Iterator[int]:
    yield 1


def needs_words(words: str) -> str:
    return words


@pytest.mark.parametrize(
    ("maker", "reason"),
    [
        (circle, "'circle' depends on itself"),
        (plain, "'plain' is a plain generator"),
        (needs_words, "Nothing provides 'words' of 'needs_words'"),
    ],
)
def test_what_cannot_be_provided_is_refused_before_the_tool_is_used(
    maker: Any, reason: str
) -> None:
    @tool
    def use(value: Annotated[int, Depends(maker)]) -> int:
        return value

    with pytest.raises(AgentConfigError, match=reason):
        ToolEnvironment([use])
