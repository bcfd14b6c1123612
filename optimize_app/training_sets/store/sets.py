"""Training sets: rows, the folder of each, and the tapes that it was made of."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

from django.conf import settings

from optimize_app.models import TrainingSetRecord, TrainingSetTapeRecord
from optimize_app.training_sets.samples import hash_file
from optimize_app.training_sets.splitting import HELD_OUT_SHARE, SEED, Side
from tapes_app.engine.errors import NotFoundError
from tapes_app.projects.left_out import LeftOutTapes
from tapes_app.projects.rows import Page
from tapes_app.projects.store.records import get_record, list_newest, refusing_doubles

TRAIN_FILE, HELD_OUT_FILE = "samples.jsonl", "evaluation.jsonl"


@dataclass(frozen=True, slots=True)
class TrainingSetRow:
    """A training set in a list."""

    id: UUID
    name: str
    kind: Literal["chat", "preference"]
    """What its examples are: calls whose answers are learnt, or pairs of answers to one prompt."""

    content_hash: str
    """SHA-256 over its examples; sets of one hash teach the same."""

    train_count: int
    held_out_count: int
    """Examples that are not learnt, to measure with."""

    tape_count: int
    size_bytes: int
    left_out: list[LeftOutTapes]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class SourceTape:
    """What a tape gave to a set."""

    side: Side
    example_count: int


def list_sets(project: UUID, *, after: str | None = None, limit: int = 50) -> Page[TrainingSetRow]:
    """Return a page of training sets, newest first.

    Raises:
        InvalidInputError: `after` is not a cursor.
    """
    return list_newest(_of(project), _row, after=after, limit=limit)


def load_set(set_id: UUID, project: UUID) -> TrainingSetRow:
    """Return one training set.

    Raises:
        NotFoundError: no such set in this project.
    """
    return _row(get_record(_of(project), "Training set not found.", training_set_id=set_id))


def find_set(name: str, project: UUID) -> TrainingSetRow:
    """Return the training set of a name.

    Raises:
        NotFoundError: the project has none of that name.
    """
    record = _of(project).filter(name=name).first()
    if record is None:
        raise NotFoundError(f"There is no training set {name!r}.")
    return _row(record)


def list_sources(set_id: UUID, project: UUID, side: Side) -> list[UUID]:
    """Return the tapes that gave the examples of one side of a set.

    Raises:
        NotFoundError: no such set in this project.
    """
    row = load_set(set_id, project)
    found = TrainingSetTapeRecord.objects.filter(training_set_id=row.id, side=side)
    return list(found.order_by("tape_id").values_list("tape_id", flat=True))


def is_name_taken(project: UUID, name: str) -> bool:
    return bool(_of(project).filter(name=name).exists())


def save_set(
    project: UUID,
    *,
    owner: int | None,
    job_id: UUID,
    name: str,
    request: Mapping[str, Any],
    counts: Mapping[Side, int],
    sources: Mapping[UUID, SourceTape],
    left_out: list[dict[str, Any]],
    folder: Path,
) -> TrainingSetRow:
    """Store what a job made; asked again by another attempt, what is there already.

    Raises:
        ConflictError: the project has a set of that name.
    """
    made = _of(project).filter(job_id=job_id).first()
    if made is not None:
        return _row(made)
    with refusing_doubles(f"There is a training set {name!r} already. Choose another name."):
        record = TrainingSetRecord.objects.create(
            project_id=project,
            owner_id=owner,
            job_id=job_id,
            name=name,
            request=dict(request),
            content_hash=hash_folder(folder),
            train_count=counts["train"],
            held_out_count=counts["held_out"],
            tape_count=len(sources),
            size_bytes=sum(path.stat().st_size for path in folder.iterdir()),
            left_out=left_out,
        )
        TrainingSetTapeRecord.objects.bulk_create(
            TrainingSetTapeRecord(
                training_set=record,
                tape_id=tape_id,
                side=source.side,
                example_count=source.example_count,
            )
            for tape_id, source in sources.items()
        )
    return _row(record)


def load_sources(set_id: UUID) -> dict[UUID, SourceTape]:
    """Return what each tape gave to a set."""
    found = TrainingSetTapeRecord.objects.filter(training_set_id=set_id)
    return {
        row.tape_id: SourceTape("train" if row.side == "train" else "held_out", row.example_count)
        for row in found
    }


def load_split(set_id: UUID, project: UUID) -> tuple[float, int]:
    """Return which share of the tasks a set held out, and by which seed.

    Raises:
        NotFoundError: no such set in this project.
    """
    request = get_record(_of(project), "Training set not found.", training_set_id=set_id).request
    return request.get("held_out_share", HELD_OUT_SHARE), request.get("seed", SEED)


def folder_of(content_hash: str) -> Path:
    """Return where the examples of a hash lie."""
    return sets_folder() / content_hash


def sets_folder() -> Path:
    return Path(settings.STUDIO_DATA_DIR) / "training_sets"


def hash_folder(folder: Path) -> str:
    """Return one hash of the examples of a folder."""
    hashes = [hash_file(folder / name) for name in (TRAIN_FILE, HELD_OUT_FILE)]
    return hashlib.sha256("-".join(hashes).encode()).hexdigest()


def _of(project: UUID) -> Any:
    return TrainingSetRecord.objects.filter(project_id=project)


def _row(record: TrainingSetRecord) -> TrainingSetRow:
    return TrainingSetRow(
        id=record.id,
        name=record.name,
        kind="preference" if record.request.get("source") == "edits" else "chat",
        content_hash=record.content_hash,
        train_count=record.train_count,
        held_out_count=record.held_out_count,
        tape_count=record.tape_count,
        size_bytes=record.size_bytes,
        left_out=[LeftOutTapes(**reason) for reason in record.left_out],
        created_at=record.created_at,
    )
