"""Suites as people see them: their tests, and the results of their newest runs.

A suite is a dataset that holds regression tests. Any dataset can be run like one: a tape without a
check is run from its start and passes if its answer is the expected one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from optimize_app.evaluation.services.suites.regression_tests import CHECKS, MOST_TESTS
from optimize_app.evaluation.services.sweeps.swept_tapes import explain_score, score_of
from tapes_app.agents.store.agents import load_versions
from tapes_app.agents.store.llm_models import list_models
from tapes_app.bulk.store import suites as storage
from tapes_app.bulk.store.datasets import find_dataset
from tapes_app.bulk.store.suites import SuiteCounts, SuiteName, SuiteTape
from tapes_app.engine.errors import NotFoundError
from tapes_app.experiments.domain.check_kinds import Check, describe_check
from tapes_app.experiments.services.request import ExperimentRequest
from tapes_app.experiments.store.attempt_rows import AttemptRow, list_attempts, list_newest_runs
from tapes_app.experiments.store.experiments import AskedExperiment, load_experiments
from tapes_app.projects.domain.rows import Page
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.regression_tests import RegressionTestRow, find_tests

MOST_RUNS = 10

Result = Literal["pass", "fail", "missing", "going"]
"""`missing`: it failed, was stopped or ran out of budget, so it neither passed nor failed."""


@dataclass(frozen=True, slots=True)
class ResultOfTest:
    """The result of one run of a test."""

    run_id: UUID
    tape_id: UUID
    result: Result
    reason: str


@dataclass(frozen=True, slots=True)
class SuiteTest:
    """A test of a suite with its newest results."""

    tape_id: UUID
    name: str
    made_of: UUID | None
    """The tape whose beginning it freezes."""

    agent_name: str
    kept_count: int | None
    """How many steps are frozen; `None`: a task without a check, run from its start."""

    check: Check | None
    words: str
    """What passes, in a sentence."""

    results: list[ResultOfTest]
    """At most one for each run, newest first."""


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """Tests that one agent ran together: a batch."""

    id: UUID
    """Also the id of the batch."""

    name: str
    agent: str
    """Its name and version, and the model if it is not the agent's own."""

    created_at: datetime
    passed_count: int
    failed_count: int
    missing_count: int
    going_count: int


@dataclass(frozen=True, slots=True)
class SuiteRow:
    """A suite in a list."""

    id: UUID
    name: str
    description: str
    created_at: datetime
    test_count: int
    """Number of regression tests."""

    task_count: int
    """Number of other tapes: run from their start, and compared with their expected answer."""

    last_run: SuiteRun | None


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """A suite with its tests and their newest runs."""

    suite: SuiteRow
    tests: list[SuiteTest]
    runs: list[SuiteRun]
    """The ten newest, newest first."""


def list_suites(person: Person, *, after: str | None = None, limit: int = 50) -> Page[SuiteRow]:
    """Return a page of suites with the results of their newest run.

    Raises:
        InvalidInputError: `after` is not a cursor.
    """
    page = storage.list_suites(person.project_id, after=after, limit=limit)
    counts = storage.count_suites([suite.id for suite in page.items])
    rows = []
    for suite in page.items:
        tapes = storage.list_suite_tapes(suite.id, limit=MOST_TESTS)
        runs = _list_runs(person, [tape.tape_id for tape in tapes], limit=1)
        rows.append(_row(suite, counts[suite.id], next(iter(runs.rows), None)))
    return Page(tuple(rows), page.next)


def load_suite(person: Person, dataset_id: UUID) -> SuiteReport:
    """Return a suite, or any dataset as one, with its tests and their newest runs.

    Raises:
        NotFoundError: the project has no dataset of this id.
    """
    suite = storage.load_suite(dataset_id, person.project_id)
    tapes = storage.list_suite_tapes(dataset_id, limit=MOST_TESTS)
    ids = [tape.tape_id for tape in tapes]
    tests = find_tests(ids)
    runs = _list_runs(person, ids, limit=MOST_RUNS)
    counts = storage.count_suites([dataset_id])[dataset_id]
    return SuiteReport(
        suite=_row(suite, counts, next(iter(runs.rows), None)),
        tests=[_test(tape, tests.get(tape.tape_id), runs.results) for tape in tapes],
        runs=runs.rows,
    )


def find_suite(person: Person, name: str) -> SuiteName:
    """Return the suite of that name.

    Raises:
        NotFoundError: the project has no dataset of that name.
    """
    found = find_dataset(name, person.project_id)
    if found is None:
        raise NotFoundError(
            f"There is no suite {name!r} in {person.project!r}: no dataset has this name."
        )
    return storage.load_suite(found.id, person.project_id)


def result_of(row: AttemptRow) -> Result:
    """Return the result of an attempt in one word."""
    score = score_of(row)
    if score is not None:
        return "pass" if score else "fail"
    return "going" if row.state in {"queued", "running"} else "missing"


@dataclass(frozen=True, slots=True)
class _Runs:
    rows: list[SuiteRun]
    results: Mapping[UUID, list[ResultOfTest]]
    """By test, newest first."""


def _list_runs(person: Person, tests: Sequence[UUID], *, limit: int) -> _Runs:
    newest = list_newest_runs(tests, limit=limit)
    wanted, asked = set(tests), load_experiments(newest, person.project_id)
    by_run: dict[UUID, list[AttemptRow]] = {run: [] for run in newest if run in asked}
    for row in list_attempts(list(by_run)):
        if row.start_id in wanted:
            by_run[row.experiment_id].append(row)
    agents = _name_agents(person, [asked[run] for run in by_run])
    results: dict[UUID, list[ResultOfTest]] = {test: [] for test in tests}
    for run, rows in by_run.items():
        for row in rows:
            if row.start_id is not None:
                result = ResultOfTest(run, row.tape_id, result_of(row), explain_score(row))
                results[row.start_id].append(result)
    return _Runs([_run(asked[run], agents[run], rows) for run, rows in by_run.items()], results)


def _name_agents(person: Person, asked: Sequence[AskedExperiment]) -> dict[UUID, str]:
    requests = {row.id: ExperimentRequest.model_validate(row.request) for row in asked}
    wanted = [request.agent_version_id for request in requests.values()]
    versions = {row.id: row for row in load_versions(wanted, person.project_id)}
    models = {row.id: row.name for row in list_models(person.project_id)} if asked else {}

    def name(request: ExperimentRequest) -> str:
        version = versions.get(request.agent_version_id)
        agent = f"{version.agent_name} v{version.number}" if version else "a deleted agent"
        (model,) = request.model_ids[:1]
        return f"{agent}, {models[model]}" if model in models else agent

    return {id: name(request) for id, request in requests.items()}


def _run(asked: AskedExperiment, agent: str, rows: Sequence[AttemptRow]) -> SuiteRun:
    outcomes = [result_of(row) for row in rows]
    return SuiteRun(
        id=asked.id,
        name=asked.name,
        agent=agent,
        created_at=asked.created_at,
        passed_count=outcomes.count("pass"),
        failed_count=outcomes.count("fail"),
        missing_count=outcomes.count("missing"),
        going_count=outcomes.count("going"),
    )


def _row(suite: SuiteName, counts: SuiteCounts, last: SuiteRun | None) -> SuiteRow:
    return SuiteRow(
        id=suite.id,
        name=suite.name,
        description=suite.description,
        created_at=suite.created_at,
        test_count=counts.test_count,
        task_count=counts.task_count,
        last_run=last,
    )


def _test(
    tape: SuiteTape, test: RegressionTestRow | None, results: Mapping[UUID, list[ResultOfTest]]
) -> SuiteTest:
    check = CHECKS.validate_python(test.pass_check) if test else None
    return SuiteTest(
        tape_id=tape.tape_id,
        name=tape.title,
        made_of=tape.parent_id,
        agent_name=tape.agent_name,
        kept_count=test.kept_count if test else None,
        check=check,
        words=describe_check(check) if check else _describe_expected(tape.expected),
        results=results[tape.tape_id],
    )


def _describe_expected(expected: str) -> str:
    if not expected:
        return "Nothing defines what passes: give the tape an expected answer."
    return f"The answer is {expected[:100]!r}."
