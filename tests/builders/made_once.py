"""Rows that the product takes long to make: made once a whole run of the tests, then restored.

They are kept as a database under a hash of all code that may have had a part in them. A test that
changes what the product makes of them makes them itself.
"""

import fcntl
import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path

from django.db import connection

ROOT = Path(__file__).resolve().parent.parent.parent
_MADE = ROOT / ".pytest_cache" / "made"


def make_once(name: str, make: Callable[[], object]) -> None:
    """Let the test database hold what `make` leaves in it, and nothing else.

    Only SQLite copies a database in milliseconds; on PostgreSQL it is made each time.
    """
    if connection.vendor != "sqlite":
        make()
        return
    _MADE.mkdir(parents=True, exist_ok=True)
    place = _MADE / f"{name}-{_digest_code()}.sqlite3"
    connection.ensure_connection()
    with place.with_suffix(".lock").open("w") as held:  # test processes want the same
        fcntl.flock(held, fcntl.LOCK_EX)
        if not place.exists():
            make()
            unfinished = place.with_suffix(".part")
            with closing(sqlite3.connect(unfinished)) as kept:
                connection.connection.backup(kept)
            unfinished.replace(place)
            return
    with closing(sqlite3.connect(place)) as kept:
        kept.backup(connection.connection)


@cache
def _digest_code() -> str:
    digest = hashlib.sha256((ROOT / "requirements.txt").read_bytes())
    for folder in ("studio", "tapes_app", "optimize_app", "tests/builders", "tests/evaluation"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
