"""What a click in a summary makes of a query: a range of a number, steps that follow each other."""

from dataclasses import replace

from tapes_app.library.tape_query.conditions import (
    Between,
    Clause,
    Compare,
    Sequence,
    StepPattern,
    StepTest,
    TapeQuery,
    all_of,
    conjuncts,
)
from tapes_app.library.tape_query.facets import Toggle


def with_range(
    query: TapeQuery, field: str, low: float, high: float, *, is_high_open: bool = False
) -> TapeQuery:
    """Return a query in which a number is from `low` to `high`, whatever it asked of it before."""
    rest = tuple(
        part
        for part in conjuncts(query.clause)
        if not (isinstance(part, Between | Compare) and part.field == field)
    )
    wanted: tuple[Clause, ...] = (Between(field, low, high),)
    if is_high_open:
        wanted = (Compare(field, ">=", low), Compare(field, "<", high))
    return replace(query, clause=all_of((*rest, *wanted)))


def toggle_sequence(query: TapeQuery, sequence: Sequence) -> Toggle:
    """Return whether a query asks for these steps, and the query in which it is the other way.

    A query has one sequence: another one is replaced.
    """
    is_on = query.sequence == sequence
    return Toggle(is_on, replace(query, sequence=() if is_on else sequence))


def failing_node(agent: str, node: str) -> Sequence:
    """Return the sequence that finds tapes in which a step of a node reports an error."""
    written = (StepTest("agent", (agent,)),) if agent else ()
    return (StepPattern((StepTest("error"), *written, StepTest("node", (node,)))),)


def failing_kind(kind: str) -> Sequence:
    """Return the sequence that finds tapes in which a step of a kind reports an error."""
    return (StepPattern((StepTest("error"), StepTest("kind", (kind,)))),)


def failing_tools(tools: tuple[str, ...], within: int) -> Sequence:
    """Return the sequence that finds tapes in which an answer to a tool reports an error."""
    called = StepPattern((StepTest("tool", tools),))
    return (called, StepPattern((StepTest("tool_error"),), within=within))
