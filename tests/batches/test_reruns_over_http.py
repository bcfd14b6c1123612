"""Re-runs over HTTP: looked at first, run by another agent into a new batch, stopped for good."""

import asyncio
import json
import threading
from contextlib import suppress
from io import StringIO
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tapes_app import job_kinds  # noqa: F401 - registers what a worker can do
from tapes_app.agents.store.agents import create_agent
from tapes_app.batches.services.rerun_preview import find_place
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.jobs.services.host import Host
from tapes_app.jobs.store.claims import claim_jobs, end_claim
from tapes_app.models import (
    BatchRecord,
    ExperimentRecord,
    JobRecord,
    LLMCallRecord,
    TapeRecord,
)
from tapes_app.runs.services.candidates import load_candidate
from tapes_app.tapes.store.batches import ensure_batch
from tapes_app.tapes.store.saving import save_tape
from tests.experiments.lab import ASKED, HINTED, Lab
from tests.http.worlds import spec

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lab() -> Lab:
    return Lab()


def record(lab: Lab, question: str, answer: str = "It is 24.", **task: Any) -> str:
    """Return a tape of the batch "before": a question and what some agent said to it."""
    said = AssistantStep(content=answer).with_metadata(agent="old", node="act")
    tape = Tape(metadata=TapeMetadata(**task), steps=(UserStep(content=question), said))
    batch = ensure_batch(lab.project.id, "before")
    return str(save_tape(lab.project.id, tape, owner=lab.owner.pk, batch=batch.id))


def start(lab: Lab, *tapes: str, expect: int = 202, **values: Any) -> Any:
    chosen = {"tape_ids": list(tapes)} if tapes else {}
    body = {"agent_version_id": lab.version, "batch_name": "after", **chosen, **values}
    return lab.ask("POST", "reruns", body, expect=expect)


def show(lab: Lab, rerun: Any) -> Any:
    return lab.ask("GET", f"reruns/{rerun['id']}")


def steps_of(lab: Lab, tape: str) -> list[str]:
    items = lab.ask("GET", f"tapes/{tape}/steps")["items"]
    return [str(item["body"]["content"]) for item in items if item["kind"] in ("user", "assistant")]


def test_a_re_run_that_is_removed_while_the_list_is_read_is_no_failure(lab: Lab) -> None:
    going = start(lab, record(lab, "How much?"))

    def remove_before_sums(execute: Any, sql: str, *rest: Any) -> Any:
        if "SUM(" in sql:
            ExperimentRecord.objects.filter(id=going["id"]).delete()
        return execute(sql, *rest)

    with connection.execute_wrapper(remove_before_sums):
        (listed,) = lab.ask("GET", "reruns")["items"]

    assert not ExperimentRecord.objects.exists()
    assert listed["spent"] == {"tokens": 0, "micro_usd": 0}


def test_a_re_run_is_listed_until_its_last_run_is_over(lab: Lab) -> None:
    assert lab.ask("GET", "reruns") == {"items": []}
    started = start(lab, record(lab, ASKED))

    [making] = lab.ask("GET", "reruns")["items"]
    assert (making["id"], making["state"]) == (started["id"], "preparing")
    _make_tapes(lab, UUID(started["id"]))
    [running] = lab.ask("GET", "reruns")["items"]
    assert (running["id"], running["state"], running["tape_count"]) == (making["id"], "running", 1)
    lab.work()

    assert lab.ask("GET", "reruns") == {"items": []}


def test_a_list_of_re_runs_takes_no_more_queries_than_one(lab: Lab) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            lab.ask("GET", "reruns")
        return len(queries)

    tape = record(lab, ASKED)
    _make_tapes(lab, UUID(start(lab, tape)["id"]))
    one = count()
    for name in ("second", "third"):
        _make_tapes(lab, UUID(start(lab, tape, batch_name=name)["id"]))

    assert len(lab.ask("GET", "reruns")["items"]) == 3
    assert count() == one


def test_tapes_are_run_again_from_their_start_into_a_batch_to_compare(lab: Lab) -> None:
    first = record(lab, ASKED, task_id="plain", expected="42", actual="24")
    second = record(lab, HINTED, task_id="hinted", expected="It is 42.", actual="24")

    started = start(lab, first, second, batch_name=" after ")
    lab.work()
    done = show(lab, started)

    assert (done["state"], done["done_count"], done["tape_count"]) == ("finished", 2, 2)
    assert done["states"]["succeeded"] == 2
    assert (done["batch_name"], done["pair_key"]) == ("after", "task")
    [source] = done["sources"]
    assert (source["name"], source["tape_count"]) == ("before", 2)
    new = {
        row["parent_id"]: row
        for row in lab.ask("GET", f"tapes?q=batch:{done['batch_id']}")["items"]
    }
    assert steps_of(lab, new[first]["id"]) == [ASKED, "It is 24."]
    assert steps_of(lab, new[second]["id"]) == [HINTED, "It is 42."]
    assert {row["agent_name"] for row in new.values()} == {"talker"}
    assert steps_of(lab, first) == [ASKED, "It is 24."]
    path = f"batches/diff?a={source['id']}&b={done['batch_id']}&by={done['pair_key']}"
    pairs = [(one["left"], one["right"]) for one in lab.ask("GET", path)["pairs"]]
    assert {(left["task"], left["outcome"], right["outcome"]) for left, right in pairs} == {
        ("plain", "fail", "fail"),
        ("hinted", "fail", "pass"),
    }
    assert BatchRecord.objects.get(name="after").tape_count == 2


def test_a_re_run_that_is_over_is_taken_back_and_the_tapes_that_were_run_again_stay(
    lab: Lab,
) -> None:
    old = record(lab, ASKED)
    before = lab.ask("GET", "tapes")["items"]
    started = start(lab, old)
    refused = lab.ask("POST", f"reruns/{started['id']}/undo", expect=409)
    assert "cancel it first" in refused["message"]
    lab.work()

    undone = lab.ask("POST", f"reruns/{started['id']}/undo")

    assert undone == {"tape_count": 1, "kept_count": 0}
    left = lab.ask("GET", "tapes")["items"]
    assert [row["id"] for row in left] == [row["id"] for row in before]
    assert lab.ask("POST", f"reruns/{started['id']}/undo")["tape_count"] == 0
    spent = show(lab, started)
    assert (spent["llm_call_count"], spent["unpriced_call_count"]) == (1, 0)
    LLMCallRecord.objects.update(cost_micro_usd=None)
    assert show(lab, started)["unpriced_call_count"] == 1
    assert (spent["state"], spent["done_count"], spent["batch_id"]) == ("finished", 1, None)
    assert not BatchRecord.objects.filter(name="after").exists()


def test_a_preview_says_what_fits_and_makes_nothing(lab: Lab) -> None:
    fitting = record(lab, ASKED)
    started_by_agent = save_tape(
        lab.project.id, Tape(steps=(AssistantStep(content="Hello."),)), owner=lab.owner.pk
    )
    archived = record(lab, "old")
    lab.ask("PATCH", f"tapes/{archived}", {"is_archived": True})
    before = TapeRecord.objects.count()

    body = {
        "agent_version_id": lab.version,
        "tape_ids": [fitting, str(started_by_agent), archived],
    }
    found = lab.ask("POST", "reruns/preview", body)

    assert (found["tape_count"], found["looked_at"], found["fitting"]) == (3, 3, 1)
    assert {one["why"]: one["tape_count"] for one in found["left_out"]} == {
        "It begins with an agent step: there is no request to start from.": 1,
        "It is archived; restore it to run it again.": 1,
    }
    assert found["estimate"] is None  # nothing of this agent is recorded
    assert [one["name"] for one in found["sources"]] == ["before"]
    assert TapeRecord.objects.count() == before

    lab.run(repeats=2)
    again = lab.ask("POST", "reruns/preview", {**body, "tape_ids": [fitting, fitting]})
    assert again["estimate"]["tokens"]["likely"] > 0
    assert again["estimate"]["cost_micro_usd"]["likely"] > 0


def test_a_tape_is_planned_in_few_queries(lab: Lab, django_assert_num_queries: Any) -> None:
    """Each attempt of a sweep is planned so: what one takes more, thousands take more."""
    tape = UUID(record(lab, ASKED))
    candidate = load_candidate(lab.project.id, lab.version)

    with django_assert_num_queries(8):
        place = find_place(lab.project.id, tape, lambda: candidate)

    assert (place.kept_count, place.pass_check) == (1, None)


def test_what_does_not_fit_is_left_out_and_nothing_is_left_of_a_run_of_none(lab: Lab) -> None:
    tape = save_tape(
        lab.project.id, Tape(steps=(AssistantStep(content="Hello."),)), owner=lab.owner.pk
    )

    started = start(lab, str(tape))
    lab.work()
    done = show(lab, started)

    assert (done["state"], done["batch_id"], done["tape_count"]) == ("finished", None, 0)
    assert [one["tape_count"] for one in done["left_out"]] == [1]
    assert not BatchRecord.objects.filter(name="after").exists()
    assert not ExperimentRecord.objects.exists()


def test_a_used_up_budget_stops_all_and_fails_none(lab: Lab) -> None:
    # Every answer is wrong: what is judged would fail.
    tapes = [record(lab, ASKED, task_id=f"t{n}", expected="42", actual="42") for n in range(4)]

    started = start(lab, *tapes, budget={"tokens": 1}, concurrency=1)
    lab.work()
    done = show(lab, started)

    assert done["state"] == "finished"
    assert done["stopped_reason"].startswith(
        "The budget of 1 tokens has no room for the first call"
    )
    assert (done["spent"]["tokens"], done["states"]["out_of_budget"]) == (0, 4)
    assert done["states"]["failed"] == 0
    outcomes = TapeRecord.objects.filter(batch_id=done["batch_id"]).values_list(
        "outcome", flat=True
    )
    assert sorted(outcomes).count("fail") <= done["states"]["succeeded"]

    more = {"budget": {"tokens": 1_000_000}}
    lab.ask("POST", f"experiments/{done['id']}/retry", more)
    lab.work()
    again = show(lab, started)
    assert (again["stopped_reason"], again["states"]["succeeded"]) == ("", 4)


def test_a_stopped_run_again_keeps_what_it_has(lab: Lab) -> None:
    tapes = [record(lab, ASKED) for _ in range(3)]
    started = start(lab, *tapes)

    stopped = lab.ask("POST", f"reruns/{started['id']}/cancel")
    lab.work()

    assert stopped["state"] == "cancelled"
    assert not BatchRecord.objects.filter(name="after").exists()
    lab.ask("POST", f"reruns/{started['id']}/cancel", expect=409)


def test_an_attempt_that_died_makes_no_tape_twice(lab: Lab) -> None:
    for _ in range(2):
        record(lab, ASKED)
    started = start(lab)  # all tapes: those that it makes are among them afterwards
    lab.work()
    JobRecord.objects.filter(id=started["id"]).update(state="queued", result=None, finished_at=None)

    lab.work()

    done = show(lab, started)
    assert (done["tape_count"], done["states"]["succeeded"]) == (3, 3)


def test_no_more_runs_than_allowed_are_at_work_at_once(lab: Lab) -> None:
    tapes = [record(lab, ASKED) for _ in range(5)]
    started = start(lab, *tapes, concurrency=2)
    _make_tapes(lab, UUID(started["id"]))

    first = claim_jobs("agents", limit=8, worker="one")
    second = claim_jobs("agents", limit=8, worker="two")
    end_claim(first[0].id, "succeeded")
    third = claim_jobs("agents", limit=8, worker="two")

    assert [len(first), len(second), len(third)] == [2, 0, 1]


def _make_tapes(lab: Lab, rerun_id: UUID) -> None:
    """Let the job that makes the tapes end while no run begins."""
    JobRecord.objects.filter(id=rerun_id).update(queue="making")
    asyncio.run(Host("making", concurrency=1, stopping=threading.Event()).work())


def test_what_cannot_be_run_again_is_refused_in_words(lab: Lab) -> None:
    tape = record(lab, ASKED)
    refused = start(lab, tape, until={"kind": "step", "position": 3}, expect=422)
    assert "cannot stop at a step number" in json.dumps(refused)
    taken = start(lab, tape, batch_name="before", expect=409)
    assert "already exists; choose another name" in taken["message"]
    start(lab, str(lab.project.id), expect=404)
    start(lab, tape, agent_version_id=str(lab.project.id), expect=404)
    assert not JobRecord.objects.exists()


def run_command(*args: str) -> Any:
    out = StringIO()
    with suppress(SystemExit):
        call_command("rerun_tapes", *args, "--project", "Ours", "--json", stdout=out, stderr=out)
    return json.loads(out.getvalue())


def test_the_command_looks_first_then_runs_a_version_to_the_end(lab: Lab, settings: Any) -> None:
    settings.STUDIO_OWNER_NAME = "ada"
    record(lab, HINTED)
    create_agent(lab.project.id, spec("other", model="clever"))

    seen = run_command(
        "--query", "batch:before", "--agent", "talker", "--version", "1", "--preview"
    )
    done = run_command(
        "--query", "batch:before", "--agent", "talker", "--version", "1", "--batch", "after",
        "--tokens", "100000", "--concurrency", "1", "--set", "temperature=0.5", "note=a=b",
    )  # fmt: skip
    kept = lab.ask("GET", f"experiments/{done['undo']}")["request"]["parameters"]
    gone = run_command("--undo", done["undo"])
    unread = run_command("--agent", "talker", "--preview", "--set", "temperature")
    wrong = run_command("--agent", "talker", "--version", "7", "--preview")

    assert (seen["tapes"], seen["fitting"]) == (1, 1)
    assert (done["tapes"], done["states"]) == (1, {"succeeded": 1})
    assert (done["cost_micro_usd"], done["is_cost_known"]) == (0, True)
    assert gone == {"removed": 1, "kept": 0}
    assert kept == {"temperature": 0.5, "note": "a=b"}
    assert "write it as NAME=VALUE" in unread["error"]["message"]
    assert wrong["error"]["message"] == "Agent 'talker' has no version 7; available: [1]."
