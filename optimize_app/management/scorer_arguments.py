"""Scorers as arguments of commands, written in JSON."""

import json
from typing import Literal

from pydantic import TypeAdapter

from optimize_app.evaluation.scoring.scorers import Scorer
from optimize_app.evaluation.scoring_request import ScoringRequest
from tapes_app.engine.errors import InvalidInputError

_SCORERS: TypeAdapter[Scorer] = TypeAdapter(Scorer)


def read_scoring(
    text: str | None, *, expected: Literal["frozen", "now"] = "frozen"
) -> ScoringRequest | None:
    """Return the scoring that a command asks for; call it where invalid input is reported.

    Raises:
        InvalidInputError: it is not JSON.
    """
    if text is None:
        return None
    try:
        value = json.loads(text)
    except ValueError as error:
        raise InvalidInputError(f"--scorer is not JSON: {error}.") from error
    return ScoringRequest(scorer=_SCORERS.validate_python(value), expected=expected)
