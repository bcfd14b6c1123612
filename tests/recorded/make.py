"""Writes the recordings of this folder: `python -m tests.recorded.make`, the same every time.

Each folder has the form that one TapeAgents example leaves behind: which files, which kinds of
steps and which columns. What is said in them is ours.
"""

import gzip
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import yaml

HERE = Path(__file__).resolve().parent
JSON = dict[str, Any]
_COLUMNS = (
    "prompt_id TEXT PRIMARY KEY, timestamp TEXT, prompt TEXT, output TEXT, "
    "prompt_length_tokens INTEGER, output_length_tokens INTEGER, cached INTEGER"
)
_CALLS = f"CREATE TABLE LLMCalls ({_COLUMNS}, llm_info TEXT, cost REAL)"
_OLDER_CALLS = (
    f"CREATE TABLE LLMCalls ({_COLUMNS}, llm_info TEXT DEFAULT '{{}}', cost REAL DEFAULT 0.0)"
)
_TAPES = (
    "CREATE TABLE Tapes (tape_id TEXT PRIMARY KEY, timestamp TEXT, length INTEGER, "
    "metadata TEXT, context TEXT, steps TEXT)"
)


def make_all(folder: Path) -> None:
    """Write every recording below a folder."""
    recordings = folder / "tapeagents"
    for make in (
        make_team,
        make_word_lists,
        make_forms,
        make_research,
        make_sums,
        make_notebook,
        make_retrieval,
        make_web_task,
    ):
        make(recordings)
    write_text(recordings / "LICENSE", "Ours: made for tests: take it.\n")
    write_text(recordings / "NOTICE", "Made by tests/recorded/make.py.\n")


@dataclass
class Recorder:
    """The steps and calls of one example, with ids that are the same in every run."""

    name: str
    older: bool = False
    """Whether the calls tell neither their model nor their price."""

    calls: list[tuple[Any, ...]] = field(default_factory=list)
    _count: int = 0

    def new_id(self) -> str:
        self._count += 1
        return str(uuid5(NAMESPACE_URL, f"{self.name}/{self._count}"))

    def ask(self, question: str, answer: str | None, *, tool: JSON | None = None) -> str:
        """Note a call and return the id of its prompt."""
        prompt_id = self.new_id()
        messages = [
            {"role": "system", "content": "You are a careful helper who says little."},
            {"role": "user", "content": question},
        ]
        prompt = {"id": prompt_id, "tools": None, "messages": messages, "token_ids": []}
        output: JSON = {"content": answer, "role": "assistant"}
        info: JSON = {}
        if not self.older:
            output |= {"tool_calls": [tool] if tool else None, "function_call": None}
            info = {"model_name": "tiny-1", "parameters": {"temperature": 0.2}, "context_size": 999}
        number = len(self.calls)
        self.calls.append(
            (
                prompt_id,
                f"2025-03-01T10:{number:02}:00.123456",
                json.dumps(prompt, separators=(",", ":")),
                json.dumps(output, separators=(",", ":")),
                40 + number,
                7,
                0,
                json.dumps(info),
                0.0 if self.older else 0.00012524999999999998,
            )
        )
        return prompt_id

    def step(self, kind: str, by: str = "", node: str = "", call: str = "", **fields: Any) -> JSON:
        metadata = {"id": self.new_id(), "prompt_id": call, "node": node, "agent": by, "other": {}}
        return {"metadata": metadata, "kind": kind, **fields}

    def tape(self, steps: Sequence[JSON], *, context: Any = None, **metadata: Any) -> JSON:
        known: JSON = {
            "id": self.new_id(),
            "parent_id": self.new_id(),
            "author": "",
            "author_tape_id": None,
            "n_added_steps": len(steps),
            "error": None,
            "result": {},
        }
        return {"metadata": {**known, **metadata}, "context": context, "steps": list(steps)}

    def write_calls(self, path: Path) -> None:
        """Write the database of calls, packed when its name says so."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory() as scratch:
            plain = Path(scratch) / "tapedata.sqlite"
            with closing(sqlite3.connect(plain)) as connection:
                connection.execute(_OLDER_CALLS if self.older else _CALLS)
                connection.execute(_TAPES)
                marks = ", ".join("?" * 9)
                connection.executemany(f"INSERT INTO LLMCalls VALUES ({marks})", self.calls)
                connection.commit()
            content = plain.read_bytes()
        is_packed = path.suffix == ".gz"
        path.write_bytes(gzip.compress(content, mtime=0) if is_packed else content)


def make_team(folder: Path) -> None:
    """A manager who hands the word to one member after the other."""
    record = Recorder("team")
    task = "Paint the fence blue."
    steps = [
        record.step("call", "Owner", "call", record.new_id(), content=task, agent_name="Foreman")
    ]
    for member, said in (
        ("Painter", "The fence is blue now."),
        ("Inspector", "One board was missed."),
        ("Painter", "That board is blue too."),
    ):
        steps += list(_take_turn(record, member, said, before=str(steps[-1].get("content", task))))
    steps.pop()  # after the last turn the foreman answers
    by, node = "Owner/Foreman", "respond_or_repeat"
    steps.append(record.step("respond", by, node, record.new_id(), content="", copy_output=False))
    steps.append(record.step("final_step", "Owner", "stop", record.new_id(), reason="All is done"))
    write_json(folder / "data_science" / "final_tape.json", record.tape(steps, author="Owner"))
    record.write_calls(folder / "data_science" / "tapedata.sqlite")


def _take_turn(record: Recorder, member: str, said: str, *, before: str) -> Iterator[JSON]:
    boss, worker, again = "Owner/Foreman", f"Owner/Foreman/{member}", "broadcast_last_message"
    yield record.step(
        "broadcast", boss, again, record.new_id(), content=before, from_="Owner", to=[member]
    )
    chosen = record.ask(f"Who is next after: {before}", member)
    yield record.step("call", boss, "select_and_call", chosen, content="", agent_name=member)
    if member == "Inspector":
        code = [{"language": "python", "code": "print(11 * 4 - 43)"}]
        yield record.step("execute_code", worker, "execute_code", record.new_id(), code=code)
        result = {"exit_code": 0, "output": said, "output_files": [], "code_files": ["a.py"]}
        yield record.step("code_execution_result", result=result)
    answer = record.ask(before, said)
    yield record.step("respond", worker, "respond", answer, content=said, copy_output=False)
    next_call = record.new_id()
    yield record.step("set_next_node", boss, "respond_or_repeat", next_call, next_node=again)


def make_word_lists(folder: Path) -> None:
    """Agents called from agents, each of which is asked for one sort of words."""
    record = Recorder("words", older=True)
    text = "The heron stood and sang."
    steps: list[JSON] = []
    for name, kind, fields in (
        ("Birds", "all_nouns", {"nouns": ["heron"]}),
        ("Deeds", "all_verbs", {"verbs": ["stand", "sing"]}),
        ("OddDeeds", "irregular_verbs", {"verbs": ["stand", "sing"]}),
    ):
        by = f"Reader/{name}"
        steps.append(
            record.step("call", "Reader", "", record.new_id(), content="", agent_name=name)
        )
        asked = record.ask(f"{kind} of: {text}", json.dumps(fields, indent=1))
        steps.append(record.step(kind, by, "", asked, **fields))
        steps.append(record.step("respond", by, "", record.new_id(), content="", copy_output=True))
    told = "One bird, two deeds; both are irregular."
    steps.append(
        record.step("present_results", "Reader", "", record.ask("Tell it.", told), content=told)
    )
    start = record.tape([], context=text, parent_id=None, author=None, result=None)
    write_json(folder / "delegate_stack" / "start_tape.json", start)
    first = record.tape(steps, context=text, result=None)
    write_json(folder / "delegate_stack" / "tape1.json", first)
    second = record.tape(steps[:3], context=text, result=None)
    write_json(folder / "delegate_stack" / "tape2.json", second)
    model = {
        "model_name": "tiny/tiny-1",
        "parameters": {"temperature": 0.5, "max_tokens": 64},
        "context_size": 999,
        "tokenizer_name": "tiny/tiny-1",
        "tokenizer": None,
        "token_count": 0,
        "use_cache": True,
        "stream": False,
        "base_url": "https://models.example",
        "api_token": "planted-token-0123456789",
    }
    write_json(folder / "delegate_stack" / "llm.json", model)
    record.write_calls(folder / "delegate_stack" / "tapedata.sqlite")


def make_forms(folder: Path) -> None:
    """Documents of YAML: an agent that asks for the fields of a form, thinking aloud."""
    record = Recorder("forms")
    context = {"date": "2025-03-01", "env_spec": "forms/Harbour"}
    hello = [
        record.step("assistant", content="Good day, what is it?"),
        record.step("user", content="A berth for\nmy boat: the 'Ann'."),
    ]
    given = {"boat": "Ann"}
    turns: list[tuple[str, list[tuple[str, JSON]]]] = [
        ("gather_values_node", [("gather_values_thought", {"parameters": given})]),
        (
            "verify_values_node",
            [
                (
                    "verify_values_thought",
                    {
                        "parameters": {
                            "boat": {"status": "valid", "value": "Ann", "explanation": ""}
                        }
                    },
                )
            ],
        ),
        (
            "retrospective_plan_node",
            [("update_function_parameters_thought", {"assign": given, "skip": []})],
        ),
        ("forward_plan_node", [("request_function_parameters_thought", {"parameters": ["night"]})]),
    ]
    steps = list(hello)
    for node, thoughts in turns:
        said = [{"kind": kind, "function": "BookBerth", **fields} for kind, fields in thoughts]
        aloud = f"Let me see.\n\n```json\n{json.dumps(said, indent=1)}\n```"
        asked = record.ask(f"What does {node} say?", aloud)
        steps += [record.step(one.pop("kind"), "filler", node, asked, **one) for one in said]
    words = {"kind": "assistant", "content": "For which night?"}
    asked = record.ask("Ask the person.", f"```\n{json.dumps([words])}\n```")
    node = "generation_node"
    steps.append(record.step("assistant", "filler", node, asked, content=words["content"]))
    steps.append(record.step("set_next_node", "filler", node, asked, next_node="routing_node"))
    inputs = [
        record.tape(hello, context=context, author="person", user_behavior="asks first"),
        record.tape(hello, context=context, author="person", user_behavior="asks again"),
    ]
    write_yaml(folder / "form_filler" / "input_tapes_for_teacher.yaml", inputs)
    filled = record.tape(steps, context=context, author="filler")
    write_yaml(folder / "form_filler" / "output_tapes_for_teacher.yaml", [filled])
    config = {"agent": {"_target_": "forms.Filler", "llm": {"model_name": "tiny-1"}}}
    write_yaml(folder / "form_filler" / "teacher_agent_test_config.yaml", [config])
    record.write_calls(folder / "form_filler" / "tapedata.sqlite")


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


def make_sums(folder: Path) -> None:
    """Sums with a calculator; each answer of the model is one step of JSON."""
    record = Recorder("sums", older=True)
    for number, (task, sum_, value) in enumerate(SUMS):
        steps = [record.step("task", task=task)]
        thought = {"reasoning": "I work it out."}
        steps.append(_said(record, "reasoning_thought", "start", thought))
        steps.append(_said(record, "use_calculator_action", "default", {"expression": sum_}))
        steps.append(
            record.step("set_next_node", "Adder", "default", record.new_id(), next_node="default")
        )
        steps.append(record.step("calculation_result_observation", result=str(float(value))))
        answer = {"reason": "", "text": f"It is {value}.", "value": value}
        steps.append(_said(record, "final_answer_action", "default", answer))
        result = {"question": task, "answer": str(value), "value": value, "solved": True}
        tape = record.tape(steps, author="Adder", result=result)
        write_json(folder / "gsm8k_tuning" / "tapes" / f"task{number}_attempt1.json", tape)
    sample = {"text": "<task>Three nets?<answer>42", "n_predicted": 2, "logprobs": []}
    lines = json.dumps(sample) + "\n"
    write_text(folder / "gsm8k_tuning" / "training_samples.jsonl", lines * 2)
    record.write_calls(folder / "gsm8k_tuning" / "tapedata.sqlite")


def _said(record: Recorder, kind: str, node: str, fields: JSON) -> JSON:
    asked = record.ask("What is next?", json.dumps({"kind": kind, **fields}))
    return record.step(kind, "Adder", node, asked, **fields)


def make_notebook(folder: Path) -> None:
    """Calls of tools, and a tape that stopped before the answer to its last one."""
    record = Recorder("notebook")
    for city in ("Bergen", "Porto"):
        arguments = json.dumps({"city": city})
        function = {"arguments": arguments, "name": "get_tide"}
        record.ask(
            f"When is high water in {city}?",
            None,
            tool={"function": function, "id": f"call_{city}", "type": "function"},
        )
        record.ask(f"And in {city}?", "High water is at noon.")
    steps: list[JSON] = [
        record.step("user", content="When is high water in Bergen and Porto?"),
        record.step("assistant_thought", "Agent", "", record.new_id(), content="I ask for both."),
    ]
    for number, city in enumerate(("Bergen", "Porto")):
        asked = record.new_id()
        function = {"arguments": json.dumps({"city": city}), "name": "get_tide"}
        call = {"function": function, "id": f"tool_call_{number}", "type": "function"}
        steps.append(record.step("assistant", "Agent", "", asked, tool_calls=[call]))
        steps.append(record.step("set_next_node", "Agent", "", asked, next_node="act"))
        if city == "Bergen":
            steps.append(record.step("tool", content="noon", tool_call_id=call["id"]))
    for step in steps:  # as this example writes them: without an id
        metadata = step.pop("metadata")
        step["metadata"] = {name: metadata[name] for name in ("agent", "node", "prompt_id")}
    tape = record.tape(steps, result=None)
    write_json(folder / "intro_notebook" / "failed_tape.json", tape)
    record.write_calls(folder / "intro_notebook" / "tapedata.sqlite")


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


def write_json(path: Path, value: Any) -> None:
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def write_yaml(path: Path, documents: list[Any]) -> None:
    # Sorted, as the recorded ones are.
    write_text(path, yaml.safe_dump_all(documents, sort_keys=True, allow_unicode=True))


def write_text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    make_all(HERE)
