"""Verdicts of judges as tapes: what the judge was shown, its calls, and its final step.

A verdict's tapes are made when somebody opens it, from the calls stored with its score. They are
archived from the start: a sweep has as many verdicts as runs, and lists of tapes are not about
them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from optimize_app.evaluation.scoring.scorers import (
    ConstraintJudge,
    JudgeScorer,
    JudgingScorer,
    PairwiseScorer,
)
from optimize_app.evaluation.scoring_request import ScoringRequest
from optimize_app.evaluation.store import scores as storage
from tapes_app.agents.domain.rows import AgentVersionRow
from tapes_app.agents.store.agents import ensure_version
from tapes_app.agents.store.llm_models import load_model
from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.errors import ConflictError, NotFoundError
from tapes_app.engine.model.llm import LLMCall
from tapes_app.engine.model.messages import digest_json
from tapes_app.engine.prompts.structured_output import StructuredOutputError, read_structured
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import ParsingFailure, UserStep
from tapes_app.engine.tape.steps import Step, StepMetadata
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.gallery.judge.agent import (
    NODE,
    build_constraint_judge_spec,
    build_judge_spec,
    build_pair_judge_spec,
)
from tapes_app.gallery.judge.steps import (
    AnyAnswer,
    ConstraintAnswer,
    JudgeAnswer,
    PairAnswer,
    verdict_of,
)
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.call_columns import sum_call_columns
from tapes_app.tapes.store.calls import CallRow, link_calls, load_calls
from tapes_app.tapes.store.marks import mark_tape
from tapes_app.tapes.store.saving import NewTape, find_tapes_by_digest, save_tapes


class VerdictDeletedError(ConflictError):
    """Calls of a verdict were deleted."""

    code = "verdict_gone"


@dataclass(frozen=True, slots=True)
class OpenedVerdict:
    """A verdict as tapes: one, or one for each order, or one for each constraint that was asked."""

    tape_ids: list[UUID]
    constraints: list[str]
    """For a list of constraints: the names of those that the tapes are about, in order."""


@transaction.atomic
def open_verdict(person: Person, sweep_id: UUID, scoring_id: UUID, tape_id: UUID) -> OpenedVerdict:
    """Return the tapes of the verdict on a run; make them the first time.

    Raises:
        NotFoundError: the sweep has no such scoring, or no judge was asked about the run.
        VerdictDeletedError: some calls of the verdict are no longer stored.
    """
    project = person.project_id
    scoring = storage.load_scoring(scoring_id, project, sweep_id)
    scorer = ScoringRequest.model_validate(scoring.scorer).scorer
    call_ids = storage.read_judge_calls(scoring_id, tape_id)
    if not call_ids or not isinstance(scorer, JudgingScorer):
        raise NotFoundError(
            "No judge was asked about this run by this scorer, so there is no verdict to open.",
            tape_id=str(tape_id),
        )
    storage.lock_job(scoring_id)  # two people who open it at the same time get one tape
    digests = [_digest(call_ids, place) for place in range(_count_most(scorer))]
    made = find_tapes_by_digest(project, digests)
    if not made:
        calls = _load_all(call_ids, project)
        made = _make(person, scorer, tape_id, calls, digests)
    places = [place for place, digest in enumerate(digests) if digest in made]
    names = [one.name for one in scorer.asked] if isinstance(scorer, ConstraintJudge) else []
    return OpenedVerdict(
        [made[digests[place]] for place in places], [names[place] for place in places if names]
    )


_FORMS: Mapping[type[JudgingScorer], type[AnyAnswer]] = {
    JudgeScorer: JudgeAnswer,
    PairwiseScorer: PairAnswer,
    ConstraintJudge: ConstraintAnswer,
}


def _count_most(scorer: JudgingScorer) -> int:
    """Return the maximum number of tapes of a verdict."""
    match scorer:
        case JudgeScorer():
            return 1
        case PairwiseScorer():
            return 2
        case ConstraintJudge():
            return len(scorer.asked)


def _digest(call_ids: Sequence[UUID], place: int) -> str:
    return digest_json(["verdict", place, *map(str, call_ids)]).hex()


def _load_all(call_ids: Sequence[UUID], project: UUID) -> list[CallRow]:
    rows = {row.id: row for row in load_calls(call_ids, project)}
    gone = len(call_ids) - len(rows)
    if gone:
        raise VerdictDeletedError(
            f"{gone:,} of the {count_of(len(call_ids), 'LLM call')} of this verdict "
            f"{'was' if gone == 1 else 'were'} deleted, so it cannot be shown as a tape. What it "
            "came to is in the explanation of the score.",
            call_count=gone,
        )
    return [rows[call_id] for call_id in call_ids]


def _make(
    person: Person,
    scorer: JudgingScorer,
    judged: UUID,
    rows: Sequence[CallRow],
    digests: Sequence[str],
) -> dict[str, UUID]:
    model = _name_model(person, scorer)
    orders = list(_part(rows))
    tapes = []
    for number, order in enumerate(orders):
        place = _place_of(scorer, order[0].call, number)
        version = _ensure_judge(person, scorer, model, place)
        tapes.append(
            NewTape(
                _make_tape(version, _FORMS[type(scorer)], judged, [row.call for row in order]),
                digest=digests[place],
                title=f"Verdict on tape {judged}",
                agent_name=version.agent_name if version else "judge",
                agent_version_id=version.id if version else None,
                stored_calls={row.call.prompt.id: row.id for row in order},
                stored_totals=sum_call_columns(row.call for row in order),
            )
        )
    ids = save_tapes(person.project_id, tapes, owner=person.user_id)
    for made, order in zip(ids, orders, strict=True):
        link_calls([row.id for row in order], made, person.project_id)
        mark_tape(made, person.project_id, is_archived=True)
    return {new.digest: made for new, made in zip(tapes, ids, strict=True)}


def _name_model(person: Person, scorer: JudgingScorer) -> str:
    """Return the name of the model that judges; empty: it was deleted."""
    try:
        return load_model(scorer.model_id, person.project_id).name
    except NotFoundError:
        return ""


def _ensure_judge(
    person: Person, scorer: JudgingScorer, model: str, place: int
) -> AgentVersionRow | None:
    """Return the judge as a version of an agent; `None`: its model was deleted."""
    if not model:
        return None
    return ensure_version(person.project_id, _spec(scorer, model, place), owner=person.user_id)


def _spec(scorer: JudgingScorer, model: str, place: int) -> AgentSpec:
    match scorer:
        case JudgeScorer():
            return build_judge_spec(model, scorer.rubric)
        case PairwiseScorer():
            return build_pair_judge_spec(model, scorer.rubric)
        case ConstraintJudge():
            return build_constraint_judge_spec(model, scorer.asked[place].says)


def _place_of(scorer: JudgingScorer, call: LLMCall, number: int) -> int:
    """Return which of a verdict's tapes a call belongs to: with constraints, the one it names."""
    if not isinstance(scorer, ConstraintJudge):
        return number
    instructions = call.prompt.messages[0].text
    named = [place for place, one in enumerate(scorer.asked) if one.says in instructions]
    return max(named, key=lambda place: len(scorer.asked[place].says), default=number)


def _part(rows: Iterable[CallRow]) -> Iterator[list[CallRow]]:
    """Group the calls of a verdict by what the judge was asked and shown.

    A comparison has two orders, and each constraint is asked about separately.
    """
    by_asked: dict[tuple[str, str], list[CallRow]] = {}
    for row in rows:
        instructions, shown, *_ = row.call.prompt.messages
        by_asked.setdefault((instructions.text, shown.text), []).append(row)
    yield from by_asked.values()


def _shown_in(call: LLMCall) -> str:
    return call.prompt.messages[1].text


def _make_tape(
    version: AgentVersionRow | None,
    form: type[AnyAnswer],
    judged: UUID,
    calls: Sequence[LLMCall],
) -> Tape:
    """Return the tape of one verdict."""
    author = version.agent_name if version else "judge"
    steps: list[Step] = [UserStep.from_text(_shown_in(calls[0]))]
    for call in calls:
        metadata = StepMetadata(agent=author, node=NODE, prompt_id=call.prompt.id)
        steps += (step.model_copy(update={"metadata": metadata}) for step in _steps_of(call, form))
    failed = next((call.error for call in calls if call.error), None)
    return Tape(
        metadata=TapeMetadata.model_validate(
            {
                "author": author,
                "n_added_steps": len(steps) - 1,
                "error": failed,
                "judged_tape_id": str(judged),
            }
        ),
        steps=tuple(steps),
    )


def _steps_of(call: LLMCall, form: type[AnyAnswer]) -> Iterator[Step]:
    """Yield the steps that the judge's node makes from an answer; a failed call has none."""
    if call.error:
        return
    text = call.output.content or ""
    try:
        yield verdict_of(read_structured(text, form))
    except StructuredOutputError as error:
        yield ParsingFailure(error=error.message, llm_output=text)
        yield SetNextNode(next_node=NODE)
