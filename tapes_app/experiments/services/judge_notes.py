"""A judge's judgment of a branch, as a note on the branch's tape."""

from collections.abc import Iterable
from uuid import UUID, uuid5

from tapes_app.annotation.services.annotations import record_annotation
from tapes_app.annotation.services.checks import MAX_NAME, AnnotationValues
from tapes_app.annotation.store import annotations as storage
from tapes_app.annotation.store.rows import Anchor
from tapes_app.experiments.services.request import ExperimentRequest, JudgeCheck
from tapes_app.experiments.store.branches import BranchPlace, Judgement
from tapes_app.projects.domain.columns import fit_line, fit_text

DEFAULT_NAME = "Run N"
_LONGEST_REASON = 10_000


def note_judgement(place: BranchPlace, check: JudgeCheck, judgement: Judgement) -> None:
    """Write a judgment as a note on its tape, replacing the same branch's earlier one.

    A judgment that could not be parsed removes the earlier note.
    """
    note_id = _note_id(place.id)
    if judgement.judged_as != "judge":
        storage.delete_annotations([note_id])
        return
    request = ExperimentRequest.model_validate(place.request)
    record_annotation(
        place.project_id,
        place.tape_id,
        Anchor(),
        AnnotationValues(
            kind="score",
            name=fit_line(request.name, MAX_NAME) or DEFAULT_NAME,
            value=judgement.score,
            scale="fraction",
            text=fit_text(judgement.reason, _LONGEST_REASON),
        ),
        source="judge",
        source_name=fit_line(judgement.judged_by, MAX_NAME),
        details={
            "experiment_id": str(place.experiment_id),
            "passed": judgement.passed,
            "pass_score": check.pass_score,
            "rubric": check.rubric,
            "judge_call_id": str(judgement.judge_call_id),
        },
        annotation_id=note_id,
    )


def withdraw_judgements(branch_ids: Iterable[UUID]) -> None:
    """Remove the notes of judges on these branches."""
    storage.delete_annotations(_note_id(branch_id) for branch_id in branch_ids)


def _note_id(branch_id: UUID) -> UUID:
    """Return the id of a branch's note, always the same, so that a repetition adds no note."""
    return uuid5(branch_id, "judge")
