"""Whether a run goes on is one pure decision: hard stops first, then the goal, then pauses."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tapes_app.engine.environment.actions import PendingAction
from tapes_app.engine.environment.supervision import (
    ActionAnswered,
    BeforeAction,
    BeforeNode,
    NodeRan,
    SafePoint,
)
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt, Usage
from tapes_app.engine.tape.conditions import ConditionError, compile_condition, condition_holds
from tapes_app.engine.tape.dialog_steps import AssistantThought, ToolCalls, ToolResult
from tapes_app.engine.tape.steps import Step
from tapes_app.jobs.domain.control import Breakpoint, JobControl
from tapes_app.runs.domain.decisions import Rules, decide, place_of
from tapes_app.runs.domain.progress import Spent
from tapes_app.runs.domain.request import Budget, Until

CALLS = ToolCalls.model_validate({"tool_calls": [{"id": "c0", "function": {"name": "look"}}]})
PENDING = PendingAction(3, CALLS, CALLS.tool_calls[0])


def build_call(**values: Any) -> LLMCall:
    usage = Usage(input_tokens=values.pop("tokens", 10), output_tokens=0)
    values = {"cost_micro_usd": 5, "usage": usage, **values}
    return LLMCall(prompt=Prompt(), output=LLMOutput(content="x"), **values)


def node_ran(*steps: Step, position: int = 4) -> NodeRan:
    return NodeRan("root", "plan", position, steps, None)


def find_mistake(text: str) -> int | None:
    try:
        compile_condition(text)
    except ConditionError as error:
        return int(error.details["position"])
    return None


positions = st.integers(0, 30)
points: st.SearchStrategy[SafePoint] = st.one_of(
    st.builds(BeforeNode, st.just("root"), st.sampled_from(["plan", "act"]), positions),
    st.builds(node_ran, st.just(AssistantThought(content="hm")), position=positions),
    st.builds(node_ran, st.just(CALLS), position=positions),
    st.builds(BeforeAction, st.just(PENDING), positions),
    st.builds(ActionAnswered, st.just(PENDING), positions, st.just((ToolResult(content=1),))),
)
breakpoints = st.lists(
    st.sampled_from(
        [
            Breakpoint(kind="node", value="plan"),
            Breakpoint(kind="node", value="root/act"),
            Breakpoint(kind="kind", value="tool"),
            Breakpoint(kind="tool", value="look"),
            Breakpoint(kind="condition", value="content == `1`"),
            Breakpoint(kind="condition", value="kind == 'assistant'"),
        ]
    )
).map(tuple)
controls = st.builds(
    JobControl,
    pause_asked_by=st.sampled_from(["", "Ada"]),
    is_stepping=st.booleans(),
    breakpoints=breakpoints,
)
untils = st.one_of(
    st.sampled_from([Until(), Until(kind="next_action"), Until(kind="next_node")]),
    st.builds(lambda position: Until(kind="step", position=position), positions),
)


@given(points)
def test_without_wishes_nothing_stops_a_run(point: SafePoint) -> None:
    assert decide(point, Rules()) is None


@given(points, controls, untils)
def test_time_that_is_over_stops_at_any_point_whatever_else_is_wished(
    point: SafePoint, control: JobControl, until: Until
) -> None:
    rules = Rules(until, Budget(seconds=10), Spent(seconds=10, call_count=1), control)

    halt = decide(point, rules)

    assert halt is not None
    assert halt.status == "budget"


@given(points, controls, untils)
def test_a_budget_that_is_used_up_stops_before_a_node_and_nowhere_else(
    point: SafePoint, control: JobControl, until: Until
) -> None:
    rules = Rules(until, Budget(tokens=10), Spent(tokens=10, call_count=1), control)

    halt = decide(point, rules)

    is_stopped = halt is not None and halt.status == "budget"
    assert is_stopped == isinstance(point, BeforeNode)


@given(points, controls, untils)
def test_every_pause_names_who_or_what_asked_for_it(
    point: SafePoint, control: JobControl, until: Until
) -> None:
    halt = decide(point, Rules(until, control=control))

    if halt is None:
        assert not control.pause_asked_by
    elif halt.status == "paused":
        hit = halt.hit
        known = {(item.kind, item.value) for item in control.breakpoints}
        assert hit is None or (hit.kind, hit.value) in known
        assert hit is not None or control.is_stepping or control.pause_asked_by in halt.message
        assert halt.message.endswith((".", "`", "'"))


@given(points, breakpoints)
def test_a_place_that_was_passed_is_not_stopped_at_again(
    point: SafePoint, wanted: tuple[Breakpoint, ...]
) -> None:
    place = place_of(point)
    rules = Rules(control=JobControl(breakpoints=wanted), passed=place)

    if place is not None:
        assert decide(point, rules) is None


@given(points, positions)
def test_until_a_step_goes_on_exactly_until_it_is_on_the_tape(
    point: SafePoint, position: int
) -> None:
    added = len(point.steps) if isinstance(point, NodeRan | ActionAnswered) else 0

    halt = decide(point, Rules(Until(kind="step", position=position)))

    assert (halt is not None) == (point.position + added > position)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50), st.booleans()), max_size=20))
def test_answers_from_the_record_cost_nothing(calls: list[tuple[int, int, bool]]) -> None:
    spent = Spent()
    for tokens, cost, is_cached in calls:
        spent = spent.plus(build_call(tokens=tokens, cost_micro_usd=cost, is_cached=is_cached))

    assert spent.tokens == sum(tokens for tokens, _, is_cached in calls if not is_cached)
    assert spent.micro_usd == sum(cost for _, cost, is_cached in calls if not is_cached)
    assert (spent.call_count, spent.cached_call_count) == (
        len(calls),
        sum(is_cached for *_, is_cached in calls),
    )


@pytest.mark.parametrize(
    ("budget", "spent", "reason"),
    [
        (
            Budget(tokens=1000),
            Spent(tokens=1204, call_count=3),
            "The budget of 1,000 tokens is used up: 1,204 were used in 3 calls.",
        ),
        (
            Budget(micro_usd=20_000),
            Spent(micro_usd=21_500, call_count=1),
            "The budget of $0.02 is used up: $0.0215 was spent in 1 call.",
        ),
        (
            Budget(calls=2),
            Spent(call_count=3, cached_call_count=1),
            "The budget of 2 LLM calls is used up.",
        ),
        (Budget(seconds=90), Spent(seconds=90.2), "The time limit of 90 s was reached."),
        (
            Budget(tokens=1000),
            Spent(uncounted_count=1),
            "The model does not report its token usage, so a budget cannot be enforced.",
        ),
    ],
)
def test_a_budget_says_how_much_of_what_was_spent(
    budget: Budget, spent: Spent, reason: str
) -> None:
    halt = decide(BeforeNode("root", "plan", 0), Rules(budget=budget, spent=spent))

    assert halt is not None
    assert (halt.status, halt.message) == ("budget", reason)


# JMESPath takes `text` that is no JSON, such as ``, as a string, and says that it may stop to.
@pytest.mark.filterwarnings("ignore:deprecated string literal syntax:PendingDeprecationWarning")
@given(st.text(max_size=60))
@example("``")
def test_any_text_is_a_condition_or_refused_with_its_place(text: str) -> None:
    position = find_mistake(text)

    if position is None:
        condition_holds(text, {"kind": "tool", "content": [1, {"a": "b"}], "is_error": False})
    else:
        assert 0 <= position <= max(len(text), 1)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("kind == 'tool' && is_error", False),
        ("kind == 'tool' && !is_error", True),
        ("contains(content, 'price')", True),
        ("length(content) > `100`", False),
        ("metadata.node == 'plan'", True),
        ("nothing.here", False),
        ("abs(content)", False),
        ("count", True),
    ],
)
def test_conditions_are_asked_of_the_step_as_json(text: str, *, holds: bool) -> None:
    step = {
        "kind": "tool",
        "content": "the price",
        "is_error": False,
        "count": 0,
        "metadata": {"node": "plan"},
    }

    assert condition_holds(text, step) is holds


@pytest.mark.parametrize(
    "text",
    ["(" * 900, "!" * 999, "a" * 1001, "[@,@]|[@,@]|[@,@]|[@,@]|[@,@]|to_string(@)"],
)
def test_a_condition_that_would_take_too_much_is_refused(text: str) -> None:
    with pytest.raises(ConditionError):
        compile_condition(text)
