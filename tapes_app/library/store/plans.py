"""What narrows a list of tapes, and how its tapes are found."""

from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Q

from tapes_app.library.domain.tape_query.conditions import (
    Clause,
    Match,
    TapeQuery,
    Words,
    conjuncts,
    leaves,
)
from tapes_app.library.store.conditions import Leaf, compile_clause, is_costly
from tapes_app.library.store.scans import Plan
from tapes_app.library.store.search import find_words
from tapes_app.projects.domain.columns import read_uuid

_IS_ARCHIVED = Match("is", ("archived",))


@dataclass(frozen=True)
class TapeFilter:
    """What narrows a list of tapes; omitted parts do not narrow it."""

    ids: tuple[UUID, ...] | None = None
    """Only these tapes; `None`: any."""

    query: TapeQuery = field(default_factory=TapeQuery)
    """The query; its words are searched for in the tape's own steps."""

    is_archived: bool | None = None
    """Ignored if the query itself mentions archived tapes."""

    @property
    def batch_ids(self) -> tuple[UUID, ...]:
        """The batches that the query names by id."""
        named = (value for part in conjuncts(self.query.clause) for value in _batches_of(part))
        return tuple(found for value in named if (found := read_uuid(value)))

    @property
    def complete_batch(self) -> UUID | None:
        """The batch, if the filter is one complete batch, archived or not, and nothing else."""
        clauses = conjuncts(self.query.clause)
        parts = [part for part in clauses if {*leaves(part)} != {_IS_ARCHIVED}]
        values = _batches_of(parts[0]) if len(parts) == 1 else ()
        is_whole = self.ids is None and not self.query.sequence and len(values) == 1
        return read_uuid(values[0]) if is_whole else None


def plan_list(project: UUID, where: TapeFilter, *, is_for_newest: bool = False) -> Plan:
    """Return how the tapes of a list are found, optionally only its newest ones."""
    found = Q(project_id=project, deleted_at__isnull=True)
    if where.ids is not None:
        found &= Q(id__in=where.ids)
    asked = leaves(where.query.clause)
    if where.is_archived is not None and not any(map(_is_about_archived, asked)):
        found &= Q(archived_at__isnull=not where.is_archived)
    clauses = conjuncts(where.query.clause)
    words = {
        leaf: find_words(
            leaf.text,
            is_phrase=leaf.is_phrase,
            is_for_newest=is_for_newest and leaf in clauses,
        )
        for leaf in asked
        if isinstance(leaf, Words)
    }

    def resolve(leaf: Leaf) -> Q | None:
        return words[leaf].condition() if isinstance(leaf, Words) else None

    costly: list[Clause] = []
    for clause in clauses:
        if any(is_costly(leaf, words) for leaf in leaves(clause)):
            costly.append(clause)
        else:
            found &= compile_clause(clause, project, resolve)
    return Plan(found, tuple(costly), where.query.sequence, words)


def _batches_of(clause: Clause) -> tuple[str, ...]:
    return clause.values if isinstance(clause, Match) and clause.field == "batch" else ()


def _is_about_archived(leaf: Leaf) -> bool:
    return isinstance(leaf, Match) and leaf.field == "is" and "archived" in leaf.values
