"""Django's backend for PostgreSQL, but for how tables are emptied after a test that commits."""

from collections.abc import Sequence
from typing import Any

from django.db.backends.postgresql import base, operations

from tests.flushing import QuickFlush


class PlainOperations(operations.DatabaseOperations):
    """Deletes the few rows of a test: TRUNCATE makes new files for every table and index."""

    def sql_flush(
        self,
        style: Any,
        tables: Sequence[str],
        *,
        reset_sequences: bool = False,
        allow_cascade: bool = False,
    ) -> list[str]:
        if reset_sequences:
            return super().sql_flush(
                style, tables, reset_sequences=reset_sequences, allow_cascade=allow_cascade
            )
        # Keys between tables are checked when all of it is committed, so any order will do.
        return [f"DELETE FROM {self.quote_name(table)}" for table in tables]


class DatabaseOperations(QuickFlush, PlainOperations):
    pass


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = DatabaseOperations
