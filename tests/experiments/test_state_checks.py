"""Checks that look at the environment's state: at the end, and on the way."""

from typing import Any

import pytest
from pydantic import TypeAdapter

from tapes_app.engine.environment.state import with_state
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.experiments.domain.check_kinds import Check, describe_check, validate_check
from tapes_app.experiments.domain.checks import Ended, decide
from tapes_app.experiments.domain.state_difference import find_difference

CHECKS: TypeAdapter[Check] = TypeAdapter(Check)

OPEN = {"orders": {"17": {"status": "open", "items": [1, 2]}}}
GONE = {"orders": {"17": {"status": "cancelled", "items": [1, 2]}}}


def ended(*states: dict[str, Any] | None) -> Ended:
    """Return a run whose first step has the first state, and each further one the next."""
    steps = [UserStep(content="Go."), *(AssistantStep(content="So.") for _ in states[1:])]
    given = [
        step if state is None else with_state(step, state)
        for step, state in zip(steps, states, strict=True)
    ]
    return Ended(Tape(steps=tuple(given)), 1, "finished")


def check(**said: Any) -> Check:
    made: Check = CHECKS.validate_python(said)
    validate_check(made)
    return made


def test_what_is_named_has_to_be_so_and_the_first_difference_is_told() -> None:
    wanted = check(kind="state", state={"orders": {"17": {"status": "cancelled"}}})

    assert decide(wanted, ended(OPEN, GONE)).passed
    failed = decide(wanted, ended(OPEN, None))
    assert (failed.passed, failed.score) == (False, 0)
    assert failed.reason == 'state.orders.17.status is "open" and not "cancelled".'
    assert describe_check(wanted) == (
        """The environment's state has '{"orders":{"17":{"status":"cancelled"}}}'."""
    )


def test_a_tape_without_a_state_is_not_decided() -> None:
    with pytest.raises(InvalidInputError, match="no environment state to check"):
        decide(check(kind="state", state={"a": 1}), ended(None, None))


@pytest.mark.parametrize(
    ("wanted", "found", "is_exact", "difference"),
    [
        ({"a": 1}, {"a": 1.0, "b": 2}, False, ""),
        ({"a": 1}, {"a": 1, "b": 2}, True, "state also has 'b', which it should not."),
        ({"a": 1}, {"a": True}, False, "state.a is true and not 1."),
        ({"a": None}, {}, False, "state has no 'a'; it should be null."),
        ({"a": [1]}, {"a": [1, 2]}, False, "state.a has 2 elements and not 1."),
        ({"a": [{"b": 1}]}, {"a": [{"b": 2, "c": 3}]}, False, "state.a[0].b is 2 and not 1."),
        ({"a": [{"b": 2}]}, {"a": [{"b": 2, "c": 3}]}, False, ""),
        ({"a": {}}, {"a": []}, False, "state.a is [] and not {}."),
    ],
)
def test_states_beside_each_other(wanted: Any, found: Any, is_exact: bool, difference: str) -> None:
    assert find_difference(wanted, found, is_exact=is_exact) == difference


def test_an_expression_and_checkpoints_see_the_state_as_it_was() -> None:
    def is_now(status: str) -> dict[str, Any]:
        expression = f"state.orders.\"17\".status == '{status}'"
        return {"name": status, "check": {"kind": "jmespath", "expression": expression}}

    passing = [is_now("cancelled"), is_now("open")]
    both = check(kind="checkpoints", checkpoints=passing)

    assert decide(both, ended(OPEN, GONE, OPEN)).passed
    # What it was before the run counts for none: a checkpoint is met after a new step.
    missed = decide(both, ended(OPEN, GONE, None))
    assert (missed.score, missed.reason) == (0.5, "Missed: open. 1 of 2 checkpoints are met.")


def test_a_state_that_is_too_large_or_empty_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="bytes; at most"):
        check(kind="state", state={"a": "x" * 70_000})
    with pytest.raises(ValueError, match="at least 1 item"):
        check(kind="state", state={})
