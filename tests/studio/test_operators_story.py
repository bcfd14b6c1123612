"""A new operator's first days, from the documents alone: a studio for a team, on servers."""

import re
import shlex
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.studio.managing import manage_well
from tests.studio.new_databases import needs_pg_dump, new_databases
from tests.studio.running_studio import ROOT, RunningStudio, run_studio
from tests.studio.tls_proxy import TlsProxy, run_proxy
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

HOST = "studio.example.org"
PASSWORD = "a long pass phrase of nobody"
# From docs/accounts.md, where it explains what to set for a team and for HTTPS.
SETTINGS = {"STUDIO_ACCOUNTS": "1", "STUDIO_HTTPS": "1", "STUDIO_ALLOWED_HOSTS": HOST}
_PLUGIN = """\
from pathlib import Path
from threading import Event

from tapes_app.engine.model.llm import LLMOutput
from tapes_app.engine import scripts

MARK = Path(__file__).with_name("has-hung")


@scripts.register("hangs-once")
def answer(prompt):
    if not MARK.exists():
        MARK.touch()
        Event().wait()
    return LLMOutput(content="here I am")
"""
_SPEC = {
    "name": "hangs",
    "llms": {"default": {"model": "script:hangs-once"}},
    "templates": {"system": "Talk."},
    "nodes": [{"type": "engine.TalkNode"}],
    "environment": "chat",
}


class Install:
    """What the operator has: a folder, servers, and the documents."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.settings = settings

    def run(self, page: str, line: str, *changes: tuple[str, str]) -> str:
        """Run a line of a document, with the parts that it leaves to the reader filled in."""
        assert line in (ROOT / "docs" / page).read_text(encoding="utf-8"), line
        for written, meant in changes:
            line = line.replace(written, meant)
        words = shlex.split(line)
        assert words[:2] == [".venv/bin/python", "manage.py"]
        return manage_well(self.folder, *words[2:], **self.settings)


class Person:
    """Somebody at a browser, who connects by HTTPS."""

    def __init__(self, proxy: TlsProxy) -> None:
        self._browser = proxy.open_browser()

    def open(self, path: str) -> str:
        answer = self._browser.get(path, follow_redirects=True)
        assert answer.status_code == 200, answer.text
        return answer.text

    def send(self, path: str, **fields: str) -> str:
        """Submit the form of an open page."""
        fields["csrfmiddlewaretoken"] = self._browser.cookies["csrftoken"]
        answer = self._browser.post(path, data=fields, follow_redirects=True)
        assert answer.status_code == 200, answer.text
        return answer.text

    def ask(self, method: str, path: str, body: Any = None, status: int | None = None) -> Any:
        headers = {"X-CSRFToken": self._browser.cookies.get("csrftoken") or ""}
        answer = self._browser.request(method, f"/api/v1/{path}", json=body, headers=headers)
        assert answer.status_code == (status or (201 if method == "POST" else 200)), answer.text
        return answer.json()


@pytest.fixture
def install(tmp_path: Path, redis_url: str) -> Iterator[Install]:
    needs_pg_dump()
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    (plugins / "nights.py").write_text(_PLUGIN)
    own = {"STUDIO_PLUGINS": "nights", "PYTHONPATH": str(plugins)}
    with new_databases(1) as (database,):
        servers = {"DATABASE_URL": database, "REDIS_URL": redis_url}
        yield Install(tmp_path / "data", **servers, **SETTINGS, **own)


@contextmanager
def open_to_people(install: Install) -> Iterator[tuple[RunningStudio, TlsProxy]]:
    with run_studio(install.folder, None, (), **install.settings) as studio:
        studio.wait_until_ready()
        with run_proxy(install.folder.parent, HOST, studio.url) as proxy:
            yield studio, proxy


def test_a_team_works_for_some_days(install: Install) -> None:
    make_tables_that_lack_some(install)

    with open_to_people(install) as (studio, proxy):
        assert_that_the_start_copied_the_tables(install, studio)
        operator = Person(proxy)
        operator.open(studio.link.removeprefix(f"https://{HOST}"))
        olga, max_, vera = invite_three(operator, proxy)
        token = max_.ask("POST", "tokens", {"name": "nightly", "access": "write"})["token"]
        start_what_hangs(max_)
        # Kept from acting, so that the operator is the first to see it.
        studio.process.send_signal(signal.SIGSTOP)
        roles_count(olga, max_, vera)
        a_script_asks(proxy, token)
        old = operator.ask("POST", "projects", {"name": "Old nights"})["id"]
        a_nightly_backup_is_made_and_checked(install)
        a_project_is_forgotten(operator, old)
        find_the_worker_on_the_desk(operator)
        studio.process.send_signal(signal.SIGCONT)
        studio.wait_for_line("The worker agents is (stuck)")


def make_tables_that_lack_some(install: Install) -> None:
    """Databases of older versions are in `test_upgrades`; here, a start has something to add."""
    manage_well(install.folder, "migrate", "auth", **install.settings)


def assert_that_the_start_copied_the_tables(install: Install, studio: RunningStudio) -> None:
    (dump,) = (install.folder / "backups").glob("before-upgrade-*.pgdump")
    assert f"first the database is copied to {dump}" in studio.output


def invite_three(operator: Person, proxy: TlsProxy) -> list[Person]:
    people = []
    for name, role in {"olga": "owner", "max": "member", "vera": "viewer"}.items():
        link = operator.ask("POST", "invitations", {"role": role})["path"]
        person = Person(proxy)
        person.open(link)
        person.send(link, name=name, password=PASSWORD)
        people.append(person)
    return people


def roles_count(olga: Person, max_: Person, vera: Person) -> None:
    people = {one["name"]: one["role"] for one in olga.ask("GET", "people")["items"]}
    assert people == {"owner": "owner", "olga": "owner", "max": "member", "vera": "viewer"}
    assert vera.ask("GET", "tapes")["items"] == olga.ask("GET", "tapes")["items"]
    vera.ask("POST", "datasets", {"name": "mine"}, status=403)
    max_.ask("POST", "datasets", {"name": "ours"})
    max_.ask("POST", "invitations", {"role": "viewer"}, status=403)


def start_what_hangs(person: Person) -> None:
    version = person.ask("POST", "agents", {"spec": _SPEC})["latest_version_id"]
    person.ask("POST", "tapes", {"agent_version_id": version, "message": "Hi"})


def a_script_asks(proxy: TlsProxy, token: str) -> None:
    with proxy.open_browser(Authorization=f"Bearer {token}") as script:
        said = script.get("/api/v1/session").json()
        refused = script.post("/api/v1/tokens", json={"name": "another"})
    assert (said["user"], said["role"]) == ("max", "member")
    assert refused.status_code == 403


def a_nightly_backup_is_made_and_checked(install: Install) -> None:
    backup = f"{install.folder.parent}/studio-{date(2026, 11, 24)}.tar.gz"
    made = ".venv/bin/python manage.py backup /backups/studio-$(date +%F).tar.gz"
    install.run("operations.md", made, ("/backups/studio-$(date +%F).tar.gz", backup))
    checked = ".venv/bin/python manage.py backup --check /backups/studio-2026-11-24.tar.gz"
    install.run("operations.md", checked, ("/backups/studio-2026-11-24.tar.gz", backup))


def a_project_is_forgotten(operator: Person, project: str) -> None:
    listing = "/admin/tapes_app/projectrecord/"
    chosen = {"action": "forget_projects", "_selected_action": project}
    operator.open(listing)
    assert "deleted for good" in operator.send(listing, **chosen)
    assert "Old nights is forgotten" in operator.send(listing, **chosen, confirmed="1")
    assert project not in {one["id"] for one in operator.ask("GET", "projects")["items"]}
    assert "Old nights" in operator.open("/admin/admin/logentry/")


def find_the_worker_on_the_desk(operator: Person) -> None:
    wait_until(lambda: hung_workers(operator.open("/admin/")), "the desk", pause_seconds=0.5)


def hung_workers(desk: str) -> list[str]:
    """Return the workers of queue agents without a sign of life, as shown on the desk."""
    rows = re.findall(r"<tr>.*?</tr>", desk, re.DOTALL)
    return [row for row in rows if "no sign of life" in row and "Hi" in row]
