"""What a list of tapes has in common, and one tape at a glance."""

from uuid import UUID

import pytest
from pytest_django import DjangoAssertNumQueries

from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.frozen_model import new_id
from tapes_app.engine.tape.dialog_steps import (
    ActionFailure,
    FunctionCall,
    ToolCall,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.steps import Step, StepMetadata
from tapes_app.engine.tape.tape import Tape
from tapes_app.library.domain.tape_query.conditions import TapeQuery
from tapes_app.library.domain.tape_query.parser import parse_query
from tapes_app.library.store.lists import count_tapes
from tapes_app.library.store.plans import TapeFilter
from tapes_app.library.store.preview import load_preview
from tapes_app.library.store.summary import summarise_tapes
from tapes_app.models import LintMarkRecord, TapeRecord, TapeTagRecord
from tapes_app.tapes.store.edits import fork_tape
from tapes_app.tapes.store.saving import save_tape
from tests.builders.tapes import answer, make_call, make_tape, user_step

pytestmark = pytest.mark.django_db


def failure(node: str = "") -> Step:
    metadata = StepMetadata(id=new_id(), agent="bot" if node else "", node=node)
    return ActionFailure(error="no", metadata=metadata)


def test_a_summary_counts_outcomes_and_says_where_tapes_fail(project_id: UUID) -> None:
    calls = [make_call(prompt_id="p", cost=2_000_000)]
    passed = save_tape(project_id, Tape(steps=(user_step(), answer(prompt_id="p"))), calls=calls)
    failed = save_tape(project_id, Tape(steps=(user_step(), failure("act"), failure("act"))))
    save_tape(project_id, Tape(steps=(failure("act"), failure())))
    TapeRecord.objects.filter(id=passed).update(outcome="pass")
    TapeRecord.objects.filter(id=failed).update(outcome="fail")

    summary = summarise_tapes(project_id, TapeFilter())

    assert (summary.tape_count, summary.summed_count) == (3, 3)
    assert (summary.passed_count, summary.failed_count, summary.unjudged_count) == (1, 1, 1)
    assert summary.error_tape_count == 2
    assert [(p.name, p.tape_count, p.step_count) for p in summary.failing_nodes] == [
        ("bot.act", 2, 3),
        ("", 1, 1),
    ]
    assert [(p.name, p.tape_count) for p in summary.failing_kinds] == [
        ("action_execution_failure", 2)
    ]
    assert summary.cost is not None
    assert (summary.cost.count, summary.cost.median) == (1, 2.0)
    assert summary.steps is not None
    assert (summary.steps.low, summary.steps.high) == (2, 3)


def test_a_summary_of_the_newest_says_how_many_there_are(project_id: UUID) -> None:
    save_tape(project_id, Tape(steps=(failure("old"),)))
    for _ in range(3):
        save_tape(project_id, make_tape(2))

    summary = summarise_tapes(project_id, TapeFilter(), most=3)

    assert (summary.tape_count, summary.summed_count) == (4, 3)
    assert summary.failing_nodes == ()
    assert summary.cost is None


def test_a_summary_is_of_one_list_in_one_project(
    project_id: UUID, other_project_id: UUID, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    save_tape(other_project_id, Tape(steps=(failure("theirs"),)))
    save_tape(project_id, Tape(steps=(failure("ours"),)))
    save_tape(project_id, make_tape(3))

    with django_assert_num_queries(4):
        summary = summarise_tapes(project_id, TapeFilter(query=parse_query("errors>0")))

    assert summary.tape_count == 1
    assert [place.name for place in summary.failing_nodes] == ["bot.ours"]


def call(*tools: str) -> Step:
    calls = tuple(
        ToolCall(id=f"{tool}-1", function=FunctionCall(name=tool, arguments="{}")) for tool in tools
    )
    return ToolCalls(tool_calls=calls, metadata=StepMetadata(id=new_id()))


def refusal(call_id: str = "") -> Step:
    return ToolResult(
        content="No.", tool_call_id=call_id, is_error=True, metadata=StepMetadata(id=new_id())
    )


def test_a_failed_answer_counts_for_the_tool_that_was_called(project_id: UUID) -> None:
    save_tape(project_id, Tape(steps=(call("add"), refusal(), call("add"), refusal("add-1"))))
    save_tape(project_id, Tape(steps=(call("add", "find"), refusal("find-1"), refusal())))
    save_tape(project_id, Tape(steps=(call("find"), answer("fine"), failure())))
    save_tape(project_id, Tape(steps=(call("add"),)))

    summary = summarise_tapes(project_id, TapeFilter())

    assert [(p.name, p.tape_count, p.step_count) for p in summary.failing_tools] == [
        ("add", 1, 2),
        ("add, find", 1, 1),
        ("find", 1, 1),
    ]


def test_the_steps_of_a_failing_place_find_its_tapes(project_id: UUID) -> None:
    save_tape(project_id, Tape(steps=(call("add"), refusal(), failure("act"), failure())))
    save_tape(project_id, Tape(steps=(call("add", "find"), refusal("add-1"), refusal("find-1"))))
    save_tape(project_id, make_tape(3))
    summary = summarise_tapes(project_id, TapeFilter())

    places = (*summary.failing_nodes, *summary.failing_kinds, *summary.failing_tools)

    assert len(places) == 6
    for place in places:
        query = TapeQuery(sequence=place.found_by)
        assert count_tapes(project_id, TapeFilter(query=query)) == place.tape_count


def test_a_glance_shows_both_ends_and_the_first_failing_step(
    project_id: UUID, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    many = [answer(str(number)) for number in range(22)]
    steps = (user_step("Begin."), *many[:9], failure(), *many[9:])
    parent = save_tape(project_id, Tape(steps=steps))
    tape_id = fork_tape(parent, project=project_id)
    TapeRecord.objects.filter(id=tape_id).update(expected="e" * 1000, actual="a")
    TapeTagRecord.objects.create(project_id=project_id, tape_id=tape_id, name="odd")
    LintMarkRecord.objects.create(
        project_id=project_id, tape_id=tape_id, detector="repeated_loop", severity="warning",
        finding_count=3, position=7,
    )  # fmt: skip

    with django_assert_num_queries(6):
        glance = load_preview(tape_id, project_id)

    assert [step.position for step in glance.steps] == [0, 1, 2, 3, 10, 20, 21, 22, 23]
    assert glance.first_error == 10
    assert [step.position for step in glance.steps if step.is_error] == [10]
    assert glance.steps[0].excerpt == "Begin."
    assert (glance.tape.expected, glance.tape.actual) == ("e" * 1000, "a")
    assert (glance.tape.tags, glance.tape.step_count) == (("odd",), 24)
    assert [(mark.detector, mark.count) for mark in glance.findings] == [("repeated_loop", 3)]


@pytest.mark.parametrize("count", [0, 1, 5])
def test_a_glance_at_a_short_tape_shows_each_step_once(project_id: UUID, count: int) -> None:
    glance = load_preview(save_tape(project_id, make_tape(count)), project_id)

    assert [step.position for step in glance.steps] == list(range(count))
    assert glance.first_error is None


def test_a_long_step_is_cut_and_says_so(project_id: UUID) -> None:
    tape_id = save_tape(project_id, Tape(steps=(user_step("word " * 1000),)))

    (step,) = load_preview(tape_id, project_id).steps

    assert step.is_cut
    assert len(step.excerpt) < 1000


def test_a_step_that_holds_an_image_says_so(project_id: UUID) -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    shown = UserStep(content="Look.", attachments=(image,))
    tape_id = save_tape(project_id, Tape(steps=(user_step("Begin."), shown)))

    steps = load_preview(tape_id, project_id).steps

    assert [step.has_image for step in steps] == [False, True]


def test_a_tape_of_another_project_is_not_glanced_at(
    project_id: UUID, other_project_id: UUID
) -> None:
    with pytest.raises(NotFoundError):
        load_preview(save_tape(other_project_id, make_tape(1)), project_id)
