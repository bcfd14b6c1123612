"""Annotations: rows about tapes and steps; a shared step carries its own onto every fork."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from uuid import UUID, uuid4

from django.db.models import Q, QuerySet
from django.utils import timezone

from tapes_app.annotation.domain.outcome_answers import Verdict
from tapes_app.annotation.store.rows import Anchor, AnnotationRow, Content, Source
from tapes_app.engine.errors import NotFoundError
from tapes_app.models import AnnotationRecord, StepRecord, TapeRecord
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.store.records import get_record, ids_like
from tapes_app.tapes.domain.spans import cut_spans, find_place, read_spans
from tapes_app.tapes.store.access import get_tape, spans_filter

MAX_SHOWN = 5000
"""More than anybody reads on one tape; only the newest are shown."""


def list_annotations(tape_id: UUID, project: UUID) -> list[AnnotationRow]:
    """Return the annotations of a tape and of each of its steps, oldest first.

    Three queries, however long the tape is: annotations are few, steps are many.
    """
    tape = get_tape(tape_id, project)
    found = list(_of_tape(tape).order_by("-created_at", "-id")[:MAX_SHOWN])
    places = _places_on(tape, (record.step_id for record in found if record.step_id))
    return [_row(record, places.get(record.step_id)) for record in reversed(found)]


def add_annotation(
    tape_id: UUID,
    project: UUID,
    anchor: Anchor,
    content: Content,
    *,
    owner: int | None,
    source: Source = "person",
    source_name: str = "",
    annotation_id: UUID | None = None,
    created_at: datetime | None = None,
) -> AnnotationRow:
    """Store an annotation; the caller has checked what it is about.

    An annotation with the same `annotation_id` is replaced, even if it was deleted. `created_at` is
    when the annotation was made, if that was not now.

    Raises:
        NotFoundError: no such tape in this project, or it has no such step.
    """
    tape = get_tape(tape_id, project)
    record, _ = AnnotationRecord.objects.update_or_create(
        id=annotation_id or uuid4(),
        defaults={
            "project_id": project,
            "owner_id": owner,
            "tape": tape,
            "step_id": None if anchor.position is None else _step_at(tape, anchor.position),
            "field": anchor.field,
            "start": anchor.start,
            "end": anchor.end,
            "source": source,
            "source_name": source_name,
            **asdict(content),
            "deleted_at": None,
        },
    )
    if created_at is not None:
        AnnotationRecord.objects.filter(id=record.id).update(created_at=created_at)
    return load_annotation(record.id, tape_id, project)


def put_annotations(
    tape_id: UUID,
    project: UUID,
    position: int | None,
    contents: Mapping[UUID, Content],
    *,
    owner: int,
) -> None:
    """Store a person's annotations of a tape or a step under the given ids, in three queries.

    Annotations with the same ids are replaced, even if they were deleted.

    Raises:
        NotFoundError: no such tape in this project, or it has no such step.
    """
    tape = get_tape(tape_id, project)
    step_id = None if position is None else _step_at(tape, position)
    AnnotationRecord.objects.bulk_create(
        [
            AnnotationRecord(
                id=annotation_id,
                project_id=project,
                owner_id=owner,
                tape=tape,
                step_id=step_id,
                **asdict(content),
            )
            for annotation_id, content in contents.items()
        ],
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["kind", "name", "value", "text", "details", "updated_at", "deleted_at"],
    )


def load_annotation(annotation_id: UUID, tape_id: UUID, project: UUID) -> AnnotationRow:
    """Return one annotation of a tape or of a step that the tape shows.

    Raises:
        NotFoundError: there is none.
    """
    tape = get_tape(tape_id, project)
    missing = "Annotation not found on this tape."
    record = get_record(_of_tape(tape), missing, annotation_id=annotation_id)
    places = _places_on(tape, (record.step_id,) if record.step_id else ())
    return _row(record, places.get(record.step_id))


def change_annotation(row: AnnotationRow, content: Content) -> None:
    """Store the new content of an annotation."""
    AnnotationRecord.objects.filter(id=row.id).update(
        name=content.name,
        value=content.value,
        text=content.text,
        details=content.details,
        updated_at=timezone.now(),
    )


def list_verdicts(tape_id: UUID, *, without: UUID | None = None) -> list[Verdict]:
    """Return the annotators' answers to whether a tape did its task, oldest first."""
    scores = AnnotationRecord.objects.filter(
        tape_id=tape_id, step__isnull=True, kind="score", source="person", deleted_at=None
    )
    found = scores.order_by("updated_at", "id").values_list("id", "owner_id", "details")
    return [
        Verdict(owner, details["outcome"], details["outcome_before"])
        for annotation_id, owner, details in found
        if annotation_id != without and "outcome" in details
    ]


def delete_annotations(annotation_ids: Iterable[UUID]) -> None:
    """Mark annotations as deleted; their rows stay."""
    live = AnnotationRecord.objects.filter(id__in=list(annotation_ids), deleted_at=None)
    live.update(deleted_at=timezone.now())


def restore_annotation(
    annotation_id: UUID, tape_id: UUID, project: UUID, *, owner: int | None
) -> None:
    """Restore a deleted annotation; with `owner`, only one by this person.

    Raises:
        NotFoundError: there is no such deleted annotation of this tape.
    """
    deleted = AnnotationRecord.objects.filter(
        id=annotation_id, project_id=project, deleted_at__isnull=False
    )
    if owner is not None:
        deleted = deleted.filter(owner_id=owner)
    if not deleted.filter(_is_about(get_tape(tape_id, project))).update(deleted_at=None):
        raise NotFoundError(
            "Deleted annotation not found, so it cannot be restored.",
            annotation_id=str(annotation_id),
        )


def _of_tape(tape: TapeRecord) -> QuerySet[AnnotationRecord]:
    live = AnnotationRecord.objects.filter(project_id=tape.project_id, deleted_at__isnull=True)
    return live.filter(_is_about(tape)).select_related("owner")


def _is_about(tape: TapeRecord) -> Q:
    """Return the condition for annotations of a tape itself and of the steps it shows."""
    # Filters by the annotated steps, of which there are few; the tape may have thousands.
    shown = StepRecord.objects.filter(spans_filter(read_spans(tape.spans))).order_by()
    return Q(tape_id=tape.id, step__isnull=True) | Q(step_id__in=shown.values("id"))


def _places_on(tape: TapeRecord, step_ids: Iterable[int]) -> dict[int | None, int | None]:
    """Return the positions on a tape of the steps with these ids."""
    ids = set(step_ids)
    if not ids:
        return {}
    spans = read_spans(tape.spans)
    rows = StepRecord.objects.filter(id__in=ids).order_by()
    places = rows.values_list("id", "log_id", "position")
    return {step_id: find_place(spans, log, place) for step_id, log, place in places}


def _step_at(tape: TapeRecord, position: int) -> int:
    spans = cut_spans(read_spans(tape.spans), position, 1)
    step_id = StepRecord.objects.filter(spans_filter(spans)).values_list("id", flat=True).first()
    if step_id is None:
        raise NotFoundError(f"The tape has no step {position}.", position=position)
    return step_id


def _row(record: AnnotationRecord, position: int | None) -> AnnotationRow:
    owner = record.owner.get_username() if record.owner else ""
    return row_of(AnnotationRow, record, position=position, owner=owner)


def list_ids_like(project: UUID, text: str) -> list[UUID]:
    """Return the annotations whose ids begin with the given text."""
    return ids_like(AnnotationRecord.objects.filter(project=project), text)
