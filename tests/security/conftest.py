"""One studio in its own processes for the whole folder, and a person who is signed in to it."""

import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

from tests.security.keys import KEY_IN_THE_ENVIRONMENT, KEY_VARIABLE
from tests.studio.running_studio import ROOT, RunningStudio, run_studio, studio_environment
from tests.waiting import PATIENCE_SECONDS


@pytest.fixture(scope="package")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    variables = {KEY_VARIABLE: KEY_IN_THE_ENVIRONMENT}
    data_dir = tmp_path_factory.mktemp("security") / "data"
    with run_studio(data_dir, None, **variables) as running:
        running.wait_until_ready()
        yield running


@pytest.fixture(scope="package")
def owner(studio: RunningStudio) -> Iterator[httpx.Client]:
    """The owner's browser, without the script that puts the token into requests."""
    with httpx.Client(base_url=studio.url, timeout=PATIENCE_SECONDS) as client:
        client.get(studio.link)
        client.get("/")
        yield client


@pytest.fixture
def stranger(studio: RunningStudio) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=studio.url, timeout=PATIENCE_SECONDS) as client:
        yield client


@pytest.fixture
def token(owner: httpx.Client) -> dict[str, str]:
    """The header that only a page of the studio can send."""
    return {"X-CSRFToken": owner.cookies["csrftoken"]}


@pytest.fixture
def fresh_link(studio: RunningStudio) -> str:
    """Another one-time link, as a person asks for one."""
    variables = studio_environment(STUDIO_DATA_DIR=str(studio.data_dir))
    asked = subprocess.run(
        [sys.executable, "manage.py", "login_link"],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return asked.stdout.strip()
