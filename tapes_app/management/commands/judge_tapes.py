"""Set by hand how tapes ended: their task, the expected answer, whether they passed."""

import math
from typing import Any

from tapes_app.editing.services.opening import change_tape
from tapes_app.engine.errors import InvalidInputError
from tapes_app.management import named
from tapes_app.management.arguments import option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person

_OUTCOMES = {"pass": "pass", "fail": "fail", "none": ""}
_NO_SCORE = "none"


class Command(StudioCommand):
    help = "Set by hand which task tapes attempt, the expected answer, and the outcome."

    arguments = (
        option("ids", metavar="ID", nargs="+", help="id of a tape"),
        option("--outcome", choices=_OUTCOMES, help="none clears it"),
        option("--score", metavar="NUMBER", help="none clears it"),
        option("--task", metavar="TEXT"),
        option("--expected", metavar="TEXT", help="expected answer"),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        verdict = _read_verdict(options)
        ids = [named.find_tape(person, text) for text in options["ids"]]
        shown = [change_tape(person, tape_id, **verdict) for tape_id in ids]
        values = [
            {"tape": str(tape["id"]), **{name: tape[name] for name in _NAMES}} for tape in shown
        ]
        return Answer(f"{count_of(len(ids), 'tape')} judged.", {"tapes": values})


_NAMES = ("task", "expected", "actual", "outcome", "score")


def _read_verdict(options: dict[str, Any]) -> dict[str, Any]:
    verdict = {name: options[name] for name in ("task", "expected") if options[name] is not None}
    if options["outcome"] is not None:
        verdict["outcome"] = _OUTCOMES[options["outcome"]]
    if options["score"] is not None:
        verdict["score"] = _read_score(options["score"])
    if not verdict:
        raise InvalidInputError("Give --outcome, --score, --task or --expected.")
    return verdict


def _read_score(text: str) -> float | None:
    if text == _NO_SCORE:
        return None
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise InvalidInputError("--score must be a number, or none to clear it.")
    return score
