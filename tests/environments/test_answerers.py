"""A person, a recording, and a policy that chooses between them."""

from collections.abc import AsyncIterator

import pytest

from tapes_app.engine.environment.actions import (
    ExternalInputNeeded,
    UnknownActionError,
    unfulfilled_actions,
)
from tapes_app.engine.environment.environment import EnvironmentGroup
from tapes_app.engine.environment.human import HumanEnvironment
from tapes_app.engine.environment.tool_environment import ToolEnvironment
from tapes_app.engine.tape.dialog_steps import (
    AssistantStep,
    ToolCall,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.environments.policy import PolicyEnvironment
from tapes_app.environments.recorded import DEVIATION, RecordedEnvironment


def look_up(word: str) -> str:
    return f"live {word}"


def build_calls(*words: str, prefix: str = "c") -> ToolCalls:
    return ToolCalls(
        tool_calls=tuple(
            ToolCall.model_validate(
                {
                    "id": f"{prefix}{number}",
                    "function": {"name": "look_up", "arguments": {"word": word}},
                }
            )
            for number, word in enumerate(words)
        )
    )


RECORDING = Tape(
    steps=(
        UserStep(content="go"),
        build_calls("sun", "moon"),
        ToolResult(content="a star", tool_call_id="c0"),
        ToolResult(content="a rock", tool_call_id="c1"),
        AssistantStep(content="Anything else?"),
        UserStep(content="Mars"),
        build_calls("mars"),
        ToolResult(content="a planet", tool_call_id="c0"),
    )
)


async def recorded(*tapes: Tape) -> AsyncIterator[Tape]:
    for tape in tapes:
        yield tape


def replayed(tape: Tape, after: Tape) -> list[Step]:
    return list(after.steps[len(tape) :])


async def test_what_is_said_to_a_person_waits_for_the_answer() -> None:
    tape = Tape(steps=(AssistantStep(content="Which one?"),))

    with pytest.raises(ExternalInputNeeded):
        await HumanEnvironment().react(tape)

    assert unfulfilled_actions(tape.append(UserStep(content="This one"))) == []


async def test_tools_and_a_person_share_a_tape() -> None:
    team = EnvironmentGroup(ToolEnvironment([look_up]), HumanEnvironment())

    after = await team.react(Tape(steps=(build_calls("sun"),)))
    with pytest.raises(ExternalInputNeeded):
        await team.react(after.append(AssistantStep(content="Done")))

    assert after.steps[-1].content_dict()["content"] == "live sun"


async def test_equal_actions_get_the_recorded_observations_with_their_own_call_ids() -> None:
    tape = Tape(steps=(UserStep(content="go"), build_calls("sun", "moon", prefix="new")))

    results = replayed(tape, await RecordedEnvironment(recorded(RECORDING)).react(tape))

    assert [
        (step.content, step.tool_call_id) for step in results if isinstance(step, ToolResult)
    ] == [("a star", "new0"), ("a rock", "new1")]
    assert all(DEVIATION not in step.metadata.other for step in results)
    assert all(step.metadata.other["replayed_from"] == RECORDING.id for step in results)


async def test_a_persons_answer_is_replayed_too() -> None:
    tape = RECORDING.fork(5)

    results = replayed(tape, await RecordedEnvironment(recorded(RECORDING)).react(tape))

    assert results[0].content_dict()["content"] == "Mars"


async def test_another_action_gets_an_observation_with_a_warning() -> None:
    tape = Tape(steps=(UserStep(content="go"), build_calls("venus")))

    (result,) = replayed(tape, await RecordedEnvironment(recorded(RECORDING)).react(tape))

    assert result.content_dict()["content"] == "a star"
    assert "sun" in result.metadata.other[DEVIATION]


async def test_an_equal_action_elsewhere_in_the_recording_is_no_deviation() -> None:
    tape = Tape(steps=(UserStep(content="go"), build_calls("mars")))

    (result,) = replayed(tape, await RecordedEnvironment(recorded(RECORDING)).react(tape))

    assert result.content_dict()["content"] == "a planet"
    assert DEVIATION not in result.metadata.other


async def test_an_equal_action_of_a_distant_ancestor_comes_before_any_other_of_the_nearest() -> (
    None
):
    tape = Tape(steps=(UserStep(content="go"), build_calls("mars", "moon")))
    near = RECORDING.fork(1).append(
        build_calls("sun", "moon"),
        ToolResult(content="a lamp", tool_call_id="c0"),
        ToolResult(content="a cheese", tool_call_id="c1"),
    )
    environment = RecordedEnvironment(recorded(near.fork(1), near, RECORDING))

    results = replayed(tape, await environment.react(tape))

    assert [step.content_dict()["content"] for step in results] == ["a planet", "a cheese"]
    assert all(DEVIATION not in step.metadata.other for step in results)


async def test_an_action_done_again_gets_what_came_of_it_the_second_time() -> None:
    twice = Tape(
        steps=(
            build_calls("sun"),
            ToolResult(content="rises", tool_call_id="c0"),
            build_calls("sun"),
            ToolResult(content="sets", tool_call_id="c0"),
        )
    )
    cut = twice.fork(2)
    tape = cut.append(build_calls("sun"))

    after = await RecordedEnvironment(recorded(cut, twice)).react(tape)

    assert after.steps[-1].content_dict()["content"] == "sets"


async def test_recordings_are_read_only_as_far_as_they_are_needed() -> None:
    async def break_after_one() -> AsyncIterator[Tape]:
        yield RECORDING
        raise AssertionError("the next one was not needed")

    tape = Tape(steps=(UserStep(content="go"), build_calls("sun")))

    after = await RecordedEnvironment(break_after_one()).react(tape)

    assert after.steps[-1].content_dict()["content"] == "a star"


async def test_what_the_recording_cannot_answer_is_an_error_or_goes_on_live() -> None:
    tape = RECORDING.append(build_calls("pluto"))

    with pytest.raises(UnknownActionError, match="look_up"):
        await RecordedEnvironment(recorded(RECORDING)).react(tape)
    live = ToolEnvironment([look_up])
    after = await RecordedEnvironment(recorded(RECORDING), inner=live).react(tape)

    assert after.steps[-1].content_dict()["content"] == "live pluto"


@pytest.mark.parametrize(
    ("policy", "content"), [("live", "live sun"), ("replay", "a star"), ("mock", "made up")]
)
async def test_a_policy_says_for_each_tool_who_answers(policy: str, content: str) -> None:
    environment = PolicyEnvironment(
        ToolEnvironment([look_up]),
        {"look_up": policy},  # type: ignore[dict-item]  # pytest gives plain text
        recorded=RecordedEnvironment(recorded(RECORDING)),
        mocks={"look_up": "made up"},
    )

    after = await environment.react(Tape(steps=(build_calls("sun"),)))

    assert after.steps[-1].content_dict()["content"] == content


async def test_ask_waits_until_a_person_has_given_the_result() -> None:
    environment = PolicyEnvironment(ToolEnvironment([look_up]), {}, default="ask")
    tape = Tape(steps=(build_calls("sun"),))

    with pytest.raises(ExternalInputNeeded, match="look_up"):
        await environment.react(tape)

    answered = tape.append(ToolResult(content="hot", tool_call_id="c0"))
    assert await environment.react(answered) == answered


async def test_a_policy_without_its_means_asks_and_says_what_is_missing() -> None:
    live = ToolEnvironment([look_up])
    tape = Tape(steps=(build_calls("sun"),))

    with pytest.raises(ExternalInputNeeded, match="not in the recording"):
        await PolicyEnvironment(live, {"look_up": "replay"}).react(tape)
    with pytest.raises(ExternalInputNeeded, match="no mock answer"):
        await PolicyEnvironment(live, {"look_up": "mock"}).react(tape)
