"""Scorers as commands are given them: as JSON."""

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
    """Return what a command is to decide by; call it where misfits are refused.

    Raises:
        InvalidInputError: it is no JSON.
    """
    if text is None:
        return None
    try:
        value = json.loads(text)
    except ValueError as error:
        raise InvalidInputError(f"--scorer is no JSON: {error}.") from error
    return ScoringRequest(scorer=_SCORERS.validate_python(value), expected=expected)
