"""Sweeps over HTTP: variants over tasks, amended, stopped by a budget, reported with intervals."""

from datetime import timedelta
from io import StringIO
from pathlib import Path
from threading import Event
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.utils import timezone

from optimize_app.models import AdapterRecord, ServedModelRecord, TrainingSetRecord
from tapes_app.experiments.domain.branch_states import ENDS
from tapes_app.jobs.store.claims import requeue_lost_jobs
from tapes_app.models import JobRecord, LLMCallRecord, ModelRecord, TapeRecord
from tests.commands.running import fail, run, run_json
from tests.evaluation.bench import MANY_TASKS, RIGHT, TASKS, WRONG, Bench, bench, of_many_tasks
from tests.jobs.builders import seem_killed
from tests.jobs.hosting import workers_beside
from tests.llms.conftest import model_server
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.waiting import wait_until

__all__ = ["bench", "model_server"]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


@of_many_tasks
def test_a_sweep_says_which_variant_is_better_and_how_sure_that_is(
    bench: Bench, tmp_path: Path
) -> None:
    job = bench.start(repeats=2)

    shown = bench.finish(job)

    sweep = shown["sweep"]
    assert (sweep["state"], sweep["run_count"], sweep["done_count"]) == ("succeeded", 48, 48)
    assert sweep["message"] == "48 runs in 4 batches."
    right, wrong = shown["variants"]
    assert (right["passed_count"], right["failed_count"], right["missing_count"]) == (24, 0, 0)
    assert (wrong["passed_count"], wrong["failed_count"]) == (0, 24)
    # Two attempts at one task say no more than one: twelve tasks count.
    assert right["score"]["clusters"] == MANY_TASKS
    low = right["score"]["estimate"]["low"]
    assert 0.7 < low < 0.8  # Wilson's interval of 12 of 12 begins at 0.757
    assert right["all_attempts"]["estimate"]["value"] == 1
    assert (wrong["difference"]["value"], wrong["difference"]["count"]) == (-1, MANY_TASKS)
    assert wrong["p_value"] < 0.001
    assert wrong["sentence"].startswith('A (math v1, script={"error_rate": 0.0}) is better than B')
    assert right["steadiness"]["sentence"] == "all 24 attempts had the same result."
    assert (right["steadiness"]["flaky_task_count"], shown["best"]) == (0, None)
    names = [batch["name"] for batch in bench.ask("GET", "batches")]
    assert {"exam A1", "exam A2", "exam B1", "exam B2"} <= set(names)
    (task, *_) = shown["tasks"]
    assert task["expected"] == task["cells"][0][0]["answer"] != ""
    assert [[one["passed"] for one in cell] for cell in task["cells"]] == [[True] * 2, [False] * 2]
    tape = bench.ask("GET", f"tapes/{task['cells'][1][0]['tape_id']}")
    assert tape["outcome"] == "fail"
    assert (right["watched"], shown["watching"]) == (None, "")
    while_it_runs(bench, job, tmp_path)


def while_it_runs(bench: Bench, job: str, folder: Path) -> None:
    """Look at the sweep as it was when the run at its ninth task was not over."""
    order = JobRecord.objects.get(id=job).request["tasks"][0]
    listed = [row["id"] for row in bench.ask("GET", "tapes?q=dataset:math-test")["items"]]
    (begun,) = JobRecord.objects.filter(
        kind="run", tape__parent_id=order[8], tape__batch__name="exam A1"
    )
    JobRecord.objects.filter(id=begun.id).update(state="running")
    JobRecord.objects.filter(id=job).update(state="running", finished_at=None)

    shown = bench.look(job)
    right, wrong = (variant["watched"] for variant in shown["variants"])
    said = run("export_sweep", job, str(folder / "so-far.md"))

    assert (sorted(order), order) != (sorted(listed), listed)
    assert (right["score"]["value"], right["score"]["count"]) == (1, 8)
    assert (wrong["difference"]["value"], wrong["difference"]["count"]) == (-1, 8)
    once = shown["variants"][1]["difference"]
    assert once["high"] < 0 < wrong["difference"]["high"] < 0.1
    assert wrong["sentence"] == (
        "So far there is no clear winner between A and B: -100 points (between -100 and +8) over"
        " 8 of 12 tasks."
    )
    assert "however often you look" in shown["watching"]
    assert said.endswith(f"{wrong['sentence']} {shown['watching']}")
    assert "So far there is no clear winner between A and B" in (folder / "so-far.md").read_text()


def test_a_rate_limit_is_waited_for_by_all_workers_and_costs_no_run(
    bench: Bench, model_server: OpenAIServer
) -> None:
    limit = Behaviour(status=429, error="Slow down.", retry_after="1")
    model_server.default = Behaviour(text="42")
    model_server.plan(limit, model_server.default, limit)
    variant = chat_with(bench, model_server)
    model = variant["model_id"]
    job = bench.start(variants=[variant])

    ModelRecord.objects.filter(id=model).update(limited_until=timezone.now() + timedelta(hours=1))
    (held,) = bench.look(job)["held_models"]
    assert (held["name"], held["seconds"] > 3_000) == ("own", True)
    ModelRecord.objects.filter(id=model).update(limited_until=None)
    assert bench.look(job)["held_models"] == []
    with workers_beside("agents", "agents", "serve"):
        bench.wait_for(job)
    (variant,) = bench.look(job)["variants"]

    judged = variant["failed_count"] + variant["passed_count"]
    assert (judged, variant["missing_count"]) == (TASKS, 0)
    assert len(model_server.requests) == TASKS + 2
    the_model_was_trained_on_three_of_them(bench, job, UUID(model))


def chat_with(bench: Bench, server: OpenAIServer) -> Any:
    """Return a variant that asks a server once for each task."""
    own = {"name": "own", "litellm_model": "openai/own", "base_url": server.base_url}
    model = bench.ask("POST", "models", {**own, "max_attempts": 1}, expect=201)["id"]
    (chat,) = (one["spec"] for one in bench.ask("GET", "gallery") if one["name"] == "chat")
    version = bench.ask("POST", "agents", {"spec": chat}, expect=201)["latest_version_id"]
    return {"agent_version_id": version, "model_id": model}


def the_model_was_trained_on_three_of_them(bench: Bench, job: str, model: UUID) -> None:
    """Have an adapter that the studio serves answer as a model that a sweep asked."""
    assert bench.look(job)["learnt"] == []
    project = ModelRecord.objects.get(id=model).project
    (starts,) = JobRecord.objects.get(id=job).request["tasks"]
    run = TapeRecord.objects.get(parent_id=starts[1], batch__name="exam A1")
    alike = TapeRecord.objects.create(project=project, task="of another dataset")
    TapeRecord.objects.filter(id=starts[2]).update(task=alike.task)
    counts = {"train_count": 4, "held_out_count": 1, "tape_count": 4, "size_bytes": 1}
    learnt = TrainingSetRecord.objects.create(
        project=project, name="sums", job_id=uuid4(), request={}, content_hash="0", **counts
    )
    sides = {starts[0]: "train", run.id: "train", alike.id: "train", starts[3]: "held_out"}
    for tape, side in sides.items():
        learnt.sources.create(tape_id=tape, side=side, example_count=1)
    adapter = AdapterRecord.objects.create(
        project=project, name="own", job_id=uuid4(), training_set=learnt, base="tiny", steps=1
    )
    ServedModelRecord.objects.create(
        project=project, name="own", adapter=adapter, base="tiny", job_id=uuid4(), model_id=model
    )

    (told,) = bench.look(job)["learnt"]

    assert (told["variant"], told["task_count"]) == ("A", 3)
    assert told["training_set_id"] == str(learnt.id)
    assert told["sentence"] == (
        "own, which A asks, was trained on 3 of the 4 tasks (training set sums): its score there "
        "may be what it remembers."
    )


def test_a_finished_sweep_is_amended_and_what_it_did_is_used_again(bench: Bench) -> None:
    first = [row["id"] for row in bench.ask("GET", "tapes?q=dataset:math-test")["items"][2:]]
    job = bench.start(tape_ids=first, variants=[bench.vary(RIGHT)], seeds=[7])
    bench.finish(job)
    runs = JobRecord.objects.filter(kind="run").count()

    bench.amend(job, variants=[bench.vary(WRONG)])
    bench.finish(job)
    bench.amend(job, tasks={"q": "dataset:math-test"}, seeds=[8])
    shown = bench.finish(job)

    assert runs == TASKS - 2
    assert JobRecord.objects.filter(kind="run").count() == 2 * 2 * TASKS
    assert [one["missing_count"] for one in shown["variants"]] == [0, 0]
    assert [(one["key"], one["seed"]) for one in shown["variants"][1]["batches"]] == [
        ("B1", 7), ("B2", 8), ("B1+2", 7), ("B2+2", 8),
    ]  # fmt: skip
    assert shown["task_count"] == TASKS
    again = bench.ask("POST", f"sweeps/{job}/amend", {"tasks": {"q": "dataset:math-test"}}, 422)
    assert "in the sweep already" in again["message"]


def test_what_a_budget_stops_is_missing_and_is_made_up_for_when_there_is_more(
    bench: Bench,
) -> None:
    job = bench.start(budget={"calls": 13}, concurrency=1)

    shown = bench.finish(job)

    assert "The budget of 13 LLM calls is used up." in shown["sweep"]["message"]
    right, wrong = shown["variants"]
    assert right["failed_count"] == 0
    assert 0 < right["missing_count"] < TASKS
    assert (wrong["score"], wrong["missing_count"]) == (None, TASKS)
    bench.amend(job, budget={"calls": 100_000}, retry=True)
    shown = bench.finish(job)
    assert [one["missing_count"] for one in shown["variants"]] == [0, 0]
    assert shown["variants"][0]["passed_count"] == TASKS


@pytest.mark.parametrize("limit", [{"calls": 20}, {"tokens": 2_000}])
def test_runs_side_by_side_never_send_more_than_the_budget_and_each_that_ends_counts(
    bench: Bench, limit: dict[str, int]
) -> None:
    job = bench.start(budget=limit, concurrency=2)

    shown = bench.finish(job)

    sent = LLMCallRecord.objects.filter(is_cached=False)
    tokens = sum((one.input_tokens or 0) + (one.output_tokens or 0) for one in sent)
    used = {"calls": sent.count(), "tokens": tokens}
    ended = [
        one
        for one in JobRecord.objects.filter(kind="run")
        if (one.result or {}).get("status") in ENDS
    ]
    assert all(used[name] <= most for name, most in limit.items())
    assert used["calls"] == limit.get("calls", used["calls"])
    assert sum(TASKS - one["missing_count"] for one in shown["variants"]) == len(ended) > 0
    assert "The budget of " in shown["sweep"]["message"]


def test_time_is_a_budget_of_which_more_can_be_given(bench: Bench) -> None:
    job = bench.start(budget={"seconds": 0.001})

    shown = bench.finish(job)

    assert shown["sweep"]["message"] == (
        "0 runs in 0 batches. The time limit of 0.001 s was reached. 2 batches not run."
    )
    assert [one["missing_count"] for one in shown["variants"]] == [TASKS, TASKS]
    bench.amend(job, budget={"seconds": 3600}, retry=True)
    shown = bench.finish(job)
    assert shown["sweep"]["message"] == f"{2 * TASKS} runs in 2 batches."
    assert shown["variants"][0]["passed_count"] == TASKS
    assert 0.001 < shown["sweep"]["seconds"] < 3600


@pytest.mark.parametrize(
    ("less", "words"),
    [
        ({"seconds": 0.5}, "The time limit of 0.5 s was reached."),
        ({"seconds": 150}, ""),
    ],
)
def test_a_time_limit_that_is_set_while_it_runs_stops_what_is_under_way(
    bench: Bench, less: Any, words: str
) -> None:
    job = bench.start()
    with workers_beside("serve"):  # it starts runs, and nobody does them
        runs = JobRecord.objects.filter(kind="run")
        wait_until(lambda: JobRecord.objects.filter(kind="rerun").count() == 2, "both batches")
        bench.amend(job, budget=less)
        if words:
            bench.wait_for(job)
    if words:
        assert words in bench.look(job)["sweep"]["message"]
        assert {run.cancelled_by for run in runs} <= {"the budget"}
        assert bench.ask("GET", "reruns")["items"] == []
    else:
        assert bench.finish(job)["sweep"]["message"] == f"{2 * TASKS} runs in 2 batches."


def test_a_larger_budget_reaches_the_runs_that_are_under_way(bench: Bench) -> None:
    job = bench.start(budget={"calls": 3})
    with workers_beside("serve"):  # it starts runs, and nobody does them
        wait_until(lambda: JobRecord.objects.filter(kind="rerun").exists(), "a first re-run")
        bench.amend(job, budget={"calls": 100_000})

    shown = bench.finish(job)

    assert [one["missing_count"] for one in shown["variants"]] == [0, 0]


@of_many_tasks
def test_a_preview_says_what_is_unknown_and_what_earlier_runs_took(bench: Bench) -> None:
    unknown = bench.ask("POST", "sweeps/preview", bench.describe(repeats=2))
    assert not JobRecord.objects.filter(kind="sweep").exists()
    assert bench.ask("GET", "sweeps")["items"] == []
    job = bench.start()
    bench.finish(job)
    body = {"name": "own", "litellm_model": "openai/own", "base_url": "http://127.0.0.1:9/v1"}
    model = bench.ask("POST", "models", {**body, "api_key": "k"}, expect=201)
    own = {"agent_version_id": bench.agent_version, "model_id": model["id"]}

    known = bench.ask("POST", "sweeps/preview", bench.describe(repeats=2))
    half = bench.ask("POST", "sweeps/preview", bench.describe(variants=[bench.vary(RIGHT), own]))
    more = bench.ask("POST", f"sweeps/{job}/amend/preview", {"repeats": 2, "retry": True})

    counts = ("run_count", "there_count", "new_count")
    assert [unknown[name] for name in counts] == [4 * MANY_TASKS, 0, 4 * MANY_TASKS]
    assert (unknown["tokens"], unknown["cost_micro_usd"], unknown["seconds"]) == (None,) * 3
    assert known["tokens"]["low"] <= known["tokens"]["likely"] <= known["tokens"]["high"]
    spent = sum(one["tokens"] for one in bench.look(job)["variants"])
    assert known["tokens"]["likely"] == pytest.approx(2 * spent, rel=0.2)
    assert known["seconds"]["likely"] > 0
    assert known["reach"].startswith("With 12 tasks and 2 attempts at each, a difference of ")
    assert 0.3 < known["smallest_difference"] < 0.5
    # One of two is known, so their sum is not; and nobody says that the other costs nothing.
    assert half["variants"][0]["tokens"]["likely"] > 0
    assert half["variants"][1]["cost_micro_usd"] is None
    assert (half["tokens"], half["cost_micro_usd"], half["seconds"]) == (None,) * 3
    assert [more[name] for name in counts] == [6 * MANY_TASKS, 2 * MANY_TASKS, 4 * MANY_TASKS]
    assert more["tokens"]["likely"] == pytest.approx(known["tokens"]["likely"], rel=0.2)
    assert bench.look(job)["sweep"]["run_count"] == 2 * MANY_TASKS


def test_a_variant_that_never_works_costs_one_batch(bench: Bench) -> None:
    # Nothing listens on the port.
    model = {"name": "gone", "litellm_model": "openai/gone", "base_url": "http://127.0.0.1:9/v1"}
    gone = bench.ask("POST", "models", {**model, "api_key": "k"}, expect=201)
    broken = {"agent_version_id": bench.agent_version, "model_id": gone["id"]}
    job = bench.start(variants=[bench.vary(RIGHT), broken], repeats=3)

    shown = bench.finish(job)

    assert shown["sweep"]["message"] == f"{4 * TASKS} runs in 4 batches. 2 batches not run."
    right, never = shown["variants"]
    assert (right["passed_count"], never["missing_count"]) == (3 * TASKS, 3 * TASKS)
    assert (never["score"], never["sentence"]) == (None, "")


def test_a_worker_that_dies_leaves_the_sweep_to_the_next_one(bench: Bench) -> None:
    job = bench.start(repeats=2)
    with workers_beside("agents", "serve"):
        wait_until(JobRecord.objects.filter(kind="rerun").exists, "a first batch")
    JobRecord.objects.filter(id=job).update(state="running", lease_expires_at="2020-01-01T00:00Z")
    requeue_lost_jobs()

    shown = bench.finish(job)

    assert shown["sweep"]["message"] == f"{4 * TASKS} runs in 4 batches."
    assert JobRecord.objects.filter(kind="run").count() == 4 * TASKS


def test_cancelling_ends_what_is_under_way_and_a_retry_goes_on(
    bench: Bench, model_server: OpenAIServer
) -> None:
    answers = Event()
    model_server.default = Behaviour(text="42", after=answers)
    slow = chat_with(bench, model_server)
    job = bench.start(variants=[bench.vary(RIGHT), slow])
    with workers_beside("agents", "serve"):
        runs = JobRecord.objects.filter(kind="run", finished_at__isnull=False)
        wait_until(lambda: runs.exists() and model_server.requests, "a run and a call")
        bench.ask("POST", f"jobs/{job}/cancel")
        bench.wait_for(job)
        answers.set()
        wait_until(lambda: not bench.ask("GET", "reruns")["items"], "the runs to end")
    assert bench.look(job)["sweep"]["state"] == "cancelled"

    bench.amend(job, retry=True)
    shown = bench.finish(job)

    assert shown["sweep"]["state"] == "succeeded"
    assert [one["missing_count"] for one in shown["variants"]] == [0, 0]


@pytest.mark.parametrize("was_killed", [False, True])
def test_cancelling_ends_the_runs_of_a_sweep_that_nobody_works_on(
    bench: Bench, was_killed: bool
) -> None:
    job = bench.start()
    with workers_beside("serve"):  # it starts runs, and nobody does them
        wait_until(lambda: JobRecord.objects.filter(kind="rerun").exists(), "a first re-run")
    if was_killed:
        seem_killed(job)

    bench.ask("POST", f"jobs/{job}/cancel")
    call_command("sweep", "--once", stdout=StringIO())

    assert bench.look(job)["sweep"]["state"] == "cancelled"
    assert {one.state for one in JobRecord.objects.all()} == {"cancelled"}
    assert bench.ask("GET", "reruns")["items"] == []


@of_many_tasks
def test_a_paused_sweep_holds_what_is_in_flight_and_goes_on_from_there(
    bench: Bench, model_server: OpenAIServer
) -> None:
    job = start_and_pause(bench, model_server)
    held = {one.state for one in JobRecord.objects.filter(kind="run")}
    asked = len(model_server.requests)
    shown = bench.look(job)["sweep"]

    assert (shown["message"], shown["is_pausing"]) == ("Paused by owner.", False)
    assert "paused" in held
    assert not held & {"queued", "running"}
    assert shown["done_count"] < shown["run_count"]
    bench.ask("POST", f"sweeps/{job}/continue", expect=202)
    report = bench.finish(job)
    done, (variant,) = report["sweep"], report["variants"]
    count = 2 * MANY_TASKS

    assert (done["state"], done["message"]) == ("succeeded", f"{count} runs in 2 batches.")
    # An agent that would now listen to a person has ended, and is scored.
    assert (variant["passed_count"], variant["missing_count"]) == (count, 0)
    # What was held went on: no run was begun, and no answer paid for, twice.
    assert JobRecord.objects.filter(kind="run").count() == count
    assert (len(model_server.requests), asked < count) == (count, True)
    for refused in ("pause", "continue"):
        bench.ask("POST", f"sweeps/{job}/{refused}", expect=409)


@of_many_tasks
def test_a_paused_sweep_is_cancelled_with_all_that_it_holds(
    bench: Bench, model_server: OpenAIServer
) -> None:
    job = start_and_pause(bench, model_server)

    bench.ask("POST", f"jobs/{job}/cancel")

    assert {one.state for one in JobRecord.objects.filter(kind="run")} <= {"cancelled", "succeeded"}
    assert bench.look(job)["sweep"]["state"] == "cancelled"
    bench.amend(job, retry=True)
    assert bench.finish(job)["sweep"]["message"] == f"{2 * MANY_TASKS} runs in 2 batches."


def start_and_pause(bench: Bench, server: OpenAIServer) -> str:
    """Return a sweep that was paused while its model kept several runs waiting."""
    answers = Event()
    server.default = Behaviour(text="42", after=answers)
    scorer = {"kind": "check", "check": {"kind": "contains", "text": "42"}}
    job = bench.start(variants=[chat_with(bench, server)], repeats=2, scoring={"scorer": scorer})
    with workers_beside("agents", "agents", "serve"):
        wait_until(lambda: len(server.requests) > 1, "two calls")
        bench.ask("POST", f"sweeps/{job}/pause", expect=202)
        assert bench.look(job)["sweep"]["is_pausing"] is True
        held = JobRecord.objects.filter(kind="run", state="paused")
        wait_until(held.exists, "what is queued to be held")
        answers.set()
        wait_until(lambda: state_of(job) == "paused", "the sweep to pause")
    return job


def test_a_pause_that_is_taken_back_or_whose_worker_dies_loses_nothing(bench: Bench) -> None:
    job = bench.start(scoring={"scorer": {"kind": "answer"}})
    assert run("pause_sweep", job) == "exam is being paused."
    assert run("pause_sweep", job, "--continue") == "exam continues."
    with workers_beside("serve"):
        wait_until(lambda: JobRecord.objects.filter(kind="rerun").count() == 2, "both batches")
        bench.ask("POST", f"sweeps/{job}/pause", expect=202)
        wait_until(lambda: state_of(job) == "paused", "the sweep to pause")
    # Its worker had died before it could say so.
    JobRecord.objects.filter(id=job).update(state="running", lease_expires_at="2020-01-01T00:00Z")
    requeue_lost_jobs()

    shown = bench.finish(job)

    assert shown["sweep"]["message"] == f"{2 * TASKS} runs in 2 batches."
    assert [one["score"]["clusters"] for one in shown["variants"]] == [TASKS, TASKS]


def state_of(job: str) -> str:
    return JobRecord.objects.get(id=job).state


@pytest.mark.parametrize(
    ("changes", "status", "words"),
    [
        ({"q": "dataset:nothing"}, 422, "No tape matches"),
        ({"name": " "}, 422, "name"),
        ({"variants": []}, 422, "variants"),
        ({"variants": [{"agent_version_id": str(uuid4())}]}, 404, "gent version"),
        ({"repeats": 100, "seeds": list(range(100))}, 422, "That would be 80,000 runs"),
        ({"seeds": [-1]}, 422, "seeds"),
        ({"budget": {"tokens": 0}}, 422, "tokens"),
        ({"budget": {"seconds": 0}}, 422, "seconds"),
    ],
)
def test_what_cannot_be_run_is_refused_before_it_is_queued(
    bench: Bench, changes: Any, status: int, words: str
) -> None:
    refused = bench.ask("POST", "sweeps", bench.describe(**changes), expect=status)

    assert words in refused["message"]
    assert not JobRecord.objects.filter(kind="sweep").exists()


def test_a_budget_in_dollars_needs_the_price_of_every_model(bench: Bench) -> None:
    body = {"name": "own", "litellm_model": "openai/own", "base_url": "http://127.0.0.1:9/v1"}
    model = bench.ask("POST", "models", {**body, "api_key": "k"}, expect=201)
    own = {"agent_version_id": bench.agent_version, "model_id": model["id"]}
    dollars = {"micro_usd": 1_000_000}
    described = bench.describe(variants=[bench.vary(RIGHT), own])

    refused = bench.ask("POST", "sweeps", {**described, "budget": dollars}, expect=422)
    asked = {**described, "budget": dollars}
    assert bench.ask("POST", "sweeps/preview", asked, expect=422) == refused
    assert refused["details"]["field"] == "budget.micro_usd"
    assert not JobRecord.objects.filter(kind="sweep").exists()
    job = bench.ask("POST", "sweeps", {**described, "budget": {"calls": 9}}, expect=202)["id"]
    later = bench.ask("POST", f"sweeps/{job}/amend", {"budget": dollars}, expect=422)
    prices = {"input_price": 1_000_000, "output_price": 2_000_000}
    bench.ask("PATCH", f"models/{model['id']}", prices)
    bench.amend(job, budget=dollars)

    assert (
        refused["message"]
        == later["message"]
        == (
            "The price of the model 'own' is unknown, so a budget in dollars cannot be kept. Enter "
            "its prices under Models, or limit tokens or calls instead."
        )
    )
    assert (refused["code"], bench.look(job)["sweep"]["budget"]["micro_usd"]) == (
        "price_unknown", 1_000_000,
    )  # fmt: skip


def test_two_equal_variants_and_a_taken_name_are_refused(bench: Bench) -> None:
    twice = bench.describe(variants=[bench.vary(RIGHT)] * 2)
    assert "Two variants are the same" in bench.ask("POST", "sweeps", twice, 422)["message"]
    job = bench.start()
    bench.finish(job)

    refused = bench.ask("POST", "sweeps", bench.describe(), 409)

    assert "exam A1" in refused["message"]
    assert bench.ask("POST", f"sweeps/{job}/amend", {}, 422)["message"].startswith("Nothing is")
    assert bench.ask("GET", f"sweeps/{uuid4()}", expect=404)["message"]
    assert [one["name"] for one in bench.ask("GET", "sweeps")["items"]] == ["exam"]


@of_many_tasks
def test_the_command_evaluates_and_says_what_came_of_it(bench: Bench) -> None:
    said = run_json(
        "evaluate", "exam", "-q", "dataset:math-test", "--agent", "math@1", "--seed", "1",
        "--seed", "2", "--set", 'script={"error_rate":0.5}',
    )  # fmt: skip

    (only,) = said["variants"]
    assert (said["state"], only["passed"] + only["failed"]) == ("succeeded", 2 * MANY_TASKS)
    assert 0 < only["score"]["low"] < only["score"]["value"] < only["score"]["high"] < 1
    assert set(only["batches"]) == {"A1", "A2"}
    refused = fail("evaluate", "exam", "-q", "dataset:math-test", "--agent", "nobody")
    assert "nobody" in refused


def test_the_commands_preview_and_change_the_budget(bench: Bench) -> None:
    exam = ("evaluate", "exam", "-q", "dataset:math-test", "--agent", "math", "--set", "script={}")

    before = run(*exam, "--preview")
    stopped = run_json(*exam, "--minutes", "0.0001")
    done = bench.look(stopped["job"])["sweep"]["done_count"]
    amended = run("amend_sweep", stopped["job"], "--minutes", "60", "--calls", "900", "--retry")
    shown = bench.finish(stopped["job"])
    added = run_json("amend_sweep", stopped["job"], "--repeats", "1", "--preview")

    assert before == (
        "4 new runs: tokens unknown, dollars unknown, minutes one after the other unknown."
    )
    assert "The time limit of 0.006 s was reached." in stopped["message"]
    # For how many the limit came too late is up to the machine.
    assert amended == f"exam: {TASKS} runs are requested, {done} are done."
    assert shown["sweep"]["message"] == f"{TASKS} runs in 1 batch."
    assert shown["sweep"]["budget"] == {
        "micro_usd": None, "tokens": None, "calls": 900, "seconds": 3600,
    }  # fmt: skip
    assert (added["there_count"], added["new_count"]) == (TASKS, TASKS)
    assert added["tokens"]["likely"] > 0
    assert "Nothing is added" in fail("amend_sweep", stopped["job"])
