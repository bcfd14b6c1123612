"""An agent with a tool that is gone opens with the problem at its place, and its tapes open."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tapes_app.engine.environment.tool_functions import tools
from tapes_app.environments.mcp import shelf
from tapes_app.environments.mcp.allowed import AllowedTool
from tapes_app.models import AgentVersionRecord
from tests.http.asking import call
from tests.http.worlds import World

pytestmark = pytest.mark.django_db

SERVERS = {"mcpServers": {"adder": {"command": "adder"}}}
ADD = AllowedTool(name="add", served_as="add", parameters={"type": "object", "properties": {}})


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> shelf.McpFiles:
    """The files of a studio whose agents may use a tool of a server."""
    monkeypatch.setattr(tools, "_shelves", {})
    shelf.use_folder(tmp_path)
    made = shelf.McpFiles(tmp_path)
    made.add_servers(SERVERS)
    made.allow("adder", [ADD])
    return made


@pytest.fixture
def agent(files: shelf.McpFiles, studio: Client, world: World) -> Any:
    """An agent that wrote a tape when its tool was there."""
    version = AgentVersionRecord.objects.get(pk=world.version)
    node = {"type": "engine.TalkNode", "settings": {"name": "say", "tools": ["mcp.adder.add"]}}
    version.spec = {**version.spec, "nodes": [node], "templates": {"system": "Add."}}
    version.save()
    files.allow("adder", [])
    return world.agent


def test_the_editor_shows_which_tool_is_gone_and_what_to_do(studio: Client, agent: Any) -> None:
    draft = call(studio, "GET", f"agents/{agent}/draft")

    (problem,) = [one for one in draft["problems"] if one["severity"] == "error"]
    assert problem["path"] == "/nodes/0/settings/tools/0"
    assert problem["message"] == (
        "There is no tool named 'mcp.adder.add'. There is no such MCP server here (any more), or "
        "agents may not use this tool of it: whoever runs the studio allows it (on the "
        "page Environments, or with `manage.py mcp allow`); or take it out of the node's tools."
    )
    assert draft["graph"]["nodes"][0]["name"] == "say"


def test_its_tapes_open_and_running_it_says_what_to_do(
    studio: Client, world: World, agent: Any
) -> None:
    for path in ("", "/outline", "/glance", "/lint", "/tools"):
        call(studio, "GET", f"tapes/{world.tape}{path}")
    again = {"agent_version_id": str(world.version), "at": 1}
    refused = call(studio, "POST", f"tapes/{world.tape}/resume", again, expect=422)

    assert refused["code"] == "agent_config"
    assert "`manage.py mcp allow`" in refused["message"]
    assert call(studio, "GET", f"agents/{agent}")["tools"] == []


def test_the_draft_is_saved_once_the_tool_is_taken_out(studio: Client, agent: Any) -> None:
    draft = call(studio, "GET", f"agents/{agent}/draft")
    spec = draft["spec"]
    spec["nodes"][0]["settings"]["tools"] = []

    mended = call(
        studio, "PUT", f"agents/{agent}/draft", {"spec": spec, "revision": draft["revision"]}
    )

    assert mended["problems"] == []
