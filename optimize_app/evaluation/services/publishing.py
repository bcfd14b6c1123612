"""Publishing a version of an agent: its pinned suites have to pass, or an owner says anyway."""

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
from optimize_app.evaluation.services.regression_tests import MOST_TESTS
from optimize_app.evaluation.services.suite_runs import OutcomeOfTest, load_outcome
from optimize_app.evaluation.store import pinned_suites as storage
from optimize_app.evaluation.store.pinned_suites import Pin, SweptVersion
from tapes_app.agents.rows import AgentVersionRow, Publication
from tapes_app.agents.store import publications
from tapes_app.agents.store.agents import load_agent, load_version
from tapes_app.bulk.store.suites import list_suite_tapes, load_suite
from tapes_app.engine.errors import ConflictError, NotFoundError
from tapes_app.experiments.store.attempt_rows import read_checks
from tapes_app.projects.rows import required
from tapes_app.projects.services.members import check_owner
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.regression_tests import find_tests

_MOST_SWEEPS = 10
"""How many of the newest runs of a version are looked at for tests that a newer one left out."""

_CHANGED = "What passes was changed since it was run."


class SuiteNotPassedError(ConflictError):
    """A pinned suite has not passed with the version that was to be published."""

    code = "suite_not_passed"


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether a version may be published."""

    version_id: UUID
    number: int
    suites: list[SuiteStanding]
    """Those that its agent pins."""

    sentence: str
    """What keeps it from that, and how to run it; empty: nothing does."""


def pin_suite(person: Person, agent_id: UUID, dataset_id: UUID) -> None:
    """Have the versions of an agent published only when a suite passes.

    Raises:
        NotFoundError: the project has no such agent or dataset.
    """
    load_agent(agent_id, person.project_id)
    load_suite(dataset_id, person.project_id)
    storage.pin(agent_id, dataset_id, person.project_id, owner=person.user_id)


def unpin_suite(person: Person, agent_id: UUID, dataset_id: UUID) -> None:
    """Let versions be published without a suite.

    Raises:
        NotFoundError: the project has no such agent.
        NotAllowedError: the person is no owner: everybody else is held to what is pinned.
    """
    check_owner(person, "unpin suites")
    load_agent(agent_id, person.project_id)
    storage.unpin(agent_id, dataset_id, person.project_id)


def find_pin(person: Person, agent_id: UUID, name: str) -> Pin:
    """Return the suite of a name that an agent pins, also where it was deleted.

    Raises:
        NotFoundError: the agent pins none of this name.
    """
    pins = storage.list_pins(agent_id, person.project_id)
    found = next((pin for pin in pins if pin.name == name), None)
    return required(found, f"The agent pins no suite {name!r}; it pins {[p.name for p in pins]}.")


def check_readiness(person: Person, version_id: UUID) -> Readiness:
    """Say how the pinned suites of an agent stand with one of its versions.

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
    """Offer a version for new runs from now on; what was published before stays written.

    `anyway`: also where a pinned suite does not pass, which is kept with the publication.

    Raises:
        NotFoundError: the agent has no such version.
        SuiteNotPassedError: a pinned suite does not pass; the message says which tests.
        NotAllowedError: it does not pass, and the person who wants it anyway is no owner.
    """
    version = _load_version_of(person, agent_id, version_id)
    ready = check_readiness(person, version_id)
    if ready.sentence and not anyway:
        raise SuiteNotPassedError(ready.sentence)
    if ready.sentence:
        check_owner(person, "publish what has not passed")
    unmet = " ".join(suite.sentence for suite in ready.suites if suite.sentence)
    return publications.publish(version, person.project_id, owner=person.user_id, despite=unmet)


def _load_version_of(person: Person, agent_id: UUID, version_id: UUID) -> AgentVersionRow:
    version = load_version(version_id, person.project_id)
    if version.agent_id != agent_id:
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
    """Return what tests came to in the newest of some runs that had them."""
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
    """Return tests with those not run whose check is another one than was asked."""
    asked = read_checks([test.tape_id for test in tests if test.tape_id])
    wanted = {id: row.pass_check for id, row in find_tests([t.test_id for t in tests]).items()}
    return [
        replace(test, result="not run", reason=_CHANGED)
        if test.tape_id and asked.get(test.tape_id) != wanted.get(test.test_id)
        else test
        for test in tests
    ]
