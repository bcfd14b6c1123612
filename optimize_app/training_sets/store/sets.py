"""Training sets: rows, the folder of each, and the tapes that it was made from."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

from django.conf import settings
from pydantic import TypeAdapter

from optimize_app.models import TrainingSetRecord, TrainingSetTapeRecord
from optimize_app.training_sets.samples import hash_file
from optimize_app.training_sets.splitting import HELD_OUT_SHARE, SEED, Side
from tapes_app.artefacts.opening import artefacts, share
from tapes_app.bulk.domain.version_refs import DatasetVersionRef
from tapes_app.engine.errors import NotFoundError
from tapes_app.projects.domain.left_out import LeftOutTapes
from tapes_app.projects.domain.rows import Page
from tapes_app.projects.store.records import get_record, list_newest, refusing_duplicates

SetKind = Literal["chat", "preference"]
TRAIN_FILE, HELD_OUT_FILE = "samples.jsonl", "evaluation.jsonl"


@dataclass(frozen=True, slots=True)
class RebuiltCalls:
    """Calls whose tokens are made again from their text, and why."""

    why: str
    count: int


@dataclass(frozen=True, slots=True)
class SetPart:
    """What a set contributed to a mixture."""

    training_set_id: UUID
    name: str
    kind: SetKind
    weight: float
    available_count: int
    """Number of examples that it has for learning."""

    learnt_count: int
    """Number of its examples that the mixture learns; some more than once if this is larger."""


@dataclass(frozen=True, slots=True)
class SetFacts:
    """What is recorded of the examples of a set in addition to their number."""

    base: str = ""
    """The base model whose recorded tokens it contains; empty: it has none, and suits any base."""

    recorded_count: int = 0
    """Number of examples that are recorded tokens."""

    rebuilt: list[RebuiltCalls] = field(default_factory=list)
    """For a set with a base: examples that are text, which the base's chat template formats."""

    group_count: int = 0
    """Number of groups of attempts whose tokens are weighted by their rewards."""

    equal_group_count: int = 0
    """Number of groups left out because all their rewards are equal."""

    parts: list[SetPart] = field(default_factory=list)
    """The sets that a mixture was made from."""

    none_held_out: str = ""
    """Why nothing is held out, in a sentence; empty if something is, or the set is older."""


_FACTS = TypeAdapter(SetFacts)


@dataclass(frozen=True, slots=True)
class TrainingSetRow:
    """A training set in a list."""

    id: UUID
    name: str
    kind: SetKind
    """What its examples are: calls whose answers are learnt, or pairs of answers to one prompt."""

    content_hash: str
    """SHA-256 of its examples; sets with the same hash teach the same."""

    train_count: int
    held_out_count: int
    """Number of examples that are not learnt, to measure with."""

    tape_count: int
    size_bytes: int
    left_out: list[LeftOutTapes]
    facts: SetFacts
    stands_on: list[DatasetVersionRef]
    """The dataset versions that its tapes were chosen from."""

    created_at: datetime


@dataclass(frozen=True, slots=True)
class SourceTape:
    """What a tape contributed to a set."""

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
    """Return the training set of that name.

    Raises:
        NotFoundError: the project has no training set of that name.
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
    facts: SetFacts | None = None,
    stands_on: Sequence[DatasetVersionRef] = (),
) -> TrainingSetRow:
    """Store a job's set; if another attempt has stored it already, return that one.

    Raises:
        ConflictError: the project already has a set of that name.
    """
    made = _of(project).filter(job_id=job_id).first()
    if made is not None:
        return _row(made)
    with refusing_duplicates(f"There is a training set {name!r} already. Choose another name."):
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
            facts=write_facts(facts or SetFacts()),
            stands_on=[one.model_dump(mode="json") for one in stands_on],
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
    """Return what each tape contributed to a set."""
    found = TrainingSetTapeRecord.objects.filter(training_set_id=set_id)
    return {
        row.tape_id: SourceTape("train" if row.side == "train" else "held_out", row.example_count)
        for row in found
    }


def load_split(set_id: UUID, project: UUID) -> tuple[float, int]:
    """Return the share of tasks that a set held out, and the seed of that choice.

    Raises:
        NotFoundError: no such set in this project.
    """
    request = get_record(_of(project), "Training set not found.", training_set_id=set_id).request
    return request.get("held_out_share", HELD_OUT_SHARE), request.get("seed", SEED)


def kind_of(source: object) -> SetKind:
    """Return the kind of examples of a source."""
    return "preference" if source == "edits" else "chat"


def folder_of(content_hash: str) -> Path:
    """Return the folder of the examples with this hash."""
    return sets_folder() / content_hash


def open_folder(content_hash: str) -> Path:
    """Return the folder of the examples with this hash, fetched if another machine made them.

    Raises:
        ArtefactError: they cannot be fetched.
    """
    folder = folder_of(content_hash)
    if not all((folder / name).is_file() for name in (TRAIN_FILE, HELD_OUT_FILE)):
        artefacts().fetch(_artefact_of(content_hash))
    return folder


def share_folder(content_hash: str) -> None:
    """Publish the examples with this hash, so that other machines find them.

    Raises:
        ArtefactError: the artefact store cannot be reached.
    """
    share(_artefact_of(content_hash))


def _artefact_of(content_hash: str) -> str:
    return f"{sets_folder().name}/{content_hash}"


def sets_folder() -> Path:
    return Path(settings.STUDIO_DATA_DIR) / "training_sets"


def hash_folder(folder: Path) -> str:
    """Return one hash of all examples in a folder."""
    hashes = [hash_file(folder / name) for name in (TRAIN_FILE, HELD_OUT_FILE)]
    return hashlib.sha256("-".join(hashes).encode()).hexdigest()


def write_facts(facts: SetFacts) -> dict[str, Any]:
    """Return facts as JSON."""
    written: dict[str, Any] = _FACTS.dump_python(facts, mode="json")
    return written


def _of(project: UUID) -> Any:
    return TrainingSetRecord.objects.filter(project_id=project)


def _row(record: TrainingSetRecord) -> TrainingSetRow:
    facts = _FACTS.validate_python(record.facts)
    return TrainingSetRow(
        id=record.id,
        name=record.name,
        kind=facts.parts[0].kind if facts.parts else kind_of(record.request.get("source")),
        content_hash=record.content_hash,
        train_count=record.train_count,
        held_out_count=record.held_out_count,
        tape_count=record.tape_count,
        size_bytes=record.size_bytes,
        left_out=[LeftOutTapes(**reason) for reason in record.left_out],
        facts=facts,
        stands_on=[DatasetVersionRef.model_validate(one) for one in record.stands_on],
        created_at=record.created_at,
    )
