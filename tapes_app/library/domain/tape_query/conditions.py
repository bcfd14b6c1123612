"""What a query asks for, as frozen values: conditions on a tape, and a sequence of steps."""

from dataclasses import dataclass
from typing import Literal, TypeGuard

Operator = Literal["=", "<", "<=", ">", ">="]
Value = float | str
"""A number in the unit of its field, or a point in time as `values` parses it."""


@dataclass(frozen=True, slots=True)
class Words:
    """Full-text search: one step, or title, task and answers together, contain all these words."""

    text: str
    is_phrase: bool = False
    """Whether the words must be adjacent and in this order."""


@dataclass(frozen=True, slots=True)
class Match:
    """A field is one of the values; an empty value means that the field is not set."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    """Compares a number or a point in time with a value."""

    field: str
    operator: Operator
    value: Value


@dataclass(frozen=True, slots=True)
class Between:
    """A number or a point in time from `low` to `high`, both included; `None` is open."""

    field: str
    low: Value | None
    high: Value | None


@dataclass(frozen=True, slots=True)
class Not:
    clause: "Clause"


@dataclass(frozen=True, slots=True)
class All:
    clauses: tuple["Clause", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    clauses: tuple["Clause", ...]


Clause = Words | Match | Compare | Between | Not | All | AnyOf


@dataclass(frozen=True, slots=True)
class StepTest:
    """One test of a step: its name and, for `kind`, `node`, `agent` and `tool`, the values."""

    name: str
    values: tuple[str, ...] = ()
    is_negated: bool = False


@dataclass(frozen=True, slots=True)
class StepPattern:
    """A step that meets all tests, at most `within` steps after the previous one."""

    tests: tuple[StepTest, ...]
    within: int | None = None
    """`None`: any number of steps later. 1 is the very next step."""


Sequence = tuple[StepPattern, ...]


@dataclass(frozen=True, slots=True)
class TapeQuery:
    """A complete query; an empty one picks every tape."""

    clause: Clause | None = None
    sequence: Sequence = ()


def all_of(clauses: tuple[Clause, ...]) -> Clause | None:
    """Return the condition that all of the clauses hold; adjacent words become one search."""
    joined: list[Clause] = []
    for clause in clauses:
        for part in clause.clauses if isinstance(clause, All) else (clause,):
            last = joined[-1] if joined else None
            if _are_words(last) and _are_words(part):
                joined[-1] = Words(f"{last.text} {part.text}")
            else:
                joined.append(part)
    if not joined:
        return None
    return joined[0] if len(joined) == 1 else All(tuple(joined))


def any_of(clauses: tuple[Clause, ...]) -> Clause:
    """Return the condition that any of the clauses holds."""
    flat = [
        part
        for clause in clauses
        for part in (clause.clauses if isinstance(clause, AnyOf) else (clause,))
    ]
    return flat[0] if len(flat) == 1 else AnyOf(tuple(flat))


def negate(clause: Clause) -> Clause:
    return clause.clause if isinstance(clause, Not) else Not(clause)


def conjuncts(clause: Clause | None) -> tuple[Clause, ...]:
    """Return the conditions that must all hold."""
    if clause is None:
        return ()
    return clause.clauses if isinstance(clause, All) else (clause,)


def leaves(clause: Clause | None) -> tuple[Words | Match | Compare | Between, ...]:
    """Return the conditions inside a clause, in order."""
    match clause:
        case None:
            return ()
        case Not(inner):
            return leaves(inner)
        case All(parts) | AnyOf(parts):
            return tuple(leaf for part in parts for leaf in leaves(part))
        case _:
            return (clause,)


def _are_words(clause: Clause | None) -> TypeGuard[Words]:
    return isinstance(clause, Words) and not clause.is_phrase
