"""An OpenID provider in a separate process on loopback, and a person who signs in with it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from tests.studio.running_studio import find_free_port
from tests.waiting import PATIENCE_SECONDS, wait_until


class OpenIDProvider:
    """The provider's address; the people it knows are given to it beforehand."""

    def __init__(self, url: str) -> None:
        self.url = url

    def settings(self, **changes: str) -> dict[str, str]:
        """Return the variables with which a studio uses it."""
        return {
            "STUDIO_ACCOUNTS": "1",
            "STUDIO_OIDC_NAME": "Example ID",
            "STUDIO_OIDC_ISSUER": self.url,
            "STUDIO_OIDC_CLIENT_ID": "studio",
            "STUDIO_OIDC_CLIENT_SECRET": "a secret between the two",
            **changes,
        }

    def know(self, subject: str, **claims: object) -> None:
        httpx.put(f"{self.url}/users/{subject}", json=claims).raise_for_status()

    def sign_in(self, asked: str, subject: str) -> str:
        """Let a person sign in on the page that a studio sent them to; return the next address."""
        answer = httpx.post(asked, data={"sub": subject})
        assert answer.status_code == 302, answer.text
        return answer.headers["Location"]


@contextmanager
def run_provider() -> Iterator[OpenIDProvider]:
    port = find_free_port()
    program = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    provider = OpenIDProvider(f"http://127.0.0.1:{port}")
    try:
        wait_until(lambda: process.poll() is None and _answers(provider.url), "the provider")
        yield provider
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_SECONDS)


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/jwks").status_code == 200
    except httpx.HTTPError:
        return False


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenIDProvider]:
    with run_provider() as running:
        yield running
