"""The suspected step over HTTP: an error, else a finding, else where those that passed part."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tapes_app.engine.tape.dialog_steps import (
    ActionFailure,
    AssistantStep,
    FunctionCall,
    ToolCall,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.library.store.attempts import find_first_error, read_attempt
from tapes_app.models import ProjectRecord, TapeRecord
from tapes_app.tapes.store.edits import fork_tape
from tapes_app.tapes.store.saving import save_tape
from tests.http.worlds import World

pytestmark = pytest.mark.django_db


def call(ticker: str) -> Step:
    function = FunctionCall(name="look_up", arguments=f'{{"ticker": "{ticker}"}}')
    return ToolCalls(tool_calls=(ToolCall(id=str(uuid4()), function=function),))


def attempt(*tickers: str) -> tuple[Step, ...]:
    """Return a question, a call with its result for each ticker, and an answer."""
    steps: list[Step] = [UserStep(content="How is it doing?")]
    for ticker in tickers:
        asked = call(ticker)
        assert isinstance(asked, ToolCalls)
        answered = ToolResult(content=f"{ticker}: {uuid4()}", tool_call_id=asked.tool_calls[0].id)
        steps += [asked, answered]
    return (*steps, AssistantStep(content=f"Well, {uuid4()}"))


def store(project: UUID, steps: tuple[Step, ...], *, task: str = "", outcome: str = "fail") -> UUID:
    tape_id = save_tape(project, Tape(steps=steps))
    TapeRecord.objects.filter(id=tape_id).update(task=task, outcome=outcome)
    return tape_id


def suspect_of(client: Client, tape_id: UUID) -> Any:
    answer = client.get(f"/api/v1/tapes/{tape_id}/suspect")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_the_first_error_beats_everything_else(studio: Client, project: ProjectRecord) -> None:
    steps = (*attempt("VUL")[:3], ActionFailure(error="Tool not found"), ActionFailure(error="No"))
    tape_id = store(project.id, steps)

    assert suspect_of(studio, tape_id) == {
        "position": 3, "why": "error", "words": "Tool not found", "passed_count": 0,
    }  # fmt: skip


def test_without_an_error_it_is_the_gravest_finding(studio: Client, project: ProjectRecord) -> None:
    asked, unanswered = attempt("VUL"), call("AST")
    tape_id = store(project.id, (*asked[:3], unanswered, asked[-1]))

    assert suspect_of(studio, tape_id) == {
        "position": 3, "why": "finding", "words": "Action without observation", "passed_count": 0,
    }  # fmt: skip


def test_without_either_it_is_where_the_tapes_that_passed_are_left(
    studio: Client, project: ProjectRecord
) -> None:
    for tickers in (("VUL", "AST"), ("VUL", "BET")):
        store(project.id, attempt(*tickers), task="t1", outcome="pass")
    store(project.id, attempt("VUL", "ZEP"), task="t2", outcome="pass")
    tape_id = store(project.id, attempt("VUL", "ZEP"), task="t1")

    suspect = suspect_of(studio, tape_id)

    assert (suspect["why"], suspect["position"], suspect["passed_count"]) == ("parting", 3, 2)
    assert suspect["words"].startswith("look_up(")


def test_a_tape_without_a_task_is_held_against_its_family(
    studio: Client, project: ProjectRecord
) -> None:
    parent = store(project.id, attempt("VUL"), outcome="pass")
    child = fork_tape(parent, project=project.id, at=3)

    assert suspect_of(studio, child)["position"] == 2


def test_one_that_passed_and_one_that_is_as_those_have_none(
    studio: Client, project: ProjectRecord
) -> None:
    passed = store(project.id, (ActionFailure(error="No"),), task="t1", outcome="pass")
    store(project.id, attempt(), task="t2", outcome="pass")
    alike = store(project.id, attempt(), task="t2")
    not_begun = store(project.id, attempt()[:1], task="t2")

    assert suspect_of(studio, passed) is None
    assert suspect_of(studio, alike) is None
    assert suspect_of(studio, not_begun) is None


def test_a_finding_that_only_informs_comes_after_a_parting(
    studio: Client, project: ProjectRecord
) -> None:
    alone = store(project.id, attempt("VUL"), task="t1")
    store(project.id, attempt("AST"), task="t2", outcome="pass")
    parted = store(project.id, attempt("VUL"), task="t2")

    assert suspect_of(studio, alone)["words"] == "Unused observation"
    assert suspect_of(studio, parted)["why"] == "parting"


def test_the_first_error_of_a_long_tape_takes_one_query(
    project_id: UUID, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    steps = (*[UserStep(content="Go on")] * 300, ActionFailure(error="No"))
    tape_id = save_tape(project_id, Tape(steps=steps))
    read = read_attempt(TapeRecord.objects.get(id=tape_id))

    with django_assert_num_queries(1):
        found = find_first_error(read.spans, read.error_count)

    assert found is not None
    assert (found.position, found.gist) == (300, "No")


def test_a_tape_of_another_project_is_not_there(studio: Client, elsewhere: World) -> None:
    assert studio.get(f"/api/v1/tapes/{elsewhere.tape}/suspect").status_code == 404
