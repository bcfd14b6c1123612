"""What the inspector asks about a call: changes of its prompt, pieces of its answer, sums."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tapes_app.engine.model.llm import CallTokens, LLMCall, LLMOutput, Prompt, Usage
from tapes_app.engine.model.messages import Message, system_message, user_message
from tapes_app.engine.tape.dialog_steps import AssistantStep, ParsingFailure, UserStep
from tapes_app.engine.tape.steps import Step, parse_step
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import ProjectRecord
from tapes_app.tapes.store.saving import save_tape
from tests.http.worlds import World

pytestmark = pytest.mark.django_db


def build_call(number: int, messages: list[Message], output: LLMOutput, **usage: Any) -> LLMCall:
    return LLMCall(
        prompt=Prompt(id=f"p{number}", messages=tuple(messages)),
        output=output,
        usage=Usage(**usage),
        cost_micro_usd=10 * number,
        duration_seconds=1.5,
    )


def by(step: Step, number: int, agent: str = "boss") -> Step:
    return step.with_metadata(agent=agent, node="act", prompt_id=f"p{number}", id=f"s{number}")


def store(
    project: ProjectRecord, owner: User, steps: list[Step], calls: list[LLMCall]
) -> tuple[Any, list[Any]]:
    tape = save_tape(project.id, Tape().append(*steps), owner=owner.pk, calls=calls)
    return tape, steps


def call_ids(client: Client, tape: Any) -> list[str]:
    steps = client.get(f"/api/v1/tapes/{tape}/steps").json()["items"]
    return [step["call_id"] for step in steps if step["call_id"]]


def get(client: Client, tape: Any, path: str) -> Any:
    answer = client.get(f"/api/v1/tapes/{tape}/{path}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_message_that_changed_shows_word_by_word_and_new_ones_as_new(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    first = [system_message("You are a careful analyst of prices."), user_message("hi")]
    second = [
        system_message("You are a careless analyst of prices."),
        user_message("hi"),
        user_message("and more"),
    ]
    said = LLMOutput(content="ok")
    tape, _ = store(
        project,
        owner,
        [by(AssistantStep(content="ok"), 1), by(AssistantStep(content="ok"), 2)],
        [build_call(1, first, said), build_call(2, second, said)],
    )
    one, two = call_ids(studio, tape)

    changes = get(studio, tape, f"calls/{two}/changes")

    assert changes["previous_call_id"] == one
    assert [(c["op"], c["before"], c["after"]) for c in changes["changes"]] == [
        ("changed", 0, 0),
        ("equal", 1, 1),
        ("inserted", None, 2),
    ]
    words = changes["changes"][0]["words"]
    assert ("delete", "careful") in [(word["op"], word["text"]) for word in words]
    assert get(studio, tape, f"calls/{one}/changes") == {
        "previous_call_id": None,
        "changes": [],
        "has_other_tools": False,
    }


def test_pieces_of_a_json_answer_name_the_steps_that_came_of_them(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    items = ['{"kind": "plan_thought", "plan": "x"}', '{"kind": "press", "key": "a"}']
    content = f"```json\n[{items[0]},\n {items[1]}]\n```"
    steps = [
        by(parse_step({"kind": "plan_thought", "plan": "x"}), 1),
        by(parse_step({"kind": "press", "key": "a"}), 1),
    ]
    output = LLMOutput(content=content, reasoning_content="hm")
    tape, _ = store(project, owner, steps, [build_call(1, [user_message("go")], output)])
    (call, *_) = call_ids(studio, tape)

    parsed = get(studio, tape, f"calls/{call}/parsed")

    assert parsed["positions"] == [0, 1]
    pieces = [
        (content[part["start"] : part["end"]], part["positions"])
        for part in parsed["parts"]
        if part["part"] == "content"
    ]
    assert pieces == [(items[0], [0]), (items[1], [1])]
    assert parsed["problem"] is None


def test_a_call_shows_what_its_node_chose_its_tokens_and_that_they_were_estimated(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    answer = AssistantStep(content="Hi.", reasoning_content="A greeting.")
    tokens = CallTokens(prompt_ids=(5, 6), ids=(7,), texts=("Hi.",), logprobs=(-0.125,))
    call = build_call(1, [user_message("Hello")], answer.to_llm_output(), output_tokens=3)
    chosen = {"sampling": {"temperature": 0.5}, "tool_choice": "none"}
    call = call.model_copy(
        update={
            "prompt": call.prompt.model_copy(update=chosen),
            "usage": call.usage.model_copy(update={"is_estimate": True}),
            "tokens": tokens,
        }
    )
    tape, _ = store(project, owner, [by(answer, 1)], [call])

    shown = get(studio, tape, "steps/0/call")
    parsed = get(studio, tape, f"calls/{shown['id']}/parsed")
    snippet = get(studio, tape, f"calls/{shown['id']}/snippet?format=python")

    assert shown["chosen"] == {"temperature": 0.5, "tool_choice": "none"}
    assert CallTokens.model_validate(shown["tokens"]) == tokens
    assert shown["usage"]["is_estimate"]
    assert [(part["part"], part["positions"]) for part in parsed["parts"]] == [
        ("reasoning", [0]),
        ("content", [0]),
    ]
    assert "0.5" in json.dumps(snippet)


@pytest.mark.parametrize(
    ("content", "marked", "line", "column"),
    [
        ('{"kind": "set_next_node",\n "next_node" 1}', "1", 2, 14),
        ("😀 not JSON\n", "😀", 1, 1),
        ('[{"kind": "set_next_node"}]', '{"kind": "set_next_node"}', 1, 2),
        ('```\n{"kind": "no_such_kind"}\n```', '"no_such_kind"', 2, 10),
    ],
)
def test_a_parse_error_is_located_in_the_text(
    studio: Client,
    project: ProjectRecord,
    owner: User,
    content: str,
    marked: str,
    line: int,
    column: int,
) -> None:
    failure = by(ParsingFailure(error="It does not fit.", llm_output=content), 1)
    output = LLMOutput(content=content)
    tape, _ = store(project, owner, [failure], [build_call(1, [user_message("go")], output)])
    (call,) = call_ids(studio, tape)

    problem = get(studio, tape, f"calls/{call}/parsed")["problem"]

    assert problem["message"] == "It does not fit."
    assert content[problem["start"] : problem["end"]] == marked
    assert (problem["line"], problem["column"]) == (line, column)


def test_arguments_that_are_no_json_are_located_in_their_tool_call(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    calls = tuple(
        {"id": str(n), "type": "function", "function": {"name": "press", "arguments": text}}
        for n, text in enumerate(["{}", '{"key": }'])
    )
    failure = by(ParsingFailure(error="No JSON.", llm_output="[]"), 1)
    call = build_call(1, [user_message("go")], LLMOutput(tool_calls=calls))
    tape, _ = store(project, owner, [failure], [call])
    (call_id,) = call_ids(studio, tape)

    problem = get(studio, tape, f"calls/{call_id}/parsed")["problem"]

    assert (problem["part"], problem["index"], problem["start"]) == ("tool_call", 1, 8)


def test_another_answer_gives_the_steps_that_the_node_would_have_made(
    studio: Client, world: World
) -> None:
    made = studio.post(
        f"/api/v1/tapes/{world.tape}/calls/{world.call}/steps",
        json.dumps({"content": "something else"}),
        content_type="application/json",
    )

    assert made.status_code == 200, made.content
    assert made.json()["made_by"] == "say"
    assert made.json()["positions"] == [1, 2]
    assert {"kind": "assistant", "content": "something else"} in made.json()["steps"]


def test_on_a_tape_without_its_agent_new_text_takes_the_place_of_the_old(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    output = LLMOutput(content="old words")
    steps = [by(parse_step({"kind": "odd_thought", "words": "old words", "n": 1}), 1)]
    tape, _ = store(project, owner, steps, [build_call(1, [user_message("go")], output)])
    (call,) = call_ids(studio, tape)
    path = f"/api/v1/tapes/{tape}/calls/{call}/steps"

    made = studio.post(path, json.dumps({"content": "new"}), content_type="application/json")
    refused = studio.post(
        path, json.dumps({"content": None, "tool_calls": []}), content_type="application/json"
    )

    assert made.json() == {
        "positions": [0],
        "steps": [{"kind": "odd_thought", "words": "new", "n": 1}],
        "made_by": "",
    }
    assert refused.status_code == 409
    assert "the agent that made the call was not recorded" in refused.json()["message"]


def test_the_training_text_ends_with_what_would_be_learnt_or_says_why_not(
    studio: Client, world: World
) -> None:
    text = get(studio, world.tape, f"calls/{world.call}/training-text")

    assert text["reason"] == "" or "cannot" in text["reason"]
    assert bool(text["output_text"]) != bool(text["reason"])


def test_totals_count_each_call_once_by_agent_and_for_the_tape(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    said = LLMOutput(content="ok")
    steps: list[Step] = [
        UserStep(content="hi"),
        by(AssistantStep(content="ok"), 1),
        by(AssistantStep(content="again"), 1),
        by(AssistantStep(content="ok"), 2, agent="boss/helper"),
        by(AssistantStep(content="ok"), 3),
    ]
    calls = [
        build_call(n, [user_message("hi")], said, input_tokens=100, cache_read_tokens=n)
        for n in (1, 2, 3)
    ]
    tape, _ = store(project, owner, steps, calls)

    early = get(studio, tape, "steps/3/totals")
    late = get(studio, tape, "steps/4/totals")

    assert (early["agent_name"], early["agent"]["call_count"]) == ("boss/helper", 1)
    assert (early["tape"]["call_count"], early["tape"]["input_tokens"]) == (2, 200)
    assert (late["agent"]["call_count"], late["agent"]["cost_micro_usd"]) == (2, 40)
    assert late["tape"]["cache_read_tokens"] == 6
    assert late["tape"]["reasoning_tokens"] is None
    assert late["tape"]["unpriced_call_count"] == 0


def test_totals_say_how_many_calls_nobody_knows_the_price_of(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    said = LLMOutput(content="ok")
    steps: list[Step] = [by(AssistantStep(content="ok"), 1), by(AssistantStep(content="ok"), 2)]
    calls = [
        build_call(1, [user_message("hi")], said),
        build_call(2, [user_message("hi")], said).model_copy(update={"cost_micro_usd": None}),
    ]
    tape, _ = store(project, owner, steps, calls)

    told = get(studio, tape, "steps/1/totals")["tape"]

    assert (told["call_count"], told["unpriced_call_count"]) == (2, 1)
