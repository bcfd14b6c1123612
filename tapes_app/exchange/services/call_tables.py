"""The databases of an export, which grow on disk: each call goes into the one it came from."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path
from uuid import UUID

from tapes_app.exchange.services.export_targets import ExportTarget
from tapes_app.interchange.call_codec import encode_call
from tapes_app.interchange.export_plan import DATABASE_NAME, FileNames, source_name
from tapes_app.interchange.tapedata import SourceRow, append_rows
from tapes_app.tapes.store.calls import CallRow


class CallTables:
    """Rows of calls and tapes by the name of their database; close it after they are written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts: defaultdict[str, list[Path]] = defaultdict(list)
        """As many files as needed to keep the keys of each table unique."""

        self._numbers = count()
        self._taken = sqlite3.connect(folder / "taken")
        self._taken.execute("PRAGMA synchronous = OFF")
        self._taken.execute("CREATE TABLE call (id BLOB PRIMARY KEY) WITHOUT ROWID")
        self.call_count = 0

    def close(self) -> None:
        self._taken.close()

    def take_new(self, call_ids: Sequence[UUID]) -> list[UUID]:
        """Return the ids that were not taken before: forks show the calls of their parents."""
        insert = "INSERT OR IGNORE INTO call VALUES (?)"
        with self._taken as link:
            return [one for one in call_ids if link.execute(insert, [one.bytes]).rowcount]

    def add_calls(self, rows: Iterable[CallRow]) -> None:
        by_name: defaultdict[str, list[CallRow]] = defaultdict(list)
        for row in rows:
            file = str((row.source or {}).get("file", ""))
            by_name[source_name(file or DATABASE_NAME, "tapedata")].append(row)
            self.call_count += 1
        for name, calls in by_name.items():
            # Not a list: a prompt that is written in full is many times larger than what is stored.
            self.add_rows(name, (encode_call(one.call, one.source, number=1) for one in calls))

    def add_rows(self, name: str, rows: Iterable[SourceRow]) -> None:
        """Add rows to the database of that name; rows with duplicate keys go into another file."""
        parts, left = self._parts[name], rows
        for number in count():
            if number == len(parts):
                parts.append(self._folder / f"{next(self._numbers)}.sqlite")
            left = append_rows(parts[number], left)
            if not left:
                return

    def write_into(self, target: ExportTarget) -> list[str]:
        """Add the databases to the target; return their names there."""
        names = FileNames()
        written: list[str] = []
        for name, parts in self._parts.items():
            for path in parts:
                written.append(names.take(name))
                target.add(path, written[-1])
        return written
