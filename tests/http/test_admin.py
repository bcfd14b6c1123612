"""Admin pages: tables are looked at, recorded data is not changed, keys are not shown."""

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import models
from django.test import Client
from django.urls import reverse

from tapes_app import models as tables
from tapes_app.jobs.store.job import create_job

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ALL = list(apps.get_app_config("tapes_app").get_models())
RECORDED = [m for m in ALL if m not in {tables.ProjectRecord, tables.MembershipRecord}]


@pytest.fixture
def staff(client: Client) -> Client:
    user = get_user_model().objects.create_superuser("root", password="x")
    client.force_login(user)
    return client


@pytest.fixture
def project() -> tables.ProjectRecord:
    return tables.ProjectRecord.objects.create(name="Admin test")


def address(model: type[models.Model], page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


@pytest.mark.parametrize("model", ALL)
def test_every_table_has_a_list_that_searches(staff: Client, model: type[models.Model]) -> None:
    assert staff.get(address(model, "changelist")).status_code == 200
    assert staff.get(address(model, "changelist"), {"q": "word"}).status_code == 200


@pytest.mark.parametrize("model", RECORDED)
def test_recorded_data_is_not_added_in_the_admin(staff: Client, model: type[models.Model]) -> None:
    assert staff.get(address(model, "add")).status_code == 403


def test_a_step_is_shown_and_not_changed(staff: Client, project: tables.ProjectRecord) -> None:
    tape = tables.TapeRecord.objects.create(project=project)
    body = {"kind": "user", "content": "half \ud800 <script>alert(1)</script>"}
    step = tables.StepRecord.objects.create(
        log=tape, position=0, kind="user", family="observation", writer="person", body=body
    )
    page = address(tables.StepRecord, "change", step.pk)

    shown = staff.get(page)
    changed = staff.post(page, {"kind": "other"})
    deleted = staff.post(address(tables.StepRecord, "delete", step.pk), {"post": "yes"})

    assert shown.status_code == 200
    assert "\\ud800" in shown.content.decode()
    assert "<script>alert" not in shown.content.decode()
    assert changed.status_code == 403
    assert deleted.status_code == 403
    step.refresh_from_db()
    assert step.kind == "user"


def test_a_models_key_is_not_shown(staff: Client, project: tables.ProjectRecord) -> None:
    model = tables.ModelRecord.objects.create(
        project=project, name="m", litellm_model="x/y", api_key_encrypted=b"sealed-bytes"
    )

    page = staff.get(address(tables.ModelRecord, "change", model.pk)).content.decode()
    listing = staff.get(address(tables.ModelRecord, "changelist")).content.decode()

    assert "x/y" in page
    assert "sealed" not in page + listing
    assert "api_key_encrypted" not in page


def test_jobs_are_cancelled_and_queued_again(staff: Client, project: tables.ProjectRecord) -> None:
    job = create_job(project.id, "run", request={})
    listing = address(tables.JobRecord, "changelist")

    staff.post(listing, {"action": "cancel_jobs", "_selected_action": [str(job.id)]})
    cancelled = tables.JobRecord.objects.get(id=job.id)
    staff.post(listing, {"action": "requeue_jobs", "_selected_action": [str(job.id)]})
    queued = tables.JobRecord.objects.get(id=job.id)

    assert (cancelled.state, cancelled.cancelled_by) == ("cancelled", "root")
    assert queued.state == "queued"


def test_the_list_of_steps_takes_the_same_queries_however_many_there_are(
    staff: Client,
    project: tables.ProjectRecord,
    django_assert_max_num_queries: object,
) -> None:
    tape = tables.TapeRecord.objects.create(project=project)
    tables.StepRecord.objects.bulk_create(
        tables.StepRecord(
            log=tape, position=n, kind="user", family="thought", writer="agent", body={}
        )
        for n in range(60)
    )

    with django_assert_max_num_queries(6):  # type: ignore[operator]
        staff.get(address(tables.StepRecord, "changelist"))
