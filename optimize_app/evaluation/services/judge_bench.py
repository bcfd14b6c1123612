"""A scorer of a sweep beside people: how far to trust it, and what it says once corrected."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from optimize_app.evaluation.plan import Plan, Progress
from optimize_app.evaluation.request import SWEEP_KIND
from optimize_app.evaluation.services.decisions import DecidedBy, choose_decision
from optimize_app.evaluation.services.swept_tapes import SweptTape, read_attempts
from optimize_app.evaluation.store.human_labels import read_labels, read_lengths
from tapes_app.annotation.rubric_presets import FIRST_OFFER
from tapes_app.annotation.services import queues
from tapes_app.annotation.store.queue_filling import Target
from tapes_app.annotation.store.queues import QueueRow
from tapes_app.engine.errors import InvalidInputError, StudioError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.messages import digest_json
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.projects.services.people import Person
from tapes_app.statistics.corrected_scores import CorrectedScore, correct_score
from tapes_app.statistics.judge_biases import LengthBias, measure_length_bias
from tapes_app.statistics.judges import JudgeBench, Judgement, measure_judge
from tapes_app.statistics.label_plans import LabelsNeeded, labels_needed

HALF_WIDTH = 0.05
MOST_ASKED = 500
QUEUE_NAME_LENGTH = 200


class LabelRequest(FrozenModel):
    """How many attempts people are asked about, and in which queue."""

    name: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=QUEUE_NAME_LENGTH),
    ]
    count: int = Field(ge=1, le=MOST_ASKED)


@dataclass(frozen=True, slots=True)
class BenchReport:
    """A scorer beside people, over all attempts of a sweep."""

    decided_by: DecidedBy
    labels: str
    """The rubric under which people say whether an attempt passes."""

    judged_count: int
    """Attempts with a verdict of the scorer."""

    labelled_count: int
    """Those of them that people looked at too."""

    bench: JudgeBench | None
    """`None`: people have looked at none."""

    length_bias: LengthBias | None
    corrected: CorrectedScore | None
    """The share of all attempts that people would let pass; `None`: it is refused."""

    refusal: str
    """Why there is no corrected score, in a sentence; empty where there is one."""

    needed: LabelsNeeded | None
    """For the interval that was asked for; `None` where the score is refused."""


def load_bench(
    person: Person, sweep_id: UUID, scoring_id: UUID, *, half_width: float = HALF_WIDTH
) -> BenchReport:
    """Return how a scorer of a sweep does beside people.

    Raises:
        NotFoundError: the project has no such sweep, or it has no such scoring.
    """
    by, attempts = _read(person, sweep_id, scoring_id)
    labels = read_labels([one.row.tape_id for one in attempts], FIRST_OFFER)
    lengths = read_lengths(labels)
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
        labels=FIRST_OFFER,
        judged_count=sum(one.judge is not None for one in judgements),
        labelled_count=len(both),
        bench=measure_judge(judgements) if both else None,
        length_bias=measure_length_bias(both),
        corrected=corrected,
        refusal=refusal,
        needed=needed,
    )


def ask_for_labels(
    person: Person, sweep_id: UUID, scoring_id: UUID, request: LabelRequest
) -> QueueRow:
    """Make a queue of attempts that nobody has looked at, drawn by chance.

    A correction holds for labels drawn by chance. Attempts at one task say partly the same, so a
    task comes twice only when every one was there once.

    Raises:
        NotFoundError: the project has no such sweep, or it has no such scoring.
        InvalidInputError: people have looked at every attempt that has a verdict.
        ConflictError: the project has a queue of that name.
    """
    _, attempts = _read(person, sweep_id, scoring_id)
    judged = [one for one in attempts if one.score is not None]
    labels = read_labels([one.row.tape_id for one in judged], FIRST_OFFER)
    open_ones = [one for one in judged if one.row.tape_id not in labels]
    if not open_ones:
        raise InvalidInputError("People have looked at every attempt that has a verdict.")
    drawn = draw(open_ones, seed=scoring_id.hex)[: request.count]
    return queues.create_queue(
        person,
        rubric_id=None,
        preset=FIRST_OFFER,
        targets=[Target(one.row.tape_id) for one in drawn],
        name=request.name,
        mode="single",
        annotators_per_item=1,
        audit_percent=0.0,
        lock_minutes=30,
        people=[],
    )


def draw(attempts: Sequence[SweptTape], *, seed: str) -> list[SweptTape]:
    """Return attempts in an order of chance, each task once before any a second time."""
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


def _correct(
    judgements: Sequence[Judgement], half_width: float
) -> tuple[CorrectedScore | None, LabelsNeeded | None, str]:
    try:
        return correct_score(judgements), labels_needed(judgements, half_width), ""
    except StudioError as error:  # the sentence says why, with the numbers
        return None, None, error.message
