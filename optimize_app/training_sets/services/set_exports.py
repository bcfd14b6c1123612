"""Training sets as files for other trainers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args
from uuid import UUID

from optimize_app.training_sets.samples import read_sample
from optimize_app.training_sets.set_formats import (
    Holding,
    SetFormat,
    list_lost,
    write_line,
)
from optimize_app.training_sets.splitting import Side
from optimize_app.training_sets.store.example_index import FILES, list_all_rows
from optimize_app.training_sets.store.sets import TrainingSetRow, load_set, open_folder
from tapes_app.interchange.chat_lines import dump_line
from tapes_app.interchange.folders import clean_name
from tapes_app.interchange.lost_parts import LostPart
from tapes_app.projects.services.downloads import Download, write_download
from tapes_app.projects.services.people import Person


@dataclass(frozen=True, slots=True)
class FormatRow:
    """A format that a set can be exported in."""

    format: SetFormat
    lost: list[LostPart]
    """What it cannot hold of the examples that are learnt."""


def list_formats(person: Person, set_id: UUID) -> list[FormatRow]:
    """Return the formats of a set with what each cannot hold.

    Raises:
        NotFoundError: no such set in the project.
    """
    content_hash = load_set(set_id, person.project_id).content_hash
    held = [
        Holding(row.is_recorded, row.call_count, row.weight, row.has_reasoning)
        for row in list_all_rows(content_hash, "train")
    ]
    return [FormatRow(one, list_lost(one, held)) for one in get_args(SetFormat)]


def export_set(person: Person, set_id: UUID, file_format: SetFormat, side: Side) -> Download:
    """Return the examples of one side as a file, one per line.

    Raises:
        NotFoundError: no such set in the project.
    """
    row = load_set(set_id, person.project_id)
    name = clean_name(row.name).replace("/", " ") or "training set"
    lines = iterate_lines(row, file_format, side)
    return write_download(f"{name}-{side}", f".{file_format}.jsonl", "application/jsonl", lines)


def iterate_lines(row: TrainingSetRow, file_format: SetFormat, side: Side) -> Iterator[str]:
    """Yield the lines of a file."""
    with (open_folder(row.content_hash) / FILES[side]).open("rb") as file:
        for line in file:
            written = write_line(file_format, read_sample(line))
            if written is not None:
                yield dump_line(written)
