"""Database settings from an address."""

from pathlib import Path

import pytest
from django.db import connection

from studio.databases import build_database
from studio.env import SettingError


def test_without_an_address_it_is_sqlite_in_the_data_folder() -> None:
    settings = build_database(None, Path("/data"))

    assert settings["NAME"] == "/data/studio.sqlite3"
    assert settings["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_an_address_is_taken_apart_and_pooled() -> None:
    settings = build_database(
        "postgresql://ada:p%40ss@db:5433/tapes?sslmode=require", Path("/data")
    )

    assert settings["USER"] == "ada"
    assert settings["PASSWORD"] == "p@ss"
    assert (settings["HOST"], settings["PORT"], settings["NAME"]) == ("db", "5433", "tapes")
    assert settings["OPTIONS"]["sslmode"] == "require"
    assert settings["OPTIONS"]["pool"]


def test_a_server_is_told_to_end_sessions_that_keep_their_locks_and_do_nothing() -> None:
    settings = build_database("postgresql://ada:p@db/tapes", Path("/data"))

    assert "-c idle_in_transaction_session_timeout=60s" in settings["OPTIONS"]["options"]


def test_another_kind_of_database_is_refused() -> None:
    with pytest.raises(SettingError, match="has the scheme 'mysql'"):
        build_database("mysql://u:p@h/n", Path("/data"))


@pytest.mark.django_db
def test_sqlite_runs_in_wal_with_foreign_keys() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("this run is on PostgreSQL")
    with connection.cursor() as cursor:
        mode = cursor.execute("PRAGMA journal_mode").fetchone()
        enforced = cursor.execute("PRAGMA foreign_keys").fetchone()

    assert (mode, enforced) == (("wal",), (1,))
