"""The playground: any prompt on any model; streamed, priced, compared, and kept nowhere."""

import asyncio
import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from tapes_app.jobs.services.host import Host
from tapes_app.jobs.store.job import delete_old_short_lived_jobs
from tapes_app.models import (
    ExperimentBranchRecord,
    JobEventRecord,
    JobRecord,
    LLMCallRecord,
    StepRecord,
)
from tests.http.worlds import World
from tests.llms.openai_server import Behaviour, OpenAIServer

pytestmark = pytest.mark.django_db(transaction=True)
HI = [{"role": "user", "content": "What is two and two?"}]


@pytest.fixture
def endpoint() -> Iterator[OpenAIServer]:
    with OpenAIServer(default=Behaviour(text="answer four", cached_tokens=3)) as server:
        yield server


def post(client: Client, path: str, body: Any) -> Any:
    return client.post(f"/api/v1{path}", json.dumps(body), content_type="application/json")


def ask(client: Client, world: World, **values: Any) -> Any:
    return post(client, f"/tapes/{world.tape}/playground", {"messages": HI, **values})


def run_jobs() -> None:
    asyncio.run(Host("agents", concurrency=4, stopping=threading.Event()).work())


def show(client: Client, world: World, job: str) -> Any:
    return client.get(f"/api/v1/tapes/{world.tape}/playground/{job}")


@pytest.fixture(autouse=True)
def _only_ours(world: World) -> None:
    """Leave no other job for the host to work on."""
    ExperimentBranchRecord.objects.all().delete()
    JobRecord.objects.all().delete()


def add_model(client: Client, endpoint: OpenAIServer, **values: Any) -> str:
    body = {
        "name": "loopback",
        "litellm_model": "openai/test-model",
        "base_url": endpoint.base_url,
        "input_price": 1_000_000,
        "cache_read_price": 100_000,
        "output_price": 2_000_000,
        **values,
    }
    made = post(client, "/models", body)
    assert made.status_code == 201, made.content
    return str(made.json()["id"])


def test_a_prompt_is_answered_streamed_priced_and_compared(
    studio: Client, world: World, endpoint: OpenAIServer
) -> None:
    model = add_model(studio, endpoint)
    tools = [{"type": "function", "function": {"name": "add", "parameters": {}}}]

    job = ask(
        studio,
        world,
        model_id=model,
        call_id=str(world.call),
        tools=tools,
        parameters={"temperature": 0.3},
    ).json()
    run_jobs()

    run = show(studio, world, job["id"]).json()
    assert run["job"]["state"] == "succeeded"
    assert run["output"]["content"] == "answer four"
    assert run["finish_reason"] == "stop"
    lines = {line["name"]: line for line in run["price_lines"]}
    assert lines["Cache read"]["tokens"] == 3
    assert sum(line["cost_micro_usd"] or 0 for line in run["price_lines"]) == run["cost_micro_usd"]
    assert [(word["op"], word["text"]) for word in run["words"]] == [
        ("equal", "answer "),
        ("delete", "0"),
        ("insert", "four"),
    ]
    asked = endpoint.requests[-1]
    assert asked["messages"] == HI
    assert asked["tools"] == tools
    assert asked["temperature"] == 0.3
    payloads = [json.loads(e.payload) for e in JobEventRecord.objects.filter(job_id=job["id"])]
    streamed = [event["text"] for event in payloads if event["type"] == "step.delta"]
    assert "".join(streamed) == "answer four"


def test_nothing_of_it_reaches_the_tape_its_calls_or_any_list(studio: Client, world: World) -> None:
    before = (StepRecord.objects.count(), LLMCallRecord.objects.count())

    job = ask(studio, world, model_id=str(world.model)).json()
    waiting = studio.get("/api/v1/jobs?active=true").json()["items"]
    tape = studio.get(f"/api/v1/tapes/{world.tape}").json()
    run_jobs()

    assert show(studio, world, job["id"]).json()["output"]["content"].startswith("You said:")
    assert (StepRecord.objects.count(), LLMCallRecord.objects.count()) == before
    assert waiting == studio.get("/api/v1/jobs").json()["items"] == []
    assert tape["active_job_id"] is None
    assert tape["job"] is None


def test_an_answer_that_is_thrown_away_is_gone(studio: Client, world: World) -> None:
    job = ask(studio, world, model_id=str(world.model)).json()["id"]
    run_jobs()

    gone = studio.delete(f"/api/v1/tapes/{world.tape}/playground/{job}")

    assert gone.status_code == 204
    assert show(studio, world, job).status_code == 404
    assert not JobRecord.objects.filter(id=job).exists()


def test_a_question_that_is_stopped_keeps_its_state_until_it_is_forgotten(
    studio: Client, world: World
) -> None:
    job = ask(studio, world, model_id=str(world.model)).json()["id"]

    studio.delete(f"/api/v1/tapes/{world.tape}/playground/{job}")
    stopped = show(studio, world, job).json()["job"]
    studio.delete(f"/api/v1/tapes/{world.tape}/playground/{job}")

    assert (stopped["state"], stopped["cancelled_by"]) == ("cancelled", "ada")
    assert show(studio, world, job).status_code == 404


def test_old_answers_go_by_themselves_and_other_jobs_stay(studio: Client, world: World) -> None:
    ask(studio, world, model_id=str(world.model))
    run_jobs()
    JobRecord.objects.create(project_id=world.project, kind="import", state="succeeded")
    JobRecord.objects.update(finished_at=JobRecord.objects.latest("created_at").created_at)

    assert delete_old_short_lived_jobs() == 0
    assert delete_old_short_lived_jobs(older_than=timedelta(seconds=-60)) == 1
    assert [job.kind for job in JobRecord.objects.all()] == ["import"]


def test_without_a_model_the_one_that_answered_is_asked_again(studio: Client, world: World) -> None:
    # The recorded call names the project's model "tiny".
    job = ask(studio, world, call_id=str(world.call)).json()["id"]
    run_jobs()

    run = show(studio, world, job).json()

    assert run["model_name"] == "script:echo"
    assert run["output"]["content"] == "You said: What is two and two?"


def test_a_model_that_is_no_longer_here_is_named(studio: Client, world: World) -> None:
    studio.delete(f"/api/v1/models/{world.model}")

    refused = ask(studio, world, call_id=str(world.call))

    assert refused.status_code == 409
    assert "'test/model'" in refused.json()["message"]
    assert ask(studio, world).status_code == 409


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"messages": []}, "at least 1"),
        ({"messages": [{"content": "x"}]}, "the role must be one of"),
        ({"messages": [{"role": ["user"], "content": "x"}]}, "the role must be one of"),
        ({"parameters": {"api_key": "sk-1"}}, "is not allowed"),
    ],
)
def test_what_no_model_takes_is_refused_with_a_reason(
    studio: Client, world: World, values: dict[str, Any], reason: str
) -> None:
    refused = ask(studio, world, model_id=str(world.model), **values)

    assert refused.status_code == 422, refused.content
    assert reason in refused.content.decode()


def test_hostile_text_reaches_the_model_and_comes_back(studio: Client, world: World) -> None:
    said = "nul \x00 half \ud800 bidi \u202e"

    job = ask(
        studio, world, model_id=str(world.model), messages=[{"role": "user", "content": said}]
    ).json()["id"]
    run_jobs()

    assert show(studio, world, job).json()["output"]["content"] == f"You said: {said}"


def test_a_provider_that_fails_says_why(
    studio: Client, world: World, endpoint: OpenAIServer
) -> None:
    model = add_model(studio, endpoint, litellm_model="openai/fail-401")
    endpoint.plan(Behaviour(status=401, error="Incorrect API key provided."))

    job = ask(studio, world, model_id=model).json()["id"]
    run_jobs()

    run = show(studio, world, job).json()
    assert run["job"]["state"] == "failed"
    assert "Incorrect API key" in run["job"]["message"]
    assert run["output"] is None


def test_a_run_is_no_playground_answer(studio: Client, world: World) -> None:
    job = JobRecord.objects.create(
        project_id=world.project, kind="run", request={"tape_id": str(world.tape)}
    )

    assert show(studio, world, str(job.id)).status_code == 404
