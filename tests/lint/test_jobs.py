"""What runs leave is linted when they end, and a job lints what is stale."""

import pytest

from tapes_app.lint.services.jobs import start_lint
from tapes_app.lint.services.linting import list_stale_tapes
from tapes_app.models import TapeLintRecord
from tests.jobs.builders import read_row
from tests.runs.browsers import work
from tests.runs.sessions import start_session

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_tape_of_a_run_is_linted_when_it_ends() -> None:
    session = start_session("2")

    work()

    assert TapeLintRecord.objects.get().tape_id == session.tape_id
    assert list_stale_tapes(session.person.project_id) == []


def test_a_job_lints_what_is_stale() -> None:
    session = start_session("2")
    work()
    TapeLintRecord.objects.all().delete()

    job = start_lint(session.person, tape_ids=[], batch_id=None)
    work()

    row = read_row(job.id)
    assert row.state == "succeeded"
    assert row.message == "1 tape linted; 0 with findings."
    assert list_stale_tapes(session.person.project_id) == []
