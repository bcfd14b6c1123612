"""What people answered in a queue: how the answers are distributed, and how far people agree."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any
from uuid import UUID

from tapes_app.annotation.domain.rubric import BinaryItem, Item, Rubric, ScaleItem, TextItem
from tapes_app.annotation.store import queue_items, queues
from tapes_app.annotation.store.queue_items import AnswerRow
from tapes_app.projects.services.people import Person
from tapes_app.statistics.agreement import Level, krippendorffs_alpha, mean_kappa, percent_agreement

MOST_ANSWERS = 20_000
_SEVERAL = 2
_SCORE_LEVELS: dict[str, Level] = {"all": "nominal", "mean": "interval", "sum": "interval"}


@dataclass(frozen=True)
class Agreement:
    """How far people agree on the same items; a measure is `None` where it is undefined."""

    unit_count: int
    """Items that two or more people answered."""

    percent: float | None
    """Share of answer pairs that are equal, from 0 to 1."""

    kappa: float | None
    """Cohen's kappa; the mean over pairs of people if there are more than two."""

    alpha: float | None
    """Krippendorff's alpha, at `level`."""

    level: Level


@dataclass(frozen=True)
class ValueCount:
    value: str
    count: int


@dataclass(frozen=True)
class ItemResult:
    """The answers to one item of the rubric, or the scores."""

    key: str
    """Empty for the score."""

    question: str
    kind: str
    answer_count: int
    mean: float | None
    """Mean of binary and scale items and of the score; yes counts as 1."""

    values: tuple[ValueCount, ...]
    """How often each value was given, in the rubric's order; empty for texts."""

    agreement: Agreement | None
    """`None` for texts."""


@dataclass(frozen=True)
class PersonResult:
    person: str
    answer_count: int
    mean_score: float | None
    median_seconds: float


@dataclass(frozen=True)
class QueueResults:
    items: tuple[ItemResult, ...]
    score: ItemResult | None
    people: tuple[PersonResult, ...]
    answer_count: int
    is_cut: bool
    """Whether there are more answers than were read; only the newest were read."""


def show_results(person: Person, queue_id: UUID) -> QueueResults:
    """Return what was answered and how far people agree.

    Raises:
        NotFoundError: no such queue in the project.
    """
    queue = queues.load_queue(queue_id, person.project_id)
    return summarize(queue.rubric, queue_items.list_answers(queue.id, limit=MOST_ANSWERS + 1))


def summarize(rubric: Rubric, answers: Sequence[AnswerRow]) -> QueueResults:
    """Compute the results from at most `MOST_ANSWERS` answers, the newest first."""
    looked_at = answers[:MOST_ANSWERS]
    return QueueResults(
        items=tuple(_of_item(item, looked_at) for item in rubric.items),
        score=_of_score(rubric, looked_at),
        people=tuple(_of_people(looked_at)),
        answer_count=len(looked_at),
        is_cut=len(answers) > MOST_ANSWERS,
    )


def _of_item(item: Item, answers: Sequence[AnswerRow]) -> ItemResult:
    given = [answer for answer in answers if item.key in answer.values]
    values = [answer.values[item.key] for answer in given]
    is_text = isinstance(item, TextItem)
    is_number = isinstance(item, BinaryItem | ScaleItem)
    level: Level = "ordinal" if isinstance(item, ScaleItem) else "nominal"
    units = _units((answer, answer.values[item.key]) for answer in given)
    return ItemResult(
        key=item.key,
        question=item.question,
        kind=item.kind,
        answer_count=len(given),
        mean=fmean(map(float, values)) if is_number and values else None,
        values=() if is_text else _count_values(values, _known_values(item)),
        agreement=None if is_text else _measure(units, level),
    )


def _of_score(rubric: Rubric, answers: Sequence[AnswerRow]) -> ItemResult | None:
    if rubric.score.rule == "none":
        return None
    given = [(answer, answer.score) for answer in answers if answer.score is not None]
    scores = [score for _, score in given]
    level = _SCORE_LEVELS.get(rubric.score.rule, "ordinal")
    return ItemResult(
        key="",
        question="Score",
        kind=rubric.score.rule,
        answer_count=len(given),
        mean=fmean(scores) if scores else None,
        values=_count_values(scores, sorted(set(scores))),
        agreement=_measure(_units(iter(given)), level),
    )


def _of_people(answers: Sequence[AnswerRow]) -> Iterator[PersonResult]:
    by_person: dict[str, list[AnswerRow]] = defaultdict(list)
    for answer in answers:
        by_person[answer.person].append(answer)
    for name, own in sorted(by_person.items()):
        scores = [answer.score for answer in own if answer.score is not None]
        yield PersonResult(
            person=name,
            answer_count=len(own),
            mean_score=fmean(scores) if scores else None,
            median_seconds=median(answer.seconds for answer in own),
        )


def _units(given: Iterator[tuple[AnswerRow, Any]]) -> list[dict[Hashable, Hashable]]:
    """Return each person's answer, grouped by the queue's items."""
    found: dict[UUID, dict[Hashable, Hashable]] = defaultdict(dict)
    for answer, value in given:
        found[answer.item_id][answer.person_id] = value
    return list(found.values())


def _measure(units: Sequence[Mapping[Hashable, Hashable]], level: Level) -> Agreement:
    plain = [list(unit.values()) for unit in units]
    return Agreement(
        unit_count=sum(len(unit) >= _SEVERAL for unit in plain),
        percent=percent_agreement(plain),
        kappa=mean_kappa(units),
        alpha=krippendorffs_alpha(plain, level),
        level=level,
    )


def _known_values(item: Item) -> Sequence[Any]:
    match item.kind:
        case "binary":
            return (True, False)
        case "scale":
            return range(item.minimum, item.maximum + 1)
        case "choice":
            return item.options
        case "preference":
            return ("left", "right", "tie")
        case "text":
            return ()


def _count_values(values: Sequence[Any], known: Sequence[Any]) -> tuple[ValueCount, ...]:
    counts = Counter(values)
    return tuple(ValueCount(_write(value), counts[value]) for value in known)


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, int | float) else str(value)
