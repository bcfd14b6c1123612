"""The environment `search`: what is found, in which order, what is read, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from tapes_app.authoring.domain.environment_types import list_environment_types
from tapes_app.engine import EnvironmentSpec, RunContext, Step, TalkNode, Tape, ToolCalls
from tapes_app.engine.agent.spec import AgentSpec, NodeSpec, build_environment
from tapes_app.engine.environment.opening import OPEN_SECONDS, open_for_run
from tapes_app.engine.errors import AgentConfigError, AgentRunError
from tapes_app.engine.tape.dialog_steps import FunctionCall, ToolCall
from tapes_app.environments.search import environment, index
from tapes_app.environments.search.folders import folders
from tapes_app.environments.search.index import DocumentIndex, words_of
from tapes_app.environments.search.pages import DocumentText
from tapes_app.environments.search.reading import LONGEST_READING_SECONDS, Document
from tests.environments import documents

TOOLS = [tool.type_name for tool in (environment.search, environment.read_document)]


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of documents in the data folder of this test."""
    for name in ("_own", "texts", "hidden", "_shipped"):
        monkeypatch.setattr(folders, name, getattr(folders, name))
    monkeypatch.setattr(folders, "_shipped", {})
    folders.use_data_folder(tmp_path)
    place = tmp_path / "documents" / "town"
    place.mkdir(parents=True)
    (place / "harbour.md").write_text("# The harbour\n\nFerries leave at six and at nine.")
    (place / "leave.pdf").write_bytes(
        documents.make_pdf("Everybody has 30 days of leave.", "Ask the harbour master for leave.")
    )
    (place / "broken.pdf").write_bytes(b"no")
    return place


def make_spec(*more: str, folder: str = "town") -> AgentSpec:
    search = EnvironmentSpec(type="search", settings={"folder": folder})
    node = NodeSpec(type=TalkNode.type_name, settings={"name": "talk", "tools": TOOLS})
    return AgentSpec(name="reader", nodes=(node,), environment=(search, *more))


async def ask(name: str, *, folder: str = "town", **arguments: Any) -> Step:
    call = ToolCall(id="1", function=FunctionCall(name=name, arguments=json.dumps(arguments)))
    tape = Tape(steps=(ToolCalls(tool_calls=(call,)),))
    async with open_for_run(build_environment(make_spec("", folder=folder)), RunContext()) as open_:
        return (await open_.react(tape)).steps[-1]


async def answer(name: str, **arguments: Any) -> Any:
    return (await ask(name, **arguments)).content_dict()["content"]


async def test_passages_are_found_with_their_document_and_page(town: Path) -> None:
    found = await answer("search", query="When do ferries leave the harbour?", limit=2)

    assert [(one["document"], one["page"]) for one in found["passages"]] == [
        ("harbour.md", 1),
        ("leave.pdf", 2),
    ]
    assert found["passages"][0]["title"] == "The harbour"
    assert "Ferries leave at six" in found["passages"][0]["snippet"]
    assert found["passages"][0]["score"] > found["passages"][1]["score"] > 0


async def test_a_page_is_read(town: Path) -> None:
    assert await answer("read_document", document="leave.pdf", page=2) == (
        "leave.pdf: leave\nPage 2 of 2\n\nAsk the harbour master for leave."
    )


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("read_document", {"document": "leave.pdf", "page": 3}, "has 2 pages; there is no page 3"),
        (
            "read_document",
            {"document": "../leave.pdf"},
            "take one that search names. There are",
        ),
        ("read_document", {"document": "broken.pdf"}, "cannot be read: it is named .pdf and is no"),
        ("read_document", {"document": "leave.pdf", "page": 0}, "greater than or equal to 1"),
        ("search", {"query": "x", "limit": 21}, "less than or equal to 20"),
        ("search", {"query": "x" * 501}, "at most 500 characters"),
    ],
)
async def test_a_mistake_is_a_result_that_says_what_to_do(
    town: Path, name: str, arguments: dict[str, Any], said: str
) -> None:
    step = await ask(name, **arguments)

    assert step.content_dict()["is_error"]
    assert said in step.content_dict()["content"]


async def test_nothing_found_is_told(town: Path) -> None:
    note = "No passage has any of these words; try others that the documents may use."
    assert await answer("search", query="of zeppelins") == {"passages": [], "note": note}


async def test_documents_are_as_they_are_when_a_run_begins(town: Path) -> None:
    assert not (await answer("search", query="zeppelin"))["passages"]

    (town / "air.txt").write_text("The zeppelin lands on Sundays.")

    assert (await answer("search", query="zeppelins"))["passages"][0]["document"] == "air.txt"


async def test_a_folder_without_documents_says_so(town: Path) -> None:
    (town.parent / "empty").mkdir()

    found = await ask("search", folder="empty", query="ferry")

    assert found.content_dict()["content"]["note"] == (
        "There are no documents with text to search."
    )


@pytest.mark.parametrize("name", ["../town", "/etc", "elsewhere", "", "town/.."])
def test_a_folder_is_named_and_never_a_path(town: Path, name: str) -> None:
    with pytest.raises(AgentConfigError):
        build_environment(make_spec(folder=name))


def test_a_form_offers_the_folders_that_there_are(town: Path) -> None:
    folders.add("shipped", town)
    schema = next(one for one in list_environment_types() if one.name == "search").settings_schema

    assert schema is not None
    assert schema["properties"]["folder"]["enum"] == ["shipped", "town"]
    assert schema["required"] == ["folder"]


async def test_a_folder_of_a_plugin_is_searched(town: Path, tmp_path: Path) -> None:
    (tmp_path / "plugin").mkdir()
    (tmp_path / "plugin" / "a.txt").write_text("The zeppelin lands on Sundays.")
    folders.add("shipped", tmp_path / "plugin")

    found = await ask("search", folder="shipped", query="zeppelin")

    assert found.content_dict()["content"]["passages"][0]["document"] == "a.txt"


async def test_reading_that_takes_too_long_can_be_resumed(
    town: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert LONGEST_READING_SECONDS < OPEN_SECONDS
    monkeypatch.setattr(index, "LONGEST_READING_SECONDS", 0.0)

    with pytest.raises(AgentRunError, match="documents read town"):
        await ask("search", query="ferry")


async def test_without_the_environment_the_tools_say_what_is_missing() -> None:
    tools = make_spec().model_copy(update={"environment": ""})
    call = ToolCall(id="1", function=FunctionCall(name="search", arguments='{"query": "x"}'))
    tape = await build_environment(tools).react(Tape(steps=(ToolCalls(tool_calls=(call,)),)))

    assert "give the agent the environment 'search'" in tape.steps[-1].content_dict()["content"]


def make_index(*pages: str) -> DocumentIndex:
    text = DocumentText("t", pages)
    return DocumentIndex([Document(f"{name}.txt", text) for name in ("x", "y")])


def test_equal_passages_come_in_the_order_of_documents_and_pages() -> None:
    made = make_index("ferry", "ferry", "nothing")

    hits = made.search("the ferries ferry", 10)

    assert [(hit.passage.document.id, hit.passage.page) for hit in hits] == [
        ("x.txt", 1), ("x.txt", 2), ("y.txt", 1), ("y.txt", 2),
    ]  # fmt: skip
    assert len({hit.score for hit in hits}) == 1


def test_a_snippet_is_where_the_words_are() -> None:
    long = "word " * 60 + "the ferry leaves " + "more " * 60

    [hit, _] = make_index(long).search("ferry leaves", 5)

    assert "the ferry leaves" in hit.snippet
    assert len(hit.snippet) <= index.SNIPPET_CHARACTERS + 2
    assert hit.snippet[0] == hit.snippet[-1] == "…"


def test_words_are_compared_in_lower_case_and_the_singular_without_common_ones() -> None:
    assert words_of("What are the FERRIES of GRÖSSE? Lamps on a bus, a class, us") == [
        "ferry", "grösse", "lamp", "bus", "class", "us",
    ]  # fmt: skip
