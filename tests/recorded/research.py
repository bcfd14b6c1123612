"""Recordings of agents that look things up: research, retrieval and a task in a browser."""

import json
from collections.abc import Iterator
from pathlib import Path

from tests.recorded.recorder import JSON, Recorder, write_json, write_yaml

RESEARCHED = (
    ("How many steps lead up the lighthouse of Old Pier?", "212", "212"),
    ("In which year was the ferry Marigold launched?", "1931", "1930"),
    ("Who painted the harbour mural?", "Ida Vane", "Ida Vane"),
    ("How deep is the Grey Lock, in metres?", "9", "9"),
)
"""Question, right answer, and what the agent says."""


def make_research(folder: Path) -> None:
    """Questions that take a search and a page, with the task and the answer in the metadata."""
    record = Recorder("research")
    for number, (question, right, said) in enumerate(RESEARCHED):
        task = {
            "task_id": f"own-{number}",
            "Question": question,
            "Level": 1,
            "Final answer": right,
            "file_name": "",
            "Annotator Metadata": {"Steps": "1. Search.", "Number of steps": "1"},
        }
        tape = record.tape(
            list(_research(record, question, said)),
            context={"tools": []},
            author="researcher",
            result=said,
            task=task,
            terminated=False,
            attempt_number=0,
            level=1,
            other={"timers": {"solve_task": 2.5000000000000004}},
        )
        write_json(folder / "gaia_agent" / "tapes" / f"l1_task{number:03}.json", tape)
    config = {"exp_name": "own", "agent": {"_target_": "research.Agent", "llms": {"default": "x"}}}
    write_yaml(folder / "gaia_agent" / "config.yaml", [config])
    record.write_calls(folder / "gaia_agent" / "tapedata.sqlite.gz")


def _research(record: Recorder, question: str, said: str) -> Iterator[JSON]:
    by = "researcher"
    yield record.step("question", content=question, filename=None)
    plan = f"1. Search for it.\n2. Read the page about: {question}"
    asked = record.ask(question, plan)
    yield record.step("reasoning_thought", by, "plan", asked, reasoning=plan)
    search = {"source": "web", "query": question, "time_interval": ""}
    yield from _act(record, "search_action", search)
    found = {"title": "Harbour notes", "url": "https://harbour.example/notes", "content": "…"}
    yield record.step("search_results_observation", query=question, serp=[found], error=None)
    yield from _act(record, "open_url_action", {"url": found["url"]})
    page = f"# Harbour notes\n\n{question} {said}.\n"
    yield record.step("page_observation", text=page, current_page=1, total_pages=1, error="")
    answer = {
        "success": True,
        "overview": "Read one page.",
        "answer_unit": "",
        "answer": said,
        "long_answer": f"The notes say {said}.",
    }
    yield from _act(record, "gaia_answer_action", answer, goes_on=False)


def _act(record: Recorder, kind: str, fields: JSON, *, goes_on: bool = True) -> Iterator[JSON]:
    asked = record.ask("What is next?", json.dumps({"kind": kind, **fields}))
    yield record.step(kind, "researcher", "act", asked, **fields)
    if goes_on:
        yield record.step("set_next_node", "researcher", "act", asked, next_node="act")


SUMS = (
    ("Three nets of 14 fish?", "3 * 14", 42),
    ("Half of 25 miles?", "25 / 2", 12.5),
    ("Two boats of 6, and 1?", "2 * 6 + 1", 13.0),
    ("A dozen less 5?", "12 - 5", 7),
)
"""Question, what the calculator is asked, and the answer."""


def make_retrieval(folder: Path) -> None:
    """Functions of a model whose answers are a rationale and a named output."""
    record = Recorder("retrieval")
    query, answer = "lock keeper of the Grey Lock", "Tom Reed"
    why = "we need to know who keeps the lock."
    steps = [record.step("user", content="Who keeps the Grey Lock?")]
    asked = record.ask("Write a query.", f"{why}\n\nQuery: {query}")
    function = {"name": "retrieve", "arguments": {"query": query}}
    steps += [
        record.step("assistant_thought", "Agent", "query0", asked, content=why),
        record.step(
            "assistant",
            "Agent",
            "query0",
            asked,
            tool_calls=[{"function": function, "id": "", "type": "function"}],
        ),
        record.step("tool", content=["Grey Lock | Tom Reed keeps it."], tool_call_id=""),
    ]
    why = "the passage names the keeper."
    asked = record.ask("Answer it.", f"{why}\nAnswer: {answer}")
    steps += [
        record.step("assistant_thought", "Agent", "LLMFunctionNode", asked, content=why),
        record.step("assistant", "Agent", "LLMFunctionNode", asked, content=answer),
    ]
    write_json(folder / "optimize" / "tape.json", record.tape(steps, author="Agent"))
    settings = {"target": "run", "seed": 1, "llm_name": "tiny-1", "rag": {"demos": True}}
    write_yaml(folder / "optimize" / "config.yaml", [settings])
    record.write_calls(folder / "optimize" / "tapedata.sqlite")


WEB_TASK = "task9_seed900_workarena.servicenow.knowledge-base-search.json"


WEB_TASK = "task9_seed900_workarena.servicenow.knowledge-base-search.json"


def make_web_task(folder: Path) -> None:
    """A task in a browser, without its calls."""
    record = Recorder("web")
    by = "Clerk"
    page = "[a1] textbox 'Search'\n[a2] button 'Go'\n"
    steps = [
        record.step("page_observation", text=page, current_page=1, total_pages=1),
        record.step("task", task="Find the opening hours of the harbour office."),
        record.step("reasoning_thought", by, "set_goal", record.new_id(), reasoning="Search it."),
    ]
    for kind, fields in (
        ("input_text_action", {"bid": "a1", "text": "opening hours"}),
        ("click_action", {"bid": "a2", "button": "left", "modifiers": []}),
    ):
        asked = record.new_id()
        steps.append(record.step(kind, by, "act", asked, **fields))
        steps.append(record.step("set_next_node", by, "act", asked, next_node="act"))
        page += "Harbour office: open 9 to 5.\n" if kind == "click_action" else ""
        steps.append(record.step("page_observation", text=page, current_page=1, total_pages=1))
    steps.append(
        record.step(
            "final_answer_action", by, "act", record.new_id(), text="Harbour office: open 9 to 5."
        )
    )
    tape = record.tape(steps, context={"tools": []}, author=by)
    write_json(folder / "workarena" / WEB_TASK, tape)
