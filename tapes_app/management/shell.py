"""The base of commands that a shell starts: they need prepared tables, or end with one sentence."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.db import DatabaseError, connection

from tapes_app.engine.errors import StudioError
from tapes_app.management.schema_level import count_missing, list_applied, refuse_newer
from tapes_app.projects.domain.wording import count_of

REFUSED = 2
"""Exit status of a command that could not do what it was asked; 1 means that the answer is no."""


class NotPreparedError(StudioError):
    """The database has no tables yet, or not those of this version."""

    code = "not_prepared"
    status = 503


class ShellCommand(BaseCommand):
    """A command that, started by a shell, refuses to work on a database that is not prepared."""

    needs_tables = True
    requires_system_checks = ()  # they load every URL and the entire API
    _is_from_shell = False

    def run_from_argv(self, argv: list[str]) -> None:
        self._is_from_shell = True
        super().run_from_argv(argv)

    def execute(self, *args: Any, **options: Any) -> str | None:
        if self._is_from_shell and self.needs_tables:
            require_tables()
        return super().execute(*args, **options)


def require_tables() -> None:
    """Check that the database has the tables of this version.

    Raises:
        NotPreparedError: it does not; the message describes what to do.
        NewerDatabaseError: it is the database of a newer version.
    """
    advice = "Start the studio once (`manage.py up`), or run `manage.py migrate`."
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        # Connecting would create the file.
        raise NotPreparedError(f"There is no database yet. {advice}")
    try:
        applied = list_applied()
    except DatabaseError as error:
        raise NotPreparedError(
            f"The database does not answer: {first_line(error)}. Check it with `manage.py doctor`."
        ) from error
    refuse_newer(applied, f"The database {connection.settings_dict['NAME']}")
    missing = count_missing(applied)
    if missing:
        raise NotPreparedError(f"The database lacks {count_of(missing, 'migration')}. {advice}")


def first_line(error: Exception) -> str:
    """Return the first line of a database error; further lines are for programmers."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
