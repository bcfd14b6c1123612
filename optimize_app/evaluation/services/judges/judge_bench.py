"""A scorer of a sweep compared with people: how far to trust it, and its corrected score."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from django.db import transaction
from pydantic import Field, StringConstraints

from optimize_app.evaluation.plan import LETTERS, Plan, Progress
from optimize_app.evaluation.request import SWEEP_KIND
from optimize_app.evaluation.scoring.scorers import PairwiseScorer
from optimize_app.evaluation.services.judges.disagreements import (
    OUTCOME,
    PEOPLE,
    Disagreement,
    Disputed,
    OtherScores,
    find_disputed,
)
from optimize_app.evaluation.services.judges.pairwise import find_partners, list_verdicts
from optimize_app.evaluation.services.reports.task_reports import LONGEST_WHY
from optimize_app.evaluation.services.sweeps.decisions import (
    DecidedBy,
    choose_decision,
    list_other_scorings,
)
from optimize_app.evaluation.services.sweeps.swept_tapes import SweptTape, read_attempts, score_of
from optimize_app.evaluation.store import scores as storage
from optimize_app.evaluation.store.human_labels import (
    read_labels,
    read_lengths,
    read_preferences,
)
from tapes_app.annotation.domain.rubric import find_outcome_item
from tapes_app.annotation.domain.rubric_presets import (
    BETTER_OF_TWO,
    FIRST_OFFER,
    JUDGE_CHECK,
    SECOND_OPINION,
)
from tapes_app.annotation.services import queues
from tapes_app.annotation.store.queue_filling import Target
from tapes_app.annotation.store.queues import QueueRow
from tapes_app.engine.errors import (
    ConflictError,
    InvalidInputError,
    NotFoundError,
    StudioError,
)
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.messages import digest_json
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.projects.services.people import Person
from tapes_app.statistics.attempts import PASSES_FROM
from tapes_app.statistics.corrected_scores import (
    CorrectedScore,
    LabelsNeeded,
    correct_score,
    labels_needed,
)
from tapes_app.statistics.judge_biases import (
    LengthBias,
    PositionBias,
    measure_length_bias,
    measure_position_bias,
)
from tapes_app.statistics.judges import JudgeBench, Judgement, measure_judge

HALF_WIDTH = 0.05
MOST_ASKED = 500
QUEUE_NAME_LENGTH = 200


class LabelRequest(FrozenModel):
    """How many attempts people are asked about, which ones, and in which queue."""

    name: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=QUEUE_NAME_LENGTH),
    ]
    """An existing queue of that name is filled if it asks the same; otherwise it is made."""

    count: int = Field(ge=1, le=MOST_ASKED)
    disagreement: str = Field(default="", max_length=100)
    """The key of a disagreement: choose attempts from it. Empty: any that nobody has labelled."""


@dataclass(frozen=True, slots=True)
class LabelledAttempt:
    """An attempt that both the scorer and people have a verdict on."""

    tape_id: UUID
    name: str
    """`A2`: the second attempt of variant A."""

    title: str
    why: str
    """What the scorer says."""

    judge_passed: bool
    human_passed: bool


@dataclass(frozen=True, slots=True)
class BenchReport:
    """A scorer compared with people, over all attempts of a sweep."""

    decided_by: DecidedBy
    labels: str
    """The rubric that people use to say whether an attempt passes, or which of two is better."""

    judged_count: int
    """Attempts with a verdict of the scorer."""

    labelled_count: int
    """Those of them that people labelled too."""

    labelled: list[LabelledAttempt]
    """The same ones, for the cells of the confusion matrix."""

    bench: JudgeBench | None
    """`None`: people have labelled none."""

    length_bias: LengthBias | None
    """For comparisons: whether the longer of the two is favoured."""

    position_bias: PositionBias | None
    """`None`: the scorer does not compare, or no pair was judged in both orders."""

    corrected: CorrectedScore | None
    """The share of all attempts that people would let pass; `None`: it is refused."""

    refusal: str
    """Why there is no corrected score, in a sentence; empty if there is one."""

    needed: LabelsNeeded | None
    """Labels for the requested interval; `None` if the score is refused."""


def load_bench(
    person: Person, sweep_id: UUID, scoring_id: UUID, *, half_width: float = HALF_WIDTH
) -> BenchReport:
    """Return how a scorer of a sweep does against people.

    Raises:
        NotFoundError: the project has no such sweep, or the sweep has no such scoring.
    """
    by, attempts = _read(person, sweep_id, scoring_id)
    labels, lengths = _read_people(by, attempts)
    judgements = [
        Judgement(
            judge=one.score,
            human=labels.get(one.row.tape_id),
            cluster=one.cluster or one.task,
            length=lengths.get(one.row.tape_id),
        )
        for one in attempts
    ]
    both = [one for one in judgements if one.judge is not None and one.human is not None]
    corrected, needed, refusal = _correct(judgements, half_width)
    return BenchReport(
        decided_by=by,
        labels=_rubric_of(by),
        judged_count=sum(one.judge is not None for one in judgements),
        labelled_count=len(both),
        labelled=list(_list_labelled(attempts, labels)),
        bench=measure_judge(judgements) if both else None,
        length_bias=measure_length_bias(both),
        position_bias=_measure_position_bias(by, attempts),
        corrected=corrected,
        refusal=refusal,
        needed=needed,
    )


def _list_labelled(
    attempts: Sequence[SweptTape], labels: Mapping[UUID, float]
) -> Iterator[LabelledAttempt]:
    for one in attempts:
        label = labels.get(one.row.tape_id)
        if one.score is not None and label is not None:
            yield LabelledAttempt(
                one.row.tape_id,
                name=f"{LETTERS[one.variant]}{one.attempt + 1}",
                title=one.row.start_title or one.task,
                why=one.why[:LONGEST_WHY],
                judge_passed=one.score >= PASSES_FROM,
                human_passed=label >= PASSES_FROM,
            )


def list_disagreements(person: Person, sweep_id: UUID, scoring_id: UUID) -> list[Disagreement]:
    """Return where people, the outcome, another scorer or another variant disagrees with a scorer.

    A scorer that compares two answers has none.

    Raises:
        NotFoundError: the project has no such sweep, or the sweep has no such scoring.
    """
    by, attempts = _read(person, sweep_id, scoring_id)
    labels, _ = _read_people(by, attempts)
    return [one.count() for one in _dispute(person, sweep_id, by, attempts, labels)]


@transaction.atomic
def ask_for_labels(
    person: Person, sweep_id: UUID, scoring_id: UUID, request: LabelRequest
) -> QueueRow:
    """Put attempts into a queue: ones that nobody has labelled, or those of a disagreement.

    Unlabelled attempts are drawn at random, since the correction is valid only for such labels.
    Disputed ones are asked about under another rubric, so that no correction mistakes them for a
    random sample. Neither rubric sets outcomes: to check a judge must not change what it is checked
    about. Attempts at one task are correlated, so a task repeats only after every task was drawn
    once.

    Raises:
        NotFoundError: the project has no such sweep, or the sweep has no such scoring or
            disagreement.
        InvalidInputError: people have labelled every attempt that has a verdict.
        ConflictError: the project has a queue of that name that asks something else, or somebody
            changed the rubric so that it sets outcomes.
    """
    by, attempts = _read(person, sweep_id, scoring_id)
    labels, _ = _read_people(by, attempts)
    if request.disagreement:
        disputed = _dispute(person, sweep_id, by, attempts, labels)
        found = next((one for one in disputed if one.key == request.disagreement), None)
        if found is None:
            raise NotFoundError("There is no such disagreement; by now they all agree.")
        open_ones = list(found.attempts)
    else:
        judged = [one for one in attempts if one.score is not None]
        open_ones = [one for one in judged if one.row.tape_id not in labels]
        if not open_ones:
            raise InvalidInputError("People have looked at every attempt that has a verdict.")
    drawn = draw(open_ones, seed=scoring_id.hex)[: request.count]
    partners = _partners_of(by, attempts)
    targets = [Target(id, partners.get(id)) for id in (one.row.tape_id for one in drawn)]
    queue = queues.fill_queue(
        person,
        name=request.name,
        preset=SECOND_OPINION if request.disagreement else _rubric_of(by),
        mode="pairwise" if _compares(by) else "single",
        targets=targets,
    )
    if find_outcome_item(queue.rubric) is not None:
        raise ConflictError(
            f"The rubric {queue.rubric_name!r} of the queue {queue.name!r} sets the outcome of "
            "tapes, so answers would change the result that they check. Turn that off in the "
            "rubric, and choose another name for the queue."
        )
    return queue


def draw(attempts: Sequence[SweptTape], *, seed: str) -> list[SweptTape]:
    """Return attempts in random order, each task once before any a second time."""
    mixed = sorted(attempts, key=lambda one: digest_json([seed, one.row.tape_id.hex]))
    turns: Counter[str] = Counter()
    turn_of: dict[UUID, int] = {}
    for one in mixed:
        task = one.cluster or one.task
        turn_of[one.row.tape_id] = turns[task]
        turns[task] += 1
    return sorted(mixed, key=lambda one: turn_of[one.row.tape_id])


def _read(person: Person, sweep_id: UUID, scoring_id: UUID) -> tuple[DecidedBy, list[SweptTape]]:
    sweep = load_bulk_job(person, sweep_id, SWEEP_KIND)
    plan = Plan.model_validate(sweep.request)
    decided = choose_decision(person, sweep_id, plan, scoring_id)
    runs = Progress.model_validate(sweep.checkpoint or {}).runs
    return decided.by, read_attempts(plan, runs, decided.scores)


def _dispute(
    person: Person,
    sweep_id: UUID,
    by: DecidedBy,
    attempts: Sequence[SweptTape],
    labels: Mapping[UUID, float],
) -> Iterator[Disputed]:
    """Yield where others disagree about attempts; nothing for comparisons."""
    if _compares(by):
        return
    outcomes = {one.row.tape_id: score_of(one.row) for one in attempts}
    known = {id: score for id, score in outcomes.items() if score is not None}
    others = [
        OtherScores(PEOPLE, "People say otherwise.", labels),
        OtherScores(OUTCOME, "The outcome of the tape says otherwise.", known),
    ]
    for scoring_id, other in list_other_scorings(person, sweep_id, by):
        if not _compares(other):
            scores = storage.read_scores(scoring_id)
            passed = {id: float(one.passed) for id, one in scores.items() if one.passed is not None}
            others.append(OtherScores(str(scoring_id), f"Otherwise by: {other.words}", passed))
    yield from find_disputed(attempts, others)


def _compares(by: DecidedBy) -> bool:
    return isinstance(by.scorer, PairwiseScorer)


def _rubric_of(by: DecidedBy) -> str:
    return BETTER_OF_TWO if _compares(by) else JUDGE_CHECK


def _partners_of(by: DecidedBy, attempts: Sequence[SweptTape]) -> dict[UUID, UUID]:
    """Return the attempt that each attempt was judged against; empty if they are judged alone."""
    partners = find_partners(attempts) if _compares(by) else {}
    return {tape_id: row.tape_id for tape_id, row in partners.items() if row is not None}


def _read_people(
    by: DecidedBy, attempts: Sequence[SweptTape]
) -> tuple[dict[UUID, float], dict[UUID, int]]:
    """Return people's labels of attempts, and their lengths: of pairs, how much longer they are."""
    if not _compares(by):
        labels = read_labels([one.row.tape_id for one in attempts], (JUDGE_CHECK, FIRST_OFFER))
        return labels, read_lengths(labels)
    partners = _partners_of(by, attempts)
    preferences = read_preferences(partners)
    lengths = read_lengths({*preferences, *(partners[id] for id in preferences)})
    longer = {
        id: lengths[id] - lengths[partners[id]]
        for id in preferences
        if {id, partners[id]} <= set(lengths)
    }
    return preferences, longer


def _measure_position_bias(by: DecidedBy, attempts: Sequence[SweptTape]) -> PositionBias | None:
    verdicts = list_verdicts(attempts) if _compares(by) else []
    is_measured = any(verdict.a_first is not None for verdict in verdicts)
    return measure_position_bias(verdicts) if is_measured else None


def _correct(
    judgements: Sequence[Judgement], half_width: float
) -> tuple[CorrectedScore | None, LabelsNeeded | None, str]:
    try:
        return correct_score(judgements), labels_needed(judgements, half_width), ""
    except StudioError as error:  # its message explains why, with the numbers
        return None, None, error.message
