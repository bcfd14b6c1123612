"""Which of the studio's detectors a project does without."""

from uuid import UUID

from tapes_app.models import DetectorOffRecord


def list_off(project: UUID) -> frozenset[str]:
    """Return the names of the detectors that are turned off."""
    off = DetectorOffRecord.objects.filter(project_id=project)
    return frozenset(off.values_list("detector", flat=True))


def turn_off(project: UUID, detector: str) -> None:
    DetectorOffRecord.objects.get_or_create(project_id=project, detector=detector)


def turn_on(project: UUID, detector: str) -> None:
    DetectorOffRecord.objects.filter(project_id=project, detector=detector).delete()
