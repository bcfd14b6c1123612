"""Tool rules: what becomes of an agent's calls, decided from the tape alone.

They are part of an agent's definition, and say which calls are allowed, denied, asked about,
replaced or emulated. Who carries that out is an environment's business; here nothing is called.
"""

import json
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from operator import not_
from typing import Any, Literal, NamedTuple, assert_never

from jmespath.exceptions import JMESPathError
from pydantic import Field

from tapes_app.engine.environment.actions import PendingAction, split_action, wants_answer
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.conditions import (
    LONGEST_CONDITION,
    ConditionError,
    compile_condition,
    is_true,
)
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolResult, deed_content
from tapes_app.engine.tape.families import is_error_step
from tapes_app.engine.tape.steps import Step, family_of

RuleAction = Literal["allow", "deny", "ask", "replace", "emulate"]

MOST_RULES = 200
_LONGEST_NAME = 200
_LONGEST_TEXT = 10_000
_LONGEST_NUMBER = 40
_LITERAL = str.maketrans({"[": "[[]", "?": "[?]"})
"""Of the signs that `fnmatch` knows, only `*` is one here."""


class ToolRule(FrozenModel):
    """Which calls a rule is about, and what becomes of them.

    A call matches if everything that is set matches it. Of several rules, the first one that
    matches decides.
    """

    action: RuleAction
    """`allow` lets the call through, `deny` refuses it, `ask` waits for a person, `replace` gives
    a prepared answer, `emulate` lets a model or a script answer as the tool would."""

    tool: str = Field(default="*", min_length=1, max_length=_LONGEST_NAME)
    """Name of the tool, or the kind of another action; `*` stands for any text. What the agent
    says to a person matches only by its kind, `assistant`."""

    agent: str = Field(default_factory=str, max_length=_LONGEST_NAME, exclude_if=not_)
    """Name of the member of the team that calls, or its path; `*` stands for any text."""

    arguments: str = Field(default_factory=str, max_length=LONGEST_CONDITION, exclude_if=not_)
    """JMESPath over the arguments of the call, such as ``amount > `1000` ``."""

    after_tool: str = Field(default_factory=str, max_length=_LONGEST_NAME, exclude_if=not_)
    """Only after a tool of this name, with `*`, has answered without an error."""

    after_result: str = Field(default_factory=str, max_length=_LONGEST_TEXT, exclude_if=not_)
    """Only after the answer to a call contained this text, in capitals or not."""

    after_calls: int = Field(default_factory=int, ge=0, le=1_000_000, exclude_if=not_)
    """Only after this many calls of the tools that this rule names, refused ones included."""

    reason: str = Field(default_factory=str, max_length=_LONGEST_TEXT, exclude_if=not_)
    """What the agent reads if the call is denied, and the person who is asked about it."""

    answer: str = Field(default_factory=str, max_length=_LONGEST_TEXT, exclude_if=not_)
    """The prepared answer of `replace`."""

    @property
    def reads_tape(self) -> bool:
        """Whether it depends on what happened before the call."""
        return bool(self.after_tool or self.after_result or self.after_calls)

    def names(self, pending: PendingAction) -> bool:
        """Return whether the rule is about calls of this tool by this agent."""
        if isinstance(pending.action, AssistantStep):
            is_named = self.tool == pending.name
        else:
            is_named = fits_name(self.tool, pending.name)
        path = pending.action.metadata.agent
        is_by = not self.agent or any(
            fits_name(self.agent, name) for name in (path, path.rpartition("/")[2])
        )
        return is_named and is_by


class Ruling(NamedTuple):
    """The rule that decides a call, and its place in the list, from 0."""

    at: int
    rule: ToolRule


class Call(NamedTuple):
    """A call or another action on a tape, with the observation that answers it, if there is one."""

    pending: PendingAction
    answer: Step | None


def fits_name(pattern: str, name: str) -> bool:
    """Return whether a name fits a pattern, in which `*` stands for any text."""
    return fnmatchcase(name, pattern.translate(_LITERAL))


def check_rule(rule: ToolRule) -> None:
    """Check that a rule can decide calls.

    Raises:
        InvalidInputError: its condition cannot be parsed, it has no answer to give, or it would
            emulate a person. `details["field"]` is the field.
    """
    if rule.action == "replace" and not rule.answer:
        raise InvalidInputError("Enter the answer that replaces the call.", field="answer")
    if rule.action == "emulate" and rule.tool == AssistantStep.model_fields["kind"].default:
        raise InvalidInputError(
            "Only calls of tools are emulated, not what a person says; name a tool.", field="tool"
        )
    if not rule.arguments:
        return
    try:
        compile_condition(rule.arguments)
    except ConditionError as error:
        message = error.message.replace("kind == 'tool' && is_error", "amount > `1000`")
        raise InvalidInputError(message, field="arguments") from error


def describe_rule(rule: ToolRule) -> str:
    """Return the sentence that a rule means."""
    what = "any tool" if rule.tool == "*" else rule.tool
    conditions = "".join(_describe_conditions(rule))
    match rule.action:
        case "allow":
            return f"Allow {what}{conditions}."
        case "deny":
            reason = f", and tell the agent: {rule.reason}" if rule.reason else "."
            return f"Refuse {what}{conditions}{reason}"
        case "ask":
            reason = f", because: {rule.reason}" if rule.reason else "."
            return f"Ask a person before {what} is called{conditions}{reason}"
        case "replace":
            return f"Do not call {what}{conditions}, but answer: {rule.answer}"
        case "emulate":
            return f"Emulate {what}{conditions}."
        case _:
            assert_never(rule.action)


def _describe_conditions(rule: ToolRule) -> Iterator[str]:
    if rule.agent:
        yield f" by {rule.agent}"
    if rule.arguments:
        yield f" when {rule.arguments.replace('`', '')}"
    if rule.after_tool:
        yield f" once {rule.after_tool} has answered"
    if rule.after_result:
        yield f" once a tool has answered “{rule.after_result}”"
    if rule.after_calls:
        yield f" from call {rule.after_calls + 1} on"


def find_ruling(
    rules: Sequence[ToolRule], steps: Sequence[Step], pending: PendingAction
) -> Ruling | None:
    """Return the first rule that matches an action of a tape; `None` if no rule does."""
    if not any(rule.names(pending) for rule in rules):
        return None
    reader = _RuleReader(rules)
    if any(rule.reads_tape for rule in rules):
        for call in list_calls(steps):
            earlier = call.pending
            if earlier.position > pending.position:
                break
            if earlier.position == pending.position and earlier.tool_call is pending.tool_call:
                break
            reader.note(call)
    return reader.decide(pending)


def list_rulings(
    rules: Sequence[ToolRule], steps: Sequence[Step]
) -> Iterator[tuple[PendingAction, Ruling]]:
    """Yield the calls on a tape that a rule decides, each by what was on the tape before it."""
    reader = _RuleReader(rules)
    for call in list_calls(steps):
        ruling = reader.decide(call.pending)
        if ruling is not None:
            yield call.pending, ruling
        reader.note(call)


class _RuleReader:
    """What rules have to remember of the calls so far."""

    def __init__(self, rules: Sequence[ToolRule]) -> None:
        self._rules = rules
        self._counts = [0] * len(rules)
        self._has_answered = [not rule.after_tool for rule in rules]
        self._has_result = [not rule.after_result for rule in rules]

    def decide(self, pending: PendingAction) -> Ruling | None:
        for at, rule in enumerate(self._rules):
            is_due = self._has_answered[at] and self._has_result[at]
            if not is_due or self._counts[at] < rule.after_calls or not rule.names(pending):
                continue
            if _fits_arguments(rule, pending):
                return Ruling(at, rule)
        return None

    def note(self, call: Call) -> None:
        """Take a call as made, and its answer as given."""
        for at, rule in enumerate(self._rules):
            self._counts[at] += rule.names(call.pending)
        if call.answer is None:
            return
        if not all(self._has_answered) and not is_error_step(call.answer.to_json(), "observation"):
            self._has_answered = [
                has or fits_name(rule.after_tool, call.pending.name)
                for has, rule in zip(self._has_answered, self._rules, strict=True)
            ]
        if not all(self._has_result):
            text = _text_of(call.answer).casefold()
            self._has_result = [
                has or rule.after_result.casefold() in text
                for has, rule in zip(self._has_result, self._rules, strict=True)
            ]


def list_calls(steps: Sequence[Step]) -> Iterator[Call]:
    """Yield the calls and other actions of a tape in order, each with its answer.

    Answers to tool calls are found by id, others by order, as in `unfulfilled_actions`.
    """
    waiting: list[PendingAction] = []
    observations: list[Step] = []
    for position, step in enumerate(steps):
        if family_of(step) == "observation":
            observations.append(step)
            continue
        if observations:
            yield from _pair(waiting, observations)
            waiting, observations = [], []
        if wants_answer(step):
            waiting += split_action(position, step)
    yield from _pair(waiting, observations)


def _pair(waiting: Sequence[PendingAction], observations: Sequence[Step]) -> Iterator[Call]:
    by_id: dict[str, list[Step]] = {}
    others: list[Step] = []
    for step in observations:
        call_id = step.tool_call_id if isinstance(step, ToolResult) else ""
        (by_id.setdefault(call_id, []) if call_id else others).append(step)
    for pending in waiting:
        call_id = pending.tool_call.id if pending.tool_call is not None else ""
        answers = by_id.get(call_id, []) if call_id else others
        yield Call(pending, answers.pop(0) if answers else None)


def read_arguments(pending: PendingAction) -> dict[str, Any] | None:
    """Return the arguments of a call, or the fields of another action; `None`: unreadable."""
    if pending.tool_call is None:
        content = deed_content(pending.action)
        return {name: value for name, value in content.items() if name != "kind"}
    try:
        return pending.tool_call.parsed_arguments()
    except (ValueError, RecursionError):
        return None


def _fits_arguments(rule: ToolRule, pending: PendingAction) -> bool:
    """Return whether the arguments meet the condition, in doubt to the disadvantage of the call.

    Tools accept numbers that are written as text, so the condition is tried on both. Where it
    cannot be evaluated, only a rule that allows does not match.
    """
    if not rule.arguments:
        return True
    in_doubt = rule.action != "allow"
    found = list(_evaluate(rule.arguments, read_arguments(pending)))
    if not found:
        return in_doubt
    return any(found) if in_doubt else all(found)


def _evaluate(condition: str, arguments: dict[str, Any] | None) -> Iterator[bool]:
    """Yield whether a condition holds, for each way to read the arguments that it works with."""
    if arguments is None:
        return
    for read in (dict, _with_numbers):
        try:
            yield is_true(compile_condition(condition).search(read(arguments)))
        except (JMESPathError, ValueError, TypeError, ArithmeticError, RecursionError):
            continue


def _with_numbers(value: Any) -> Any:
    """Return JSON data in which texts that are numbers are numbers."""
    if isinstance(value, dict):
        return {name: _with_numbers(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_with_numbers(item) for item in value]
    if not isinstance(value, str) or len(value) > _LONGEST_NUMBER:
        return value
    try:
        return float(value)
    except ValueError:
        return value


def _text_of(answer: Step) -> str:
    content = answer.content if isinstance(answer, ToolResult) else deed_content(answer)
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
