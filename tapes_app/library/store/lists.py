"""Reading lists of tapes, their headers, outlines and families; no step is parsed here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from tapes_app.library.domain.tape_query.conditions import Words
from tapes_app.library.store.order import NEWEST_FIRST, read_order, read_page
from tapes_app.library.store.plans import TapeFilter, plan_list
from tapes_app.library.store.scans import BUDGET_SECONDS, Scan, scan, scan_all
from tapes_app.library.store.search import FoundWords
from tapes_app.library.store.snippets import find_snippets
from tapes_app.models import TapeRecord
from tapes_app.projects.domain.rows import Page
from tapes_app.tapes.domain.rows import TapeRow
from tapes_app.tapes.store.list_rows import Columns, read_excerpts, read_fields, row_columns

MAX_PAGE = 200


@dataclass(frozen=True, slots=True)
class TapePage(Page[TapeRow]):
    """A page of tapes. A page that is cut may hold few or none; `next` continues the search."""

    # Repeated here: the API schema does not include the fields' docs of a generic base.
    items: tuple[TapeRow, ...]
    searched_count: int | None = None
    """For a search that reads steps: how many tapes it checked for this page."""

    is_cut: bool = False
    """Whether time ran out before the page was full."""


def list_tapes(
    project: UUID,
    where: TapeFilter | None = None,
    *,
    sort: str = NEWEST_FIRST,
    after: str | None = None,
    limit: int = 50,
    budget_seconds: float = BUDGET_SECONDS,
) -> TapePage:
    """Return a page of tapes in an order; `after` is the `next` of the previous page.

    Conditions on steps are checked for as long as `budget_seconds` allows. In any order but newest
    first, all tapes have to be checked before the first one is known.

    Raises:
        InvalidInputError: the order is unknown, `after` is not a cursor of it, or the
            conditions on steps make sorting the list take too long.
    """
    limit = max(1, min(limit, MAX_PAGE))
    order = read_order(sort)
    is_newest_first = str(order) == NEWEST_FIRST
    plan = plan_list(project, where or TapeFilter(), is_for_newest=is_newest_first)
    if not plan.is_light and is_newest_first:
        scanned = scan(project, plan, after=after, limit=limit, budget_seconds=budget_seconds)
        shown = _rows(_read_found(scanned), scanned.words)
        return TapePage(shown, scanned.next, scanned.searched_count, scanned.is_cut)
    fitting = plan.light if plan.is_light else Q(id__in=scan_all(project, plan))
    rows = row_columns(TapeRecord.objects.filter(fitting))
    found, following = read_page(rows, order, after, limit)
    return TapePage(_rows(found, plan.words), following)


def _read_found(scanned: Scan) -> list[Columns]:
    """Return the columns of the tapes that a search found, in its order."""
    read = {one.id: one.row for one in scanned.found if one.row is not None}
    rest = [one.id for one in scanned.found if one.row is None]
    if rest:
        read |= {row["id"]: row for row in row_columns(TapeRecord.objects.filter(id__in=rest))}
    return [read[id] for id in scanned.ids if id in read]


def _rows(rows: Sequence[Columns], words: Mapping[Words, FoundWords]) -> tuple[TapeRow, ...]:
    snippets = find_snippets(words, [row["id"] for row in rows])
    return tuple(
        TapeRow(**fields, **read_excerpts(row), snippet=snippets.get(row["id"], ()))
        for row, fields in zip(rows, read_fields(rows), strict=True)
    )


def count_tapes(project: UUID, where: TapeFilter) -> int:
    """Return the total number of tapes in a list.

    Raises:
        InvalidInputError: the conditions on steps make this take too long.
    """
    plan = plan_list(project, where)
    if plan.is_light:
        return TapeRecord.objects.filter(plan.light).count()
    return len(scan_all(project, plan))


def list_all_ids(project: UUID, where: TapeFilter) -> list[UUID]:
    """Return the ids of all tapes of a list, for an action on every one of them.

    Raises:
        InvalidInputError: the conditions on steps make this take too long.
    """
    plan = plan_list(project, where)
    if plan.is_light:
        records = TapeRecord.objects.filter(plan.light).order_by()
        return list(records.values_list("id", flat=True))
    return list(scan_all(project, plan))


def list_newest_ids(project: UUID, where: TapeFilter, limit: int) -> list[UUID]:
    """Return the newest tapes of a list, as far as a search of the steps gets in its time."""
    plan = plan_list(project, where, is_for_newest=True)
    if not plan.is_light:
        return list(scan(project, plan, after=None, limit=limit).ids)
    newest = TapeRecord.objects.filter(plan.light).order_by("-created_at", "-id")
    return list(newest.values_list("id", flat=True)[:limit])


def list_agent_names(project: UUID) -> list[str]:
    """Return the names of the agents that made the project's tapes, in order.

    Skips from name to name along an index: of a million tapes, it reads one for each agent.
    """
    tapes = TapeRecord.objects.filter(project_id=project, deleted_at__isnull=True)
    in_order = tapes.order_by("agent_name").values_list("agent_name", flat=True)
    names: list[str] = []
    name = in_order.filter(agent_name__gt="").first()
    while name is not None:
        names.append(name)
        name = in_order.filter(agent_name__gt=name).first()
    return names
