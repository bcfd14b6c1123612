"""Previewing a re-run: which tapes fit the agent, why others do not, what it may cost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from uuid import UUID

from tapes_app.batches.services.rerun_request import MOST_TAPES, RerunSpec
from tapes_app.engine.errors import InvalidInputError
from tapes_app.experiments.services.experiments import check_models
from tapes_app.experiments.services.request import BranchPoint
from tapes_app.library.services.bulk_job import PREVIEW_SECONDS, BulkPreview
from tapes_app.library.services.selection import TapeSelection, count_selection
from tapes_app.library.store.lists import list_all_ids
from tapes_app.projects.domain.rows import ALL_FIELDS
from tapes_app.projects.services.people import Person
from tapes_app.runs.services.candidates import Candidate, load_candidate
from tapes_app.runs.services.estimates import (
    EstimateRange,
    EstimateRequest,
    add_ranges,
    estimate_run,
)
from tapes_app.runs.services.fit import explain_misfit
from tapes_app.runs.store.basis import is_archived
from tapes_app.tapes.store.regression_tests import find_test
from tapes_app.tapes.store.starts import SourceBatch, find_start, list_source_batches

_ESTIMATED = 20
"""How many tapes are estimated individually; the others are assumed to be similar."""


@dataclass(frozen=True)
class RerunEstimate:
    """What all runs together would take; `None` if no recorded work allows an estimate."""

    tokens: EstimateRange | None
    cost_micro_usd: EstimateRange | None
    seconds: EstimateRange | None
    """Total of all runs one after the other; parallel runs take less."""

    sample_count: int
    """How many of the tapes the estimate is based on."""


@dataclass
class RerunPreview(BulkPreview):
    """What a re-run would do."""

    __pydantic_config__ = ALL_FIELDS

    fitting: int = 0
    estimate: RerunEstimate | None = None
    """`None` if no recorded work allows an estimate."""

    sources: list[SourceBatch] = field(default_factory=list)


def preview_rerun(
    person: Person, spec: RerunSpec, *, seconds: float = PREVIEW_SECONDS
) -> RerunPreview:
    """Check the tapes for a few seconds at most; nothing is created.

    Raises:
        NotFoundError: no such agent version or model, or not all of the named tapes.
        ModelKeyMissingError: the model has no key.
        InvalidInputError: more tapes than can be rerun in one go.
    """
    chosen = choose_tapes(person, spec)
    check_models(person, spec.to_experiment())
    sources = list_source_batches(person.project_id, chosen)
    found = RerunPreview(len(chosen), sources=sources)

    @cache
    def candidate() -> Candidate:
        return load_candidate(person.project_id, spec.agent_version_id)

    def find(tape_id: UUID) -> BranchPoint:
        return find_place(person.project_id, tape_id, candidate)

    fitting = list(found.plan_each(chosen, find, seconds=seconds))
    found.fitting = len(fitting)
    found.estimate = _estimate(person, spec, fitting, found)
    return found


def choose_tapes(person: Person, selection: TapeSelection) -> list[UUID]:
    """Return the selected tapes.

    Raises:
        NotFoundError: not all of the named tapes are in the project.
        InvalidInputError: there are too many.
    """
    count = count_selection(person, selection)
    if count > MOST_TAPES:
        raise InvalidInputError(
            f"That would start {count:,} runs; the limit is {MOST_TAPES:,} at once. Narrow the "
            "list.",
            tape_count=count,
        )
    return list_all_ids(person.project_id, selection.to_filter())


class UnfitError(InvalidInputError):
    """The agent cannot begin where the tape begins."""

    code = "agent_unfit"


def find_place(project: UUID, tape_id: UUID, candidate: Callable[[], Candidate]) -> BranchPoint:
    """Return where a new tape forks off a tape, and which check decides it.

    For a regression test this keeps the frozen steps, for other tapes the request at their start.
    `candidate` returns the agent, which is built once for all tapes.

    Raises:
        UnfitError: the agent cannot begin there, or the tape is archived.
        NotFoundError: no such tape in the project.
    """
    if is_archived(tape_id, project):
        raise UnfitError("It is archived; restore it to run it again.")
    test = find_test(tape_id)
    kept = test.kept_count if test else _find_request(tape_id, project)
    reason = explain_misfit(project, tape_id, candidate(), at=kept)
    if reason:
        raise UnfitError(reason)
    return BranchPoint(
        tape_id, "original", kept, kept, pass_check=test.pass_check if test else None
    )


def _find_request(tape_id: UUID, project: UUID) -> int:
    start = find_start(tape_id, project)
    if start.is_empty:
        raise UnfitError("It begins with an agent step: there is no request to start from.")
    return start.step_count


def _estimate(
    person: Person, spec: RerunSpec, fitting: Sequence[BranchPoint], found: RerunPreview
) -> RerunEstimate | None:
    """Estimate all runs from some of the tapes: their mean, times the number of runs."""
    asked = EstimateRequest(
        agent_version_id=spec.agent_version_id, model_id=spec.model_id, until=spec.until.kind
    )
    estimates = [
        estimate_run(
            person, place.tape_id, asked.model_copy(update={"from_position": place.kept_count})
        )
        for place in fitting[:_ESTIMATED]
    ]
    known = [one for one in estimates if one.calls is not None and not one.is_per_call]
    if not known:
        return None
    runs = found.tape_count * len(fitting) / found.looked_at
    return RerunEstimate(
        tokens=_scale([add_ranges([one.input_tokens, one.output_tokens]) for one in known], runs),
        cost_micro_usd=_scale([one.cost_micro_usd for one in known], runs),
        seconds=_scale([one.seconds for one in known], runs),
        sample_count=len(known),
    )


def _scale(ranges: Sequence[EstimateRange | None], runs: float) -> EstimateRange | None:
    """Return what `runs` runs take, extrapolated from known ranges; `None` if one is unknown."""
    total = add_ranges(ranges)
    return total and total.times(runs / len(ranges))
