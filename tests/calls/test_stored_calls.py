"""Tests of LLM calls: exact, deduplicated, private to their project."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt, Usage
from tapes_app.engine.model.messages import Message, system_message, user_message
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import ContentRecord, LLMCallRecord, PromptNodeRecord
from tapes_app.tapes.store.calls import (
    CallRow,
    CallWriter,
    count_shared_messages,
    list_calls,
    load_answer,
    load_call,
    load_call_window,
    load_calls,
    outputs_by_prompt_id,
    previous_call,
    save_calls,
)
from tapes_app.tapes.store.edits import fork_tape
from tapes_app.tapes.store.saving import save_tape
from tapes_app.tapes.store.tapes import append_steps
from tests.builders.tapes import answer, full_history_calls, make_call, make_tape

pytestmark = pytest.mark.django_db


def test_a_call_comes_back_as_it_was(project_id: UUID) -> None:
    prompt = Prompt(
        id="p",
        messages=(system_message("Be brief."), user_message("ä\x00\ud800")),
        tools=({"type": "function", "function": {"name": "f", "parameters": {}}},),
        response_format={"type": "json_object"},
        odd_key=[1, None],
    )
    call = LLMCall(
        prompt=prompt,
        output=LLMOutput(content=None, tool_calls=({"id": "1", "function": {}},), refusal="no"),
        usage=Usage(input_tokens=5, cache_read_tokens=0),
        cost_micro_usd=None,
        llm={"model_name": "m", "n": 2**70},
        started_at=datetime(2026, 1, 2, tzinfo=UTC),
        duration_seconds=0.25,
        finish_reason="stop",
        is_cached=True,
        error="cut\x00short",
    )

    row = load_call(save_calls(project_id, [call])[0], project_id)

    assert row.call == call
    assert row.model_name == "m"
    assert row.call.usage.output_tokens is None


@pytest.mark.parametrize(
    "call",
    [
        make_call(prompt_id="\x00" + "x" * 500),
        make_call(cost=2**80, usage=Usage(input_tokens=2**40, output_tokens=-1)),
        make_call().model_copy(update={"duration_seconds": float("inf")}),
        make_call().model_copy(update={"started_at": datetime(2026, 1, 2, 3)}),  # noqa: DTZ001
        make_call().model_copy(
            update={"started_at": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=9)))}
        ),
        make_call().model_copy(update={"prompt": Prompt(id="null")}),
    ],
    ids=["id", "numbers", "infinity", "naive", "first moment", "null prompt"],
)
def test_values_that_no_column_holds_come_back_too(project_id: UUID, call: LLMCall) -> None:
    (call_id,) = save_calls(project_id, [call])

    assert load_call(call_id, project_id).call == call


def test_full_history_prompts_cost_one_row_for_each_message(project_id: UUID) -> None:
    sizes = {}
    for count in (20, 40):
        PromptNodeRecord.objects.all()
        calls = full_history_calls(count)
        save_calls(project_id, calls)
        sizes[count] = (PromptNodeRecord.objects.count(), ContentRecord.objects.count())

    assert sizes[20] == (40, 42)  # messages; their contents, one setting, one model
    assert sizes[40] == (80, 82)
    assert [row.call for row in _all_calls(project_id)][-40:] == full_history_calls(40)


def test_a_run_with_full_history_writes_each_call_in_few_queries(
    project_id: UUID, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    writer = CallWriter(project_id)
    calls = full_history_calls(60)

    for call in calls:
        before = PromptNodeRecord.objects.count()
        with django_assert_max_num_queries(6):
            (call_id,) = writer.save([call])
        assert PromptNodeRecord.objects.count() - before <= 2
        assert load_call(call_id, project_id).call == call


def test_a_writer_goes_on_after_a_rollback(project_id: UUID) -> None:
    tape_id = save_tape(project_id, make_tape(0))
    writer = CallWriter(project_id)
    calls = full_history_calls(3)
    with pytest.raises(NotFoundError):
        append_steps(
            tape_id, (), project=UUID(int=5), expected_count=0, calls=calls, call_writer=writer
        )

    append_steps(tape_id, (), project=project_id, expected_count=0, calls=calls, call_writer=writer)

    assert [row.call for row in list_calls(tape_id, project_id)] == calls
    connection.check_constraints()


def test_reading_takes_fixed_queries(
    project_id: UUID, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (3, 300):
        calls = full_history_calls(count)
        steps = tuple(answer(prompt_id=call.prompt.id) for call in calls)
        tape_id = save_tape(project_id, Tape(steps=steps), calls=calls)

        with django_assert_max_num_queries(5):
            rows = list_calls(tape_id, project_id)
        assert [row.call for row in rows] == calls
        with django_assert_max_num_queries(3):
            assert len(outputs_by_prompt_id(tape_id, project_id)) == count
        with django_assert_max_num_queries(3):
            load_call(rows[-1].id, project_id)


def test_a_fork_shows_the_calls_behind_its_steps(project_id: UUID) -> None:
    calls = full_history_calls(4)
    steps = tuple(answer(prompt_id=call.prompt.id) for call in calls)
    tape_id = save_tape(project_id, Tape(steps=steps), calls=calls)

    child = fork_tape(tape_id, project=project_id, at=2)

    rows = list_calls(child, project_id)
    assert [row.call for row in rows] == calls[:2]
    assert previous_call(rows[1].id, child, project_id) == rows[0].id
    assert previous_call(rows[0].id, child, project_id) is None


def test_a_failed_call_is_listed_but_gives_no_output(project_id: UUID) -> None:
    failed = make_call(prompt_id="f").model_copy(update={"error": "timeout"})
    tape_id = save_tape(project_id, make_tape(1), calls=[failed])

    assert [row.call for row in list_calls(tape_id, project_id)] == [failed]
    assert outputs_by_prompt_id(tape_id, project_id) == {}


def test_equal_prompts_of_other_projects_stay_unseen(
    project_id: UUID, other_project_id: UUID
) -> None:
    call = make_call()
    (mine,), (theirs,) = save_calls(project_id, [call]), save_calls(other_project_id, [call])

    assert PromptNodeRecord.objects.count() == 1
    assert [row.id for row in load_calls([mine, theirs], project_id)] == [mine]
    with pytest.raises(NotFoundError):
        load_call(theirs, project_id)


def test_an_imported_row_is_kept_beside_its_call(project_id: UUID) -> None:
    (call_id,) = save_calls(project_id, [make_call()], sources=[{"timestamp": "2024-01-01 10:00"}])

    assert load_call(call_id, project_id).source == {"timestamp": "2024-01-01 10:00"}


def _all_calls(project: UUID) -> list[CallRow]:
    ids = LLMCallRecord.objects.filter(project_id=project).order_by("created_at", "id")
    return [load_call(call_id, project) for call_id in ids.values_list("id", flat=True)]


def test_a_window_of_a_long_prompt_is_read_without_the_rest(
    project_id: UUID, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    messages = tuple(user_message(f"message {number}") for number in range(500))
    (call_id,) = save_calls(project_id, [ask("long", messages)])

    with django_assert_num_queries(3):
        last, first, total = load_call_window(call_id, project_id, count=10)
    middle, *_ = load_call_window(call_id, project_id, start=200, count=3)
    past_the_end, *_ = load_call_window(call_id, project_id, start=999, count=3)

    assert (first, total) == (490, 500)
    assert last.call.prompt.messages == messages[490:]
    assert middle.call.prompt.messages == messages[200:203]
    assert past_the_end.call.prompt.messages == ()
    assert load_answer(call_id, project_id).call.prompt.messages == ()


@pytest.mark.parametrize(
    ("old", "new", "shared"),
    [
        (range(300), range(301), 300),
        (range(301), range(300), 300),
        (range(300), range(300), 300),
        (range(300), [*range(5), 999, *range(6, 300)], 5),
        (range(300), [999, *range(1, 300)], 0),
        ([], range(3), 0),
        (range(1), [999], 0),
    ],
)
def test_shared_messages_are_counted_from_the_tree(
    project_id: UUID, old: Sequence[int], new: Sequence[int], shared: int
) -> None:
    calls = [
        ask(name, tuple(user_message(f"message {n}") for n in numbers))
        for name, numbers in (("old", old), ("new", new))
    ]
    one, other = save_calls(project_id, calls)

    assert count_shared_messages(other, one, project_id) == (shared, len(old))


def ask(prompt_id: str, messages: tuple[Message, ...]) -> LLMCall:
    return LLMCall(prompt=Prompt(id=prompt_id, messages=messages), output=LLMOutput(content="ok"))
