"""The linter: what is planted is found, and clean tapes have no finding."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.engine.agent.spec import AgentSpec, NodeSpec
from tapes_app.engine.tape.control_steps import FinalStep, SetNextNode
from tapes_app.engine.tape.dialog_steps import (
    ActionFailure,
    AssistantStep,
    ParsingFailure,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.steps import Step, UnknownStep, parse_step
from tapes_app.engine.tape.tape import Tape
from tapes_app.lint.domain.findings import CallFacts, Finding, LintContext
from tapes_app.lint.domain.linter import DETECTORS, lint_tape
from tests.engine.builders import build_tape, call, respond, signed, thought
from tests.engine.strategies import tapes

AGENT = AgentSpec(
    name="root",
    nodes=(
        NodeSpec(type="x.Plan", settings={"name": "plan"}),
        NodeSpec(type="x.Act", settings={"name": "act"}),
    ),
    subagents=(AgentSpec(name="helper", nodes=(NodeSpec(type="x.Search"),)),),
    max_iterations=5,
)
TOOLS: dict[str, dict[str, Any]] = {
    "search": {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["query"],
    }
}
CONTEXT = LintContext(agent=AGENT, tools=TOOLS, step_budget=40)


def ask(text: str = "How tall is the Eiffel tower?") -> Step:
    return UserStep(content=text)


def use(name: str = "search", id: str = "c1", prompt: str = "p", **arguments: Any) -> Step:
    step = {
        "kind": "assistant",
        "tool_calls": [{"id": id, "function": {"name": name, "arguments": arguments}}],
    }
    return signed(parse_step(step), "root", "act", prompt)


def get(content: Any, id: str = "c1", *, is_error: bool = False) -> Step:
    return ToolResult(content=content, tool_call_id=id, is_error=is_error)


def say(text: str) -> Step:
    return signed(AssistantStep(content=text), "root", "act", "said")


def odd(kind: str, *, agent: str = "root", **fields: Any) -> Step:
    step = UnknownStep.model_validate({"kind": kind, **fields})
    return signed(step, agent, "act", "p") if agent else step


def looping(times: int, *, results: Sequence[str] = ()) -> list[Step]:
    steps = [ask()]
    for number in range(times):
        id = f"c{number}"
        steps.append(use(id=id, prompt=id, query="eiffel"))
        steps.append(get(results[number] if results else "Nothing was found there", id))
    return [*steps, say("I could not find it.")]


FOUND = "The Eiffel tower in Paris measures 330 metres up to its antenna"
GOOD = [ask(), use(query="Eiffel"), get(FOUND), say("It is 330 metres tall.")]


def lint(steps: Sequence[Step], context: LintContext = CONTEXT) -> list[tuple[str, int]]:
    return [
        (found.detector, found.position) for found in lint_tape(Tape(steps=tuple(steps)), context)
    ]


def calls_of(*tokens: tuple[str, int], limit: int | None = None) -> dict[str, CallFacts]:
    return {
        prompt: CallFacts(input_tokens=count, output_tokens=0, context_limit=limit)
        for prompt, count in tokens
    }


PLANTED: dict[str, tuple[list[Step], str, int]] = {
    "the same call with the same result": (looping(3), "repeated_action", 5),
    "a cycle of two actions": (
        [
            ask(),
            *[
                step
                for _ in range(3)
                for step in (
                    odd("open_page_action", url="a"),
                    odd("page_observation", agent="", text="empty"),
                    odd("go_back_action"),
                    odd("start_observation", agent="", text="start"),
                )
            ],
        ],
        "repeated_action",
        9,
    ),
    "a tool call at the end": ([ask(), use(query="x")], "unfulfilled_action", 1),
    "a tool call that was passed over": (
        [ask(), use(query="x"), thought("on we go"), say("Hello.")],
        "unfulfilled_action",
        1,
    ),
    "one of two tool calls": (
        [
            ask(),
            signed(
                ToolCalls.model_validate(
                    {
                        "tool_calls": [
                            {"id": id, "function": {"name": "search", "arguments": {"query": id}}}
                            for id in ("a", "b")
                        ]
                    }
                ),
                "root",
            ),
            get("330 metres", "a"),
            say("It is 330 metres tall."),
        ],
        "unfulfilled_action",
        1,
    ),
    "an answer nobody uses": (
        [
            ask(),
            use(query="Eiffel"),
            get("Paris crowds wander beneath ironwork"),
            say("Let me know what else you need."),
        ],
        "unused_observation",
        2,
    ),
    "an error, then an answer": (
        [ask(), use(query="x"), get("boom", is_error=True), say("It is 330 metres tall.")],
        "unhandled_error",
        2,
    ),
    "an error at the end": (
        [ask(), use(query="x"), ActionFailure(error="no network")],
        "unhandled_error",
        2,
    ),
    "a tool that nobody offers": (
        [ask(), use("serch", query="x"), get("330 metres"), say("It is 330 metres tall.")],
        "unknown_tool",
        1,
    ),
    "an agent that is no member": ([call("halper")], "unknown_agent", 0),
    "a known kind with a wrong field": (
        [parse_step({"kind": "set_next_node", "next_node": {"a": 1}})],
        "invalid_step",
        0,
    ),
    "arguments without what is required": (
        [ask(), use(limit=3), get("330 metres"), say("It is 330 metres tall.")],
        "invalid_step",
        1,
    ),
    "arguments of a wrong type": (
        [ask(), use(query="x", limit="many"), get("330 metres"), say("It is 330 metres tall.")],
        "invalid_step",
        1,
    ),
    "a caller that goes on": (
        [
            call("helper", prompt="p1"),
            thought(agent="root/helper", prompt="p2"),
            thought(agent="root", prompt="p3"),
        ],
        "open_call",
        0,
    ),
    "a response to nobody": ([respond(agent="root")], "open_call", 0),
    "a node number out of range": (
        [signed(SetNextNode(next_node=2), "root")],
        "bad_node_pointer",
        0,
    ),
    "a node name of nobody": (
        [signed(SetNextNode(next_node="ack"), "root")],
        "bad_node_pointer",
        0,
    ),
    "more steps than allowed": ([thought(str(n)) for n in range(42)], "step_budget", 40),
    "more node runs than allowed": (
        [thought(str(n), prompt=f"p{n}") for n in range(6)],
        "step_budget",
        5,
    ),
    "an answer that cannot be read": (
        [signed(ParsingFailure(error="no JSON", llm_output="{"), "root")],
        "parse_failure",
        0,
    ),
    "a number out of the air": (
        [ask(), use(query="Eiffel"), get(FOUND), say("The Eiffel tower in Paris: 812 metres.")],
        "unseen_answer",
        3,
    ),
    "a name out of the air": (
        [
            ask("Who built it?"),
            use(query="builder"),
            get("It was built by Gustave Eiffel"),
            odd("final_answer_action", text="Bartholdi"),
        ],
        "unseen_answer",
        3,
    ),
}

CLEAN: dict[str, list[Step]] = {
    "nothing": [],
    "a question and its answer": GOOD,
    "a session that waits for the person": [ask(), say("Which one do you mean?")],
    "the same call with other results": looping(3, results=["page 1", "page 2", "page 3"]),
    "the same call twice": looping(2),
    "a retry": [
        ask(),
        use(query="x"),
        get("boom", is_error=True),
        use(query="x", id="c2", prompt="p2"),
        get(FOUND, "c2"),
        say("It is 330 metres tall."),
    ],
    "an error that the answer admits": [
        ask(),
        use(query="x"),
        get("boom", is_error=True),
        say("The search is unavailable at present."),
    ],
    "a result that comes late": [
        ask(),
        use(query="x", id="late"),
        thought("meanwhile"),
        UserStep(content="Well?"),
        say("Wait."),
        get("330 metres", "late"),
        say("It is 330 metres tall."),
    ],
    "an acknowledgement that nobody takes up": [
        ask("Book it."),
        use(query="x"),
        get("ok"),
        say("Booked."),
    ],
    "a call with its response": [
        call("helper", prompt="p1"),
        thought(agent="root/helper", prompt="p2"),
        respond(agent="root/helper", prompt="p2"),
        thought(agent="root", prompt="p3"),
    ],
    "what a caller writes beside its call": [
        call("helper", prompt="p1"),
        thought(agent="root", prompt="p1"),
        respond(agent="root/helper", prompt="p2"),
    ],
    "a tape that stops inside a call": [call("helper", prompt="p1")],
    "nodes by number and by name": [
        signed(SetNextNode(next_node=-1), "root"),
        signed(SetNextNode(next_node="act"), "root"),
        signed(SetNextNode(next_node="Search"), "root/helper"),
    ],
    "another team": [
        signed(SetNextNode(next_node=9), "stranger"),
        signed(SetNextNode(next_node="x"), "stranger/one"),
        call("nobody", agent="stranger"),
        thought(agent="stranger/nobody"),
    ],
    "kinds of strangers": [
        odd("odd_thing", agent="", anything=1),
        odd("press_action", key="Enter"),
        odd("stop"),
    ],
    "a rounded number": [
        ask(),
        use(query="Eiffel"),
        get({"height": 330.0214}),
        say("It is 330.02 metres tall."),
    ],
    "a number in words": [
        ask("How many towers?"),
        use(query="towers"),
        get("There are 5 towers"),
        say("There are five."),
    ],
    "small talk after a tool": [ask("Save it"), use(query="x"), get("saved"), say("Done.")],
    "an answer without tools": [ask(), say("It is 330 metres tall.")],
    "a session that ended": [*GOOD, signed(FinalStep(reason="answered"), "root")],
}


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_planted_is_found_and_nothing_else(name: str) -> None:
    steps, detector, position = PLANTED[name]

    assert lint(steps) == [(detector, position)]


@pytest.mark.parametrize("name", CLEAN)
def test_clean_tapes_have_no_finding(name: str) -> None:
    assert lint(CLEAN[name]) == []


def test_a_prompt_near_its_limit_is_found_and_others_are_not() -> None:
    steps = [thought("a", prompt="p1"), thought("b", prompt="p2")]
    context = LintContext(calls=calls_of(("p1", 500), ("p2", 950), limit=1000))

    assert lint(steps, context) == [("full_prompt", 1)]


@pytest.mark.parametrize(("share", "found"), [(0.95, [("uneven_spending", 0)]), (0.6, [])])
def test_one_agent_that_takes_most_tokens_is_found(
    share: float, found: list[tuple[str, int]]
) -> None:
    steps = [
        thought("a", agent="root", prompt="p1"),
        thought("b", agent="root/helper", prompt="p2"),
        thought("c", agent="root/helper", prompt="p3"),
        thought("d", agent="root/helper", prompt="p4"),
    ]
    rest = round(1000 * (1 - share) / 3)
    tokens = [("p1", round(1000 * share)), ("p2", rest), ("p3", rest), ("p4", rest)]

    assert lint(steps, LintContext(calls=calls_of(*tokens))) == found


def test_every_detector_is_planted_somewhere() -> None:
    planted = {detector for _, detector, _ in PLANTED.values()} | {"full_prompt", "uneven_spending"}

    assert planted == {detector.name for detector in DETECTORS}


def test_a_finding_points_at_the_field_and_says_a_sentence() -> None:
    tape = Tape(steps=(ask(), use("serch", query="x"), get(FOUND), say("It is 330 metres tall.")))

    assert lint_tape(tape, CONTEXT) == [
        Finding(
            detector="unknown_tool",
            severity="error",
            position=1,
            field="/tool_calls/0/function/name",
            message="There is no tool 'serch'; closest match: 'search'.",
        )
    ]


def test_without_a_context_nothing_is_guessed() -> None:
    steps, _, _ = PLANTED["a tool that nobody offers"]

    assert lint(steps, LintContext()) == []
    assert lint([signed(SetNextNode(next_node=99), "root")], LintContext()) == []


contexts = st.sampled_from([LintContext(), CONTEXT, LintContext(step_budget=1, calls=calls_of(
    ("p1", 10), ("p2", 90), limit=100))])  # fmt: skip


@given(tapes(), contexts)
def test_linting_never_fails_and_changes_nothing(tape: Tape, context: LintContext) -> None:
    before = tape.model_dump_json()

    found = lint_tape(tape, context)

    assert tape.model_dump_json() == before
    assert found == lint_tape(tape, context)
    assert all(0 <= finding.position < len(tape) for finding in found)
    assert [finding.position for finding in found] == sorted(finding.position for finding in found)


@given(tapes(max_size=6))
def test_order_does_not_hang_on_what_came_before(tape: Tape) -> None:
    twice = build_tape(*tape.steps) if tape.steps else Tape()

    assert lint_tape(twice) == lint_tape(Tape(steps=tape.steps))


def test_deep_and_hostile_contents_are_linted() -> None:
    deep: Any = "x"
    for _ in range(40):
        deep = {"a": [deep]}
    steps = [
        odd("odd_action", deep=deep),
        get("\ud800 9" * 50 + "9" * 6000),
        use(query="\x00"),
        say("1e999 inf nan " + "9" * 6000),
    ]

    assert all(isinstance(found, Finding) for found in lint_tape(Tape(steps=tuple(steps)), CONTEXT))
