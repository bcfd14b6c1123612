"""Findings by tape: written when a tape is linted, read by lists and trends."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F, Q
from django.db.models.functions import Coalesce

from tapes_app.lint.domain.findings import SEVERITIES, Finding, Severity, read_severity
from tapes_app.lint.domain.linter import title_of
from tapes_app.models import LintMarkRecord, TapeLintRecord, TapeRecord

NAME_LENGTH = 110


@dataclass(frozen=True, slots=True)
class LintedTape:
    """One tape's findings, and the version of the tape that they are about."""

    tape_id: UUID
    version: int
    findings: Sequence[Finding]


@dataclass(frozen=True, slots=True)
class FindingCount:
    """On how many tapes a detector found something."""

    detector: str
    title: str
    severity: Severity
    tape_count: int


@dataclass(frozen=True, slots=True)
class TapeMark:
    """A finding of a detector or rule on a tape, with the first step that it is about."""

    detector: str
    title: str
    severity: Severity
    count: int
    position: int


@dataclass(frozen=True, slots=True)
class VersionTrend:
    """The findings on the tapes of one agent version."""

    agent_version_id: UUID
    version: int
    tape_count: int
    """How many tapes of the version were linted."""

    items: tuple[FindingCount, ...]


@transaction.atomic
def save_lint(project: UUID, linted: Sequence[LintedTape], *, stamp: str) -> None:
    """Replace the stored findings on these tapes."""
    ids = [item.tape_id for item in linted]
    LintMarkRecord.objects.filter(tape_id__in=ids).delete()
    LintMarkRecord.objects.bulk_create(mark for item in linted for mark in _marks_of(project, item))
    TapeLintRecord.objects.bulk_create(
        [
            TapeLintRecord(
                tape_id=item.tape_id,
                tape_version=item.version,
                stamp=stamp,
                finding_count=len(item.findings),
            )
            for item in linted
        ],
        update_conflicts=True,
        unique_fields=["tape"],
        update_fields=["tape_version", "stamp", "finding_count", "linted_at"],
    )


def list_stale(project: UUID, stamp: str, *, batch_id: UUID | None = None) -> list[UUID]:
    """Return the tapes whose stored findings are of older steps or other rules, oldest first."""
    tapes = TapeRecord.objects.filter(_of(project), _is_stale(stamp))
    if batch_id is not None:
        tapes = tapes.filter(batch_id=batch_id)
    return list(tapes.order_by("created_at", "id").values_list("id", flat=True))


def count_stale(project: UUID, stamp: str) -> int:
    return TapeRecord.objects.filter(_of(project), _is_stale(stamp)).count()


def with_finding(project: UUID, detector: str) -> Q:
    """Return the condition that picks tapes on which a detector found something.

    `any` means any detector, `none` means tapes that were linted without a finding.
    """
    if detector == "none":
        return Q(lint__finding_count=0)
    if detector == "any":
        return Q(lint__finding_count__gt=0)
    marks = LintMarkRecord.objects.filter(project_id=project, detector=detector[:NAME_LENGTH])
    return Q(id__in=marks.values("tape_id"))


def list_marks(tape_id: UUID) -> tuple[TapeMark, ...]:
    """Return the findings of a tape's last lint run, the gravest first."""
    marks = LintMarkRecord.objects.filter(tape_id=tape_id)
    rows = marks.values_list("detector", "severity", "finding_count", "position")
    found = [
        TapeMark(name, title_of(name), read_severity(severity), count, position)
        for name, severity, count, position in rows
    ]
    found.sort(key=lambda one: (SEVERITIES.index(one.severity), one.position, one.detector))
    return tuple(found)


def count_of_detector(detector: str, severity: str, tape_count: int) -> FindingCount:
    return FindingCount(detector, title_of(detector), read_severity(severity), tape_count)


def list_trend(project: UUID, agent_id: UUID) -> list[VersionTrend]:
    """Return the findings on the tapes of each version of an agent, by number."""
    tapes = TapeRecord.objects.filter(
        _of(project),
        agent_version__agent_id=agent_id,
        agent_version__is_trial=False,
        lint__isnull=False,
    )
    versions = tapes.values_list("agent_version_id", "agent_version__number")
    totals = {
        version: (number, count)
        for version, number, count in versions.annotate(count=Count("id")).order_by()
    }
    marks = LintMarkRecord.objects.filter(project_id=project, tape__in=tapes.values("id"))
    rows = (
        marks.values_list("tape__agent_version_id", "detector", "severity")
        .annotate(count=Count("tape_id"))
        .order_by("detector")
    )
    counts: dict[UUID, list[FindingCount]] = {}
    for version, *row in rows:
        counts.setdefault(version, []).append(count_of_detector(*row))
    found = [
        VersionTrend(version, number, count, tuple(counts.get(version, ())))
        for version, (number, count) in totals.items()
    ]
    return sorted(found, key=lambda item: item.version)


def forget_detector(project: UUID, detector: str) -> None:
    """Remove the findings of a rule or detector that was deleted or turned off."""
    marks = LintMarkRecord.objects.filter(project_id=project, detector=detector)
    by_count: dict[int, list[UUID]] = {}
    for tape_id, count in marks.values_list("tape_id", "finding_count"):
        by_count.setdefault(count, []).append(tape_id)
    marks.delete()
    for count, ids in by_count.items():
        TapeLintRecord.objects.filter(tape_id__in=ids).update(
            finding_count=F("finding_count") - count
        )


def _marks_of(project: UUID, item: LintedTape) -> Iterable[LintMarkRecord]:
    counts = Counter(finding.detector for finding in item.findings)
    firsts: dict[str, Finding] = {}
    for finding in item.findings:
        firsts.setdefault(finding.detector, finding)
    for detector, first in firsts.items():
        yield LintMarkRecord(
            project_id=project,
            tape_id=item.tape_id,
            detector=detector[:NAME_LENGTH],
            severity=first.severity,
            finding_count=counts[detector],
            position=first.position,
        )


def _of(project: UUID) -> Q:
    return Q(project_id=project, deleted_at__isnull=True)


def _is_stale(stamp: str) -> Q:
    version = Coalesce("lint__tape_version", -1)
    return Q(lint__isnull=True) | ~Q(lint__stamp=stamp) | ~Q(version=version)
