"""The agent that answers from documents: it finds them, and names document and page."""

import json
from pathlib import Path

import pytest

from tapes_app.engine import Tape, ToolCalls, ToolResult, UserStep, run_to_end
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import build_environment
from tapes_app.engine.environment.opening import RunContext, open_for_run
from tapes_app.environments.search.folders import folders, list_documents
from tapes_app.gallery.retrieval.agent import FOLDER, NAME
from tests.gallery.running import build_gallery_agent

_FILE = Path(__file__).parents[2] / "tapes_app" / "gallery" / "retrieval" / "questions.jsonl"
QUESTIONS = [json.loads(line) for line in _FILE.read_text("utf-8").splitlines()]
RIGHT = 37
"""Of 40, as the guide says: the script knows words and no meanings."""


async def ask(*said: str) -> Tape:
    environment = build_environment(gallery_agents.get(NAME)())
    agent, tape = build_gallery_agent(NAME), Tape()
    async with open_for_run(environment, RunContext()) as opened:
        for words in said:
            tape = tape.append(UserStep(content=words))
            tape = (await run_to_end(agent, tape, opened)).tape
    return tape


def answer_of(tape: Tape) -> str:
    return str(tape.steps[-1].content_dict()["content"])


def test_each_question_is_answered_by_one_document() -> None:
    names = {found.id for found in list_documents(folders.find(FOLDER))}

    assert len(names) == 20
    assert {one["document"] for one in QUESTIONS} == names
    for one in QUESTIONS:
        assert one["answer"] in (folders.find(FOLDER) / one["document"]).read_text("utf-8")


async def test_it_searches_reads_and_quotes_with_document_and_page() -> None:
    tape = await ask("What does a single ferry ticket cost?")

    assert answer_of(tape) == (
        "A single ticket costs 2.60 crowns; bicycles travel free of charge. [ferries.md, page 1]"
    )
    calls = [
        call.function.name
        for step in tape.steps
        if isinstance(step, ToolCalls)
        for call in step.tool_calls
    ]
    assert calls == ["search", "read_document", "read_document"]


@pytest.mark.slow
async def test_its_script_answers_most_questions_of_its_dataset() -> None:
    right = []
    for one in QUESTIONS:
        said = answer_of(await ask(one["question"]))
        if one["answer"] in said and f"[{one['document']}, page {one['page']}]" in said:
            right.append(one["question"])

    assert len(right) == RIGHT


@pytest.mark.parametrize("said", ["zeppelin?", "?", "What is it?"])
async def test_what_the_documents_do_not_say_is_told(said: str) -> None:
    assert answer_of(await ask(said)).startswith("The documents do not say it.")


async def test_a_result_that_somebody_edited_is_no_answer() -> None:
    tape = await ask("Who is the mayor?")
    place = next(at for at, step in enumerate(tape.steps) if isinstance(step, ToolResult))
    result = tape.steps[place]
    assert isinstance(result, ToolResult)
    edited = result.model_copy(update={"content": '{"passages": [1, {"document": 5}]}'})

    ended = await run_to_end(
        build_gallery_agent(NAME),
        Tape(steps=(*tape.steps[:place], edited)),
        build_environment(gallery_agents.get(NAME)()),
    )

    assert answer_of(ended.tape).startswith("The documents do not say it.")
