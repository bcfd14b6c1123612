"""Agents called together: the tape alone says who goes on, whatever the order of finishing."""

import asyncio
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.node_runs import split_node_runs
from tapes_app.engine.agent.orchestrator import run_to_end
from tapes_app.engine.agent.replay import replay_tape
from tapes_app.engine.agent.selection import select
from tapes_app.engine.agent.training_text import make_node_training_text, make_training_text
from tapes_app.engine.environment.actions import put_answers_in_lanes, unfulfilled_actions
from tapes_app.engine.errors import DelegationError, TrainingTextError
from tapes_app.engine.model.llm import LLMCall, LLMOutput
from tapes_app.engine.tape.control_steps import CallTogether, Join, MemberCall, Respond
from tapes_app.engine.tape.dialog_steps import (
    AssistantStep,
    AssistantThought,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.lanes import find_lane, list_open_lanes
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.view import ViewStack
from tests.engine.builders import build_tape, respond, signed, texts, thought
from tests.engine.lane_teams import Look, Shape, World, build_lane_team, shapes

CHEAP = settings(max_examples=25, deadline=None)


def run(agent: Agent, tape: Tape) -> Tape:
    return asyncio.run(run_to_end(agent, tape, World())).tape


def pieces_by_lane(tape: Tape) -> dict[str, list[tuple[Step, ...]]]:
    """Return what is recorded in one piece, node runs and observations, by the outermost lane."""
    found: dict[str, list[tuple[Step, ...]]] = defaultdict(list)
    for one in split_node_runs(tape.steps):
        lane = tape[one.start].metadata.lane.partition("/")[0]
        found[lane].append(tape.steps[one.start : one.stop])
    return found


def shuffled(tape: Tape, seed: int) -> Tape:
    """Return a tape on which the lanes of the boss finished in another order."""
    first = next(at for at, step in enumerate(tape) if step.metadata.lane)
    last = max(at for at, step in enumerate(tape) if step.metadata.lane)
    lanes = pieces_by_lane(Tape(steps=tape.steps[first : last + 1]))
    turns = [lane for lane, pieces in lanes.items() for _ in pieces]
    random.Random(seed).shuffle(turns)
    queues = {lane: iter(pieces) for lane, pieces in lanes.items()}
    mixed = [step for lane in turns for step in next(queues[lane])]
    return Tape(steps=(*tape.steps[:first], *mixed, *tape.steps[last + 1 :]))


def contents(steps: Sequence[Step]) -> list[object]:
    return [(step.metadata.agent, step.content_dict()) for step in steps]


def answers(tape: Tape) -> list[tuple[str, object]]:
    found = [
        (step.metadata.lane, step.content)
        for step in tape
        if isinstance(step, Respond) and step.metadata.lane
    ]
    return sorted(found, key=str)


def called_together(*names: str, join: int | str = "all") -> Step:
    calls = tuple(MemberCall(agent_name=name, content=f"for {name}") for name in names)
    together = CallTogether.model_validate({"calls": calls, "join": join})
    return signed(together, "root")


def in_lane(step: Step, lane: str) -> Step:
    return step.with_metadata(lane=lane)


@CHEAP
@given(shapes, st.integers())
def test_in_any_order_each_lane_is_the_member_called_alone(
    members: tuple[Shape, ...], seed: int
) -> None:
    team = build_lane_team(members)
    together = run(team, build_tape())
    mixed = shuffled(together, seed)
    asked = mixed[1]

    assert isinstance(asked, CallTogether)
    for number in range(1, len(members) + 1):
        alone = run_alone(team, Tape(steps=(mixed[0], asked.as_call(number))))
        at = next(at for at, step in enumerate(mixed) if step.metadata.lane.startswith(str(number)))
        lane, _ = find_lane(Tape(steps=mixed.steps[: at + 1]), at)
        whole = whole_lane(mixed, str(number))
        assert contents(whole) == contents(alone.steps)
        assert lane.tape.steps[:2] == (mixed[0], asked.as_call(number))


@CHEAP
@given(shapes, st.integers())
def test_a_view_of_a_lane_is_that_of_its_tape_alone(members: tuple[Shape, ...], seed: int) -> None:
    mixed = shuffled(run(build_lane_team(members), build_tape()), seed)

    for count in range(len(mixed) + 1):
        tape = Tape(steps=mixed.steps[:count])
        stack = ViewStack.compute(tape.steps)
        if stack.lanes is None:
            continue
        for lane in list_open_lanes(tape):
            inside = stack.lanes.unanswered[int(lane.path)]
            alone = ViewStack.compute(lane.tape.steps)
            assert facts(inside, 1) == facts(alone, lane.depth)


@CHEAP
@given(shapes, st.integers())
def test_the_caller_sees_the_same_whatever_the_order(members: tuple[Shape, ...], seed: int) -> None:
    tape = run(build_lane_team(members), build_tape())
    mixed = shuffled(tape, seed)

    assert contents(ViewStack.compute(mixed.steps).top.steps) == contents(
        ViewStack.compute(tape.steps).top.steps
    )


@settings(max_examples=8, deadline=None)
@given(shapes, st.integers())
def test_every_prefix_goes_on_to_the_same_answers(members: tuple[Shape, ...], seed: int) -> None:
    team = build_lane_team(members)
    mixed = shuffled(run(team, build_tape()), seed)
    ends = [one.stop for one in split_node_runs(mixed.steps)]

    for count in ends:
        ended = run(team, Tape(steps=mixed.steps[:count]))
        assert ended.steps[:count] == mixed.steps[:count]
        assert answers(ended) == answers(mixed)
        assert contents(ended.steps[-2:]) == contents(mixed.steps[-2:])


@CHEAP
@given(shapes, st.integers())
def test_a_tape_replays_in_its_recorded_order_and_is_trained_on(
    members: tuple[Shape, ...], seed: int
) -> None:
    team = build_lane_team(members)
    tape = run(team, build_tape())
    mixed = shuffled(tape, seed)
    samples = asyncio.run(make_training_text(team, mixed))
    plain = asyncio.run(make_training_text(team, tape))
    runs = [one for one in split_node_runs(mixed.steps) if one.is_agent and asks(mixed, one.start)]
    one_by_one = [asyncio.run(make_node_training_text(team, mixed, one.start)) for one in runs]

    replayed = asyncio.run(replay_tape(team, mixed, recorded_calls(team, mixed)))

    assert replayed.divergence is None
    assert sorted(one.text for one in samples) == sorted(one.text for one in plain)
    assert [one.text for one in one_by_one] == [one.text for one in samples]


@CHEAP
@given(shapes, st.integers())
def test_writing_a_tape_and_reading_it_again_changes_nothing(
    members: tuple[Shape, ...], seed: int
) -> None:
    mixed = shuffled(run(build_lane_team(members), build_tape()), seed)

    again = Tape.model_validate(mixed.to_json())

    assert again.to_json() == mixed.to_json()
    assert ViewStack.compute(again.steps).top.steps == ViewStack.compute(mixed.steps).top.steps


def test_while_members_work_the_caller_rests_and_each_of_them_may_go_on() -> None:
    steps = [called_together("a", "b"), in_lane(thought(agent="root/b"), "2")]

    stack = ViewStack.compute(steps)

    assert [one.top.name for one in stack.active] == ["root/a", "root/b"]
    assert [step.kind for step in stack.top.steps] == ["call_together"]
    with pytest.raises(DelegationError, match="waits for the agents"):
        select(Agent.create("root"), stack)


def test_the_join_shows_the_responses_in_the_order_of_the_calls() -> None:
    early = in_lane(signed(Respond(content="b"), "root/b"), "2")
    output = in_lane(thought("my output", agent="root/a"), "1")
    late = in_lane(respond(agent="root/a", copy_output=True), "1")

    stack = ViewStack.compute(
        [called_together("a", "b"), early, output, late, Join(answered=(1, 2))]
    )

    assert texts(stack.top.steps) == ["call_together", "my output", "done", "b", "join"]
    assert stack.top.outputs_by_subagent["a"].content_equals(output)
    assert [step.kind for step in stack.messages_by_agent["root"]] == [
        "call", "respond", "call", "respond",
    ]  # fmt: skip


def test_nobody_sees_a_cancelled_lane_or_a_step_of_a_lane_where_nobody_works() -> None:
    first = in_lane(respond(agent="root/a"), "1")
    cancelled = in_lane(thought("cancelled", agent="root/b"), "2")
    late = in_lane(thought("late", agent="root/b"), "2")
    odd = in_lane(thought("odd", agent="root/b"), "7/x")
    join = Join(answered=(1,), cancelled=(2,))
    tape = Tape(steps=(called_together("a", "b"), cancelled, first, odd, join, late))

    stack = ViewStack.compute(tape.steps)

    assert texts(stack.top.steps) == ["call_together", "done", "join"]
    assert list_open_lanes(tape) == []
    with pytest.raises(DelegationError, match="Step 5 is of lane '2', but no agent is at work"):
        find_lane(tape, 5)


def test_every_lane_has_open_actions_of_its_own() -> None:
    look = signed(Look(at="x"), "root/a")
    tape = Tape(
        steps=(
            called_together("a", "b"),
            in_lane(look, "1"),
            in_lane(AssistantThought(content="hm"), "2"),
            in_lane(look.with_metadata(agent="root/b"), "2"),
        )
    )

    assert [item.position for item in unfulfilled_actions(tape)] == [1, 3]


def test_answers_from_outside_go_to_the_lanes_that_wait_for_them() -> None:
    call = ToolCalls.from_llm_output(LLMOutput.calling("look"))
    tape = Tape(
        steps=(
            called_together("a", "b", "c"),
            in_lane(signed(call, "root/a"), "1"),
            in_lane(signed(AssistantStep(content="Sure?"), "root/b", prompt_id="q"), "2"),
        )
    )
    answers = [ToolResult(content=1, tool_call_id=call.tool_calls[0].id), UserStep(content="yes")]

    placed = put_answers_in_lanes(tape, answers)
    at_the_root = put_answers_in_lanes(build_tape(AssistantStep(content="?")), answers)

    assert [step.metadata.lane for step in placed] == ["1", "2"]
    assert at_the_root == answers


def test_a_join_that_needs_more_answers_than_calls_is_refused() -> None:
    with pytest.raises(ValidationError, match="at most the number of calls"):
        called_together("a", "b", join=3)


def test_a_response_that_was_edited_no_longer_replays_and_the_message_has_its_place() -> None:
    team = build_lane_team((Shape(1), Shape(0)))
    tape = run(team, build_tape())
    calls = recorded_calls(team, tape)
    at = next(at for at, step in enumerate(tape) if step.kind == "assistant_thought")
    edited = tape[at].model_copy(update={"content": "by hand"})
    other = tape.with_steps((*tape.steps[:at], edited, *tape.steps[at + 1 :]), author="me")

    replayed = asyncio.run(replay_tape(team, other, calls))

    assert replayed.divergence is not None
    assert (replayed.divergence.position, replayed.divergence.reason) == (at, "steps")
    late = in_lane(thought("late", agent="boss/m0", node="work"), "1")
    with pytest.raises(
        TrainingTextError, match=f"from step {len(tape)} on: .* no agent is at work"
    ):
        asyncio.run(make_training_text(team, tape.append(late)))


def run_alone(team: Agent, tape: Tape) -> Tape:
    """Run a called member until it has responded, and return what it wrote."""
    depth = len(ViewStack.compute(tape.steps).views)

    async def until_responded() -> Tape:
        from tapes_app.engine.agent.orchestrator import main_loop
        from tapes_app.engine.environment.events import StepAdded

        grown = tape
        async for event in main_loop(team, tape, World()):
            if isinstance(event, StepAdded):
                grown = grown.append(event.step)
                if len(ViewStack.compute(grown.steps).views) < depth:
                    break
        return grown

    return asyncio.run(until_responded())


def whole_lane(tape: Tape, number: str) -> tuple[Step, ...]:
    last = max(at for at, step in enumerate(tape) if step.metadata.lane.partition("/")[0] == number)
    lane, _ = find_lane(Tape(steps=tape.steps[: last + 1]), last)
    assert lane.path == number, "a lane ends with its own response"
    return lane.tape.steps


def facts(stack: ViewStack, start: int) -> object:
    return [
        (view.name, contents(view.steps), view.next_node, view.last_node, view.last_agent)
        for view in stack.views[start:]
    ]


def asks(tape: Tape, at: int) -> bool:
    return tape[at].metadata.node in ("work", "conclude", "sum up")


def recorded_calls(team: Agent, tape: Tape) -> dict[str, LLMCall]:
    return dict(_calls(team, tape))


def _calls(team: Agent, tape: Tape) -> Iterator[tuple[str, LLMCall]]:
    from tapes_app.engine.agent.reuse import reuse_node_run

    for one in split_node_runs(tape.steps):
        if not one.is_agent:
            continue
        _, call = asyncio.run(reuse_node_run(team, tape.fork(one.start), tape))
        if call is not None:
            yield one.prompt_id, call
