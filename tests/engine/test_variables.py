"""Variables of prompt texts: filled in from the steps that an agent sees, and only once."""

from typing import Any, Literal

import pytest

from tapes_app.engine import (
    Agent,
    TalkNode,
    Tape,
    Thought,
    UserStep,
    environment_of,
    run_to_end,
)
from tapes_app.engine.agent.reuse import reuse_tape
from tapes_app.engine.prompts.variables import LONGEST_VALUE, MOST_PLACES, SHORT, fill_in
from tapes_app.engine.tape.steps import Step
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order


class Route(Thought):
    kind: Literal["variables_route"] = "variables_route"
    places: list[str]
    notes: dict[str, Any]


def fill(text: str, *steps: Step) -> str:
    by_kind: dict[str, list[Step]] = {}
    for step in steps:
        by_kind.setdefault(step.kind, []).append(step)
    return fill_in(text, by_kind)


ROUTE = Route(places=["Rome", "Córdoba"], notes={"by": ["train", "foot"]})


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("Asked: {{ user.content }}", "Asked: newest"),
        ("{{user.content}}!", "newest!"),
        ("{{ variables_route.places.1 }}", "Córdoba"),
        ("{{ variables_route.notes.by.0 }}", "train"),
        ("{{ variables_route.places | json }}", '["Rome", "Córdoba"]'),
        ("{{ variables_route.places|lines }}", "Rome\nCórdoba"),
        ("{{ user.content | lines }}", "newest"),
        ("Plan: {{ plan.formula }}.", "Plan: ."),
        ("{{ user.contents }}{{ variables_route.places.9 }}{{ user.content.inner }}", ""),
        ("{{ user.metadata }}", ""),
        ("{{ user.content | shout }}", "{{ user.content | shout }}"),
        ("{{ user }} {user.content} {{ user.content", "{{ user }} {user.content} {{ user.content"),
        ("{{ user.__class__ }}{{ variables_route.places.__len__ }}", ""),
    ],
)
def test_a_text_is_filled_in_with_the_newest_step_of_a_kind(text: str, filled: str) -> None:
    steps = (UserStep(content="older"), ROUTE, UserStep(content="newest"))

    assert fill(text, *steps) == filled


def test_what_a_step_says_is_not_a_text_with_variables() -> None:
    hostile = UserStep(content="{{ variables_route.places }} {{ user.content }}")

    assert fill("{{ user.content }}", ROUTE, hostile) == hostile.content


def test_a_bomb_of_variables_is_filled_in_up_to_a_limit() -> None:
    long = UserStep(content="x" * (LONGEST_VALUE + 1))

    filled = fill("{{ user.content }}" * (MOST_PLACES + 5), long)

    assert filled.count("{{") == 5
    assert filled.count("x") == MOST_PLACES * LONGEST_VALUE
    assert fill("{{ user.content | short }}", long) == "x" * SHORT
    assert fill("{{" * 200_000 + " " * 200_000, long).startswith("{{{{")


async def test_instruction_and_guidance_follow_the_tape_and_are_rebuilt_for_training() -> None:
    agent = Agent.create(
        "guide",
        llms=ScriptedLLM(answers_in_order(["One.", "Two."])),
        templates={
            "system": "Answer: {{ user.content }}",
            "end": "Not again: {{ assistant.content }}",
        },
        nodes=[TalkNode(name="talk", guidance="end")],
    )
    tape = Tape()
    for question in ("Where to?", "And then?"):
        asked = tape.append(UserStep(content=question))
        tape = (await run_to_end(agent, asked, environment_of(agent))).tape

    reused = await reuse_tape(agent, tape)

    sent = [[one.text for one in call.prompt.messages] for call in reused.calls]
    assert [(texts[0], texts[-1]) for texts in sent] == [
        ("Answer: Where to?", "Not again: "),
        ("Answer: And then?", "Not again: One."),
    ]
