"""MCP servers that operators add over HTTP: what is kept, what is allowed, who may."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from tapes_app.agents.services import mcp_servers
from tapes_app.engine.environment.tool_functions import tools
from tapes_app.environments.mcp import connection
from tests.environments.mcp_folder import PROGRAM, Adder, adder, folder
from tests.runs.browsers import RunBrowser, work

__all__ = ["adder", "folder"]

pytestmark = pytest.mark.django_db
needs_worker = pytest.mark.django_db(transaction=True)

TOOLS = "environments/servers/adder/tools"
KEY = "sk-live-0123456789abcdef0123"


def paste(browser: RunBrowser, *, expect: int = 201, **servers: Any) -> Any:
    body = {"servers": {"mcpServers": servers}}
    return browser.ask("POST", "environments/servers", body, expect=expect)


def check(browser: RunBrowser) -> Any:
    """Let a worker ask the server, and return its tools by the server's names."""
    browser.ask("POST", "environments/checks", {"name": "mcp.adder"}, expect=201)
    work()
    return read(browser)


def read(browser: RunBrowser) -> Any:
    return {tool["served_as"]: tool for tool in browser.ask("GET", TOOLS)["items"]}


def choose(tool: Any, **changes: Any) -> Any:
    return {
        key: changes.get(key, tool[key])
        for key in ("served_as", "name", "is_irreversible", "digest")
    }


def allow(browser: RunBrowser, *choices: Any, expect: int = 200) -> Any:
    return browser.ask("PUT", TOOLS, {"tools": list(choices)}, expect=expect)


@needs_worker
def test_a_pasted_server_is_asked_and_its_tools_are_renamed_and_allowed(folder: Path) -> None:
    browser = RunBrowser()

    added = paste(browser, adder={"command": sys.executable, "args": [PROGRAM], "disabled": True})
    before = browser.ask("GET", TOOLS)["items"]
    found = check(browser)
    allow(
        browser,
        choose(found["add"], is_irreversible=True),
        choose(found["show.variables"], name="show", is_irreversible=False),
    )

    assert (added, before) == ({"names": ["adder"], "variables": []}, [])
    assert {name: tool["is_irreversible"] for name, tool in found.items()} == {
        "add": False,  # as the server says
        "draw": True,
        "show.variables": True,
    }
    assert not any(tool["is_allowed"] for tool in found.values())
    assert {name for name in tools if name.startswith("mcp.")} == {
        "mcp.adder.add",
        "mcp.adder.show",
    }
    assert tools.get("mcp.adder.add").is_irreversible
    assert not tools.get("mcp.adder.show").is_irreversible
    assert "disabled" not in (folder / "mcp.json").read_text()


def test_keys_are_not_kept_and_variables_stand_for_them(folder: Path) -> None:
    browser = RunBrowser()

    added = paste(
        browser,
        files={"command": "a", "env": {"GITHUB_TOKEN": KEY, "MODE": "${env:MODE}", "EMPTY": ""}},
        weather={
            "url": "https://weather.example/mcp",
            "headers": {"Authorization": f"Bearer {KEY}", "X-Key": "${WEATHER}"},
        },
    )

    kept = json.loads((folder / "mcp.json").read_text())["mcpServers"]
    assert added["names"] == ["files", "weather"]
    assert added["variables"] == ["GITHUB_TOKEN", "WEATHER_AUTHORIZATION"]
    assert kept["files"]["env"] == {
        "GITHUB_TOKEN": "${GITHUB_TOKEN}",
        "MODE": "${MODE}",
        "EMPTY": "",
    }
    assert kept["weather"]["headers"] == {
        "Authorization": "Bearer ${WEATHER_AUTHORIZATION}",
        "X-Key": "${WEATHER}",
    }
    assert all(KEY not in path.read_text() for path in folder.iterdir())


@pytest.mark.parametrize(
    "server",
    [
        {"command": "a", "args": ["--api-key", "tiger"]},
        {"command": "a", "args": ["--token=tiger"]},
        {"command": "a", "args": ["--header", "Authorization: Bearer tiger"]},
        {"command": "a", "args": [KEY]},
        {"url": "https://a.example/mcp?api_key=tiger"},
        {"url": "https://ann:tiger@a.example/mcp"},
    ],
)
def test_a_key_in_a_command_or_an_address_is_refused(folder: Path, server: Any) -> None:
    answer = paste(RunBrowser(), secretive=server, expect=422)

    assert "seems to hold a key, which is not kept" in answer["message"]
    assert "write ${NAME}" in answer["message"]
    assert "tiger" not in json.dumps(answer)
    assert list(folder.iterdir()) == []


def test_a_key_by_reference_is_accepted_wherever_it_is(folder: Path) -> None:
    added = paste(
        RunBrowser(),
        files={"command": "a", "args": ["--api-key", "${A_KEY}", "--token=${A_KEY}"]},
        weather={"url": "https://a.example/mcp?key=${A_KEY}"},
    )

    assert added == {"names": ["files", "weather"], "variables": []}


def test_a_list_as_vs_code_writes_it_is_read(folder: Path) -> None:
    body = {"servers": {"inputs": [], "servers": {"one": {"type": "stdio", "command": "a"}}}}

    added = RunBrowser().ask("POST", "environments/servers", body, expect=201)

    assert added["names"] == ["one"]
    assert [row.name for row in mcp_servers.list_servers()] == ["one"]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"mcpServers": {}},
        {"mcpServers": []},
        {"mcpServers": {"../x": {"command": "a"}}},
        {"mcpServers": {"a": {"command": "a", "url": "http://a"}}},
        {"mcpServers": {"a": {"type": "sse", "url": "http://a"}}},
        {"mcpServers": {"a": {"url": "http://[a"}}},
        {"mcpServers": {"a": {"url": "file:///etc/passwd"}}},
        {"mcpServers": {"good": {"command": "a"}, "bad": {}}},
    ],
)
def test_what_is_no_list_of_servers_adds_nothing(folder: Path, data: Any) -> None:
    RunBrowser().ask("POST", "environments/servers", {"servers": data}, expect=422)

    assert list(folder.iterdir()) == []


def test_a_name_that_is_taken_is_not_replaced(adder: Adder, folder: Path) -> None:
    before = (folder / "mcp.json").read_text()

    answer = paste(RunBrowser(), other={"command": "a"}, adder={"command": "b"}, expect=409)

    assert answer["message"].startswith("There is an MCP server 'adder' already")
    assert (folder / "mcp.json").read_text() == before


@needs_worker
def test_a_tool_that_changed_shows_how_and_only_what_was_seen_is_allowed(adder: Adder) -> None:
    browser = RunBrowser()
    first = check(browser)["add"]
    allow(browser, choose(first, name="plus"))
    adder("changed")
    changed = check(browser)["add"]

    refused = allow(browser, choose(first, digest="0" * 64), expect=409)
    kept = allow(browser, choose(changed, is_irreversible=True))["items"][0]
    accepted = allow(browser, choose(changed, digest=changed["offered_digest"]))["items"][0]

    assert (first["changes"], first["fields"]) == ([], [])
    assert changed["changes"] == ["argument 'secret' is new"]
    assert [(one["path"], one["op"]) for one in changed["fields"]] == [
        ("parameters.properties.secret", "added")
    ]
    assert "has changed since you looked at it" in refused["message"]
    assert (kept["changes"], kept["is_irreversible"]) == (changed["changes"], True)
    assert (accepted["name"], accepted["changes"]) == ("plus", [])


def test_what_cannot_be_allowed_changes_nothing(adder: Adder) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    browser = RunBrowser()
    found = read(browser)
    draw, show = choose(found["draw"]), choose(found["show.variables"])

    nameless = allow(browser, show, expect=422)
    twins = allow(browser, draw, {**show, "name": "draw"}, expect=422)
    unknown = allow(browser, {**draw, "served_as": "format_disk"}, expect=404)

    assert "Models cannot call a tool 'show.variables'" in nameless["message"]
    assert "Two tools would be named 'draw'" in twins["message"]
    assert "offers no tool 'format_disk'" in unknown["message"]
    assert [name for name, tool in read(browser).items() if tool["is_allowed"]] == ["add"]


@needs_worker
def test_a_list_of_tools_that_nobody_could_read_is_not_kept(
    adder: Adder, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LONGEST_LIST", 100)
    browser = RunBrowser()

    assert check(browser) == {}

    row = next(r for r in browser.ask("GET", "environments")["items"] if r["name"] == "mcp.adder")
    assert "describes its tools with more than 100 characters" in row["health"]["message"]
    assert not (folder / "mcp-offered.json").exists()


@needs_worker
def test_a_server_that_offers_nothing_any_more_says_so_of_each_tool(adder: Adder) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    adder("empty")

    tool = check(RunBrowser())["add"]

    assert tool["changes"] == ["the server no longer offers it"]
    assert tool["offered_digest"] == ""


def test_a_removed_server_takes_its_tools_along(adder: Adder, folder: Path) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    browser = RunBrowser()

    browser.ask("DELETE", "environments/servers/adder", expect=204)

    browser.ask("DELETE", "environments/servers/adder", expect=404)
    browser.ask("GET", TOOLS, expect=404)
    assert "mcp.adder.add" not in tools
    assert json.loads((folder / "mcp-offered.json").read_text()) == {}


def make_operator(browser: RunBrowser) -> None:
    User.objects.filter(pk=browser.person.user_id).update(is_staff=True)


@pytest.mark.parametrize(
    "server",
    [
        {"command": "uvx", "args": ["mcp-server-time"]},
        {"command": "uvx", "args": ["mcp-server-time", "--zone", "UTC"]},
        {"url": "https://mcp.example.org/mcp"},
    ],
)
def test_with_accounts_an_operator_adds_what_is_listed(
    folder: Path, settings: Settings, server: Any
) -> None:
    settings.STUDIO_ACCOUNTS = True
    settings.STUDIO_MCP_SERVERS = ("uvx mcp-server-time", "https://mcp.example.org")
    browser = RunBrowser()
    make_operator(browser)

    assert paste(browser, one=server)["names"] == ["one"]
    assert browser.ask("GET", "environments")["can_change_servers"]


@pytest.mark.parametrize(
    "server",
    [
        {"command": "uvx", "args": ["mcp-server-time-of-somebody-else"]},
        {"command": "uvx"},
        {"command": "/tmp/uvx", "args": ["mcp-server-time"]},
        {"command": "uvx", "args": ["mcp-server-time"], "cwd": "/tmp"},
        {"command": "sh", "args": ["-c", "uvx mcp-server-time"]},
        {"url": "https://mcp.example.org.evil.example/mcp"},
        {"url": "http://mcp.example.org/mcp"},
        {"url": "https://mcp.example.org:8443/mcp"},
        {"url": "http://169.254.169.254/mcp"},
    ],
)
@pytest.mark.parametrize("listed", [(), ("uvx mcp-server-time", "https://mcp.example.org")])
def test_with_accounts_nothing_else_is_added(
    folder: Path, settings: Settings, server: Any, listed: tuple[str, ...]
) -> None:
    settings.STUDIO_ACCOUNTS = True
    settings.STUDIO_MCP_SERVERS = listed
    browser = RunBrowser()
    make_operator(browser)

    answer = paste(browser, one=server, expect=403)

    assert "STUDIO_MCP_SERVERS" in answer["message"]
    assert list(folder.iterdir()) == []


def test_with_accounts_only_operators_change_servers(
    adder: Adder, folder: Path, settings: Settings
) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    settings.STUDIO_ACCOUNTS = True
    settings.STUDIO_MCP_SERVERS = ("a",)
    browser = RunBrowser()
    before = [path.read_text() for path in sorted(folder.iterdir())]

    answer = paste(browser, one={"command": "a"}, expect=403)
    allow(browser, expect=403)
    browser.ask("DELETE", "environments/servers/adder", expect=403)

    assert answer["message"].startswith("Only operators of this studio can add MCP servers")
    assert not browser.ask("GET", "environments")["can_change_servers"]
    assert [path.read_text() for path in sorted(folder.iterdir())] == before


def test_a_token_adds_no_server(folder: Path) -> None:
    browser = RunBrowser()
    wanted = {"name": "script", "access": "write"}
    token = browser.ask("POST", "tokens", wanted, expect=201)["token"]

    answer = Client().post(
        "/api/v1/environments/servers",
        json.dumps({"servers": {"mcpServers": {"one": {"command": "a"}}}}),
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )

    assert answer.status_code == 403
    assert "A token cannot add MCP servers" in answer.json()["message"]
    assert list(folder.iterdir()) == []
