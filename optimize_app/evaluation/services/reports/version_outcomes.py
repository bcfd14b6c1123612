"""What two versions of agents achieved on the same tasks, as far as sweeps have measured it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from optimize_app.evaluation.services.reports.version_scores import VersionScore, score_versions
from optimize_app.evaluation.store.pinned_suites import (
    SweptVersion,
    list_measured_on,
    list_pins,
    list_sweeps_of,
)
from tapes_app.agents.store.agents import load_version
from tapes_app.projects.services.people import Person

MOST_DATASETS = 8
"""Besides the pinned suites: each of their sweeps is read."""


@dataclass(frozen=True, slots=True)
class OutcomesOn:
    """How two versions scored on a dataset."""

    dataset_id: UUID
    name: str
    is_pinned: bool
    """Whether an agent of the two pins it as a suite."""

    a: VersionScore | None
    """`None`: no sweep measured this version on it. If one sweep measured both, both are of it."""

    b: VersionScore | None


def compare_outcomes(person: Person, a: UUID, b: UUID) -> list[OutcomesOn]:
    """Return how two versions scored: on the suites that are pinned, then where measured last.

    Raises:
        NotFoundError: the project has no such version.
    """
    versions = [load_version(one, person.project_id) for one in (a, b)]
    pinned = {
        pin.dataset_id: pin.name
        for agent in dict.fromkeys(version.agent_id for version in versions)
        for pin in list_pins(agent, person.project_id)
        if not pin.is_deleted
    }
    measured = list_measured_on({a, b}, person.project_id, limit=MOST_DATASETS + len(pinned))
    others = [one for one in measured if one[0] not in pinned][:MOST_DATASETS]
    names = pinned | dict(others)
    swept = list(list_sweeps_of({a, b}, names.keys()))
    chosen = [one for id in names for one in _choose(swept, id, a, b)]
    scores = score_versions(person, chosen, versions)
    return [
        OutcomesOn(id, name, id in pinned, scores.get((id, a)), scores.get((id, b)))
        for id, name in names.items()
    ]


def _choose(
    swept: Iterable[SweptVersion], dataset: UUID, a: UUID, b: UUID
) -> Iterator[SweptVersion]:
    """Yield the newest sweep of both versions on a dataset, or else the newest of each.

    In one sweep both did the same tasks, which may not be so in two.
    """
    own = [one for one in swept if one.dataset_id == dataset]
    of_a, of_b = ({one.sweep_id for one in own if one.version_id == id} for id in (a, b))
    shared = of_a & of_b
    for id in dict.fromkeys((a, b)):
        found = (one for one in own if one.version_id == id)
        newest = next((one for one in found if not shared or one.sweep_id in shared), None)
        if newest is not None:
            yield newest
