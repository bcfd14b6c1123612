"""What a step hangs together with: the call that it answers, the prompts that say it."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.messages import Message, user_message
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolCalls, ToolResult, UserStep
from tapes_app.engine.tape.steps import Step, parse_step
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import ProjectRecord, StepRecord
from tapes_app.tapes.store.saving import save_tape

pytestmark = pytest.mark.django_db

PAGE = 'The page "prices" says:\n' + "cheap things " * 40


def calls(*ids: str) -> ToolCalls:
    asked = [{"id": one, "function": {"name": f"tool_{one}", "arguments": "{}"}} for one in ids]
    return ToolCalls.model_validate({"tool_calls": asked})


def by(step: Step, number: int) -> Step:
    return step.with_metadata(agent="boss", node="act", prompt_id=f"p{number}", id=f"s{number}")


def build_call(number: int, *messages: Message) -> LLMCall:
    return LLMCall(
        prompt=Prompt(id=f"p{number}", messages=messages), output=LLMOutput(content="ok")
    )


def tool_message(answers: str, text: str) -> Message:
    return Message(role="tool", tool_call_id=answers, content=text)


def links(client: Client, tape: Any, position: int) -> Any:
    answer = client.get(f"/api/v1/tapes/{tape}/steps/{position}/links")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_result_names_its_call_and_the_prompts_that_hold_it(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    task = user_message("Find a cheap thing")
    steps: list[Step] = [
        UserStep(content="Find a cheap thing"),
        by(calls("a", "b"), 1),
        ToolResult(tool_call_id="a", content="12"),
        ToolResult(tool_call_id="b", content=PAGE),
        by(AssistantStep(content="I see"), 2),
        by(SetNextNode(next_node="act"), 3),
        by(AssistantStep(content="It is 12"), 3),
        by(AssistantStep(content="Really"), 3),
    ]
    # The second prompt shortens the page, the third forgets the first result.
    prompts = [
        build_call(1, task),
        build_call(2, task, tool_message("a", "12"), tool_message("b", PAGE[:60] + "…")),
        build_call(3, task, user_message(f"You read: {PAGE} Go on.")),
    ]
    tape = save_tape(project.id, Tape().append(*steps), owner=owner.pk, calls=prompts)

    first, second = links(studio, tape, 2), links(studio, tape, 3)

    assert first["cause"] == {"position": 1, "told_by": "id", "tool": "tool_a", "seconds": None}
    assert second["cause"]["tool"] == "tool_b"
    assert (first["prompts"], first["later_prompt_count"], first["is_cut"]) == ([4], 2, False)
    assert second["prompts"] == [4, 6]
    task_links = links(studio, tape, 0)
    assert (task_links["cause"], task_links["prompts"]) == (None, [1, 4, 6])
    assert links(studio, tape, 5)["later_prompt_count"] == 0


def test_an_observation_without_an_id_follows_the_action_before_it(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    steps: list[Step] = [
        by(parse_step({"kind": "click_action", "button": "Buy"}), 1),
        parse_step({"kind": "page_observation", "text": PAGE}),
        parse_step({"kind": "page_observation", "text": "And a second page with other words"}),
    ]
    tape = save_tape(project.id, Tape().append(*steps), owner=owner.pk)
    action, seen, _ = StepRecord.objects.filter(log_id=tape).order_by("position")
    StepRecord.objects.filter(pk=action.pk).update(writer="agent")
    late = action.created_at + timedelta(seconds=2.5)
    StepRecord.objects.filter(pk=seen.pk).update(writer="environment", created_at=late)

    found = links(studio, tape, 1)

    assert found["cause"] == {"position": 0, "told_by": "order", "tool": "", "seconds": 2.5}
    # No call was recorded: nothing is known of prompts.
    assert (found["prompts"], found["later_prompt_count"]) == ([], 0)
    assert links(studio, tape, 0)["cause"] is None
    missing = studio.get(f"/api/v1/tapes/{tape}/steps/9/links")
    assert missing.status_code == 404
