"""Running a suite: a sweep over its tests, and the results of each test."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any
from uuid import UUID

from pydantic import Field

from optimize_app.evaluation.plan import MOST_VARIANTS, Plan, Progress, SweepBudget, Variant
from optimize_app.evaluation.request import MOST_ATTEMPTS, SWEEP_KIND, Seed, SweepRequest
from optimize_app.evaluation.services.suites.regression_tests import MOST_TESTS
from optimize_app.evaluation.services.suites.suites import Result, result_of
from optimize_app.evaluation.services.sweeps.starting import name_next, start_sweep
from optimize_app.evaluation.services.sweeps.sweeps import NamedVariant, load_sweep
from optimize_app.evaluation.services.sweeps.swept_tapes import (
    SweptTape,
    explain_score,
    read_attempts,
)
from tapes_app.agents.store.agents import find_agent
from tapes_app.batches.services.reruns import load_reruns
from tapes_app.bulk.store.suites import SuiteTape, list_suite_tapes, load_suite
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.jobs.store.job import Job
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import MAX_TURNS, ToolPolicies

_DECIDES: Sequence[Result] = ("fail", "missing", "going", "pass")
"""The first of these found among several attempts at a test is the test's result."""


class SuiteRunRequest(FrozenModel):
    """Which agents run the tests of a suite; omitted fields are as in the suite."""

    agent_version_ids: tuple[UUID, ...] = Field(default=(), max_length=MOST_VARIANTS)
    """Empty: the newest version of the agent whose tapes the tests are."""

    model_ids: tuple[UUID | None, ...] = Field(
        default=(None,), min_length=1, max_length=MOST_VARIANTS
    )
    """`None`: the model that the agent names."""

    parameters: dict[str, Any] = Field(default_factory=dict)
    seeds: tuple[Seed, ...] = Field(default=(), max_length=MOST_ATTEMPTS)
    repeats: int = Field(default=1, ge=1, le=MOST_ATTEMPTS)
    """A test passes if all of its attempts do."""

    tools: ToolPolicies = ToolPolicies()
    max_turns: int = Field(default=MAX_TURNS, ge=1, le=1_000)
    budget: SweepBudget = SweepBudget()


@dataclass(frozen=True, slots=True)
class OutcomeOfTest:
    """The result of one test with one variant, over all attempts."""

    test_id: UUID
    """The tape that is the test."""

    name: str
    variant: NamedVariant
    result: Result
    reason: str
    """Reason for the result of the attempt that decided."""

    tape_id: UUID | None
    """The tape of that attempt; `None`: none was made."""

    seconds: float
    """Sum over all attempts."""


@dataclass(frozen=True, slots=True)
class SuiteOutcome:
    """The results of a run of a suite."""

    suite: str
    variants: list[NamedVariant]
    tests: list[OutcomeOfTest]

    def count(self, result: Result) -> int:
        return sum(one.result == result for one in self.tests)

    @property
    def passed(self) -> bool:
        """Whether every test passes; missing results do not."""
        return all(one.result == "pass" for one in self.tests)


def start_suite(person: Person, dataset_id: UUID, request: SuiteRunRequest) -> Job:
    """Queue a sweep over the tests of a suite.

    Raises:
        NotFoundError: no such suite, agent version or model.
        ModelKeyMissingError: a model cannot be asked.
        InvalidInputError: the suite is empty, its tests are of several agents and none is chosen,
            or an agent can start at none of them.
        ConflictError: somebody else starts it at the same moment.
    """
    suite = load_suite(dataset_id, person.project_id)
    tapes = list_suite_tapes(dataset_id, limit=MOST_TESTS)
    if not tapes:
        raise InvalidInputError(
            f"Suite {suite.name!r} has no tests yet; make one from a failing tape."
        )
    versions = request.agent_version_ids or (_find_agent(person, tapes),)
    sweep = SweepRequest(
        name=name_next(person, suite.name),
        tape_ids=tuple(tape.tape_id for tape in tapes),
        variants=tuple(
            Variant(agent_version_id=version, model_id=model, parameters=request.parameters)
            for version, model in product(versions, request.model_ids)
        ),
        seeds=request.seeds,
        repeats=request.repeats,
        tools=request.tools,
        max_turns=request.max_turns,
        budget=request.budget,
    )
    return start_sweep(person, sweep, dataset_id=dataset_id)


def load_outcome(person: Person, dataset_id: UUID, job_id: UUID) -> SuiteOutcome:
    """Return the results of a suite's tests in one sweep.

    Raises:
        NotFoundError: no such suite or sweep.
    """
    suite = load_suite(dataset_id, person.project_id)
    sweep = load_sweep(person, job_id)
    job = load_bulk_job(person, job_id, SWEEP_KIND)
    plan = Plan.model_validate(job.request)
    runs = Progress.model_validate(job.checkpoint or {}).runs
    attempts = defaultdict[tuple[int, str], list[SweptTape]](list)
    for one in read_attempts(plan, runs):
        attempts[one.variant, one.task].append(one)
    names = {tape.tape_id: tape.title for tape in list_suite_tapes(dataset_id, limit=MOST_TESTS)}
    left_out = _explain_left_out(person, runs.values())
    tests = {test for group in plan.tasks for test in group}
    in_order = [id for id in names if id in tests] + sorted(tests - names.keys())
    wanted = len(plan.attempts)
    return SuiteOutcome(
        suite.name,
        sweep.variants,
        [
            _outcome(
                test,
                names.get(test, str(test)),
                variant,
                attempts=attempts[number, str(test)],
                wanted=wanted,
                left_out=left_out,
            )
            for number, variant in enumerate(sweep.variants)
            for test in in_order
        ],
    )


def _outcome(
    test: UUID,
    name: str,
    variant: NamedVariant,
    *,
    attempts: Sequence[SweptTape],
    wanted: int,
    left_out: str,
) -> OutcomeOfTest:
    seconds = sum(one.row.seconds or 0 for one in attempts)
    first = min(attempts, key=lambda one: _DECIDES.index(result_of(one.row)), default=None)
    result: Result = result_of(first.row) if first else "missing"
    if first is None or (result != "fail" and len(attempts) < wanted):
        reason = left_out or "It was not run."
        return OutcomeOfTest(test, name, variant, "missing", reason, None, seconds)
    reason = explain_score(first.row)
    return OutcomeOfTest(test, name, variant, result, reason, first.row.tape_id, seconds)


def _explain_left_out(person: Person, runs: Iterable[UUID]) -> str:
    """Explain why tests were left out of runs; the reasons are not per test."""
    reasons = {left.why: None for run in load_reruns(person, list(runs)) for left in run.left_out}
    return f"It was left out. {' '.join(reasons)}" if reasons else ""


def _find_agent(person: Person, tapes: Sequence[SuiteTape]) -> UUID:
    names = sorted({tape.agent_name for tape in tapes if tape.agent_name})
    if len(names) > 1:
        raise InvalidInputError(
            f"The tests are of {len(names)} agents ({', '.join(names[:5])}); choose one."
        )
    found = find_agent(names[0], person.project_id) if names else None
    if found is None:
        agent = f"the agent {names[0]!r}" if names else "no agent that is known"
        raise InvalidInputError(f"The tests are of {agent}, which is not here; choose one.")
    return found.latest_version_id
