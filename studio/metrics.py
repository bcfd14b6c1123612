"""`/metrics`: the state of the studio for Prometheus; only for holders of the token.

The format is Prometheus' text format 0.0.4. Requests are those of the process that answers.
"""

import hmac
from collections.abc import Iterable, Mapping

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from studio.celery import QUEUES
from studio.health import check_parts
from studio.requests import BUCKETS, counts
from studio.sizes import database_bytes, measure_disk
from tapes_app.jobs.services.listeners import read_listening
from tapes_app.jobs.store.draining import list_drained
from tapes_app.jobs.store.numbers import count_by_state, list_queues
from tapes_app.jobs.store.workers import list_workers
from tapes_app.projects.api.people import read_bearer

_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Sample = tuple[Mapping[str, str], float]


@require_safe
@never_cache
def answer_metrics(request: HttpRequest) -> HttpResponse:
    """Answer with all numbers; without a configured token, as if there were no such page."""
    wanted = settings.STUDIO_METRICS_TOKEN
    if not wanted:
        return HttpResponseNotFound("No page or API endpoint exists at this address.")
    given = read_bearer(request.headers.get("Authorization", "")) or ""
    if not hmac.compare_digest(given.encode(), wanted.encode()):
        headers = {"WWW-Authenticate": "Bearer"}
        return HttpResponse("Send STUDIO_METRICS_TOKEN as a bearer token.", status=401,
                            headers=headers)  # fmt: skip
    return HttpResponse(write_metrics(), content_type=_TYPE)


def write_metrics() -> str:
    """Return all numbers as text, without those of the database if it is unavailable."""
    parts = check_parts(read_listening(*QUEUES))
    families = [
        _family("up", "gauge", "Whether a part works.",
                [({"part": name}, float(state == "ok")) for name, state in parts.items()]),
        *_workers(),
        *_requests(),
    ]  # fmt: skip
    if parts["database"] == "ok":
        families += _jobs()
    return "".join(families)


def _jobs() -> list[str]:
    now = timezone.now()
    queues = list_queues()
    drained = list_drained()
    return [
        _family("jobs", "gauge", "Jobs by queue and state.", [
            ({"queue": queue, "state": state}, count) for queue, state, count in count_by_state()
        ]),
        _family("queue_length", "gauge", "Jobs that wait for a worker.", [
            ({"queue": one.queue}, one.queued_count) for one in queues
        ]),
        _family("queue_oldest_seconds", "gauge", "How long the first of a queue has waited.", [
            ({"queue": one.queue}, (now - one.oldest_at).total_seconds() if one.oldest_at else 0)
            for one in queues
        ]),
        _family("worker_draining", "gauge", "Whether a worker takes no new jobs.", [
            ({"worker": one.name}, float(one.name in drained)) for one in list_workers()
        ]),
        _family("database_bytes", "gauge", "Size of the database.", [({}, database_bytes())]),
        _family("disk_free_bytes", "gauge", "Free on the disk of the data folder.", [
            ({}, measure_disk().free_bytes)
        ]),
    ]  # fmt: skip


def _workers() -> list[str]:
    workers = list_workers()
    queues = sorted({queue for worker in workers for queue in worker.queues})
    return [
        _family("workers", "gauge", "Workers that listen to a queue.", [
            ({"queue": queue}, sum(one.hears(queue) for one in workers))
            for queue in queues
        ]),
        _family("worker_memory_bytes", "gauge", "Memory in use by a worker.", [
            ({"worker": one.name}, one.memory_bytes)
            for one in workers if one.memory_bytes is not None
        ]),
        _family("worker_heartbeat_seconds", "gauge", "Since the last heartbeat of a worker.", [
            ({"worker": one.name}, round(one.beat_seconds, 1)) for one in workers
        ]),
    ]  # fmt: skip


def _requests() -> list[str]:
    total = sum(counts.by_status.values())
    buckets = [({"le": str(bucket)}, counts.by_bucket[bucket]) for bucket in BUCKETS]
    name = "http_request_seconds"
    return [
        _family("http_requests_total", "counter", "Requests answered.", [
            ({"method": method, "status": str(status)}, count)
            for (method, status), count in sorted(counts.by_status.items())
        ]),
        _head(name, "histogram", "How long answers took."),
        _lines(f"{name}_bucket", [*buckets, ({"le": "+Inf"}, total)]),
        _lines(f"{name}_sum", [({}, round(counts.seconds, 6))]),
        _lines(f"{name}_count", [({}, total)]),
    ]  # fmt: skip


def _family(name: str, kind: str, words: str, samples: Iterable[Sample]) -> str:
    return _head(name, kind, words) + _lines(name, samples)


def _head(name: str, kind: str, words: str) -> str:
    return f"# HELP studio_{name} {words}\n# TYPE studio_{name} {kind}\n"


def _lines(name: str, samples: Iterable[Sample]) -> str:
    return "".join(
        f"studio_{name}{_write_labels(labels)} {value:.15g}\n" for labels, value in samples
    )


def _write_labels(labels: Mapping[str, str]) -> str:
    pairs = ",".join(f'{name}="{_escape(value)}"' for name, value in labels.items())
    return f"{{{pairs}}}" if pairs else ""


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
