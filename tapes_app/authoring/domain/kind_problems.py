"""What is wrong with the kinds of steps of an agent: those that it defines, and those it names."""

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from tapes_app.authoring.domain.agent_graph import point_to
from tapes_app.authoring.domain.node_problems import as_list
from tapes_app.authoring.domain.rows import Problem
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.tape.defined_kinds import MOST_KINDS, DefinedKind, check_kind, check_kinds
from tapes_app.engine.tape.defined_steps import StepClassesByName, build_step_class
from tapes_app.engine.tape.steps import list_step_classes

_MOST_PROBLEMS = 50


def build_sound_kinds(kinds: Sequence[DefinedKind]) -> StepClassesByName:
    """Return the step classes of those kinds that have no mistake, by name."""
    sound = (kind for kind in kinds[:MOST_KINDS] if next(check_kind(kind), None) is None)
    return {kind.name: build_step_class(kind) for kind in sound}


def check_defined_kinds(
    kinds: Sequence[DefinedKind], nodes: Sequence[Node] | None
) -> Iterator[Problem]:
    """Yield what is wrong with the kinds of a team; `nodes` is `None` if not all can be read."""
    for place, message in islice(check_kinds(kinds), _MOST_PROBLEMS):
        yield Problem(point_to("", "kinds", *place), message)
    if nodes is None:
        return
    written = {kind.name for node in nodes for kind in node.list_defined_kinds()}
    for at, kind in enumerate(kinds[:MOST_KINDS]):
        if kind.family != "observation" and kind.name not in written:
            message = f"No node writes steps of kind {kind.name[:100]!r}; allow it in one."
            yield Problem(point_to("", "kinds", at), message, severity="warning")


def check_kind_names(
    value: Any, inside: str, own: Container[str], name: str = ""
) -> Iterator[Problem]:
    """Warn of kinds that neither the agent nor a class here has; tapes of others may have them."""
    if isinstance(value, str):
        is_named = name in ("kind", "kinds") and value and value not in own
        if is_named and not list_step_classes(value):
            message = f"No step class here has the kind {value[:100]!r}."
            yield Problem(inside, message, severity="warning")
        return
    items = value.items() if isinstance(value, Mapping) else enumerate(as_list(value))
    for key, item in items:
        inner = name if isinstance(key, int) else key
        yield from check_kind_names(item, point_to(inside, key), own, inner)
