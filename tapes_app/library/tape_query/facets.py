"""Facets as parts of a query: which clause is a facet's own, and what a click on it makes."""

from dataclasses import dataclass, replace

from tapes_app.library.tape_query.conditions import (
    AnyOf,
    Between,
    Clause,
    Compare,
    Match,
    Not,
    TapeQuery,
    all_of,
    any_of,
    conjuncts,
)

FACETS = ("outcome", "errors", "agent", "batch", "tag", "lint", "steps")
STEP_BUCKETS: tuple[tuple[int, int | None], ...] = (
    (0, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, 499), (500, None),
)  # fmt: skip
WITH_ERROR = "with"
WITHOUT_ERROR = "without"


@dataclass(frozen=True, slots=True)
class Toggle:
    """What a click on one value of a facet does."""

    is_on: bool
    """The value is chosen now."""

    query: TapeQuery
    """The query after the click."""


def without_facet(query: TapeQuery, facet: str) -> TapeQuery:
    """Return a query without a facet's own clauses: what its values are counted over."""
    rest = tuple(part for part in conjuncts(query.clause) if not _is_own(part, facet))
    return replace(query, clause=all_of(rest))


def toggle_value(query: TapeQuery, facet: str, value: str) -> Toggle:
    """Return whether a value is chosen, and the query in which it is the other way round."""
    wanted = _clause_of(facet, value)
    chosen = [
        option
        for part in conjuncts(query.clause)
        if _is_own(part, facet)
        for option in _options(part)
    ]
    is_on = wanted in chosen
    rest = [option for option in chosen if option != wanted] if is_on else [*chosen, wanted]
    clauses: list[Clause] = []
    is_placed = False
    for part in conjuncts(query.clause):
        if not _is_own(part, facet):
            clauses.append(part)
        elif not is_placed:
            clauses += _join(rest)
            is_placed = True
    if not is_placed:
        clauses += _join(rest)
    return Toggle(is_on, replace(query, clause=all_of(tuple(clauses))))


def bucket_value(bucket: tuple[int, int | None]) -> str:
    """Return the name of a bucket of step counts, as a range is written."""
    low, high = bucket
    return f"{low}..{'' if high is None else high}"


def _is_own(clause: Clause, facet: str) -> bool:
    """Tell whether a clause is of the form that a click on a facet makes."""
    match clause:
        case Match(field, values):
            return (field, values) == ("has", ("error",)) if facet == "errors" else field == facet
        case Not(Match("has", ("error",))):
            return facet == "errors"
        case Between("steps") | Compare("steps"):
            return facet == "steps"
        case AnyOf(parts):
            return facet in ("steps", "errors") and all(_is_own(part, facet) for part in parts)
        case _:
            return False


def _options(clause: Clause) -> list[Clause]:
    match clause:
        case Match(field, values):
            return [Match(field, (value,)) for value in values]
        case AnyOf(parts):
            return list(parts)
        case _:
            return [clause]


def _join(options: list[Clause]) -> list[Clause]:
    if not options:
        return []
    matches = [option for option in options if isinstance(option, Match)]
    if len(matches) == len(options):
        values = tuple(dict.fromkeys(value for match in matches for value in match.values))
        return [Match(matches[0].field, values)]
    return [any_of(tuple(options))]


def _clause_of(facet: str, value: str) -> Clause:
    if facet == "errors":
        has_error = Match("has", ("error",))
        return has_error if value == WITH_ERROR else Not(has_error)
    if facet == "steps":
        low, _, high = value.partition("..")
        return Between("steps", float(low or 0), float(high) if high else None)
    return Match(facet, (value,))
