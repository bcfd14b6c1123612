"""Why tapes were left out of an operation, and how many for each reason."""

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from pydantic import PlainSerializer


@dataclass(frozen=True, slots=True)
class LeftOutTapes:
    """Why some of the chosen tapes were left out."""

    why: str
    tape_count: int


def list_left_out(reasons: Counter[str]) -> list[LeftOutTapes]:
    """Return the reasons in the form of an answer, the most frequent first."""
    return [LeftOutTapes(why, count) for why, count in reasons.most_common()]


def write_left_out(reasons: Counter[str]) -> list[dict[str, Any]]:
    """Return the reasons in the form of a job's result."""
    return [asdict(reason) for reason in list_left_out(reasons)]


LeftOut = Annotated[Counter[str], PlainSerializer(list_left_out, return_type=list[LeftOutTapes])]
"""How many tapes were left out, by reason; a list in answers."""
