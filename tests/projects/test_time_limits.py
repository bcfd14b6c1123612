"""Tests of statements that are interrupted."""

import pytest
from django.db import connection

from tapes_app.engine.errors import InvalidInputError
from tapes_app.projects.store.time_limits import limited

pytestmark = pytest.mark.django_db

_ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def test_a_statement_that_never_ends_is_interrupted() -> None:
    with connection.cursor() as cursor:
        with pytest.raises(InvalidInputError, match="narrow the list"), limited(0.01):
            cursor.execute(_ENDLESS)
        cursor.execute("SELECT 1")

        assert cursor.fetchone() == (1,)


def test_afterwards_there_is_no_limit() -> None:
    with limited(60):
        pass
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW statement_timeout")
            assert cursor.fetchone() == ("0",)


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(ZeroDivisionError), limited():
        1 / 0  # noqa: B018
