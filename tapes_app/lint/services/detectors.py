"""The studio's own detectors, and which of them a project does without."""

from dataclasses import dataclass

from django.db import transaction

from tapes_app.engine.errors import NotFoundError
from tapes_app.lint.findings import Severity
from tapes_app.lint.linter import DETECTORS, Detector
from tapes_app.lint.store import detectors, marks
from tapes_app.projects.services.people import Person


@dataclass(frozen=True)
class ShippedDetector:
    """A detector that comes with the studio."""

    name: str
    title: str
    severity: Severity
    is_enabled: bool
    """It looks at the tapes of this project."""


def list_detectors(person: Person) -> list[ShippedDetector]:
    """Return all detectors, in the order in which the linter runs them."""
    off = detectors.list_off(person.project_id)
    return [_describe(one, is_enabled=one.name not in off) for one in DETECTORS]


@transaction.atomic
def switch_detector(person: Person, name: str, *, is_enabled: bool) -> ShippedDetector:
    """Turn a detector on or off in the project; turned off, what it found goes.

    Raises:
        NotFoundError: the studio has no detector of that name.
    """
    detector = load_detector(name)
    if is_enabled:
        detectors.turn_on(person.project_id, name)
    else:
        detectors.turn_off(person.project_id, name)
        marks.forget_detector(person.project_id, name)
    return _describe(detector, is_enabled=is_enabled)


def load_detector(name: str) -> Detector:
    """Return a detector of the studio.

    Raises:
        NotFoundError: the studio has none of that name.
    """
    detector = next((one for one in DETECTORS if one.name == name), None)
    if detector is None:
        raise NotFoundError(f"There is no detector {name!r}.", detector=name)
    return detector


def _describe(detector: Detector, *, is_enabled: bool) -> ShippedDetector:
    return ShippedDetector(detector.name, detector.title, detector.severity, is_enabled)
