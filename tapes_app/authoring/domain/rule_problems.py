"""What is wrong with the tool rules of an agent, each with its place; and what they mean."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from pydantic import ValidationError

from tapes_app.authoring.domain.rows import Problem
from tapes_app.engine.environment.tool_rules import (
    ToolRule,
    check_rule,
    describe_rule,
    fits_name,
)
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.json_pointer import write_pointer
from tapes_app.engine.tape.steps import list_step_classes


def describe_rules(written: Any) -> tuple[str, ...]:
    """Return the sentence of each rule as a draft holds it; empty for one that is no rule."""
    return tuple(map(_describe, written)) if isinstance(written, list) else ()


def _describe(written: Any) -> str:
    try:
        return describe_rule(ToolRule.model_validate(written))
    except ValidationError:
        return ""


def check_rules(rules: Sequence[ToolRule], tools: Collection[str] | None) -> Iterator[Problem]:
    """Yield what is wrong with the rules of a team; `tools` is `None` if they are not all known."""
    for at, rule in enumerate(rules):
        try:
            check_rule(rule)
        except InvalidInputError as error:
            yield Problem(_place(at, str(error.details["field"])), error.message)
        for field in ("tool", "after_tool"):
            name = getattr(rule, field)
            if tools is not None and name and not _is_known(name, tools):
                message = f"The agent has no tool {name!r}; this matches nothing."
                yield Problem(_place(at, field), message, severity="warning")
        hiding = next((n for n, one in enumerate(rules[:at]) if _covers(one, rule)), None)
        if hiding is not None:
            message = f"Never reached: rule {hiding + 1} decides all of these calls."
            yield Problem(_place(at, "action"), message, severity="warning")


def _place(at: int, field: str) -> str:
    return write_pointer(("tool_rules", at, field))


def _is_known(name: str, tools: Collection[str]) -> bool:
    """Return whether a name or pattern can match anything: a tool, or a kind of action."""
    return any(fits_name(name, tool) for tool in tools) or bool(list_step_classes(name))


def _covers(earlier: ToolRule, later: ToolRule) -> bool:
    """Return whether a rule matches every call that a later one does."""
    # A pattern is matched as if it were a name: its "*" can only be matched by another one.
    names_talk = later.tool == "assistant"
    if not (earlier.tool == later.tool if names_talk else fits_name(earlier.tool, later.tool)):
        return False
    if earlier.agent and not (later.agent and fits_name(earlier.agent, later.agent)):
        return False
    # In doubt, arguments match a rule that allows less often; calls are counted by each rule's own
    # names.
    is_alike = (earlier.action == "allow") == (later.action == "allow")
    counts_alike = (earlier.tool, earlier.agent) == (later.tool, later.agent)
    return (
        (not earlier.arguments or (is_alike and earlier.arguments == later.arguments))
        and earlier.after_tool in ("", later.after_tool)
        and earlier.after_result in ("", later.after_result)
        and (not earlier.after_calls or (counts_alike and earlier.after_calls <= later.after_calls))
    )
