"""Behind an HTTPS proxy: what is sent, what is refused, what is trusted."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from studio.env import SettingError, StudioEnvironment
from tests.studio.running_studio import ROOT, RunningStudio, run_studio, studio_environment

HOST = "studio.example.org"
DOCUMENTED = {"STUDIO_ACCOUNTS": "1", "STUDIO_HTTPS": "1", "STUDIO_ALLOWED_HOSTS": HOST}


def test_the_documented_settings_pass_djangos_check_for_deployment(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=studio_environment(**DOCUMENTED, STUDIO_DATA_DIR=str(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout
    documented = (ROOT / "docs" / "accounts.md").read_text(encoding="utf-8")
    assert all(f"{name}={value}" in documented for name, value in DOCUMENTED.items())


def test_https_needs_the_name_of_a_host() -> None:
    with pytest.raises(SettingError, match=r"STUDIO_HTTPS.*STUDIO_ALLOWED_HOSTS"):
        StudioEnvironment.from_variables({"STUDIO_HTTPS": "1"})


@pytest.fixture(scope="module")
def behind_a_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    with run_studio(
        tmp_path_factory.mktemp("https") / "data",
        STUDIO_ACCOUNTS="1",
        STUDIO_HTTPS="1",
        STUDIO_ALLOWED_HOSTS=HOST,
    ) as running:
        running.wait_until_ready()
        yield running


def ask(studio: RunningStudio, method: str, path: str, **headers: str) -> httpx.Response:
    return httpx.request(method, f"{studio.url}{path}", headers={"Host": HOST, **headers})


def by_https(person: str = "198.51.100.1") -> dict[str, str]:
    """Return the headers with which a proxy describes the client."""
    return {"X-Forwarded-Proto": "https", "X-Forwarded-For": person}


def test_what_comes_without_https_is_sent_there(behind_a_proxy: RunningStudio) -> None:
    answer = ask(behind_a_proxy, "GET", "/tapes")

    assert (answer.status_code, answer.headers["Location"]) == (301, f"https://{HOST}/tapes")


def test_cookies_are_for_https_alone_and_browsers_stay_there(
    behind_a_proxy: RunningStudio,
) -> None:
    answer = ask(behind_a_proxy, "GET", "/login/", **by_https())

    assert answer.status_code == 200
    assert all("Secure" in cookie for cookie in answer.headers.get_list("Set-Cookie"))
    assert answer.headers.get_list("Set-Cookie")
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"


def test_the_link_of_the_first_sign_in_is_the_one_that_works(
    behind_a_proxy: RunningStudio,
) -> None:
    assert behind_a_proxy.link.startswith(f"https://{HOST}/login/")

    path = behind_a_proxy.link.removeprefix(f"https://{HOST}")
    answer = ask(behind_a_proxy, "GET", path, **by_https())

    assert answer.headers["Location"] == "/"
    assert all("Secure" in cookie for cookie in answer.headers.get_list("Set-Cookie"))


def test_wrong_passwords_count_for_the_person_and_not_for_the_proxy(
    behind_a_proxy: RunningStudio,
) -> None:
    def guess(person: str) -> int:
        form = ask(behind_a_proxy, "GET", "/login/", **by_https(person))
        token = form.cookies["csrftoken"]
        answer = httpx.post(
            f"{behind_a_proxy.url}/login/",
            data={"username": "ada", "password": "guess", "csrfmiddlewaretoken": token},
            headers={
                "Host": HOST,
                "Cookie": f"csrftoken={token}",
                "Referer": f"https://{HOST}/login/",
                **by_https(person),
            },
        )
        return answer.status_code

    assert [guess("198.51.100.7") for _ in range(3)] == [200, 200, 429]
    assert guess("198.51.100.8") == 200


def test_health_is_asked_on_the_machine_itself(behind_a_proxy: RunningStudio) -> None:
    answer = httpx.get(f"{behind_a_proxy.url}/healthz")

    assert answer.json()["parts"]["database"] == "ok"
