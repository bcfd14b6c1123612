"""Which steps of a tape are not learnt: excluded by a person, by their score, or by the linter."""

from collections.abc import Mapping
from uuid import UUID

from optimize_app.training_sets.services.request import TrainingSetRequest
from tapes_app.annotation.services.checks import read_scale, scale_to_one
from tapes_app.annotation.store.annotations import list_annotations
from tapes_app.annotation.store.rows import AnnotationRow
from tapes_app.lint.domain.findings import SEVERITIES
from tapes_app.lint.services.linting import Linter

KEPT_LABEL = "kept-from-training"
"""The label with which a person excludes a step from training; forks of the tape share it."""

KEPT = "A step that it led to is excluded from training."
LOW_SCORE = "A step that it led to is scored below the minimum."
FOUND = "The linter found something in a step that it led to."


class KeptSteps:
    """Finds the steps of each tape that are not learnt, and why."""

    def __init__(self, project: UUID, request: TrainingSetRequest) -> None:
        self._project = project
        self._minimum_score = request.minimum_step_score
        is_linted = request.without_findings is not None and request.source != "relabeled"
        self._linter = Linter(project) if is_linted else None
        graver = SEVERITIES[: SEVERITIES.index(request.without_findings or "info") + 1]
        self._severities = frozenset(graver)

    def find(self, tape_id: UUID) -> Mapping[int, str]:
        """Return the reasons by the positions of the steps that are not learnt."""
        reasons: dict[int, str] = {}
        if self._linter is not None:
            for finding in self._linter.lint(tape_id).findings:
                if finding.severity in self._severities:
                    reasons[finding.position] = FOUND
        for note in list_annotations(tape_id, self._project):
            if note.position is None:
                continue
            if note.kind == "label" and note.name == KEPT_LABEL:
                reasons[note.position] = KEPT
            elif note.kind == "score" and not note.field and self._is_low(note):
                reasons.setdefault(note.position, LOW_SCORE)
        return reasons

    def _is_low(self, score: AnnotationRow) -> bool:
        if self._minimum_score is None or score.value is None:
            return False
        return scale_to_one(score.value, read_scale(score.details)) < self._minimum_score
