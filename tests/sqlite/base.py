"""Django's backend for SQLite, but for how tables are emptied after a test that commits."""

from django.db.backends.sqlite3 import base, operations

from tests.flushing import QuickFlush


class DatabaseOperations(QuickFlush, operations.DatabaseOperations):
    pass


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = DatabaseOperations
