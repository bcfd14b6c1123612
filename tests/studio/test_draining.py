"""A drained worker takes no new job, continues what it holds, and takes work again when resumed."""

import asyncio
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client

from studio.celery import QUEUES
from studio.checks import check_workers
from studio.heartbeat import begin_undrained
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.host import Host
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.store.claims import claim_jobs, requeue_lost_jobs
from tapes_app.jobs.store.draining import list_drained
from tapes_app.jobs.store.workers import remove_beat, write_beat
from tests.commands.running import fail, run, run_json
from tests.jobs.builders import let_lease_run_out, read_row, store_job
from tests.jobs.hosting import host_beside
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db

WORKER = f"{socket.gethostname()}:{os.getpid()}"


@pytest.fixture
def beating() -> Iterator[None]:
    """This process, as a worker with a heartbeat."""
    write_beat(socket.gethostname(), os.getpid(), dict.fromkeys(QUEUES, time.time()))
    yield
    remove_beat(socket.gethostname(), os.getpid())


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root", password="x"))
    return client


_GO_ON = threading.Event()


@job_kind("test-until-told")
async def work_until_told(context: JobContext) -> Outcome:
    context.report_progress(1, 2, "at work")
    await asyncio.to_thread(_GO_ON.wait, 30)
    return Outcome(message="done")


@pytest.mark.django_db(transaction=True)
def test_a_drained_worker_ends_what_it_holds_and_takes_nothing_new(beating: None) -> None:
    _GO_ON.clear()
    held = store_job("test-until-told")

    with host_beside("agents"):
        wait_until(lambda: read_row(held.id).message == "at work", "the job to be at work")
        drained = run("workers", "drain", str(os.getpid()))
        late = store_job("test-until-told")
        listed = [one for one in run_json("workers", "list")["workers"] if one["is_alive"]]
        _GO_ON.set()
    idle = asyncio.run(Host("agents", concurrency=8, stopping=threading.Event()).work())
    states = read_row(held.id).state, read_row(late.id).state
    run("workers", "resume", WORKER)
    asyncio.run(Host("agents", concurrency=8, stopping=threading.Event()).work())

    assert drained == f"{WORKER} takes no new job; it continues 1 job."
    assert [(one["name"], one["is_drained"], len(one["jobs"])) for one in listed] == [
        (WORKER, True, 1)
    ]
    assert (idle, states) == (0, ("succeeded", "queued"))
    assert read_row(late.id).state == "succeeded"


def test_the_desk_drains_after_a_question_and_says_so(root: Client, beating: None) -> None:
    page = f"/admin/workers/{WORKER}/"

    asked = root.get(f"{page}drain/").content.decode()
    before = list_drained()
    done = root.post(f"{page}drain/", {"confirmed": "1"}, follow=True).content.decode()
    health = check_workers(list_drained())
    root.post(f"{page}resume/", {"confirmed": "1"})

    assert "It takes no new job. It holds none and is idle" in asked
    assert before == frozenset()
    assert f"Worker {WORKER} takes no new job." in done
    assert 'data-state="warning">drained<' in done
    assert (health.state, health.found) == (
        "warning",
        "every worker for agents, serve, train is drained",
    )
    assert list_drained() == frozenset()
    logged = LogEntry.objects.order_by("pk").values_list("user__username", "object_repr")
    assert list(logged) == [("root", f"worker {WORKER}")] * 2


def test_only_who_may_act_on_jobs_drains(client: Client, beating: None) -> None:
    client.force_login(User.objects.create_user("ann", password="x", is_staff=True))

    answer = client.post(f"/admin/workers/{WORKER}/drain/", {"confirmed": "1"})

    assert answer.status_code == 403
    assert list_drained() == frozenset()
    assert "Drain…" not in client.get("/admin/").content.decode()


def test_a_worker_that_is_not_there_is_not_drained(root: Client) -> None:
    refused = fail("workers", "drain", "nowhere:1")
    said = root.get("/admin/workers/nowhere:1/drain/", follow=True).content.decode()

    assert refused == "There is no worker 'nowhere:1'; known: none."
    assert "There is no worker &#x27;nowhere:1&#x27;" in said
    assert list_drained() == frozenset()


def test_a_worker_whose_process_ended_is_listed_until_its_jobs_are_taken_back(
    beating: None,
) -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    name = f"{socket.gethostname()}:{process.pid}"
    write_beat(socket.gethostname(), process.pid, {"agents": time.time()})
    held = store_job()

    idle = [one["name"] for one in run_json("workers", "list")["workers"]]
    claim_jobs("agents", limit=1, worker=name)
    holding = {one["name"]: one["is_alive"] for one in run_json("workers", "list")["workers"]}
    let_lease_run_out(held.id)
    requeue_lost_jobs()
    after = [one["name"] for one in run_json("workers", "list")["workers"]]
    remove_beat(socket.gethostname(), process.pid)

    assert idle == after == [WORKER]
    assert holding == {WORKER: True, name: False}


def test_a_worker_that_starts_takes_work_whatever_one_of_its_number_was_told(
    beating: None,
) -> None:
    run("workers", "drain", WORKER)

    begin_undrained()

    assert list_drained() == frozenset()
