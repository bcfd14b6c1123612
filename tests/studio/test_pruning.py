"""Old event logs and drafts are removed on request; unfinished jobs and tapes stay."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tapes_app.jobs.store.commands import request_cancel, requeue_job
from tapes_app.jobs.store.job import Job
from tapes_app.models import DraftRecord, JobEventRecord, JobRecord, StepRecord, TapeRecord
from tests.commands.running import fail, run, run_json
from tests.jobs.builders import read_log, read_row, store_job, store_person, store_project

pytestmark = pytest.mark.django_db

LONG_AGO = timezone.now() - timedelta(days=100)


def store_ended_job(**values: Any) -> Job:
    """A job that ended long ago; its log has two events."""
    job = store_job(**values)
    request_cancel(job.project_id, job.id, person="Ada")
    JobRecord.objects.filter(id=job.id).update(finished_at=LONG_AGO)
    return job


def store_draft(tape: TapeRecord, letter: str = "A") -> DraftRecord:
    draft = DraftRecord.objects.create(
        tape=tape, person=store_person(), letter=letter, operations=[{"op": "ä"}], applied_count=1
    )
    DraftRecord.objects.filter(id=draft.id).update(updated_at=LONG_AGO)
    return draft


def test_old_logs_go_to_the_last_event_and_young_ones_stay() -> None:
    old, young = store_ended_job(), store_job()
    request_cancel(young.project_id, young.id, person="Ada")

    dry = run_json("prune", "--events-older-than", "30d", "--dry-run")["would_remove"]
    before = len(read_log(old.id))
    said = run("prune", "--events-older-than", "30d")
    again = run("prune", "--events-older-than", "4w")

    assert dry["events"]["count"] == before == 2
    assert dry["events"]["size_bytes"] > 50
    assert (said, again) == (
        "Removed 2 events older than 30 days.",
        "Removed 0 events older than 28 days.",
    )
    assert read_log(old.id) == []
    assert read_row(old.id).pruned_seq == read_row(old.id).last_seq == 2
    assert len(read_log(young.id)) == 2
    (entry,) = LogEntry.objects.all()
    assert entry.get_change_message() == "Pruned: 2 events older than 30 days."


def test_a_job_whose_log_is_gone_can_be_queued_again() -> None:
    job = store_ended_job()
    run("prune", "--events-older-than", "1d")

    requeue_job(job.project_id, job.id)

    assert [event.seq for event in read_log(job.id)] == [3, 4]


@pytest.mark.parametrize("state", ["queued", "running", "waiting", "paused"])
def test_a_job_that_is_not_over_keeps_its_log_and_the_drafts_of_its_tape(state: str) -> None:
    tape = TapeRecord.objects.create(project=store_project())
    draft = store_draft(tape)
    job = store_ended_job(project=tape.project, tape_id=tape.id)
    JobRecord.objects.filter(id=job.id).update(state=state)

    said = run("prune", "--events-older-than", "30d", "--drafts-older-than", "30d")

    assert said == "Removed 0 events older than 30 days and 0 drafts older than 30 days."
    assert len(read_log(job.id)) == 2
    assert DraftRecord.objects.filter(id=draft.id).exists()


def test_old_drafts_go_and_their_tapes_stay() -> None:
    tape = TapeRecord.objects.create(project=store_project())
    StepRecord.objects.create(
        log=tape, position=0, kind="user", family="observation", writer="person", body={}
    )
    store_draft(tape)
    store_ended_job(project=tape.project, tape_id=tape.id)
    young = DraftRecord.objects.create(tape=tape, person=store_person())

    dry = run("prune", "--drafts-older-than", "90d", "--dry-run")
    said = run("prune", "--drafts-older-than", "90d")

    assert dry == "Would remove 1 draft (0 KiB)."
    assert said == "Removed 1 draft older than 90 days."
    assert list(DraftRecord.objects.all()) == [young]
    assert StepRecord.objects.filter(log=tape).count() == 1


@pytest.mark.parametrize("age", ["0d", "soon", "-3d", "12h", "999999d", ""])
def test_what_is_no_age_is_refused(age: str) -> None:
    job = store_ended_job()

    said = fail("prune", f"--events-older-than={age}")

    assert said == f"{age!r} is not an age; give days or weeks, such as 30d or 4w."
    assert len(read_log(job.id)) == 2


def test_without_an_age_nothing_is_pruned() -> None:
    assert fail("prune").startswith("Give an age:")


def test_the_desk_shows_what_would_go_and_asks_once_more(client: Client) -> None:
    client.force_login(User.objects.create_superuser("root", password="x"))
    store_ended_job()

    asked = client.get("/admin/prune/", {"events": "60", "drafts": "7"}).content.decode()
    mistaken = client.get("/admin/prune/", {"events": "0"}, follow=True).content.decode()
    kept = JobEventRecord.objects.count()
    sent = {"events": "60", "drafts": "7", "confirmed": "1"}
    done = client.post("/admin/prune/", sent, follow=True).content.decode()

    assert "<td>2 (" in asked
    assert 'name="events" value="60"' in asked
    assert "is not an age" in mistaken
    assert kept == 2
    assert "Removed 2 events older than 60 days and 0 drafts older than 7 days." in done
    assert LogEntry.objects.get().user.username == "root"


def test_only_who_may_forget_prunes(client: Client) -> None:
    client.force_login(User.objects.create_user("ann", password="x", is_staff=True))
    store_ended_job()

    answer = client.post("/admin/prune/", {"confirmed": "1"})

    assert answer.status_code == 403
    assert JobEventRecord.objects.count() == 2
