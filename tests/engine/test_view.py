import pytest
from hypothesis import given

from tapes_app.engine.errors import DelegationError
from tapes_app.engine.tape.control_steps import Broadcast, Call, Respond, SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantThought, ToolResult, UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.view import ViewStack, compute_view_stack
from tests.engine.builders import build_tape, call, respond, signed, texts, thought
from tests.engine.strategies import tapes


def test_a_call_is_in_the_callers_view_and_starts_the_callees() -> None:
    stack = ViewStack.compute([UserStep(content="go"), call("helper")])

    assert [view.name for view in stack.views] == ["root", "root/helper"]
    assert texts(stack.root.steps) == ["go", "please"]
    assert texts(stack.top.steps) == ["please"]


def test_the_caller_never_sees_the_inner_steps_of_the_callee() -> None:
    inner = thought("secret", agent="root/helper")

    stack = ViewStack.compute([call("helper"), inner, respond(agent="root/helper")])

    assert [view.name for view in stack.views] == ["root"]
    assert texts(stack.top.steps) == ["please", "done"]


def test_observations_belong_to_the_agent_on_top() -> None:
    stack = ViewStack.compute([call("helper"), ToolResult(content="42")])

    assert texts(stack.top.steps) == ["please", "42"]
    assert texts(stack.root.steps) == ["please"]


def test_copy_output_takes_the_last_own_step_that_is_no_control_and_no_observation() -> None:
    steps = [
        call("helper"),
        thought("early", agent="root/helper"),
        thought("late", agent="root/helper"),
        signed(SetNextNode(next_node="n"), "root/helper"),
        ToolResult(content="42"),
        respond(agent="root/helper", copy_output=True),
    ]

    stack = ViewStack.compute(steps)

    assert texts(stack.top.steps) == ["please", "late", "done"]
    assert texts([stack.top.outputs_by_subagent["helper"]]) == ["late"]


def test_copy_output_takes_a_broadcast_because_it_steers_nobody() -> None:
    told = signed(Broadcast(content="to all", to=("a",)), "root/helper")

    stack = ViewStack.compute(
        [call("helper"), told, respond(agent="root/helper", copy_output=True)]
    )

    assert texts(stack.top.steps) == ["please", "to all", "done"]


def test_messages_are_kept_by_the_paths_of_who_sent_and_who_got_them() -> None:
    told = signed(Broadcast(content="all", to=("a", "b")), "boss")

    stack = ViewStack.compute([told, call("a", agent="boss"), respond(agent="boss/a")])

    assert texts(stack.top.steps) == ["all", "please", "done"]
    assert {path: texts(steps) for path, steps in stack.messages_by_agent.items()} == {
        "boss": ["please", "done"],
        "boss/a": ["all", "please", "done"],
        "boss/b": ["all"],
    }


def test_messages_that_a_person_wrote_reach_the_same_agents() -> None:
    by_boss = thought(agent="boss")

    stack = ViewStack.compute(
        [by_boss, Call(agent_name="a"), Call(agent_name="b"), Respond(), Broadcast(to=("c",))]
    )

    assert {
        path: [step.kind for step in steps] for path, steps in stack.messages_by_agent.items()
    } == {
        "boss": ["call"],
        "boss/a": ["call", "call", "respond"],
        "boss/a/b": ["call", "respond"],
        "boss/a/c": ["broadcast"],
    }


def test_a_pointer_that_a_person_wrote_counts_for_the_agent_in_whose_run_it_stands() -> None:
    asked = [thought(agent="boss", prompt="p1"), call("helper", agent="boss", prompt="p1")]
    inner = thought(agent="boss/helper", prompt="p2")
    pointer = SetNextNode(next_node="act")

    in_helper = ViewStack.compute([*asked, inner, pointer, UserStep(content="seen")])
    at_the_root = ViewStack.compute([pointer])
    same_run = ViewStack.compute([thought(prompt="p1"), pointer, thought(prompt="p1")])
    next_run = ViewStack.compute([thought(prompt="p1"), pointer, thought(prompt="p2")])

    assert [view.next_node for view in in_helper.views] == [None, "act"]
    assert at_the_root.top.next_node == "act"
    assert (same_run.top.next_node, next_run.top.next_node) == ("act", None)
    assert in_helper.top.last_prompt_id == "p2"


def test_what_a_person_wrote_in_an_agents_name_ends_no_run_of_it() -> None:
    pointer = signed(SetNextNode(next_node="act"), "root", "act", "p1")
    by_hand = thought("by hand", node="act", prompt="")

    after_it = ViewStack.compute([pointer, by_hand])
    inside = ViewStack.compute([pointer, by_hand, thought(node="act", prompt="p1")])

    assert (after_it.top.next_node, inside.top.next_node) == ("act", "act")


def test_what_a_person_wrote_for_a_called_agent_can_be_its_output() -> None:
    said = AssistantThought(content="by hand")

    stack = ViewStack.compute(
        [call("helper"), said, respond(agent="root/helper", copy_output=True)]
    )

    assert texts(stack.top.steps) == ["please", "by hand", "done"]


def test_set_next_node_survives_observations_and_steps_of_the_same_prompt() -> None:
    steps = [
        signed(SetNextNode(next_node="act"), "root", "act", "p1"),
        thought("still p1", node="act", prompt="p1"),
        UserStep(content="seen"),
    ]

    assert ViewStack.compute(steps).top.next_node == "act"


def test_set_next_node_is_cleared_by_a_step_of_another_prompt() -> None:
    steps = [
        signed(SetNextNode(next_node="act"), "root", "act", "p1"),
        thought("p2", node="act", prompt="p2"),
    ]

    stack = ViewStack.compute(steps)

    assert stack.top.next_node is None
    assert stack.top.last_node == "act"


def test_set_next_node_survives_a_respond_into_the_caller() -> None:
    steps = [
        signed(SetNextNode(next_node="act"), "root", "act", "p1"),
        call("helper", node="act", prompt="p1"),
        thought("inner", agent="root/helper", prompt="p2"),
        respond(agent="root/helper", prompt="p2"),
    ]

    assert ViewStack.compute(steps).top.next_node == "act"


def test_the_root_agent_may_have_any_name() -> None:
    stack = ViewStack.compute([thought(agent="analyst", node="plan", prompt="p1")])

    assert stack.top.last_node == "plan"


def test_a_respond_at_the_root_says_what_to_do() -> None:
    with pytest.raises(DelegationError, match=r"Step 1 responds, but no agent was called"):
        ViewStack.compute([UserStep(content="hi"), respond(agent="root")])


def test_a_tape_that_breaks_the_rules_breaks_them_again_when_asked_again() -> None:
    tape = build_tape(UserStep(content="hi"))
    compute_view_stack(tape)
    tape = tape.append(respond(agent="root"))

    for _ in range(2):
        with pytest.raises(DelegationError):
            compute_view_stack(tape)


def test_two_tapes_grown_from_one_do_not_share_a_view() -> None:
    tape = build_tape(UserStep(content="hi"))
    compute_view_stack(tape)
    left, right = tape.append(thought("left")), tape.append(thought("right"))

    assert texts(compute_view_stack(left).top.steps) == ["hi", "left"]
    assert texts(compute_view_stack(right).top.steps) == ["hi", "right"]
    assert texts(compute_view_stack(tape).top.steps) == ["hi"]


@given(tapes(max_size=25))
def test_extending_step_by_step_equals_computing_from_scratch(tape: Tape) -> None:
    growing = Tape()
    for position, step in enumerate(tape.steps):
        growing = growing.append(step)
        expected = _described(tape.steps[: position + 1])
        assert _describe_growing(growing) == expected
        if expected is None:
            return


def _described(steps: tuple[Step, ...]) -> object:
    try:
        return _facts(ViewStack.compute(steps))
    except DelegationError:
        return None


def _describe_growing(tape: Tape) -> object:
    try:
        return _facts(compute_view_stack(tape))
    except DelegationError:
        return None


def _facts(stack: ViewStack) -> object:
    views = [
        (
            view.name,
            view.steps,
            view.last_node,
            view.last_prompt_id,
            view.next_node,
            dict(view.outputs_by_subagent),
            {kind: list(steps) for kind, steps in view.steps_by_kind.items()},
        )
        for view in stack.views
    ]
    return views, stack.messages_by_agent, stack.step_count
