"""`/metrics` for Prometheus: off unless configured, and only for holders of the token."""

import os
import re
import socket
import time

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from tapes_app.jobs.store.workers import remove_beat, write_beat
from tests.jobs.builders import store_claimed_job, store_job

pytestmark = pytest.mark.django_db

TOKEN = "a-secret-of-the-operator"
LINE = re.compile(r'[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[0-9.e+-]+')


@pytest.fixture
def watched(settings: Settings) -> Client:
    settings.STUDIO_METRICS_TOKEN = TOKEN
    return Client(headers={"Authorization": f"Bearer {TOKEN}"})


def read(client: Client) -> dict[str, float]:
    lines = client.get("/metrics").content.decode().splitlines()
    samples = [line.rpartition(" ") for line in lines if not line.startswith("#")]
    return {name: float(value) for name, _, value in samples}


def test_there_is_no_such_page_unless_it_is_switched_on() -> None:
    answer = Client(headers={"Authorization": "Bearer "}).get("/metrics")

    assert answer.status_code == 404


@pytest.mark.parametrize("header", ["", "Bearer ", "Bearer wrong", f"Basic {TOKEN}", TOKEN])
def test_without_the_token_nothing_is_told(watched: Client, header: str) -> None:
    answer = Client(headers={"Authorization": header}).get("/metrics")

    assert answer.status_code == 401
    assert b"studio_" not in answer.content


def test_it_is_text_as_prometheus_reads_it(watched: Client) -> None:
    store_job(queue='ag"ents\n')
    answer = watched.get("/metrics")
    lines = answer.content.decode().splitlines()

    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    named = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    for line in lines:
        plain = line.replace('\\"', "")
        assert line.startswith("#") or LINE.fullmatch(plain), line
    assert {"studio_jobs", "studio_queue_length", "studio_http_request_seconds"} <= named


def test_it_counts_jobs_and_what_waits(watched: Client) -> None:
    store_claimed_job()
    store_job()
    store_job()

    numbers = read(watched)

    assert numbers['studio_jobs{queue="agents",state="queued"}'] == 2
    assert numbers['studio_jobs{queue="agents",state="running"}'] == 1
    assert numbers['studio_queue_length{queue="agents"}'] == 2
    assert numbers['studio_queue_oldest_seconds{queue="agents"}'] >= 0
    assert numbers["studio_database_bytes"] > 0


def test_it_tells_of_workers(watched: Client) -> None:
    write_beat(socket.gethostname(), os.getpid(), {"agents": time.time()})

    numbers = read(watched)
    remove_beat(socket.gethostname(), os.getpid())

    worker = f'worker="{socket.gethostname()}:{os.getpid()}"'
    assert numbers['studio_workers{queue="agents"}'] == 1
    assert numbers['studio_up{part="worker"}'] == 1
    assert numbers[f"studio_worker_memory_bytes{{{worker}}}"] > 1_000_000


def test_it_counts_requests_by_status_and_time(watched: Client) -> None:
    missing = 'studio_http_requests_total{method="GET",status="404"}'
    before = read(watched)

    watched.get("/static/nope.js")
    watched.generic("BREW", "/static/nope.js")
    after = read(watched)

    assert after[missing] == before.get(missing, 0) + 1
    assert not [name for name in after if "BREW" in name]
    total = sum(value for name, value in after.items() if "requests_total" in name)
    assert after["studio_http_request_seconds_count"] == total
    assert after['studio_http_request_seconds_bucket{le="+Inf"}'] == total
