"""The families that people told for kinds which no class here knows, and the rows that show them.

Loaded steps of such kinds know it (`ToldStep`); stored ones have it in their column.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeVar, get_args
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from tapes_app.engine.steps import (
    Family,
    Step,
    ToldFamily,
    UnknownStep,
    families_of,
    parse_step,
    tell_families,
)
from tapes_app.models import KindFamilyRecord, StepRecord, TapeRecord
from tapes_app.tapes.call_digests import digest_call

_ROWS_AT_ONCE = 500
Item = TypeVar("Item")

Told = Mapping[str, ToldFamily]
LoadTold = Callable[[], Told]
"""Asked once, and only where there is a step of an unknown kind."""


_FAMILIES: dict[str, ToldFamily] = {family: family for family in get_args(ToldFamily)}


class KindCount(NamedTuple):
    """How many stored steps of a kind have a family."""

    kind: str
    family: Family
    steps: int


def load_told(project: UUID) -> dict[str, ToldFamily]:
    """Return the families that people told in a project, by kind."""
    rows = KindFamilyRecord.objects.filter(project=project).values_list("kind", "family")
    return {kind: _FAMILIES[family] for kind, family in rows}


def told_in(project: UUID) -> LoadTold:
    """Return what reads the families that people told, at most once."""
    return cache(lambda: load_told(project))


def tell_steps(steps: Sequence[Step], load: LoadTold) -> Sequence[Step]:
    """Let steps know what was told of their kinds; nothing is read where all kinds are known."""
    if not any(isinstance(step, UnknownStep) for step in steps):
        return steps
    return tell_families(steps, load())


def save_told(project: UUID, kind: str, family: ToldFamily | None) -> ToldFamily | None:
    """Keep the family of a kind; `None` forgets it. Return what was kept before."""
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
    """Give the stored steps of a kind the family that they have now, and return how many changed.

    So do the steps before them: a kind that says nothing is an action where something answers it.
    Each page is a transaction of its own; who asks again after a crash ends what was begun.
    """
    told = load_told(project)
    following = StepRecord.objects.filter(
        log=OuterRef("log"), position=OuterRef("position") + 1
    ).order_by()
    is_before = Q(Exists(following.filter(kind=kind)), family__in=("thought", "action"))
    touched = StepRecord.objects.filter(Q(kind=kind) | is_before, log__project=project)
    changed = 0
    for page in _pages(list(touched.order_by("id").values_list("id", flat=True))):
        rows = StepRecord.objects.filter(id__in=page).annotate(
            next_body=Subquery(following.values("body")[:1])
        )
        late = _find_changes(rows.only("id", "log_id", "family", "body"), told)
        with transaction.atomic():
            # Tapes before steps, as writers lock them; also those where a stop begins or ends.
            _raise_versions({row.log_id for row in rows})
            StepRecord.objects.bulk_update(late, ["family", "call_digest"], batch_size=100)
        changed += len(late)
    return changed


def _pages(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), _ROWS_AT_ONCE):
        yield items[start : start + _ROWS_AT_ONCE]


def _find_changes(rows: Iterable[StepRecord], told: Told) -> list[StepRecord]:
    changed = []
    for row in rows:
        bodies = [row.body, *([row.next_body] if row.next_body is not None else [])]  # type: ignore[attr-defined]
        steps = tell_families([parse_step(body) for body in bodies], told)
        family = families_of(steps)[0]
        if not isinstance(steps[0], UnknownStep) or family == row.family:
            continue
        row.family = family
        row.call_digest = digest_call(row.body) if family == "action" else ""
        changed.append(row)
    return changed


def _raise_versions(logs: set[UUID]) -> None:
    """Let outlines and findings of all tapes that may show steps of these logs be made anew."""
    tapes = TapeRecord.objects.filter(id__in=logs).order_by()
    roots = set(tapes.values_list(Coalesce("root_id", "id"), flat=True))
    families = TapeRecord.objects.filter(Q(id__in=roots) | Q(root_id__in=roots))
    families.update(version=F("version") + 1)
