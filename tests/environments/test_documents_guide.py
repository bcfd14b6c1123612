"""The guide to documents and search: its commands, its agent and its plugin are run."""

import shlex
from pathlib import Path
from typing import Any

import pytest

from tapes_app.authoring.domain.spec_yaml import read_yaml_spec
from tapes_app.engine.agent.spec import AgentSpec, build_environment, build_node
from tapes_app.environments.search.folders import folders
from tests.commands.running import answer_no, fail, run, run_json, run_lines
from tests.environments import documents
from tests.studio.documents import list_blocks

_SHOWN = [one for one in list_blocks() if one.document == "docs/documents-and-search.md"]
BLOCKS = {block.language: block.text for block in _SHOWN}
COMMANDS = [
    line.split("manage.py ")[1]
    for block in _SHOWN
    if block.language == "sh"
    for line in block.text.splitlines()
]


@pytest.fixture
def handbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("_own", "texts", "hidden"):
        monkeypatch.setattr(folders, name, getattr(folders, name))
    monkeypatch.setattr(folders, "_shipped", {})
    folders.use_data_folder(tmp_path)
    place = tmp_path / "documents" / "handbook"
    (place / "travel").mkdir(parents=True)
    (place / "leave.pdf").write_bytes(documents.make_pdf("30 days of leave.", title="Leave"))
    (place / "travel" / "rules.docx").write_bytes(documents.make_docx())
    return place


@pytest.mark.django_db
def test_its_commands_print_what_an_agent_finds(handbook: Path) -> None:
    assert COMMANDS[:3] == [
        "documents list",
        "documents read handbook",
        'documents search handbook "days of leave"',
    ]

    assert run_lines("documents", "list") == ["handbook  2 documents", "1 folder."]
    assert run_lines("documents", "read", "handbook") == [
        "leave.pdf  Leave  1 page",
        "travel/rules.docx  Leave rules  1 page",
        "2 documents, 0 without text.",
    ]
    best, _, last = run_lines("documents", "search", "handbook", "days of leave")
    assert best.endswith("leave.pdf page 1  30 days of leave.")
    assert last == "2 passages."
    found = run_json("documents", "search", "handbook", "apprentices", "--limit", "1")
    assert found["passages"][0]["document"] == "travel/rules.docx"


@pytest.mark.django_db(transaction=True)  # a run has connections of its own
def test_its_bundled_agent_runs_and_its_questions_are_imported() -> None:
    ask, load = (shlex.split(line) for line in COMMANDS[3:])

    assert "The first ferry leaves Tellmar at 5:40" in "\n".join(run_lines(*ask))
    assert "40" in run(*load)


@pytest.mark.django_db
def test_what_cannot_be_read_is_an_answer_no(handbook: Path) -> None:
    (handbook / "empty.txt").write_bytes(b"")

    assert answer_no("documents", "read", "handbook") == "3 documents, 1 without text."
    assert "There is no folder of documents named 'town'; there are: 'handbook'" in fail(
        "documents", "read", "town"
    )
    assert run("documents", "search", "handbook", "zeppelin") == "0 passages."


def test_its_agent_can_be_built(handbook: Path) -> None:
    spec = AgentSpec.model_validate(read_yaml_spec(BLOCKS["yaml"]))

    [node] = [build_node(one) for one in spec.nodes]
    offered = {tool["function"]["name"] for tool in build_environment(spec).tool_schemas()}  # type: ignore[index]
    assert {tool.name for tool in node.list_tools()} == {"search", "read_document"} == offered


def test_its_plugin_brings_a_folder(handbook: Path, tmp_path: Path) -> None:
    scope: dict[str, Any] = {"__file__": str(tmp_path / "plugin.py")}

    exec(BLOCKS["python"], scope)

    assert folders.find("handbook") == tmp_path / "handbook"
