"""The calls on a tape that tool rules decide, as lines to read; nothing is called."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tapes_app.engine.environment.actions import PendingAction
from tapes_app.engine.environment.tool_rules import (
    RuleAction,
    ToolRule,
    list_rulings,
    read_arguments,
)
from tapes_app.engine.tape.steps import Step

LONGEST_ARGUMENTS = 500
"""Characters of the arguments that a line shows."""


@dataclass(frozen=True, slots=True)
class RuledCall:
    """A call that a rule would have decided."""

    position: int
    """The step that made the call."""

    agent: str
    tool: str
    arguments: str
    """The beginning of its arguments, as JSON text."""

    rule: int
    """The place of the rule in the list, from 0."""

    action: RuleAction


def list_ruled_calls(rules: Sequence[ToolRule], steps: Sequence[Step]) -> Iterator[RuledCall]:
    """Yield the calls on a tape that one of the rules decides, in order."""
    for pending, ruling in list_rulings(rules, steps):
        yield RuledCall(
            position=pending.position,
            agent=pending.action.metadata.agent,
            tool=pending.name,
            arguments=_show(pending),
            rule=ruling.at,
            action=ruling.rule.action,
        )


def _show(pending: PendingAction) -> str:
    arguments = read_arguments(pending)
    if arguments is not None:
        text = json.dumps(arguments, ensure_ascii=False)
    else:
        assert pending.tool_call is not None, "only those of a tool call can be unreadable"
        text = str(pending.tool_call.function.arguments)
    return text if len(text) <= LONGEST_ARGUMENTS else f"{text[:LONGEST_ARGUMENTS]}…"
