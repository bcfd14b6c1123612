"""Saved rows for the tests of jobs; valid without arguments."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.utils import timezone

from tapes_app.jobs.store.claims import claim_jobs
from tapes_app.jobs.store.job import Job, create_job
from tapes_app.jobs.store.log import LoggedEvent, read_events
from tapes_app.models import JobRecord, MembershipRecord, ProjectRecord


def store_project(name: str = "") -> ProjectRecord:
    return ProjectRecord.objects.create(name=name or f"project {uuid4()}")


def store_person(project: ProjectRecord | None = None, name: str = "") -> User:
    person = User.objects.create_user(name or f"person-{uuid4()}", password="secret")
    if project is not None:
        MembershipRecord.objects.create(project=project, user=person, role="member")
    return person


def store_job(kind: str = "nothing", *, project: ProjectRecord | None = None, **values: Any) -> Job:
    project = project or store_project()
    return create_job(project.id, kind, **{"request": {}, **values})


def store_claimed_job(kind: str = "nothing", **values: Any) -> Job:
    job = store_job(kind, **values)
    claimed = claim_jobs(job.queue, limit=1, worker="test")
    assert [one.id for one in claimed] == [job.id]
    return claimed[0]


def let_lease_run_out(job_id: UUID) -> None:
    JobRecord.objects.filter(id=job_id).update(
        lease_expires_at=timezone.now() - timedelta(seconds=1)
    )


def seem_killed(job_id: UUID | str) -> None:
    """Leave a job as its worker does that was killed: running, with a lease that is over."""
    JobRecord.objects.filter(id=job_id).update(
        state="running", lease_expires_at=timezone.now() - timedelta(seconds=1)
    )


def read_row(job_id: UUID) -> JobRecord:
    return JobRecord.objects.get(id=job_id)


def read_log(job_id: UUID) -> list[LoggedEvent]:
    return read_events({job_id: 0}, limit=100_000)
