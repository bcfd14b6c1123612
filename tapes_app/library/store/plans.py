"""What a list of tapes is narrowed to, and how its tapes are found."""

from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Q

from tapes_app.library.store.conditions import Leaf, compile_clause, is_costly
from tapes_app.library.store.scans import Plan
from tapes_app.library.store.search import find_words
from tapes_app.library.tape_query.conditions import (
    Clause,
    Match,
    TapeQuery,
    Words,
    conjuncts,
    leaves,
)
from tapes_app.models import TapeRecord
from tapes_app.tapes.store.access import get_tape, is_of_family


@dataclass(frozen=True)
class TapeFilter:
    """What a list of tapes is narrowed to; what is not given does not narrow."""

    ids: tuple[UUID, ...] | None = None
    """These tapes; `None`: any."""

    query: TapeQuery = field(default_factory=TapeQuery)
    """What a person asked for; its words are looked for in the tape's own steps."""

    parent_id: UUID | None = None
    family_of: UUID | None = None
    """The tapes of one family: its oldest tape and all that descend from it."""

    is_archived: bool | None = None
    """A query that speaks of archived tapes itself decides for itself."""

    is_deleted: bool = False


def plan_list(project: UUID, where: TapeFilter, *, is_for_newest: bool = False) -> Plan:
    """Return how the tapes of a list are found, or its newest ones alone.

    Raises:
        NotFoundError: the tape of `family_of` is not in this project.
    """
    found = Q(project_id=project, deleted_at__isnull=not where.is_deleted)
    if where.ids is not None:
        found &= Q(id__in=where.ids)
    asked = leaves(where.query.clause)
    if where.is_archived is not None and not any(map(_is_about_archived, asked)):
        found &= Q(archived_at__isnull=not where.is_archived)
    if where.parent_id is not None:
        found &= Q(parent_id=where.parent_id)
    if where.family_of is not None:
        tape = get_tape(where.family_of, project)
        relatives = TapeRecord.objects.filter(is_of_family(tape.root_id or tape.id))
        found &= Q(id__in=relatives.values("id"))
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


def _is_about_archived(leaf: Leaf) -> bool:
    return isinstance(leaf, Match) and leaf.field == "is" and "archived" in leaf.values
