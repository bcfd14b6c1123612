"""Writes the recordings of this folder: `python -m tests.recorded.make`, the same every time.

Each folder has the form that one TapeAgents example leaves behind: which files, which kinds of
steps and which columns. What is said in them is ours.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from tests.recorded.recorder import JSON, Recorder, write_json, write_text, write_yaml
from tests.recorded.research import make_research, make_retrieval, make_web_task

HERE = Path(__file__).resolve().parent


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


if __name__ == "__main__":
    make_all(HERE)
