"""Settings of the test runs: a separate data folder, SQLite or the given server."""

import os
import tempfile
from pathlib import Path

from studio.env import variable_names

# One folder per test process, so that parallel workers never share a broker or a lock.
_DATA_DIR = Path(tempfile.mkdtemp(prefix="studio-tests-"))
for _name in variable_names():
    os.environ[_name] = ""  # neither the shell nor a `.env` file may change what is tested
# On a busy machine, threads of such a small model wait for each other most of the time.
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["STUDIO_DATA_DIR"] = str(_DATA_DIR)
os.environ["STUDIO_SECRET_KEY"] = "a key that only the tests use, and only here"

from studio.databases import build_database  # noqa: E402
from studio.settings import *  # noqa: E402, F403

_URL = os.environ.get("TEST_DATABASE_URL")
DATABASES = {"default": build_database(_URL, _DATA_DIR, pooled=False)}
# A file rather than memory, so that threads and child processes of a test see the same rows. And a
# separate name, so that two runs on one server do not drop each other's tables.
_TEST_NAME = f"test_studio_{os.getpid()}" if _URL else str(_DATA_DIR / "test.sqlite3")
DATABASES["default"]["TEST"] = {"NAME": _TEST_NAME}
DATABASES["default"]["ENGINE"] = "tests.postgres" if _URL else "tests.sqlite"
if _URL:
    # A test's commits need not survive a power cut, and each wait for the disk is long. A test is
    # often one transaction, however long it takes.
    DATABASES["default"]["OPTIONS"]["options"] += (
        " -c synchronous_commit=off -c idle_in_transaction_session_timeout=0"
    )

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WHITENOISE_AUTOREFRESH = True  # no scan of the static files at every start
