"""The environments of a project over HTTP: what is there, how it is, what failed, checking it."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from pytest_django import DjangoAssertNumQueries

from tapes_app.agents.services import mcp_servers
from tapes_app.agents.store.agents import create_agent
from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.engine.environment.spec import EnvironmentChoice, EnvironmentSpec
from tapes_app.engine.tape.dialog_steps import ToolCalls, ToolResult, UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.environments.browser.chromium import chromium
from tapes_app.environments.policy import RULED_BY
from tapes_app.tapes.store.edits import fork_tape
from tapes_app.tapes.store.removal import delete_tape
from tapes_app.tapes.store.saving import save_tape
from tapes_app.tapes.store.tapes import append_steps
from tests.environments.mcp_folder import PROGRAM, Adder, adder, folder, list_programs
from tests.runs.browsers import RunBrowser, work, working
from tests.waiting import wait_until

__all__ = ["adder", "folder"]

pytestmark = pytest.mark.django_db
needs_worker = pytest.mark.django_db(transaction=True)


def build(*named: str, name: str = "helper", environment: EnvironmentChoice = "") -> AgentSpec:
    """Return an agent whose node names tools."""
    return AgentSpec(
        name=name,
        llms={"default": LLMSpec(model="script:stand-in")},
        nodes=(NodeSpec(type="engine.TalkNode", settings={"name": "main", "tools": list(named)}),),
        environment=environment,
    )


def read(browser: RunBrowser, name: str) -> Any:
    """Return the row of an environment."""
    items = browser.ask("GET", "environments")["items"]
    return next(row for row in items if row["name"] == name)


def check(browser: RunBrowser, name: str) -> Any:
    """Let a worker check an environment, and return the job and the row afterwards."""
    job = browser.ask("POST", "environments/checks", {"name": name}, expect=201)
    work()
    return browser.ask("GET", f"jobs/{job['id']}"), read(browser, name)


def calling(*names: str) -> Step:
    calls = [
        {"id": f"c{at}", "function": {"name": name, "arguments": {}}}
        for at, name in enumerate(names)
    ]
    return ToolCalls.model_validate({"tool_calls": calls})


def failing(content: str = "Error: It is down.", call_id: str = "c0") -> ToolResult:
    return ToolResult(content=content, tool_call_id=call_id, is_error=True)


def store(browser: RunBrowser, *steps: Step, project: UUID | None = None, **options: Any) -> UUID:
    tape = Tape(steps=(UserStep(content="Add!"), *steps))
    return save_tape(project or browser.person.project_id, tape, **options)


def test_without_any_in_use_the_kinds_are_listed(folder: Path) -> None:
    browser = RunBrowser()

    answer = browser.ask("GET", "environments")

    rows = {row["name"]: row for row in answer["items"]}
    assert answer["problem"] == ""
    assert {"", "browser", "code", "search"} <= rows.keys()
    assert [row["kind"] for row in rows.values() if row["kind"] == "mcp"] == []
    assert rows["code"]["description"].startswith("Interprets Python code")
    assert "no network" in rows["code"]["isolation"]
    assert [tool["name"] for tool in rows["code"]["tools"]] == ["run_code"]
    assert rows["code"]["health"]["state"] == "unchecked"
    assert rows["code"]["agents"] == []
    assert rows["search"]["health"] == {
        "state": "ok",
        "message": "There is nothing to check.",
        "checked_at": None,
    }
    assert all(row["last_failure"] is None for row in rows.values())


@needs_worker
def test_a_server_that_answers_is_ok_and_tells_what_else_it_offers(adder: Adder) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    browser = RunBrowser(spec=build("mcp.adder.add"))
    before = read(browser, "mcp.adder")

    job, row = check(browser, "mcp.adder")

    assert (before["health"]["state"], before["can_be_checked"]) == ("unchecked", True)
    assert (job["state"], job["title"]) == ("succeeded", "Check adder")
    assert row["health"]["state"] == "ok"
    assert row["health"]["message"].startswith("It listed 3 tools in ")
    assert row["description"] == "A program on this machine, which workers start."
    assert PROGRAM not in json.dumps(row)
    assert {tool["name"]: tool["is_allowed"] for tool in row["tools"]} == {
        "add": True,
        "draw": False,
        "show.variables": False,
    }
    assert [(agent["name"], agent["versions"]) for agent in row["agents"]] == [("helper", [1])]


@needs_worker
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"command": "no-such-program"}, "did not start: "),
        ({"command": "", "args": [], "url": "http://127.0.0.1:9/mcp"}, "cannot be reached"),
        ({"env": {"KEY": "${ADDER_KEY}"}}, "'ADDER_KEY', which is not set"),
    ],
)
def test_a_server_that_is_gone_says_why(adder: Adder, fields: dict[str, Any], reason: str) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    adder("", **fields)
    browser = RunBrowser(spec=build("mcp.adder.add"))

    job, row = check(browser, "mcp.adder")

    assert (job["state"], row["health"]["state"]) == ("failed", "failing")
    assert reason in row["health"]["message"]
    assert row["health"]["message"].startswith(job["message"].rstrip("."))
    assert row["health"]["message"].endswith("correct its entry in mcp.json; then check it again.")


@needs_worker
def test_a_server_that_hangs_is_given_up_after_the_time_of_a_call(adder: Adder) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    adder("silent", timeout_seconds=0.5)
    browser = RunBrowser(spec=build("mcp.adder.add"))

    job, row = check(browser, "mcp.adder")

    assert job["error_code"] == "mcp_server_failed"
    assert job["message"] == (
        "The MCP server 'adder' did not list its tools: it had not answered after 0.5 seconds."
    )
    assert row["health"]["message"].startswith(job["message"])


@needs_worker
def test_a_check_is_cancelled_and_leaves_no_program(adder: Adder) -> None:
    adder("silent", timeout_seconds=3600)
    browser = RunBrowser()

    job = browser.ask("POST", "environments/checks", {"name": "mcp.adder"}, expect=201)

    with working():
        wait_until(list_programs, "the server to start")
        again = browser.ask("POST", "environments/checks", {"name": "mcp.adder"}, expect=201)
        running = read(browser, "mcp.adder")
        browser.ask("POST", f"jobs/{job['id']}/cancel")

    assert again["id"] == running["check_id"] == job["id"]
    assert browser.ask("GET", f"jobs/{job['id']}")["state"] == "cancelled"
    assert read(browser, "mcp.adder")["check_id"] is None
    assert list_programs() == []


@needs_worker
def test_a_tool_that_changed_is_told_until_it_is_allowed_again(adder: Adder) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    adder("changed")
    browser = RunBrowser(spec=build("mcp.adder.add"))

    _, row = check(browser, "mcp.adder")
    mcp_servers.allow_tools("adder", ["add"])
    after = read(browser, "mcp.adder")

    assert row["health"]["state"] == "warning"
    assert "with `manage.py mcp allow adder`" in row["health"]["message"]
    assert row["tools"][0]["changes"] == ["argument 'secret' is new"]
    assert (after["health"]["state"], after["tools"][0]["changes"]) == ("ok", [])


def test_what_agents_name_and_nobody_has_is_a_row_that_says_so(adder: Adder) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    browser = RunBrowser(spec=build("mcp.adder.draw", "mcp.gone.find"))
    project = browser.person.project_id
    create_agent(project, build(name="old", environment="of-a-plugin"))
    store(browser, calling("find"), failing())

    rows = {row["name"]: row for row in browser.ask("GET", "environments")["items"]}

    assert rows["mcp.adder"]["health"]["state"] == "warning"
    assert "names a tool of it that is not allowed" in rows["mcp.adder"]["health"]["message"]
    assert rows["mcp.gone"]["health"]["message"].startswith("There is no MCP server 'gone' here")
    assert rows["of-a-plugin"]["health"]["state"] == "failing"
    assert not rows["mcp.gone"]["can_be_checked"]
    assert rows["mcp.gone"]["last_failure"]["tool"] == "find"


def test_a_damaged_file_of_servers_is_a_sentence_beside_the_other_environments(
    folder: Path,
) -> None:
    browser = RunBrowser(spec=build("mcp.adder.add"))
    (folder / "mcp.json").write_text("{")

    answer = browser.ask("GET", "environments")

    assert "mcp.json cannot be read" in answer["problem"]
    assert not any(row["name"].startswith("mcp.") for row in answer["items"])


def test_the_last_failure_leads_to_its_step(adder: Adder) -> None:
    mcp_servers.allow_tools("adder", ["add", "draw"])
    browser = RunBrowser(spec=build("mcp.adder.add", "code.run_code"))
    version = UUID(browser.version_id)
    store(browser, calling("add"), failing("Error: An older one."), agent_version=version)
    tape_id = store(
        browser,
        calling("draw", "add"),
        ToolResult(content="A dot.", tool_call_id="c0"),
        failing(call_id="c1"),
        agent_version=version,
    )
    ruled = failing("Denied.").with_metadata(other={RULED_BY: "Deny add"})
    store(browser, calling("add"), ruled, agent_version=version)
    imported = (calling("add"), failing("Elsewhere."))
    store(browser, *imported, writer="import")
    deleted = store(browser, calling("add"), failing("Deleted."))
    delete_tape(deleted, browser.person.project_id)
    other = RunBrowser(spec=build("mcp.adder.add"))
    store(other, calling("add"), failing("Of another project."))

    row = read(browser, "mcp.adder")

    failure = row["last_failure"]
    assert (failure["tape_id"], failure["position"]) == (str(tape_id), 3)
    assert (failure["message"], failure["tool"]) == ("Error: It is down.", "add")
    assert row["tape_count"] == 3
    assert read(browser, "code")["last_failure"] is None
    assert read(other, "mcp.adder")["last_failure"]["message"] == "Of another project."


def test_a_failure_that_begins_a_fork_answers_the_call_before_it(adder: Adder) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    browser = RunBrowser(spec=build("mcp.adder.add"))
    project = browser.person.project_id
    child = fork_tape(store(browser, calling("add")), project=project)
    append_steps(child, [failing("Error: In the fork.")], project=project, expected_count=2)

    failure = read(browser, "mcp.adder")["last_failure"]

    assert (failure["tape_id"], failure["position"], failure["tool"]) == (str(child), 2, "add")


def test_of_two_with_one_tool_the_one_that_the_agent_uses_is_blamed(folder: Path) -> None:
    desk = build("browser.click", environment=EnvironmentSpec(type="service-desk"))
    browser = RunBrowser(spec=desk)
    store(browser, calling("click"), failing(), agent_version=UUID(browser.version_id))

    assert read(browser, "service-desk")["last_failure"]["tool"] == "click"
    assert read(browser, "browser")["last_failure"] is None


@needs_worker
def test_a_run_that_could_not_open_a_server_is_its_last_failure(adder: Adder) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    adder("broken")
    browser = RunBrowser(spec=build("mcp.adder.add"))

    job = browser.run()

    failure = read(browser, "mcp.adder")["last_failure"]
    assert (job["state"], failure["position"]) == ("failed", None)
    assert (failure["tape_id"], failure["message"]) == (browser.tape_id, job["message"])


@needs_worker
def test_a_machine_without_a_browser_says_what_doctor_says(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chromium, "path", "no-such-browser")
    browser = RunBrowser()

    job, row = check(browser, "browser")

    assert job["state"] == "failed"
    assert row["health"]["state"] == "failing"
    assert row["health"]["message"].startswith(
        "There is no no-such-browser on this machine: install it"
    )


@needs_worker
def test_the_interpreter_is_started(folder: Path) -> None:
    job, row = check(RunBrowser(), "code")

    assert (job["state"], row["health"]["state"]) == ("succeeded", "ok")
    assert row["health"]["message"].startswith("It started in ")


@pytest.mark.parametrize(
    ("name", "status"),
    [("mcp.gone", 404), ("/bin/sh", 404), ("http://127.0.0.1:9", 404), ("search", 422), ("", 422)],
)
def test_only_what_is_registered_and_needs_something_is_checked(
    folder: Path, name: str, status: int
) -> None:
    browser = RunBrowser()

    browser.ask("POST", "environments/checks", {"name": name}, expect=status)

    assert browser.ask("GET", "jobs")["items"] == []


def test_reading_takes_as_many_queries_for_many_agents_as_for_one(
    adder: Adder, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    browser = RunBrowser(spec=build("mcp.adder.add"))
    project = browser.person.project_id
    for number in range(5):
        create_agent(project, build("mcp.adder.add", name=f"agent {number}"))
        store(browser, calling("add"), failing())
    browser.ask("GET", "environments")

    with django_assert_num_queries(13):
        rows = browser.ask("GET", "environments")["items"]

    assert len(next(row for row in rows if row["name"] == "mcp.adder")["agents"]) == 6
