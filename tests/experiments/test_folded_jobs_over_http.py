"""A list of jobs that shows runs which were made together once."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from tapes_app.models import ExperimentRecord, JobRecord
from tests.experiments.lab import Lab

pytestmark = pytest.mark.django_db


def list_folded(lab: Lab, *, is_active: bool) -> list[Any]:
    items = lab.ask("GET", f"jobs?folded=true&active={is_active}")["items"]
    return [(one["id"], one["group"] and one["group"]["counts"]) for one in items]


def test_the_first_run_at_work_stands_for_all_of_a_run_n(lab: Lab) -> None:
    first, second, third = start(lab, repeats=3)
    (alone,) = start(lab, repeats=1)

    assert list_folded(lab, is_active=True) == [(alone, None), (first, {"queued": 3})]

    JobRecord.objects.filter(id=first).update(state="succeeded")
    counts = {"succeeded": 1, "queued": 2}
    assert list_folded(lab, is_active=True) == [(alone, None), (second, counts)]
    assert list_folded(lab, is_active=False) == []

    JobRecord.objects.filter(id__in=[second, third]).update(state="failed")
    assert list_folded(lab, is_active=True) == [(alone, None)]
    assert list_folded(lab, is_active=False) == [(first, {"succeeded": 1, "failed": 2})]


def test_runs_of_a_rerun_are_left_to_the_job_that_made_them(lab: Lab) -> None:
    start(lab, repeats=3)
    ExperimentRecord.objects.update(tape=None)

    assert list_folded(lab, is_active=True) == []
    plain = lab.ask("GET", "jobs?active=true")["items"]
    assert [one["group"] for one in plain] == [None] * 3


def test_a_folded_list_takes_a_fixed_number_of_queries(
    lab: Lab, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(5):
        start(lab, repeats=2)

    with django_assert_num_queries(6):
        assert len(list_folded(lab, is_active=True)) == 5


def start(lab: Lab, *, repeats: int) -> list[str]:
    """Start a Run N and return its jobs, by the numbers of its runs."""
    experiment = lab.start(arms=["original"], repeats=repeats)
    branches = ExperimentRecord.objects.get(id=experiment["row"]["id"]).branches
    return [str(job) for job in branches.order_by("number").values_list("job", flat=True)]
