"""The state of an environment, which lies on the tape like all else: so it is resumed and forked.

A set-up gives it with the first step of a task, and an environment with each observation that
changes it. At any place of a tape it is what the newest step before it says, so every attempt
begins with that of its task, and what one attempt does is seen by no other.
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from pydantic_core import PydanticSerializationError, to_json, to_jsonable_python

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.steps import Step

LARGEST_STATE_BYTES = 65_536
"""As JSON: each step that changes the state holds all of it."""

_KEY = "state"


class EnvironmentState(dict[str, Any]):
    """What a tool reads and changes, as a parameter of this type; a model sees nothing of it.

    What a tool changes in it is kept on the tape with the result of the call; where the call fails,
    nothing is.
    """


def read_state(steps: Sequence[Step]) -> dict[str, Any] | None:
    """Return the state after some steps, for the caller to keep; `None`: none of them gives one."""
    for step in reversed(steps):
        state = step.metadata.other.get(_KEY)
        if isinstance(state, dict):
            return deepcopy(state)
    return None


def with_state(step: Step, state: dict[str, Any]) -> Step:
    """Return a step after which the state is this.

    Raises:
        InvalidInputError: it is no JSON, or too large.
    """
    return step.with_metadata(other={**step.metadata.other, _KEY: check_state(state)})


def check_state(state: dict[str, Any]) -> dict[str, Any]:
    """Return a state as JSON data.

    Raises:
        InvalidInputError: it is no JSON, or too large.
    """
    try:
        size = len(to_json(state))
        told: dict[str, Any] = to_jsonable_python(dict(state), inf_nan_mode="strings")
    except (PydanticSerializationError, ValueError, RecursionError) as error:
        raise InvalidInputError(f"The environment's state is no JSON: {error}.") from error
    if size > LARGEST_STATE_BYTES:
        raise InvalidInputError(
            f"The environment's state has {size:,} bytes; at most {LARGEST_STATE_BYTES:,} are kept."
        )
    return told
