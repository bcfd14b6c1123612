"""Agents of other frameworks over HTTP and from the command line, with what is said of them."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from tapes_app.models import MembershipRecord, ProjectRecord
from tests.commands.running import fail, run_json, run_lines
from tests.http.asking import call
from tests.http.worlds import World

pytestmark = pytest.mark.django_db

CREW = "name: crew\nagent_class: SequentialAgent\nsub_agents: [{config_path: parts/writer.yaml}]\n"
WRITER = "name: writer\ninstruction: Write.\nmodel: gemini-9\ntools: [{name: google_search}]\n"


def send(client: Client, text: str, expect: int = 201, **more: Any) -> Any:
    return call(client, "POST", "agents/import", {"text": text, **more}, expect=expect)


def test_a_config_with_its_members_is_an_agent_and_its_note_says_what_is_missing(
    studio: Client, world: World
) -> None:
    others = [{"path": "parts/writer.yaml", "text": WRITER}]

    agent = send(studio, CREW, path="root_agent.yaml", others=others)

    version = agent["versions"][0]
    assert [one["name"] for one in version["spec"]["subagents"]] == ["writer"]
    assert version["saved_by"] == "ada"
    assert version["note"].splitlines() == [
        "Imported from an ADK agent config. Check these, which have no equivalent or differ:",
        "- model 'gemini-9': The project has no such model; 'tiny' takes its place. Add it "
        "under Models, or choose another in the editor.",
        "- parts/writer.yaml, tools[0]: 'google_search' is no tool here; write it as a plugin, or "
        "add its MCP server.",
    ]
    draft = call(studio, "GET", f"agents/{agent['id']}/draft")
    assert draft["problems"] == []


def test_agents_sdk_code_opens_in_the_editor_as_an_agent_of_the_project(
    studio: Client, world: World
) -> None:
    code = "from agents import Agent\na = Agent(name='A', instructions='Help.', model='tiny')\n"

    agent = send(studio, code)

    assert agent["versions"][0]["note"] == "Imported from code of the OpenAI Agents SDK."
    draft = call(studio, "GET", f"agents/{agent['id']}/draft")
    assert (draft["problems"], draft["spec"]["templates"]) == ([], {"system": "Help."})


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"text": CREW.replace("parts", "../..")}, "import_refused"),
        ({"text": CREW}, "import_refused"),
        ({"text": "instruction: &a Help.\nname: *a\n"}, "import_refused"),
        ({"text": "name: a/b\ninstruction: Help.\n"}, "agent_config"),
        ({"text": "from agents import Agent\na = Agent(name="}, "import_refused"),
        ({"text": 'import { Agent } from "@openai/agents";'}, "import_refused"),
        ({"text": "x" * 10_000_000}, "request_invalid"),
    ],
)
def test_what_cannot_be_imported_adds_nothing(
    studio: Client, world: World, body: Any, code: str
) -> None:
    before = call(studio, "GET", "agents")

    refused = send(studio, expect=422, **body)

    assert refused["code"] == code
    assert call(studio, "GET", "agents") == before


def test_a_folder_is_imported_from_the_command_line(
    studio: Client, project: ProjectRecord, world: World, settings: Settings, tmp_path: Path
) -> None:
    operator = User.objects.create_user(settings.STUDIO_OWNER_NAME)
    MembershipRecord.objects.create(project=project, user=operator, role="owner")
    parts = tmp_path / "parts"
    parts.mkdir()
    (tmp_path / "root_agent.yaml").write_text(CREW)
    assert "parts/writer.yaml is missing" in fail("agents", "import", str(tmp_path))
    (parts / "writer.yaml").write_text(WRITER)

    told = run_lines("agents", "import", str(tmp_path))
    again = run_json("agents", "import", str(tmp_path))

    assert told[0].startswith("Imported from an ADK agent config.")
    assert "'google_search' is no tool here" in told[2]
    assert told == [*again["note"].splitlines(), "v1 of 'crew' is imported."]
