"""Scores of turns by the six criteria, and their table by behaviour."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

from tapes_app.gallery.form_filler.greadth import criteria
from tapes_app.gallery.form_filler.greadth.turns import AssistantTurn


@dataclass(frozen=True)
class TurnScore:
    """Whether a turn meets each of the criteria."""

    grounded: bool
    responsive: bool
    accurate: bool
    disciplined: bool
    transparent: bool
    helpful: bool

    @property
    def passes(self) -> bool:
        """Whether it meets all of them."""
        return all(getattr(self, name) for name in CRITERIA)


CRITERIA = tuple(field.name for field in fields(TurnScore))

_RULES: Mapping[str, Callable[[AssistantTurn], bool]] = {
    "grounded": criteria.is_grounded,
    "responsive": criteria.is_responsive,
    "accurate": criteria.is_accurate,
    "disciplined": criteria.is_disciplined,
    "transparent": criteria.is_transparent,
    "helpful": criteria.is_helpful,
}


def score_turn(turn: AssistantTurn) -> TurnScore:
    """Return the score by the rules; an invalid turn meets no criterion."""
    return TurnScore(**{name: turn.is_valid and rule(turn) for name, rule in _RULES.items()})


@dataclass(frozen=True)
class Row:
    """The scores of the turns after one behaviour, or after all."""

    count: int
    shares: Mapping[str, float]
    """The share of turns that meet each criterion."""

    greadth: float
    """The share of turns that meet all of them."""


ALL = "ALL"


def tabulate(scores: Iterable[tuple[str, TurnScore]]) -> dict[str, Row]:
    """Return a row for each behaviour and one for all turns, from pairs of behaviour and score."""
    groups: dict[str, list[TurnScore]] = defaultdict(list)
    for behaviour, score in scores:
        groups[behaviour].append(score)
    everything = [score for group in groups.values() for score in group]
    rows = {name: _summarize(groups[name]) for name in sorted(groups)}
    return rows | ({ALL: _summarize(everything)} if everything else {})


def _summarize(scores: Sequence[TurnScore]) -> Row:
    count = len(scores)
    shares = {name: sum(getattr(one, name) for one in scores) / count for name in CRITERIA}
    return Row(count, shares, sum(one.passes for one in scores) / count)
