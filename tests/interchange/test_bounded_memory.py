"""Reading and importing hold a few tapes at a time, however many a file has."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest

from tapes_app.exchange.services.import_files import import_files
from tapes_app.interchange.folders import collect_files
from tapes_app.interchange.tapeagents import read_file
from tests.interchange.builders import build_tape_fields

TAPES = 600
ALLOWED_BYTES = 4_000_000
"""A fraction of the file: some tapes and the window that they are read through."""


def peak_of(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def write_tapes(path: Path, *, separator: str, ends: tuple[str, str]) -> int:
    tapes = (build_tape_fields(*["note"] * 3, id=f"t{i}", task="x" * 15_000) for i in range(TAPES))
    text = ends[0] + separator.join(json.dumps(fields) for fields in tapes) + ends[1]
    path.write_text(text, encoding="utf-8")
    return len(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "separator", "ends"),
    [("tapes.json", ",\n", ("[", "]")), ("tapes.yaml", "\n---\n", ("---\n", "\n"))],
)
def test_a_long_file_is_read_a_tape_at_a_time(
    name: str, separator: str, ends: tuple[str, str], tmp_path: Path
) -> None:
    size = write_tapes(tmp_path / name, separator=separator, ends=ends)

    peak = peak_of(lambda: sum(1 for _ in read_file(tmp_path / name)))

    assert size > 2 * ALLOWED_BYTES
    assert peak < ALLOWED_BYTES


@pytest.mark.slow
def test_a_long_list_is_imported_some_tapes_at_a_time(project: UUID, tmp_path: Path) -> None:
    size = write_tapes(tmp_path / "tapes.json", separator=",", ends=("[", "]"))
    files = collect_files(tmp_path)
    import_files(project, [], batch_name="warm")  # loads what every import needs

    peak = peak_of(lambda: import_files(project, files, batch_name="batch"))

    assert peak < 3 * ALLOWED_BYTES
    assert size > 2 * ALLOWED_BYTES
