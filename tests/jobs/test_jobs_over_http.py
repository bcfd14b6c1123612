"""Jobs over HTTP: listed by state, cancelled by name, queued again."""

import time
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from studio.heartbeat import Heartbeat
from tapes_app.jobs.store.job import create_job
from tapes_app.jobs.store.workers import list_workers, write_beat
from tapes_app.models import JobRecord, ProjectRecord
from tests.http.worlds import World
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db


def listed(client: Client, **query: Any) -> list[str]:
    answer = client.get("/api/v1/jobs", query)
    assert answer.status_code == 200, answer.content
    return [row["id"] for row in answer.json()["items"]]


@pytest.fixture
def jobs(project: ProjectRecord) -> list[str]:
    """Three jobs, oldest first: failed, running, queued."""
    made = [str(create_job(project.id, "run", request={}).id) for _ in range(3)]
    JobRecord.objects.filter(id=made[0]).update(state="failed", error_code="llm_error")
    JobRecord.objects.filter(id=made[1]).update(state="running")
    return made


def test_jobs_are_listed_newest_first_by_state(studio: Client, jobs: list[str]) -> None:
    assert listed(studio) == jobs[::-1]
    assert listed(studio, active="true") == [jobs[2], jobs[1]]
    assert listed(studio, active="false") == [jobs[0]]
    assert listed(studio, state="running") == [jobs[1]]
    assert listed(studio, state="running", active="false") == []


def test_a_queued_job_says_that_no_worker_listens_to_its_queue(
    studio: Client, jobs: list[str], settings: Settings, tmp_path: Path
) -> None:
    def list_unheard() -> list[str]:
        return [row["unheard_queue"] for row in studio.get("/api/v1/jobs").json()["items"]]

    settings.STUDIO_DATA_DIR = tmp_path / "nobody"
    assert list_unheard() == ["agents", "", ""]

    settings.STUDIO_DATA_DIR = tmp_path / "somebody"
    worker = Heartbeat(["agents"])
    worker.start()
    try:
        wait_until(list_workers, "the first heartbeat")
        assert list_unheard() == ["", "", ""]
    finally:
        worker.stop()

    settings.STUDIO_DATA_DIR = tmp_path / "deaf"
    write_beat("elsewhere", 1, {"agents": time.time() - 60, "train": time.time()})
    assert list_unheard() == ["agents", "", ""]


def test_jobs_are_listed_by_tape(studio: Client, jobs: list[str], world: World) -> None:
    assert listed(studio, tape=str(world.tape)) == [str(world.job)]


def test_jobs_are_paged_by_key(studio: Client, jobs: list[str]) -> None:
    first = studio.get("/api/v1/jobs", {"limit": 2}).json()
    second = studio.get("/api/v1/jobs", {"limit": 2, "after": first["next"]}).json()

    assert [row["id"] for row in first["items"] + second["items"]] == jobs[::-1]
    assert second["next"] is None


def test_a_cancelled_job_remembers_who_cancelled_it(studio: Client, jobs: list[str]) -> None:
    queued = studio.post(f"/api/v1/jobs/{jobs[2]}/cancel").json()
    running = studio.post(f"/api/v1/jobs/{jobs[1]}/cancel").json()
    over = studio.post(f"/api/v1/jobs/{jobs[0]}/cancel")

    assert (queued["state"], queued["cancelled_by"]) == ("cancelled", "ada")
    assert (running["state"], running["is_cancel_requested"]) == ("running", True)
    assert (over.status_code, over.json()["code"]) == (409, "conflict")


def test_a_failed_job_is_queued_again(studio: Client, jobs: list[str]) -> None:
    again = studio.post(f"/api/v1/jobs/{jobs[0]}/requeue").json()
    refused = studio.post(f"/api/v1/jobs/{jobs[1]}/requeue")

    assert (again["state"], again["error_code"]) == ("queued", "")
    assert refused.status_code == 409


@pytest.mark.parametrize("query", ["state=odd", "limit=0", "after=x", "tape=1", "after=2020~1"])
def test_bad_questions_are_refused(studio: Client, project: ProjectRecord, query: str) -> None:
    assert studio.get(f"/api/v1/jobs?{query}").status_code == 422


def test_a_list_takes_a_fixed_number_of_queries(
    studio: Client,
    project: ProjectRecord,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(20):
        create_job(project.id, "run", request={})

    with django_assert_num_queries(4):
        listed(studio)
