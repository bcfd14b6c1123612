"""Environment state, kept on the tape like everything else, so it is resumed and forked with it.

A set-up provides it with the first step of a task, and an environment with each observation that
changes it: its tools do, and what it saves for the next one that is opened. At any position of a
tape, the state is the one in the newest step before it. So every attempt starts with its task's
state, and no attempt sees what another did.
"""

import hmac
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from pydantic_core import PydanticSerializationError, to_json, to_jsonable_python

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape

LARGEST_STATE_BYTES = 65_536
"""As JSON: each step that changes the state contains all of it."""

_KEY = "state"


class EnvironmentState(dict[str, Any]):
    """State that a tool reads and changes through a parameter of this type; models never see it.

    A tool's changes are kept on the tape with the result of the call; if the call fails, they are
    dropped.
    """


def read_state(steps: Sequence[Step]) -> dict[str, Any] | None:
    """Return the state after the given steps, safe to keep; `None` if no step holds one."""
    for step in reversed(steps):
        state = step.metadata.other.get(_KEY)
        if isinstance(state, dict):
            return deepcopy(state)
    return None


def with_state(step: Step, state: dict[str, Any]) -> Step:
    """Return the step with this state recorded on it.

    Raises:
        InvalidInputError: it is not JSON, or too large.
    """
    return step.with_metadata(other={**step.metadata.other, _KEY: check_state(state)})


def record_state(
    observations: Sequence[Step], tape: Tape, saved: Mapping[str, Any]
) -> Sequence[Step]:
    """Return the observations of an action with what an environment saved after it, on the last.

    Raises:
        InvalidInputError: it is not JSON, or too large.
    """
    if not observations:
        return observations
    state = read_state(observations)
    if state is None:
        state = read_state(tape.steps) or {}
    return [*observations[:-1], with_state(observations[-1], {**state, **saved})]


def check_state(state: dict[str, Any]) -> dict[str, Any]:
    """Return a state as JSON data.

    Raises:
        InvalidInputError: it is not JSON, or too large.
    """
    try:
        size = len(to_json(state))
        data: dict[str, Any] = to_jsonable_python(dict(state), inf_nan_mode="strings")
    except (PydanticSerializationError, ValueError, RecursionError) as error:
        raise InvalidInputError(f"The environment's state is not JSON: {error}.") from error
    if size > LARGEST_STATE_BYTES:
        raise InvalidInputError(
            f"The environment's state has {size:,} bytes; at most {LARGEST_STATE_BYTES:,} are kept."
        )
    return data


def seal_text(text: str, key: bytes) -> str:
    """Return the seal of a part of a state that must not be taken from the tape of somebody else.

    `key` is `RunContext.state_key`.
    """
    return hmac.digest(key, text.encode(errors="surrogatepass"), "sha256").hex()


def is_sealed(text: str, seal: str, key: bytes) -> bool:
    """Return whether a seal is that of this text and this studio."""
    found = seal.encode(errors="surrogatepass")
    return hmac.compare_digest(found, seal_text(text, key).encode())
