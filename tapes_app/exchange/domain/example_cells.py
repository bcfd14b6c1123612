"""Cells of a row that contain JSON: the check, the state and the attack of an example."""

from typing import Any

from pydantic import TypeAdapter, ValidationError

from tapes_app.engine.environment.state import check_state
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.steps import first_reason
from tapes_app.experiments.domain import attacks
from tapes_app.experiments.domain.check_kinds import Check, validate_check
from tapes_app.interchange.json_reader import parse_json_text
from tapes_app.interchange.refusals import FormatProblem

CHECKS: TypeAdapter[Check] = TypeAdapter(Check)


class RowProblem(Exception):  # noqa: N818 - it never leaves the subject
    """Why a row does not become an example, as a clause."""


def read_check(value: Any) -> dict[str, Any] | None:
    """Return a valid check as it is stored; a list becomes a check of checkpoints.

    Raises:
        RowProblem: it cannot be read or decided.
    """
    if value is None or value == "":
        return None
    try:
        data = parse_json_text(value) if isinstance(value, str) else value
        if isinstance(data, list):
            data = {"kind": "checkpoints", "checkpoints": data}
        check = CHECKS.validate_python(data)
        validate_check(check)
    except FormatProblem as problem:
        raise RowProblem("a check that is not JSON") from problem
    except ValidationError as error:
        raise RowProblem(f"a check that cannot be read: {first_reason(error)}") from error
    except InvalidInputError as error:
        raise RowProblem(f"a check that cannot be decided: {error.message.rstrip('.')}") from error
    stored: dict[str, Any] = CHECKS.dump_python(check, mode="json")
    return stored


def read_state(value: Any) -> dict[str, Any] | None:
    """Return a valid state of an environment.

    Raises:
        RowProblem: it is not a JSON object, or too large.
    """
    if value is None or value == "":
        return None
    try:
        data = parse_json_text(value) if isinstance(value, str) else value
    except FormatProblem as problem:
        raise RowProblem("an environment state that is not JSON") from problem
    if not isinstance(data, dict):
        raise RowProblem("an environment state that is not an object")
    try:
        return check_state(data)
    except InvalidInputError as error:
        raise RowProblem("an environment state that is too large") from error


def read_attack(value: Any) -> attacks.Attack | None:
    """Return a valid attack.

    Raises:
        RowProblem: it cannot be read, or its goal cannot be decided.
    """
    if value is None or value == "":
        return None
    try:
        return attacks.read_attack(parse_json_text(value) if isinstance(value, str) else value)
    except FormatProblem as problem:
        raise RowProblem("an attack that is not JSON") from problem
    except InvalidInputError as error:
        raise RowProblem(f"an attack that cannot be used: {error.message.rstrip('.')}") from error
