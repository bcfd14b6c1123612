"""The agent that answers questions: its tasks, its script, and the mistakes that it makes."""

import json
from pathlib import Path
from typing import Any

import pytest

from tapes_app.engine import LLMOutput, Tape, ToolCalls, UserStep, run_to_end
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import build_agent, build_environment
from tapes_app.engine.environment.opening import RunContext, open_for_run
from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.environments.search.folders import folders, list_documents
from tapes_app.environments.search.formats import read_document
from tapes_app.gallery.questions import desk, script
from tapes_app.gallery.questions.agent import FOLDER, NAME
from tapes_app.gallery.questions.forms import solve
from tapes_app.gallery.questions.steps import (
    AnswerAction,
    FactsThought,
    NewFactThought,
    PlanThought,
)
from tapes_app.gallery.questions.write_documents import write_documents
from tapes_app.llms.scripted import ScriptedLLM
from tapes_app.tapes.domain.answer_match import compare_answers

_FILES = sorted((Path(script.__file__).parent / "tasks").iterdir())
TASKS: list[dict[str, Any]] = [
    json.loads(line) for file in _FILES for line in file.read_text("utf-8").splitlines()
]
HOPS = "In 2020, how many people lived on the island where Ada Fenwick was born?"


def build(**options: Any) -> Agent:
    llm = ScriptedLLM("question-reader", options=options)
    return build_agent(gallery_agents.get(NAME)(), lambda _: llm)


async def run(agent: Agent, *tapes: Tape) -> list[Tape]:
    environment = build_environment(gallery_agents.get(NAME)())
    async with open_for_run(environment, RunContext()) as opened:
        return [(await run_to_end(agent, tape, opened)).tape for tape in tapes]


def ask(question: str) -> Tape:
    return Tape(steps=(UserStep(content=question),))


def answer_of(tape: Tape) -> str:
    step = tape.steps[-1]
    assert isinstance(step, AnswerAction)
    return step.answer


def test_each_fact_of_a_task_is_in_the_documents_that_it_names() -> None:
    folder = folders.find(FOLDER)
    texts = {
        found.id: "\n".join(read_document(found.suffix, found.path.read_bytes(), "").pages)
        for found in list_documents(folder)
    }

    assert [sum(task["level"] == level for task in TASKS) for level in (1, 2, 3)] == [14, 14, 12]
    assert {task["kind"] for task in TASKS} == {"number", "text", "list"}
    for task in TASKS:
        named = "\n".join(texts[name] for name in task["documents"])
        assert [fact for fact in task["facts"] if fact not in named] == [], task["question"]
    formats = {Path(name).suffix for task in TASKS for name in task["documents"]}
    assert formats == {".md", ".csv", ".xlsx", ".pdf", ".html"}


def test_the_documents_are_written_again_as_they_are(tmp_path: Path) -> None:
    write_documents(tmp_path)

    for path in tmp_path.iterdir():
        kept = folders.find(FOLDER) / path.name
        again, before = (
            read_document(path.suffix, one.read_bytes(), "").pages for one in (path, kept)
        )
        assert again == before, path.name


def test_every_question_has_a_form_that_asks_for_facts() -> None:
    for task in TASKS:
        sketch = desk.SketchDesk()

        assert solve(task["question"], sketch) is not None
        assert sketch.to_look_up


@pytest.mark.slow
async def test_its_script_without_mistakes_is_right_at_every_task() -> None:
    ended = await run(build(), *(ask(task["question"]) for task in TASKS))

    wrong = [
        (task["question"], answer_of(tape))
        for task, tape in zip(TASKS, ended, strict=True)
        if compare_answers(task["answer"], answer_of(tape)) != "pass"
    ]
    assert wrong == []


async def test_it_plans_lists_facts_looks_up_and_answers_shortly() -> None:
    (tape,) = await run(build(), ask(HOPS))

    plan, facts = tape.steps[1:3]
    assert isinstance(plan, PlanThought)
    assert plan.steps[0] == "Look up: island where Ada Fenwick was born."
    assert isinstance(facts, FactsThought)
    assert facts.to_look_up[1] == "population of [island where Ada Fenwick was born] in 2020"
    found = [step for step in tape.steps if isinstance(step, NewFactThought)]
    assert [(one.fact, one.value, one.source) for one in found] == [
        ("island where Ada Fenwick was born", "Tarn", "people.md, page 1"),
        ("population of Tarn in 2020", "1204", "census.csv, page 1"),
    ]
    tools = [
        call.function.name
        for step in tape.steps
        if isinstance(step, ToolCalls)
        for call in step.tool_calls
    ]
    assert tools == ["search", "read_document"] * 2
    assert answer_of(tape) == "1204"


async def test_a_fact_that_somebody_edited_is_used_from_there_on() -> None:
    (tape,) = await run(build(), ask(HOPS))
    at = next(at for at, step in enumerate(tape.steps) if isinstance(step, NewFactThought))
    edited = tape.steps[at].model_copy(update={"value": "Skell"})

    (again,) = await run(build(), Tape(steps=(*tape.steps[:at], edited)))

    assert answer_of(again) == "264"


async def test_mistakes_are_made_as_often_as_told_and_differ_by_seed() -> None:
    tasks = TASKS[:14:3]
    questions = [ask(task["question"]) for task in tasks]

    by_seed = [
        [answer_of(tape) for tape in await run(build(error_rate=1.0, seed=seed), *questions)]
        for seed in (1, 2, 1)
    ]

    assert by_seed[0] == by_seed[2] != by_seed[1]
    for task, said in zip(tasks, by_seed[0], strict=True):
        assert compare_answers(task["answer"], said) != "pass", task["question"]


@pytest.mark.parametrize("question", ["What is love?", "", "What is the area of Atlantis?"])
async def test_what_it_does_not_know_is_told(question: str) -> None:
    (tape,) = await run(build(), ask(question))

    assert answer_of(tape).startswith(("I am a script", "unknown"))


def test_results_that_somebody_edited_are_no_facts() -> None:
    agent = build()
    call = LLMOutput.calling("search", query="island covers km² highest hill").tool_calls[0]
    act = next(node for node in agent.nodes if node.name == "act")
    schemas = tuple(tool.schema() for tool in act.list_tools())
    for text in ('{"passages": [1, {"document": 5}]}', "[]", "{", "Error: gone"):
        prompt = Prompt.model_validate({
            "messages": [
                user_message("What is the area of Merrow?"),
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": call["id"], "content": text},
                user_message("Act."),
            ],
            "tools": schemas,
        })  # fmt: skip

        said = script.answer(prompt)

        assert "unknown" in (said.content or "") or said.tool_calls
