"""Decides checks, which compare an agent's result with the expected one, without a model.

A check is data from the network, so nothing in it is executed: a pattern takes time linear in the
text, and an expression is JMESPath, which has no loops and no side effects.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, assert_never

from jmespath.exceptions import JMESPathError

from tapes_app.engine.environment.state import read_state
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.model.reasoning import REASONING
from tapes_app.engine.tape.conditions import compile_condition
from tapes_app.engine.tape.families import is_error_step
from tapes_app.engine.tape.steps import Step, family_of
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.engine.tape.thoughts import answered_json, without_thoughts
from tapes_app.engine.text_pattern import compile_pattern
from tapes_app.experiments.domain.check_kinds import (
    Check,
    Checkpoint,
    CheckpointsCheck,
    Constraint,
    ConstraintsCheck,
    ExpressionCheck,
    NextStepCheck,
    NoErrorCheck,
    NumberCheck,
    PatternCheck,
    StateCheck,
    TextCheck,
    describe_check,
    quote,
)
from tapes_app.experiments.domain.next_step import NextStep, compare_steps, find_action
from tapes_app.experiments.domain.state_difference import find_difference
from tapes_app.tapes.domain.answer_match import last_number

PASS_SCORE = 0.5
"""A number between 0 and 1 passes from this score on."""

_MAX_SEARCHED = 1_000_000
_MOST_LOOKED_AFTER = 1_000
"""In steps: after each of them, the check runs on everything up to it."""

_NOT_TEXT = frozenset({"kind", "metadata", *REASONING})
_TEXT_FIELDS = ("content", "text", "answer", "result", "message", "reasoning", "task", "query")


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a run: the complete tape, how many of its steps were kept, and how it ended."""

    tape: Tape
    kept_count: int
    status: str

    @property
    def new_steps(self) -> Sequence[Step]:
        return self.tape.steps[self.kept_count :]

    def after(self, count: int) -> "Ended":
        """Return the state after `count` steps of the tape."""
        steps = self.tape.steps[:count]
        tape = Tape.model_construct(metadata=TapeMetadata(), context=self.tape.context, steps=steps)
        return Ended(tape, self.kept_count, "")


@dataclass(frozen=True, slots=True)
class Verdict:
    passed: bool
    score: float
    reason: str


class Weighed(Protocol):
    """Anything that counts by weight."""

    @property
    def weight(self) -> float: ...


@dataclass(frozen=True, slots=True)
class ScorePart:
    """The result of one constraint."""

    name: str
    value: float | None
    """`None` if it could not be decided."""

    explanation: str


def decide(check: Check, ended: Ended) -> Verdict:
    """Return whether a run passes, with score and reason.

    Raises:
        InvalidInputError: the check cannot be decided on this tape.
    """
    match check:
        case ConstraintsCheck():
            parts = decide_parts(check.constraints, ended)
            return _sum_up(check.constraints, parts, describe_parts(parts))
        case CheckpointsCheck():
            parts = find_checkpoints(check.checkpoints, ended)
            return _sum_up(check.checkpoints, parts, describe_checkpoints(parts))
        case TextCheck():
            text = final_text(ended.new_steps)
            return _verdict(describe_check(check), holds=_compare(check, text))
        case NumberCheck():
            return _compare_number(check, final_text(ended.new_steps))
        case PatternCheck():
            text = final_text(ended.new_steps)
            return _verdict(
                describe_check(check),
                holds=compile_pattern(check.pattern).is_in(text[:_MAX_SEARCHED]),
            )
        case ExpressionCheck():
            return _evaluate(check.expression, ended)
        case NoErrorCheck():
            return _look_for_errors(ended)
        case StateCheck():
            return _compare_state(check, ended)
        case NextStepCheck():
            wanted = NextStep(check.step_kind, check.tools, check.arguments)
            score, reason = compare_steps(wanted, find_action(ended.new_steps))
            return Verdict(score == 1, score, reason)
        case _:
            assert_never(check)


def decide_parts(constraints: Sequence[Constraint], ended: Ended) -> tuple[ScorePart, ...]:
    """Return the result of each constraint, including those that cannot be decided."""

    def decide_one(constraint: Constraint) -> ScorePart:
        try:
            verdict = decide(constraint.check, ended)
        except InvalidInputError as error:
            return ScorePart(constraint.name, None, error.message)
        return ScorePart(constraint.name, verdict.score, verdict.reason)

    return tuple(map(decide_one, constraints))


def weigh_parts(constraints: Sequence[Weighed], parts: Sequence[ScorePart]) -> float | None:
    """Return the weighted mean of the parts, or `None` if any of them is undecided."""
    values = [part.value for part in parts if part.value is not None]
    if len(values) < len(parts):
        return None
    weights = [constraint.weight for constraint in constraints]
    products = (weight * each for weight, each in zip(weights, values, strict=True))
    return sum(products) / sum(weights)


def describe_parts(parts: Sequence[ScorePart]) -> str:
    """Return a sentence on which constraints are not met, or not decided."""
    unknown = ", ".join(part.name for part in parts if part.value is None)
    broken = ", ".join(part.name for part in parts if part.value != 1)
    if unknown:
        return f"Not decided: {unknown}."
    return f"Not met: {broken}." if broken else "All constraints are met."


def find_checkpoints(checkpoints: Sequence[Checkpoint], ended: Ended) -> tuple[ScorePart, ...]:
    """Return the result of each checkpoint, searched from the step that met the previous one.

    Raises:
        InvalidInputError: the run has too many steps to check after each.
    """
    if len(ended.new_steps) > _MOST_LOOKED_AFTER:
        raise InvalidInputError(
            f"Checkpoints can be checked after each of at most {_MOST_LOOKED_AFTER:,} steps; the "
            f"run has {len(ended.new_steps):,}."
        )
    parts: list[ScorePart] = []
    at = ended.kept_count + 1
    for checkpoint in checkpoints:
        if checkpoint.at_end:
            parts += decide_parts([checkpoint], ended)
            continue
        part, found = _find_checkpoint(checkpoint, ended, at)
        parts.append(part)
        at = found or at
    return tuple(parts)


def _find_checkpoint(
    checkpoint: Checkpoint, ended: Ended, first: int
) -> tuple[ScorePart, int | None]:
    """Return the result of a checkpoint, and after how many steps of the tape it was met.

    A check that cannot be decided after a step is not met there; if that is so after every step,
    the checkpoint is undecided.
    """
    problem, decided = "", False
    for count in range(first, len(ended.tape) + 1):
        try:
            verdict = decide(checkpoint.check, ended.after(count))
        except InvalidInputError as error:
            problem = error.message
            continue
        decided = True
        if verdict.passed:
            words = f"Met at step {count - 1}."
            return ScorePart(checkpoint.name, 1.0, words), count
    if problem and not decided:
        return ScorePart(checkpoint.name, None, problem), None
    return ScorePart(checkpoint.name, 0.0, "Not met."), None


def describe_checkpoints(parts: Sequence[ScorePart]) -> str:
    """Return a sentence on which checkpoints were missed or undecided, and how many were met."""
    unknown = ", ".join(part.name for part in parts if part.value is None)
    missed = ", ".join(part.name for part in parts if part.value != 1)
    met = sum(part.value == 1 for part in parts)
    if unknown:
        return f"Not decided: {unknown}."
    if missed:
        return f"Missed: {missed}. {met} of {len(parts)} checkpoints are met."
    return "All checkpoints are met."


def _sum_up(constraints: Sequence[Constraint], parts: Sequence[ScorePart], words: str) -> Verdict:
    score = weigh_parts(constraints, parts)
    if score is None:
        raise InvalidInputError(words)
    return Verdict(all(part.value == 1 for part in parts), score, words)


def final_text(steps: Sequence[Step]) -> str:
    """Return the last text of the steps: the agent's last, if it wrote any.

    An agent that ended in the middle of its thoughts has said nothing.
    """
    spoken = [step for step in steps if family_of(step) != "control"]
    by_agent = [step for step in spoken if family_of(step) in {"action", "thought"}]
    for step in (*reversed(by_agent), *reversed(spoken)):
        body = step.to_json()
        if _text_in(body) and not body.get("tool_calls"):
            return text_of(step)
        if text := text_of(step):
            return text
    return ""


def text_of(step: Step) -> str:
    """Return the text of a step: its main text, or the first text among its data.

    Thoughts in front of an agent's text are not part of it.
    """
    return _text_in(answered_json(step))


def _text_in(body: Mapping[str, Any]) -> str:
    data = {key: value for key, value in body.items() if key not in _NOT_TEXT}
    for name in _TEXT_FIELDS:
        value = data.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
    texts = [value for value in data.values() if isinstance(value, str) and value.strip()]
    return texts[0].strip() if texts else ""


def _verdict(claim: str, *, holds: bool) -> Verdict:
    reason = claim if holds else f"Not true: {claim[0].lower()}{claim[1:]}"
    return Verdict(holds, float(holds), reason)


def _compare(check: TextCheck, text: str) -> bool:
    wanted = check.text.strip()
    if check.ignores_case:
        wanted, text = wanted.casefold(), text.casefold()
    return wanted == text if check.kind == "equals" else wanted in text


def _compare_number(check: NumberCheck, text: str) -> Verdict:
    # If the text is too long to be searched, use its end, where the result is.
    found = last_number(text[-_MAX_SEARCHED:])
    if found is None:
        return Verdict(passed=False, score=0.0, reason="The final text holds no number.")
    away = abs(found - check.value)
    # People expect 0.1 + 0.2 to equal 0.3.
    holds = away <= check.within or math.isclose(found, check.value, rel_tol=1e-9, abs_tol=1e-12)
    margin = f" (within {check.within:g})" if check.within else ""
    word = "is" if holds else "is not"
    reason = f"The last number, {found:g}, {word} {check.value:g}{margin}."
    return Verdict(holds, float(holds), reason)


def _compare_state(check: StateCheck, ended: Ended) -> Verdict:
    state = read_state(ended.tape.steps)
    if state is None:
        raise InvalidInputError("The tape has no environment state to check.")
    difference = find_difference(check.state, state, is_exact=check.is_exact)
    if difference:
        return Verdict(passed=False, score=0.0, reason=difference)
    return Verdict(passed=True, score=1.0, reason=describe_check(check))


def _evaluate(expression: str, ended: Ended) -> Verdict:
    steps, result = ended.new_steps, ended.tape.metadata.result
    data = {
        "text": final_text(steps),
        "step": answered_json(steps[-1]) if steps else None,
        "result": without_thoughts(result) if isinstance(result, str) else result,
        "status": ended.status,
        "step_count": len(ended.tape),
        "state": read_state(ended.tape.steps),
    }
    try:
        found = compile_condition(expression).search(data)
    except (JMESPathError, ValueError, TypeError, ArithmeticError, RecursionError) as error:
        raise InvalidInputError(
            f"The expression {quote(expression)} cannot be evaluated here: {error}.",
            expression=expression[:200],
        ) from error
    reason = f"{expression} is {str(found)[:200]}."
    if isinstance(found, int | float) and not isinstance(found, bool):
        score = min(1.0, max(0.0, float(found)))
        return Verdict(score >= PASS_SCORE, score, reason)
    return Verdict(bool(found), float(bool(found)), reason)


def _look_for_errors(ended: Ended) -> Verdict:
    for position, step in enumerate(ended.new_steps, start=ended.kept_count):
        if is_error_step(step.to_json(), family_of(step)):
            return Verdict(passed=False, score=0.0, reason=f"Step {position} reports an error.")
    if ended.status == "loop_limit":
        return Verdict(passed=False, score=0.0, reason="It reached the turn limit.")
    return Verdict(passed=True, score=1.0, reason="No new step reports an error.")
