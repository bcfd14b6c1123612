"""Whether a run continues: one pure decision for everything that may stop it between its steps."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tapes_app.engine.environment.actions import ends_turn
from tapes_app.engine.environment.supervision import (
    ActionAnswered,
    BeforeAction,
    BeforeNode,
    Halt,
    Hit,
    NodeRan,
    SafePoint,
)
from tapes_app.engine.plain_json import dump_json_data
from tapes_app.engine.tape.conditions import condition_holds
from tapes_app.engine.tape.steps import Step
from tapes_app.jobs.domain.control import Breakpoint, JobControl
from tapes_app.runs.domain.progress import Spent
from tapes_app.runs.domain.request import Budget, Until


class Rules(NamedTuple):
    """Everything that decides whether a run continues, at one moment."""

    until: Until = Until()
    budget: Budget = Budget()
    spent: Spent = Spent()
    control: JobControl = JobControl()
    passed: tuple[str, str] | None = None
    """The place where the run paused before: its breakpoints are not hit again."""

    outside_stop: str = ""
    """Why the experiment that the run belongs to wants it to stop."""


def decide(point: SafePoint, rules: Rules) -> Halt | None:
    """Return why a run stops at a point, or `None` to let it continue.

    The budget comes first, because it is a hard stop, then the limits requested at the start, then
    everything that pauses a run. A spent budget stops only what would ask again: a run that needs
    no further call finishes.
    """
    budget = rules.budget
    if not isinstance(point, BeforeNode):
        budget = Budget(seconds=budget.seconds)
    reason = rules.outside_stop or explain_budget(budget, rules.spent)
    if reason:
        return Halt("budget", reason)
    if halt := _find_end(point, rules.until):
        return halt
    place = place_of(point)
    is_passed = place is not None and place == rules.passed
    if not is_passed and (hit := find_hit(point, rules.control.breakpoints)):
        return Halt("paused", _describe_hit(hit), hit)
    is_after = isinstance(point, NodeRan | ActionAnswered)
    if rules.control.is_stepping and is_after:
        return Halt("paused", f"Paused after {_name_of(point)}.")
    if rules.control.pause_asked_by:
        return Halt("paused", f"Paused by {rules.control.pause_asked_by}.")
    return None


def explain_budget(budget: Budget, spent: Spent) -> str:
    """Return a sentence on which part of a budget is used up; empty while none is."""
    if budget.tokens is not None:
        if spent.tokens >= budget.tokens:
            return (
                f"The budget of {budget.tokens:,} tokens is used up: {spent.tokens:,} were used "
                f"in {_count(spent.call_count, 'call')}."
            )
        if spent.uncounted_count:
            return "The model does not report its token usage, so a budget cannot be enforced."
    if budget.micro_usd is not None:
        if spent.micro_usd >= budget.micro_usd:
            return (
                f"The budget of {show_money(budget.micro_usd)} is used up: "
                f"{show_money(spent.micro_usd)} was spent in {_count(spent.call_count, 'call')}."
            )
        if spent.unpriced_count:
            return (
                "The price of the model is unknown, so a dollar budget cannot be enforced; "
                "enter its prices under Models, or set a token budget."
            )
    if budget.calls is not None and spent.call_count - spent.cached_call_count >= budget.calls:
        return explain_calls(budget.calls)
    if budget.seconds is not None and spent.seconds >= budget.seconds:
        return explain_time(budget.seconds)
    return ""


def explain_calls(calls: int) -> str:
    return f"The budget of {_count(calls, 'LLM call')} is used up."


def explain_time(seconds: float) -> str:
    return f"The time limit of {seconds:,.3g} s was reached."


def find_hit(point: SafePoint, breakpoints: Sequence[Breakpoint]) -> Hit | None:
    """Return the first breakpoint that a point hits."""
    for breakpoint_ in breakpoints:
        position = _hit_position(point, breakpoint_)
        if position is not None:
            return Hit(breakpoint_.kind, breakpoint_.value, position)
    return None


def place_of(point: SafePoint) -> tuple[str, str] | None:
    """Return a key for a place that a run reaches again when it continues after a pause there."""
    match point:
        case BeforeNode():
            return ("node", str(point.position))
        case BeforeAction():
            return ("action", point.pending.key)
        case _:
            return None


def _find_end(point: SafePoint, until: Until) -> Halt | None:
    match until.kind:
        case "end":
            return None
        case "step":
            if until.position is not None and _length_at(point) > until.position:
                return Halt("until", f"Stopped as requested: step {until.position} is on the tape.")
        case "next_node":
            if isinstance(point, NodeRan):
                return Halt("until", f"Stopped as requested, after node {point.node!r}.")
        case "next_action":
            if isinstance(point, NodeRan):
                kinds = [step.kind for step in point.steps if ends_turn(step)]
                if kinds:
                    return Halt("until", f"Stopped as requested, at the action {kinds[0]!r}.")
    return None


def _length_at(point: SafePoint) -> int:
    added = len(point.steps) if isinstance(point, NodeRan | ActionAnswered) else 0
    return point.position + added


def _hit_position(point: SafePoint, breakpoint_: Breakpoint) -> int | None:
    value = breakpoint_.value
    match breakpoint_.kind:
        case "node":
            is_hit = isinstance(point, BeforeNode) and value in _names_of_node(point)
            return point.position if is_hit else None
        case "tool":
            if isinstance(point, BeforeAction) and point.pending.name == value:
                return point.pending.position
            return None
        case "kind":
            return _first(point, lambda step: step.kind == value)
        case "condition":
            return _first(point, lambda step: condition_holds(value, dump_json_data(step)))


def _names_of_node(point: BeforeNode) -> tuple[str, ...]:
    return (point.node, f"{point.agent}/{point.node}")


def _first(point: SafePoint, is_hit: Callable[[Step], bool]) -> int | None:
    if not isinstance(point, NodeRan | ActionAnswered):
        return None
    found = (offset for offset, step in enumerate(point.steps) if is_hit(step))
    offset = next(found, None)
    return None if offset is None else point.position + offset


def _describe_hit(hit: Hit) -> str:
    match hit.kind:
        case "node":
            return f"Paused before node {hit.value!r}."
        case "tool":
            return f"Paused before running {hit.value!r}."
        case "kind":
            return f"Paused: step {hit.position} is of kind {hit.value!r}."
        case _:
            return f"Paused: step {hit.position} meets the condition {hit.value}."


def _name_of(point: SafePoint) -> str:
    match point:
        case BeforeNode() | NodeRan():
            return f"node {point.node!r}"
        case BeforeAction() | ActionAnswered():
            return f"{point.pending.name!r} was answered"


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def show_money(micro_usd: int) -> str:
    """Return `$0.25`."""
    return f"${micro_usd / 1_000_000:,.6f}".rstrip("0").rstrip(".")
