"""Publishing an agent version: its pinned suites must pass, unless an owner overrides that."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from optimize_app.evaluation.plan import LETTERS
from optimize_app.evaluation.publishing import (
    SuiteStanding,
    TestStanding,
    explain_refusal,
    judge_suite,
)
from optimize_app.evaluation.services.suites.regression_tests import MOST_TESTS
from optimize_app.evaluation.services.suites.suite_runs import OutcomeOfTest, load_outcome
from optimize_app.evaluation.store import pinned_suites as storage
from optimize_app.evaluation.store.pinned_suites import Pin, SweptVersion
from tapes_app.agents.domain.rows import AgentVersionRow, Publication
from tapes_app.agents.store import agents
from tapes_app.agents.store.agents import load_agent, load_version
from tapes_app.bulk.store.suites import list_suite_tapes, load_suite
from tapes_app.engine.errors import ConflictError, NotFoundError
from tapes_app.experiments.store.attempt_rows import read_checks
from tapes_app.projects.domain.rows import required
from tapes_app.projects.services.members import check_owner
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.regression_tests import find_tests

_MOST_SWEEPS = 10
"""How many of a version's newest runs are searched for tests that a newer one left out."""

_CHANGED = "What passes was changed since it was run."


class SuiteNotPassedError(ConflictError):
    """A pinned suite has not passed with the version to be published."""

    code = "suite_not_passed"


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether a version may be published."""

    version_id: UUID
    number: int
    suites: list[SuiteStanding]
    """The suites that its agent pins."""

    sentence: str
    """Why it may not be published, and how to run the tests; empty if it may."""


def pin_suite(person: Person, agent_id: UUID, dataset_id: UUID) -> None:
    """Require a suite to pass before a version of the agent is published.

    Raises:
        NotFoundError: the project has no such agent or dataset.
    """
    load_agent(agent_id, person.project_id)
    load_suite(dataset_id, person.project_id)
    storage.pin(agent_id, dataset_id, person.project_id, owner=person.user_id)


def unpin_suite(person: Person, agent_id: UUID, dataset_id: UUID) -> None:
    """No longer require a suite to pass.

    Raises:
        NotFoundError: the project has no such agent.
        NotAllowedError: the person is not an owner; everybody else is bound by the pins.
    """
    check_owner(person, "unpin suites")
    load_agent(agent_id, person.project_id)
    storage.unpin(agent_id, dataset_id, person.project_id)


def find_pin(person: Person, agent_id: UUID, name: str) -> Pin:
    """Return the pinned suite of that name, even if it was deleted.

    Raises:
        NotFoundError: the agent pins no suite of this name.
    """
    pins = storage.list_pins(agent_id, person.project_id)
    found = next((pin for pin in pins if pin.name == name), None)
    return required(found, f"The agent pins no suite {name!r}; it pins {[p.name for p in pins]}.")


def check_readiness(person: Person, version_id: UUID) -> Readiness:
    """Return how a version does on the pinned suites of its agent.

    Raises:
        NotFoundError: the project has no such version.
    """
    version = load_version(version_id, person.project_id)
    pins = storage.list_pins(version.agent_id, person.project_id)
    swept = storage.list_sweeps_of([version_id], [pin.dataset_id for pin in pins])
    suites = [_stand(person, pin, swept) for pin in pins]
    refusal = explain_refusal(version.agent_name, version.number, suites)
    return Readiness(version_id, version.number, suites, refusal)


def publish_version(
    person: Person, agent_id: UUID, version_id: UUID, *, anyway: bool
) -> Publication:
    """Offer a version for new runs from now on; earlier publications stay on record.

    `anyway`: publish even if a pinned suite does not pass; the publication records that.

    Raises:
        NotFoundError: the agent has no such version.
        SuiteNotPassedError: a pinned suite does not pass; the message names the tests.
        NotAllowedError: a suite does not pass, and the person who wants to override it is not an
            owner.
    """
    version = _load_version_of(person, agent_id, version_id)
    ready = check_readiness(person, version_id)
    if ready.sentence and not anyway:
        raise SuiteNotPassedError(ready.sentence)
    if ready.sentence:
        check_owner(person, "publish what has not passed")
    unmet = " ".join(suite.sentence for suite in ready.suites if suite.sentence)
    return agents.publish(version, person.project_id, owner=person.user_id, despite=unmet)


def _load_version_of(person: Person, agent_id: UUID, version_id: UUID) -> AgentVersionRow:
    version = load_version(version_id, person.project_id)
    if version.agent_id != agent_id or version.is_trial:
        raise NotFoundError("Agent version not found.", version_id=str(version_id))
    return version


def _stand(person: Person, pin: Pin, swept: Iterable[SweptVersion]) -> SuiteStanding:
    if pin.is_deleted:
        return judge_suite(pin.dataset_id, pin.name, [], is_deleted=True)
    names = {
        tape.tape_id: tape.title for tape in list_suite_tapes(pin.dataset_id, limit=MOST_TESTS)
    }
    own = [one for one in swept if one.dataset_id == pin.dataset_id]
    decided = _read_newest(person, own[:_MOST_SWEEPS], set(names))
    tests = [
        decided.get(test) or TestStanding(test, name, "not run", "", None)
        for test, name in names.items()
    ]
    return judge_suite(pin.dataset_id, pin.name, _forget_stale(tests), is_deleted=False)


def _read_newest(
    person: Person, swept: Sequence[SweptVersion], wanted: set[UUID]
) -> dict[UUID, TestStanding]:
    """Return each test's result in the newest of these runs that had it."""
    decided: dict[UUID, TestStanding] = {}
    for one in swept:
        if wanted <= decided.keys():
            break
        outcome = load_outcome(person, one.dataset_id, one.sweep_id)
        letter = LETTERS[one.variant]
        for test in outcome.tests:
            if test.variant.letter == letter and test.test_id not in decided:
                decided[test.test_id] = _standing(test)
    return decided


def _standing(test: OutcomeOfTest) -> TestStanding:
    return TestStanding(test.test_id, test.name, test.result, test.reason, test.tape_id)


def _forget_stale(tests: Sequence[TestStanding]) -> list[TestStanding]:
    """Mark tests as not run if their check has changed since the run."""
    asked = read_checks([test.tape_id for test in tests if test.tape_id])
    wanted = {id: row.pass_check for id, row in find_tests([t.test_id for t in tests]).items()}
    return [
        replace(test, result="not run", reason=_CHANGED)
        if test.tape_id and asked.get(test.tape_id) != wanted.get(test.test_id)
        else test
        for test in tests
    ]
