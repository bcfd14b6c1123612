"""How the tables are emptied after a test that commits: quickly, as hundreds of tests do it."""

from collections.abc import Sequence
from typing import Any

from django.db.backends.base.operations import BaseDatabaseOperations

_MADE_BY_MIGRATIONS = {"django_content_type", "auth_permission"}
"""The same before and after every test, and slow to make."""


class QuickFlush(BaseDatabaseOperations):
    """Goes before the operations of a backend of Django."""

    def sql_flush(self, style: Any, tables: Sequence[str], **options: bool) -> list[str]:
        emptied = [table for table in tables if table not in _MADE_BY_MIGRATIONS]
        return list(super().sql_flush(style, emptied, **options))

    def execute_sql_flush(self, sql_list: Any) -> None:
        super().execute_sql_flush(sql_list)
        # With an empty list, Django does not make anew what was kept.
        sql_list.clear()
