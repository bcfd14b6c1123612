"""`doctor` reports what is wrong and what to do."""

import json
import socket
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django.fixtures import Settings

from studio.checks import (
    check_broker,
    check_browser,
    check_front_end,
    check_model_keys,
    check_plugins,
    check_wall,
    check_workers,
)
from studio.logins import load_owner
from tapes_app.agents.services import plugins
from tapes_app.agents.services.llm_models import ModelValues, add_model
from tapes_app.environments.browser.chromium import chromium
from tapes_app.jobs.store.workers import list_workers, remove_beat, write_beat
from tapes_app.projects.services.people import identify
from tests.sandbox.apart import run_apart
from tests.sandbox.bare_system import take_walls_away

pytestmark = pytest.mark.django_db


def test_it_fails_and_advises_while_nothing_runs() -> None:
    out = StringIO()

    with pytest.raises(SystemExit) as stop:
        call_command("doctor", stdout=out)

    assert stop.value.code == 1
    assert "FAIL  workers: no worker listens to agents, serve, train" in out.getvalue()
    assert "Start the studio with `make run`" in out.getvalue()
    assert "ok    database" in out.getvalue()


def test_it_says_how_scorer_functions_are_walled_in(settings: Settings) -> None:
    def describe() -> list[str]:
        take_walls_away()
        settings.STUDIO_UNWALLED_FUNCTIONS = False
        refused = check_wall()
        settings.STUDIO_UNWALLED_FUNCTIONS = True
        return [refused.advice, check_wall().advice]

    refused, allowed = run_apart(describe)

    assert "walled in by" in check_wall().found
    assert refused.startswith("They are refused until")
    assert allowed == "They run all the same, because STUDIO_UNWALLED_FUNCTIONS is set."


def test_it_says_what_is_missing_for_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "path", "no-such-browser")

    finding = check_browser()

    assert finding.state == "warning"
    assert finding.found.startswith("There is no no-such-browser on this machine: install it")


def test_its_json_holds_one_finding_per_part() -> None:
    out = StringIO()

    with pytest.raises(SystemExit):
        call_command("doctor", "--json", stdout=out)

    answer = json.loads(out.getvalue())
    assert answer["healthy"] is False
    assert [finding["name"] for finding in answer["findings"]] == [
        "database",
        "broker",
        "workers",
        "web server",
        "front end",
        "disk",
        "plugins",
        "wall",
        "code",
        "browser",
        "model keys",
    ]


def test_a_front_end_that_is_not_built_is_a_failure(settings: Settings, tmp_path: Path) -> None:
    settings.FRONTEND_DIST = tmp_path

    assert check_front_end().advice == "Run `make run`, which builds it."


def test_a_broker_that_does_not_answer_is_a_failure(settings: Settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    finding = check_broker()

    assert finding.state == "failing"
    assert "REDIS_URL" in finding.advice


def test_the_workers_are_well_if_one_listens_to_each_queue() -> None:
    now = time.time()
    write_beat("elsewhere", 1, {"agents": now})
    write_beat("elsewhere", 2, {"serve": now, "train": now - 60})

    deaf = check_workers()
    write_beat("elsewhere", 2, {"serve": now, "train": now})
    well = check_workers()
    for pid in (1, 2):
        remove_beat("elsewhere", pid)

    assert deaf.state == "warning"
    assert deaf.found == "no worker listens to train (one did 60 s ago)"
    assert well.state == "ok"


def test_the_beat_of_a_process_that_is_gone_does_not_count() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    write_beat(socket.gethostname(), gone.pid, {"agents": time.time()})

    (worker,) = list_workers()
    remove_beat(socket.gethostname(), gone.pid)

    assert not worker.hears("agents")


def test_a_model_whose_key_is_not_set_is_named_with_its_variable() -> None:
    person = identify(load_owner())
    fields = {"name": "acme", "litellm_model": "openai/acme", "api_key_env": "ACME_KEY_NOT_SET"}
    add_model(person, ModelValues(fields=fields, key=None))

    finding = check_model_keys()

    assert finding.state == "warning"
    assert "'acme'" in finding.advice
    assert "'ACME_KEY_NOT_SET'" in finding.advice


def test_a_plugin_that_cannot_be_imported_is_named_with_the_reason(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "_problems", {})  # other tests see only their own
    monkeypatch.setattr(plugins, "_loaded", set())
    settings.STUDIO_PLUGINS = ("no_such_plugin_of_mine",)
    plugins.load_plugins()

    finding = check_plugins()

    assert finding.state == "failing"
    assert "No module named 'no_such_plugin_of_mine'" in finding.found
