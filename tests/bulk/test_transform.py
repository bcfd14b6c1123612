"""Transforms: what they leave is a valid child, and doing it again changes nothing."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.bulk.transform.places import change_places
from tapes_app.bulk.transform.planning import plan_transform
from tapes_app.bulk.transform.replacing import replace_in_text
from tapes_app.bulk.transform.transforms import (
    ChangeTool,
    CustomTransformUse,
    DropSteps,
    ReplaceText,
    SetValue,
    Transform,
    check_transform,
    transforms,
)
from tapes_app.engine.errors import InvalidInputError, TransformError
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolCalls, ToolResult, UserStep
from tapes_app.engine.tape.splice import DeleteStep, splice
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.text_pattern import compile_pattern
from tests.engine.strategies import json_values, tapes

IDEMPOTENT: list[Transform] = [
    ReplaceText(pattern=r"[a-m]+", replacement="Z"),
    ReplaceText(pattern="0", replacement="9", step_kinds=("user", "tool"), pointer="/content"),
    SetValue(pointer="/content", value="gone", step_kinds=("user",)),
    DropSteps(step_kinds=("assistant", "odd_thought")),
    ChangeTool(name="0", new_name="other"),
]


@given(tapes(), st.sampled_from(IDEMPOTENT))
def test_the_child_is_valid_and_transforming_it_again_changes_nothing(
    tape: Tape, transform: Transform
) -> None:
    before = tape.to_json()

    child = splice(tape, plan_transform(tape, [transform]), author="tests")

    assert Tape.model_validate(child.to_json()).content_equals(child)
    assert plan_transform(child, [transform]) == ()
    assert tape.to_json() == before
    assert child.metadata.parent_id == tape.id


@given(tapes(), st.lists(st.sampled_from(IDEMPOTENT), min_size=2, max_size=3))
def test_several_at_once_do_what_one_after_the_other_does(
    tape: Tape, wanted: list[Transform]
) -> None:
    at_once = splice(tape, plan_transform(tape, wanted), author="tests")

    one_by_one = tape
    for transform in wanted:
        one_by_one = splice(one_by_one, plan_transform(one_by_one, [transform]), author="tests")

    assert at_once.content_equals(one_by_one)


@given(json_values, st.lists(st.sampled_from(["*", "a", "0", "1"]), max_size=3))
def test_what_is_not_changed_is_the_same_object(value: Any, names: list[str]) -> None:
    assert change_places(value, tuple(names), lambda inner: inner) is value


def test_a_place_may_name_every_item_of_a_level() -> None:
    value = {"calls": [{"n": 1, "m": 0}, {"n": 2}, "text"], "*": {"n": 5}}

    changed = change_places(value, ("calls", "*", "n"), lambda old: old * 10)

    assert changed == {"calls": [{"n": 10, "m": 0}, {"n": 20}, "text"], "*": {"n": 5}}
    assert change_places(value, ("~2", "n"), lambda _: 0)["*"] == {"n": 0}
    assert value["calls"] == [{"n": 1, "m": 0}, {"n": 2}, "text"]


def test_groups_of_the_pattern_may_be_used() -> None:
    tape = Tape(steps=(UserStep(content="call 555-1234 or 555-9876"), UserStep(content="hi")))
    transform = ReplaceText(pattern=r"(\d+)-(?P<rest>\d+)", replacement=r"\g<rest>/\1")

    operations = plan_transform(tape, [transform])

    assert len(operations) == 1
    assert splice(tape, operations, author="")[0].to_json()["content"] == (
        "call 1234/555 or 9876/555"
    )


def calling(name: str, arguments: Any) -> ToolCalls:
    call = {"id": "1", "function": {"name": name, "arguments": arguments}}
    return ToolCalls.model_validate({"tool_calls": [call]})


def test_a_tool_gets_other_names_in_calls_and_in_what_is_declared() -> None:
    schema = {"properties": {"q": {"type": "string"}, "n": {}}, "required": ["q"]}
    tool = {"type": "function", "function": {"name": "search", "parameters": schema}}
    tape = Tape(
        context={"tools": [tool]},
        steps=(
            calling("search", '{"q": "Zürich", "n": 3}'),
            ToolResult(content="found", tool_call_id="1"),
            calling("search", {"q": "x"}),
            calling("search", "no JSON"),
            calling("other", {"q": "x"}),
        ),
    )
    transform = ChangeTool(name="search", new_name="look_up", arguments={"q": "query"})

    child = splice(tape, plan_transform(tape, [transform]), author="")

    functions = [
        step.to_json()["tool_calls"][0]["function"] for step in child if step.kind != "tool"
    ]
    assert [function["name"] for function in functions] == ["look_up"] * 3 + ["other"]
    assert json.loads(functions[0]["arguments"]) == {"query": "Zürich", "n": 3}
    assert "Zürich" in functions[0]["arguments"]
    assert [function["arguments"] for function in functions[1:]] == [
        {"query": "x"}, "no JSON", {"q": "x"},
    ]  # fmt: skip
    declared = child.context["tools"][0]["function"]
    assert declared["name"] == "look_up"
    assert list(declared["parameters"]["properties"]) == ["query", "n"]
    assert declared["parameters"]["required"] == ["query"]


def test_arguments_that_would_get_one_name_are_refused() -> None:
    tape = Tape(steps=(calling("search", {"q": 1, "query": 2}),))

    with pytest.raises(TransformError, match="Two arguments of 'search'"):
        plan_transform(tape, [ChangeTool(name="search", new_name="s", arguments={"q": "query"})])


def test_a_pattern_that_looks_through_the_rest_at_each_place_is_stopped() -> None:
    with pytest.raises(TransformError, match="took longer than 1 s"):
        replace_in_text(compile_pattern("a.*b|a"), "", "a" * 3_000_000)


@pytest.mark.parametrize(
    ("replacement", "made"),
    [(r"[\2\1]", "[42Zoë]!"), (r"\g<0>\n\\", "Zoë 42\n\\!"), (r"\g<who>é", "Zoëé!"), ("", "!")],
)
def test_a_replacement_refers_to_groups(replacement: str, made: str) -> None:
    pattern = compile_pattern(r"(?P<who>\pL+) (\d+)")

    assert replace_in_text(pattern, replacement, "Zoë 42!") == made


def test_a_text_that_would_explode_is_refused() -> None:
    with pytest.raises(TransformError, match="longer than 5,000,000"):
        replace_in_text(compile_pattern(""" ?"""), "x" * 10_000, "b" * 2_000)


def test_a_plugin_brings_transforms_of_its_own() -> None:
    def drop_last(tape: Tape, settings: Any) -> list[Any]:
        return [DeleteStep(position=len(tape) - 1 - at) for at in range(settings["count"])]

    transforms.add("drop_last", drop_last)
    tape = Tape(steps=(UserStep(content="a"), AssistantStep(content="b"), UserStep(content="c")))
    use = CustomTransformUse(name="drop_last", settings={"count": 2})

    assert len(splice(tape, plan_transform(tape, [use]), author="")) == 1
    with pytest.raises(TransformError, match=r"'drop_last' failed: KeyError: 'count'"):
        plan_transform(tape, [CustomTransformUse(name="drop_last")])


@pytest.mark.parametrize(
    ("transform", "words"),
    [
        (ReplaceText(pattern="("), "regular expression is invalid"),
        (ReplaceText(pattern="a{1000000000}"), r"write repetition counts as \{0,5\}, up to"),
        (ReplaceText(pattern="(?R)"), r"uses recursion \(\(\?R\)"),
        (ReplaceText(pattern="a", replacement=r"\1"), "replacement is invalid"),
        (ReplaceText(pattern="a", replacement="\\"), "replacement is invalid"),
        (ReplaceText(pattern="a", replacement=r"\q"), "replacement is invalid"),
        (ReplaceText(pattern="a", replacement=r"\g<no>"), "replacement is invalid"),
        (ReplaceText(pattern="a", pointer="content"), "not a JSON pointer"),
        (SetValue(pointer="/kind", value="x"), "kind and metadata cannot change"),
        (SetValue(pointer="/metadata/agent", value="x"), "kind and metadata cannot change"),
        (SetValue(pointer="", value={}), "Choose the value to set"),
        (CustomTransformUse(name="nobody"), "no transform 'nobody'"),
    ],
)
def test_a_transform_that_makes_no_sense_is_refused(transform: Transform, words: str) -> None:
    with pytest.raises(InvalidInputError, match=words):
        check_transform(transform)
