"""Runs that were made together, of which a list shows one that stands for all."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from tapes_app.jobs.domain.protocol import FINAL_STATES, JobState, parse_state
from tapes_app.models import ExperimentBranchRecord, JobRecord


@dataclass(frozen=True, slots=True)
class JobGroup:
    """The runs of a Run N."""

    experiment_id: UUID
    tape_id: UUID
    """The tape that was run again, of which each run has a child."""

    name: str
    counts: Mapping[JobState, int]
    """How many of its runs are in each state, without states that none is in."""


def fold(rows: QuerySet[JobRecord]) -> QuerySet[JobRecord]:
    """Leave out runs that another row of the list stands for.

    Those of a rerun or a sweep have a job that made them. For those of a Run N stands the first
    that is at work, or the first of all once none is.
    """
    runs = ExperimentBranchRecord.objects
    others = runs.filter(experiment=OuterRef("experiment"))
    is_over = Q(job__state__in=FINAL_STATES)
    is_at_work = Q(job__isnull=False) & ~is_over
    first_at_work = Exists(others.filter(is_at_work, number__lt=OuterRef("number")))
    is_stood_for = (
        Q(experiment__tape__isnull=True)
        | (is_at_work & first_at_work)
        | (is_over & Exists(others.filter(is_at_work)))
        | (is_over & Exists(others.filter(job__isnull=False, number__lt=OuterRef("number"))))
    )
    return rows.exclude(Exists(runs.filter(is_stood_for, job=OuterRef("id"))))


def load_groups(job_ids: Collection[UUID]) -> dict[UUID, JobGroup]:
    """Return the groups of several runs that some of the jobs stand for, by those jobs' ids."""
    runs = ExperimentBranchRecord.objects.filter(experiment__tape__isnull=False)
    mine = runs.filter(job__in=job_ids)
    found = list(mine.values_list("job", "experiment", "experiment__tape", "experiment__name"))
    states = runs.filter(
        experiment__in={experiment for _, experiment, *_ in found}, job__isnull=False
    )
    counted = states.order_by().values("experiment", "job__state").annotate(count=Count("id"))
    counts: dict[UUID, dict[JobState, int]] = defaultdict(dict)
    for row in counted:
        counts[row["experiment"]][parse_state(row["job__state"])] = row["count"]
    return {
        job: JobGroup(experiment, tape, name, counts[experiment])
        for job, experiment, tape, name in found
        if sum(counts[experiment].values()) > 1
    }
