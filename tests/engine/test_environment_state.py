"""The state of an environment lies on the tape: a set-up gives it, and tools change it."""

import asyncio
from typing import Annotated, Any

import pytest

from tapes_app.engine import (
    Agent,
    AssistantStep,
    Depends,
    EnvironmentState,
    LLMOutput,
    TalkNode,
    Tape,
    ToolResult,
    UserStep,
    environment_of,
    read_state,
    run_to_end,
    tool,
    with_state,
)
from tapes_app.engine.errors import InvalidInputError
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order


@tool
def add(amount: int, state: EnvironmentState) -> int:
    """Add to the sum."""
    total = int(state.get("sum", 0)) + amount
    state["sum"] = total
    state.setdefault("log", []).append(amount)
    return total


@tool
def add_and_break(state: EnvironmentState) -> int:
    """Change the sum, and fail."""
    state["sum"] = -1
    raise ValueError("it broke")


@tool
def spoil(what: str, state: EnvironmentState) -> str:
    """Leave what cannot be kept."""
    state["sum"] = object if what == "object" else "x" * 70_000
    return "spoilt"


def count_entries(state: EnvironmentState) -> int:
    return len(state.get("log", ()))


@tool
def count(entries: Annotated[int, Depends(count_entries)]) -> int:
    """Count what was added."""
    return entries


def call(*calls: tuple[str, dict[str, Any]]) -> LLMOutput:
    named = [LLMOutput.calling(name, **arguments).tool_calls[0] for name, arguments in calls]
    return LLMOutput(tool_calls=tuple({**one, "id": f"c{n}"} for n, one in enumerate(named)))


def run(first: Tape, *answers: Any) -> Tape:
    node = TalkNode(tools=[add, add_and_break, spoil, count])
    agent = Agent.create("adder", templates={"system": "Add."}, nodes=[node])
    llm = ScriptedLLM(answers_in_order([*answers, "Done."]))
    live = agent.with_llms({"default": llm})
    return asyncio.run(run_to_end(live, first, environment_of(agent))).tape


def asked(state: dict[str, Any] | None = None) -> Tape:
    step = UserStep(content="Add.")
    return Tape(steps=(step if state is None else with_state(step, state),))


def results(tape: Tape) -> list[Any]:
    return [step.content for step in tape.steps if isinstance(step, ToolResult)]


def first_result(tape: Tape) -> int:
    """Return how many steps there are up to the first result of a tool."""
    return next(n for n, step in enumerate(tape.steps, 1) if isinstance(step, ToolResult))


def test_a_set_up_gives_the_state_and_each_call_of_a_message_sees_the_one_before() -> None:
    start = asked({"sum": 10})

    end = run(start, call(("add", {"amount": 1}), ("add", {"amount": 2}), ("count", {})))

    assert results(end) == [11, 13, 2]
    assert read_state(end.steps) == {"sum": 13, "log": [1, 2]}
    assert read_state(end.steps[: first_result(end)]) == {"sum": 11, "log": [1]}
    assert read_state(start.steps) == {"sum": 10}


def test_an_attempt_sees_nothing_of_another_and_a_fork_goes_on_from_its_place() -> None:
    start = asked({"sum": 10})

    first, second = (run(start, call(("add", {"amount": n}))) for n in (1, 2))
    forked = run(Tape(steps=(*first.steps[: first_result(first)], UserStep(content="More."))),
                 call(("add", {"amount": 5})))  # fmt: skip

    assert (read_state(first.steps), read_state(second.steps)) == (
        {"sum": 11, "log": [1]},
        {"sum": 12, "log": [2]},
    )
    assert read_state(forked.steps) == {"sum": 16, "log": [1, 5]}


def test_without_a_set_up_the_state_is_empty_until_something_changes_it() -> None:
    idle = run(asked(), call(("count", {})))
    busy = run(asked(), call(("add", {"amount": 3})))

    assert read_state(idle.steps) is None
    assert read_state(busy.steps) == {"sum": 3, "log": [3]}


def test_a_call_that_fails_or_leaves_what_cannot_be_kept_changes_nothing() -> None:
    start = asked({"sum": 10})

    broken = run(start, call(("add_and_break", {})))
    odd, large = (run(start, call(("spoil", {"what": what}))) for what in ("object", "text"))

    assert read_state(broken.steps) == {"sum": 10}
    assert "is not JSON" in results(odd)[0]
    assert "at most 65,536 are kept. Nothing of it was changed." in results(large)[0]
    assert read_state(large.steps) == {"sum": 10}


def test_no_model_sees_the_state() -> None:
    schema = add.schema()["function"]["parameters"]

    assert list(schema["properties"]) == ["amount"]
    assert add.uses_state
    assert count.uses_state


def test_a_state_that_is_changed_afterwards_is_another_one() -> None:
    state = {"log": [1]}
    step = with_state(AssistantStep(content="So."), state)
    state["log"].append(2)
    read = read_state([step])
    assert read == {"log": [1]}
    read["log"].append(3)
    assert read_state([step]) == {"log": [1]}
    with pytest.raises(InvalidInputError):
        with_state(step, {"log": object()})
