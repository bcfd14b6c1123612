"""The families that people set for kinds which no class here knows, and the rows showing them.

Loaded steps of such kinds carry it (`ReclassifiedStep`); stored ones have it in their column.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple, get_args
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from tapes_app.engine.tape.families import AssignedFamily, Family
from tapes_app.engine.tape.steps import Step, UnknownStep, assign_families, families_of, parse_step
from tapes_app.models import KindFamilyRecord, StepRecord, TapeRecord
from tapes_app.tapes.domain.call_digests import digest_call

_ROWS_AT_ONCE = 500

AssignedFamilies = Mapping[str, AssignedFamily]
LoadAssignedFamilies = Callable[[], AssignedFamilies]
"""Called once, and only if there is a step of an unknown kind."""


_FAMILIES: dict[str, AssignedFamily] = {family: family for family in get_args(AssignedFamily)}


class KindCount(NamedTuple):
    """How many stored steps of a kind have a family."""

    kind: str
    family: Family
    steps: int


def load_assigned_families(project: UUID) -> dict[str, AssignedFamily]:
    """Return the families that people set in a project, by kind."""
    rows = KindFamilyRecord.objects.filter(project=project).values_list("kind", "family")
    return {kind: _FAMILIES[family] for kind, family in rows}


def assigned_families_in(project: UUID) -> LoadAssignedFamilies:
    """Return a function that reads the families that people set, at most once."""
    return cache(lambda: load_assigned_families(project))


def assign_step_families(steps: Sequence[Step], load: LoadAssignedFamilies) -> Sequence[Step]:
    """Give steps the assigned families of their kinds; nothing is read if all kinds are known."""
    if not any(isinstance(step, UnknownStep) for step in steps):
        return steps
    return assign_families(steps, load())


def save_assigned_family(
    project: UUID, kind: str, family: AssignedFamily | None
) -> AssignedFamily | None:
    """Store the family of a kind; `None` deletes it. Return the one stored before."""
    rows = KindFamilyRecord.objects.filter(project=project, kind=kind)
    with transaction.atomic():
        before = rows.values_list("family", flat=True).first()
        if family is None:
            rows.delete()
        else:
            KindFamilyRecord.objects.update_or_create(
                project_id=project, kind=kind, defaults={"family": family}
            )
    return None if before is None else _FAMILIES[before]


def count_kinds(project: UUID) -> list[KindCount]:
    """Return the kinds of a project's stored steps with their families, in one query."""
    steps = StepRecord.objects.filter(log__project=project, log__deleted_at=None).order_by("kind")
    counted = steps.values_list("kind", "family").annotate(steps=Count("id"))
    return [KindCount(*row) for row in counted]


def update_rows(project: UUID, kind: str) -> int:
    """Give the stored steps of a kind their current family, and return how many changed.

    The steps before them change too: a kind that reveals nothing is an action if something answers
    it. Each page is a separate transaction; a repeated call after a crash completes the work.
    """
    families = load_assigned_families(project)
    following = StepRecord.objects.filter(
        log=OuterRef("log"), position=OuterRef("position") + 1
    ).order_by()
    is_before = Q(Exists(following.filter(kind=kind)), family__in=("thought", "action"))
    touched = StepRecord.objects.filter(Q(kind=kind) | is_before, log__project=project)
    changed = 0
    ids = list(touched.order_by("id").values_list("id", flat=True))
    for start in range(0, len(ids), _ROWS_AT_ONCE):
        rows = StepRecord.objects.filter(id__in=ids[start : start + _ROWS_AT_ONCE]).annotate(
            next_body=Subquery(following.values("body")[:1])
        )
        late = _find_changes(rows.only("id", "log_id", "family", "body"), families)
        with transaction.atomic():
            # Tapes before steps, as writers lock them; this includes tapes where a stop begins or
            # ends.
            _raise_versions({row.log_id for row in rows})
            StepRecord.objects.bulk_update(late, ["family", "call_digest"], batch_size=100)
        changed += len(late)
    return changed


def _find_changes(rows: Iterable[StepRecord], families: AssignedFamilies) -> list[StepRecord]:
    changed = []
    for row in rows:
        bodies = [row.body, *([row.next_body] if row.next_body is not None else [])]  # type: ignore[attr-defined]
        steps = assign_families([parse_step(body) for body in bodies], families)
        family = families_of(steps)[0]
        if not isinstance(steps[0], UnknownStep) or family == row.family:
            continue
        row.family = family
        row.call_digest = digest_call(row.body) if family == "action" else ""
        changed.append(row)
    return changed


def _raise_versions(logs: set[UUID]) -> None:
    """Invalidate outlines and findings of all tapes that may show steps of these logs."""
    tapes = TapeRecord.objects.filter(id__in=logs).order_by()
    roots = set(tapes.values_list(Coalesce("root_id", "id"), flat=True))
    families = TapeRecord.objects.filter(Q(id__in=roots) | Q(root_id__in=roots))
    families.update(version=F("version") + 1)
