"""The head of a list that searches for common words: its tapes come from the newest hits."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q

from tapes_app.library.domain.tape_query.conditions import Clause, Words
from tapes_app.library.store.search import FoundWords, read_on
from tapes_app.projects.store.records import reaches


@dataclass(frozen=True, slots=True)
class Head:
    """What is known about words that all tapes of a list must have."""

    clause: Words
    found: FoundWords
    rest: tuple[Clause, ...]
    """The conditions that the tapes still have to be checked for."""

    def condition(self) -> Q:
        """Return the condition for the known tapes, within the period where all are known."""
        known = Q(id__in=list(self.found.tapes))
        return known if self.found.since is None else known & Q(created_at__gt=self.found.since)


def find_head(
    costly: Sequence[Clause], words: Mapping[Words, FoundWords], after: str | None
) -> Head | None:
    """Return the head of a list from its words; it reaches beyond the end of the previous page."""
    common = [
        (found.since, clause)
        for clause in costly
        if isinstance(clause, Words) and (found := words[clause]).since is not None
    ]
    if not common:
        return None
    # The rarest words reach back furthest.
    _, clause = min(common, key=lambda one: one[0])
    rest = tuple(one for one in costly if one is not clause)
    head: Head | None = Head(clause, words[clause], rest)
    while head and after and head.found.since and reaches(after, head.found.since):
        head = read_head_on(head)
    return head


def read_head_on(head: Head, *, times: float = math.inf) -> Head | None:
    """Return a longer head, see `read_on`; `None` if it would become too long."""
    found = read_on(head.found, times=times)
    return None if found is None else replace(head, found=found)
