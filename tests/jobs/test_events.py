"""The log writer loses nothing, doubles nothing, and writes only for whoever holds the job."""

import asyncio
import gc
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from tapes_app.jobs.domain.protocol import JobProgress, StepDelta, encode_event, frame_event
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.sweeper import sweep
from tapes_app.jobs.store.claims import claim_jobs
from tapes_app.jobs.store.commands import request_cancel
from tapes_app.jobs.store.events import Claim, EventWriter, FencedError
from tapes_app.jobs.store.log import prune_finished_logs, read_events
from tapes_app.jobs.store.threads import Threads
from tapes_app.models import ContentRecord, JobRecord
from tests.jobs.builders import let_lease_run_out, read_log, store_claimed_job, store_job
from tests.jobs.frames import build_step_added

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def writer() -> Iterator[EventWriter]:
    writer = EventWriter()
    yield writer
    writer.close()


def frames_of(job_id: Any) -> list[dict[str, Any]]:
    return [json.loads(frame_event(event.seq, event.payload)) for event in read_log(job_id)]


def test_pieces_that_come_together_are_written_as_one_event(writer: EventWriter) -> None:
    job = store_claimed_job()
    claim = Claim(job.id, job.attempt)

    for word in ("one ", "two ", "three"):
        writer.emit(claim, StepDelta(prompt_id="p", text=word))
    writer.close()

    *_, last = frames_of(job.id)
    assert (last["type"], last["text"]) == ("step.delta", "one two three")


def test_text_and_tool_arguments_are_not_mixed(writer: EventWriter) -> None:
    job = store_claimed_job()
    claim = Claim(job.id, job.attempt)

    writer.emit(claim, StepDelta(prompt_id="p", text="Let me see. "))
    writer.emit(claim, StepDelta(prompt_id="p", tool_index=0, tool_name="search"))
    writer.emit(claim, StepDelta(prompt_id="p", tool_index=0, tool_arguments='{"q":'))
    writer.emit(claim, StepDelta(prompt_id="p", tool_index=0, tool_arguments=' "x"}'))
    writer.emit(claim, StepDelta(prompt_id="p", tool_index=1, tool_name="fetch"))
    writer.close()

    deltas = [frame for frame in frames_of(job.id) if frame["type"] == "step.delta"]
    assert [frame["tool_name"] for frame in deltas] == ["", "search", "fetch"]
    assert deltas[1]["tool_arguments"] == '{"q": "x"}'


def test_numbers_have_no_gaps_with_many_threads_and_jobs(writer: EventWriter) -> None:
    store = [store_claimed_job() for _ in range(6)]

    def fill(job: Any) -> None:
        claim = Claim(job.id, job.attempt)
        for number in range(50):
            writer.emit(claim, JobProgress(done=number))
            if number % 10 == 0:
                writer.commit(claim, lambda: [JobProgress(done=1000)]).result()

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(fill, store))
    writer.close()

    for job in store:
        frames = frames_of(job.id)
        assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
        plain = [frame["done"] for frame in frames if frame.get("done", 1000) < 1000]
        assert plain == list(range(50))
        assert JobRecord.objects.get(id=job.id).last_seq == len(frames)


def test_rows_and_their_event_are_written_together_or_not_at_all(writer: EventWriter) -> None:
    job = store_claimed_job()
    claim = Claim(job.id, job.attempt)

    def break_halfway() -> list[JobProgress]:
        ContentRecord.objects.create(digest=b"half", body=1)
        raise ValueError("broken")

    def go_well() -> list[JobProgress]:
        ContentRecord.objects.create(digest=b"whole", body=1)
        return [JobProgress(done=7)]

    first = writer.commit(claim, break_halfway)
    writer.commit(claim, go_well).result()

    assert str(first.exception()) == "broken"
    stored = [bytes(digest) for digest in ContentRecord.objects.values_list("digest", flat=True)]
    assert stored == [b"whole"]
    assert [frame["done"] for frame in frames_of(job.id) if "done" in frame] == [7]


def test_a_worker_that_lost_the_job_writes_neither_rows_nor_events(writer: EventWriter) -> None:
    job = store_claimed_job()
    let_lease_run_out(job.id)
    sweep()
    claim_jobs("agents", limit=1, worker="another")
    before = frames_of(job.id)
    stale = Claim(job.id, job.attempt)

    def write_row() -> list[JobProgress]:
        ContentRecord.objects.create(digest=b"late", body=1)
        return [JobProgress(done=1)]

    writer.emit(stale, JobProgress(done=1))
    with pytest.raises(FencedError, match="another worker"):
        writer.commit(stale, write_row).result()

    assert frames_of(job.id) == before
    assert not ContentRecord.objects.exists()


def test_losses_are_counted_anew_when_a_run_has_got_on(writer: EventWriter) -> None:
    job = store_job()
    counts = []

    for gets_on in (False, False, True, False):
        (claimed,) = claim_jobs("agents", limit=1, worker="doomed")
        if gets_on:
            writer.commit(Claim(job.id, claimed.attempt), lambda: [build_step_added()]).result()
        let_lease_run_out(job.id)
        sweep()
        counts.append(JobRecord.objects.get(id=job.id).lost_count)

    assert counts == [1, 2, 1, 2]


async def test_a_failure_that_nobody_waits_for_any_more_is_no_noise(writer: EventWriter) -> None:
    told: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told_of: told.append(told_of))
    threads = Threads(1, name="test")
    context = JobContext(await threads.run(store_claimed_job), writer, threads)
    began, goes_on = threading.Event(), threading.Event()

    def fail() -> list[Any]:
        began.set()
        goes_on.wait()
        raise RuntimeError("too late")

    waiting = asyncio.create_task(context.commit(fail))
    await asyncio.to_thread(began.wait)
    waiting.cancel()
    with suppress(asyncio.CancelledError):
        await waiting
    goes_on.set()
    await asyncio.to_thread(writer.close)
    await asyncio.sleep(0)
    threads.close()
    gc.collect()

    assert told == []


def test_one_transaction_serves_many_jobs(writer: EventWriter) -> None:
    """The failure of one job's work leaves the other jobs of the transaction alone."""
    good, bad = store_claimed_job(), store_claimed_job()

    failing = writer.commit(Claim(bad.id, 1), lambda: [1 / 0])  # type: ignore[list-item]
    fine = writer.commit(Claim(good.id, 1), lambda: [JobProgress(done=1)])

    assert fine.result() is None
    assert isinstance(failing.exception(), ZeroDivisionError)


def test_a_log_is_read_after_each_jobs_own_number(django_assert_num_queries: Any) -> None:
    jobs = [store_claimed_job() for _ in range(3)]

    with django_assert_num_queries(1):
        events = read_events({jobs[0].id: 0, jobs[1].id: 1, jobs[2].id: 2}, limit=100)

    found = {job.id: [event.seq for event in events if event.job_id == job.id] for job in jobs}
    assert list(found.values()) == [[1, 2], [2], []]


def test_pruning_keeps_the_last_event_and_remembers_the_rest() -> None:
    job = store_job()
    request_cancel(job.project_id, job.id, person="Ada")
    JobRecord.objects.filter(id=job.id).update(finished_at="2020-01-01T00:00:00Z")

    assert prune_finished_logs() == 1
    assert prune_finished_logs() == 0

    (last,) = frames_of(job.id)
    assert (last["type"], last["state"], last["seq"]) == ("job.state", "cancelled", 2)
    assert JobRecord.objects.get(id=job.id).pruned_seq == 1


@pytest.mark.parametrize("text", ["\x00", "\ud800", "\u202e<script>", "line\u2028end"])
def test_hostile_text_passes_the_log_unchanged(writer: EventWriter, text: str) -> None:
    job = store_claimed_job()

    writer.emit(Claim(job.id, 1), StepDelta(prompt_id="p", text=text))
    writer.close()

    assert frames_of(job.id)[-1]["text"] == text


def test_numbers_that_json_does_not_have_are_shown_as_nothing() -> None:
    payload = encode_event(build_step_added(body={"kind": "x", "value": float("nan")}))

    assert json.loads(payload)["step"]["body"]["value"] is None
