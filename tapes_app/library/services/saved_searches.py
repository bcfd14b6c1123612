"""Lenses as searches: which tapes are those of a lens."""

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

from tapes_app.library.services.queries import read_filter
from tapes_app.library.store.plans import TapeFilter
from tapes_app.library.tape_query.conditions import Match, Words, all_of, conjuncts
from tapes_app.projects.columns import fit_text

_LONGEST = 500


def filter_of(look: dict[str, Any]) -> TapeFilter:
    """Return what picks the tapes of a lens, whose conditions are those of an address.

    Raises:
        QueryError: its query cannot be read.
    """
    asked = {name: values[-1] for name, values in parse_qs(look.get("query", "")).items()}
    found = read_filter(asked.get("q", ""))
    narrower = [
        Match(field, (asked[field],)) for field in ("agent", "batch", "lint") if field in asked
    ]
    search, show = asked.get("search", "").strip(), asked.get("show")
    clauses = (
        *conjuncts(found.query.clause),
        *([Words(fit_text(search, _LONGEST))] if search else []),
        *narrower,
        *([Match("has", ("error",))] if asked.get("error") == "1" else []),
        *([Match("is", (show,))] if show in ("pinned", "archived") else []),
    )
    return replace(found, query=replace(found.query, clause=all_of(clauses)))
