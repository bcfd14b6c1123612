"""Our recordings are what their script makes: nobody edits them by hand."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.recorded.make import HERE, make_all
from tests.recordings import OWN


def test_the_recordings_are_those_that_their_script_makes(tmp_path: Path) -> None:
    make_all(tmp_path)

    assert read_all(tmp_path, tmp_path) == read_all(HERE, tmp_path)


def read_all(folder: Path, scratch: Path) -> dict[str, Any]:
    """Return what each recording says; databases of equal rows may differ in their bytes."""
    root = folder / OWN.name
    return {
        path.relative_to(root).as_posix(): read(path, scratch)
        for path in root.rglob("*")
        if path.is_file()
    }


def read(path: Path, scratch: Path) -> Any:
    content = path.read_bytes()
    if ".sqlite" not in path.name:
        return content
    plain = scratch / "plain"
    plain.write_bytes(gzip.decompress(content) if path.suffix == ".gz" else content)
    with closing(sqlite3.connect(plain)) as connection:
        tables = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
        return tables.fetchall(), connection.execute("SELECT * FROM LLMCalls").fetchall()
