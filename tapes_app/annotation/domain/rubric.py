"""Rubrics: the questions that a person answers about a tape, and the score computed from them.

Nothing here knows about tables or people. A rubric is an immutable value: changing it makes a new
one.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Annotated, Any, Literal, Self, assert_never, get_args

from pydantic import Field, StringConstraints, model_validator

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel

Preference = Literal["left", "right", "tie"]
ScoreRule = Literal["all", "mean", "sum", "item", "none"]
AnswerValue = bool | float | str
LONGEST_TEXT = 10_000
_MOST_ITEMS = 30
_MOST_OPTIONS = 20
_WIDEST_SCALE = 100

_PLAIN = r"^[^\x00]*$"
Key = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Words = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300, pattern=_PLAIN)
]
Prose = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2000, pattern=_PLAIN)]


class AnswerError(InvalidInputError):
    """An answer does not fit its rubric; `details` names the item."""

    code = "answer_invalid"


class _Item(FrozenModel):
    """The fields that every item has."""

    key: Key
    """Identifies the item in answers and exports: lowercase letters, digits and underscores."""

    question: Words
    help: Prose = ""
    """Explains when to give which answer."""

    is_required: bool = True


class BinaryItem(_Item):
    """Yes or no; yes counts as 1."""

    kind: Literal["binary"] = "binary"
    sets_outcome: bool = False
    """Whether yes and no also are the outcome of a tape that has none: pass and fail."""


class ScaleItem(_Item):
    """A whole number from `minimum` to `maximum`."""

    kind: Literal["scale"] = "scale"
    minimum: int = Field(default=1, ge=-1000, le=1000)
    maximum: int = Field(default=5, ge=-1000, le=1000)

    @model_validator(mode="after")
    def _check_width(self) -> Self:
        if not 1 <= self.maximum - self.minimum <= _WIDEST_SCALE:
            raise ValueError(
                f"a scale from {self.minimum} to {self.maximum} must have 2 to "
                f"{_WIDEST_SCALE + 1} points"
            )
        return self


class ChoiceItem(_Item):
    """One of some options."""

    kind: Literal["choice"] = "choice"
    options: tuple[Words, ...] = Field(min_length=2, max_length=_MOST_OPTIONS)

    @model_validator(mode="after")
    def _check_options(self) -> Self:
        if len(set(self.options)) < len(self.options):
            raise ValueError("two options are identical")
        return self


class TextItem(_Item):
    """Free text, which does not count towards the score."""

    kind: Literal["text"] = "text"


class PreferenceItem(_Item):
    """Which of two tapes is better: left, right or neither."""

    kind: Literal["preference"] = "preference"


Item = Annotated[
    BinaryItem | ScaleItem | ChoiceItem | TextItem | PreferenceItem, Field(discriminator="kind")
]


class Score(FrozenModel):
    """How the score is computed.

    `all`: 1 if every binary item is yes, else 0. `mean`: the mean of binary and scale items, each
    scaled to 0 to 1. `sum`: the sum of their values. `item`: the value of one of them. `none`: no
    score.
    """

    rule: ScoreRule = "none"
    item: str = ""


class Rubric(FrozenModel):
    """Questions and the rule that scores their answers."""

    description: Prose = ""
    items: tuple[Item, ...] = Field(min_length=1, max_length=_MOST_ITEMS)
    score: Score = Score()

    @model_validator(mode="after")
    def _check_parts(self) -> Self:
        keys = [item.key for item in self.items]
        twice = next((key for key in keys if keys.count(key) > 1), None)
        if twice is not None:
            raise ValueError(f"two items share the key {twice!r}")
        if sum(isinstance(item, BinaryItem) and item.sets_outcome for item in self.items) > 1:
            raise ValueError("only one item can set the outcome of the tape")
        match self.score.rule:
            case "all" if not any(isinstance(item, BinaryItem) for item in self.items):
                raise ValueError("the score 'all' needs a binary item")
            case "mean" | "sum" if not any(_counts(item) for item in self.items):
                raise ValueError(f"the score {self.score.rule!r} needs a binary or scale item")
            case "item" if not any(
                item.key == self.score.item and _counts(item) for item in self.items
            ):
                raise ValueError(
                    f"{self.score.item!r} is not a binary or scale item, so the score cannot use it"
                )
        return self

    @property
    def is_pairwise(self) -> bool:
        """Whether the rubric asks which of two tapes is better."""
        return any(isinstance(item, PreferenceItem) for item in self.items)


def find_outcome_item(rubric: Rubric) -> str | None:
    """Return the key of the item whose answer is the outcome of the tape."""
    found = (item for item in rubric.items if isinstance(item, BinaryItem) and item.sets_outcome)
    return next((item.key for item in found), None)


def read_answer(rubric: Rubric, given: Mapping[str, Any]) -> dict[str, AnswerValue]:
    """Return an answer's values in the rubric's order, without `null` and blank texts.

    Raises:
        AnswerError: a required item has no value, a value does not fit, or an item is unknown.
    """
    known = {item.key for item in rubric.items}
    for key in given:
        if key not in known:
            raise AnswerError(f"The rubric has no item {key!r}.", item=key)
    values: dict[str, AnswerValue] = {}
    for item in rubric.items:
        value = given.get(item.key)
        if isinstance(value, str):
            value = value.strip()
        if value is None or value == "":
            if item.is_required:
                raise AnswerError(f"{item.question!r} is required.", item=item.key)
            continue
        values[item.key] = _read_value(item, value)
    return values


def score_answer(rubric: Rubric, values: Mapping[str, AnswerValue]) -> float | None:
    """Return the score of an answer that was read, or `None` if there is nothing to score."""
    match rubric.score.rule:
        case "none":
            return None
        case "item":
            found = values.get(rubric.score.item)
            return None if found is None or isinstance(found, str) else float(found)
        case "all":
            marks = [values[i.key] for i in _answered(rubric, values) if isinstance(i, BinaryItem)]
            return float(all(marks)) if marks else None
        case "mean":
            return _collect(rubric, values, _fraction, fmean)
        case "sum":
            return _collect(rubric, values, lambda _, value: value, math.fsum)
        case _:
            assert_never(rubric.score.rule)


def same_verdict(rubric: Rubric, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two answers agree: by their score, or else by every value that is not text."""
    scores = score_answer(rubric, one), score_answer(rubric, other)
    if scores != (None, None):
        return scores[0] == scores[1]
    compared = [item.key for item in rubric.items if not isinstance(item, TextItem)]
    return all(one.get(key) == other.get(key) for key in compared)


def _read_value(item: Item, value: Any) -> AnswerValue:
    match item:
        case BinaryItem() if isinstance(value, bool):
            return value
        case ScaleItem() if _is_whole(value) and item.minimum <= value <= item.maximum:
            return int(value)
        case ChoiceItem() if value in item.options:
            return str(value)
        case PreferenceItem() if value in get_args(Preference):
            return str(value)
        case TextItem() if isinstance(value, str) and len(value) <= LONGEST_TEXT:
            return value
    raise AnswerError(f"{item.question!r} must be {_describe(item)}.", item=item.key)


def _describe(item: Item) -> str:
    match item:
        case BinaryItem():
            return "true or false"
        case ScaleItem():
            return f"a whole number from {item.minimum} to {item.maximum}"
        case ChoiceItem():
            return f"one of {', '.join(repr(option) for option in item.options)}"
        case PreferenceItem():
            return "'left', 'right' or 'tie'"
        case TextItem():
            return f"text of at most {LONGEST_TEXT} characters"
        case _:
            assert_never(item)


def _is_whole(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and value == int(value)


def _counts(item: Item) -> bool:
    return isinstance(item, BinaryItem | ScaleItem)


def _answered(rubric: Rubric, values: Mapping[str, AnswerValue]) -> list[Item]:
    return [item for item in rubric.items if item.key in values]


def _fraction(item: Item, value: float) -> float:
    if isinstance(item, ScaleItem):
        return (value - item.minimum) / (item.maximum - item.minimum)
    return value


def _collect(
    rubric: Rubric,
    values: Mapping[str, AnswerValue],
    weigh: Callable[[Item, float], float],
    join: Callable[[Sequence[float]], float],
) -> float | None:
    found = [
        weigh(item, float(values[item.key])) for item in _answered(rubric, values) if _counts(item)
    ]
    return join(found) if found else None
