"""The briefing: its members work at once, each in a lane, and the chair says what they found."""

import json
from pathlib import Path

from tapes_app.engine import Tape, UserStep, run_to_end
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import build_agent, build_environment
from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.model.messages import Message
from tapes_app.gallery.briefing import script
from tapes_app.gallery.briefing.agent import NAME
from tapes_app.llms.scripted import ScriptedLLM

_FILE = Path(__file__).parents[2] / "tapes_app" / "gallery" / "briefing" / "tasks.jsonl"
TASKS = [json.loads(line) for line in _FILE.read_text("utf-8").splitlines()]


async def ask(*questions: str, error_rate: float = 0.0) -> Tape:
    spec = gallery_agents.get(NAME)()
    llm = ScriptedLLM(NAME, options={"error_rate": error_rate})
    agent, environment, tape = build_agent(spec, lambda _: llm), build_environment(spec), Tape()
    for question in questions:
        tape = tape.append(UserStep(content=question))
        tape = (await run_to_end(agent, tape, environment)).tape
    return tape


def answer_of(tape: Tape) -> str:
    return str(tape.steps[-1].content_dict()["content"])


async def test_its_members_work_at_once_and_the_chair_sums_up_in_their_order() -> None:
    tape = await ask("Brief me on Vulcan Materials.")

    lanes = [step.metadata.lane for step in tape if step.metadata.lane]
    assert set(lanes) == {"1", "2", "3"}
    assert lanes != sorted(lanes)
    does, share, new = answer_of(tape).splitlines()
    assert does.startswith("Vulcan Materials makes construction aggregates")
    assert share == "The share went from 227.81 to 260.04 USD (+14.1 %)."
    assert new.startswith("In August 2024")


async def test_another_question_calls_them_again() -> None:
    tape = await ask("Brief me on Vulcan Materials.", "And Aster Mills?")

    assert [step.kind for step in tape].count("join") == 2
    assert answer_of(tape).startswith("Aster Mills grinds wheat")
    assert "Vulcan" not in answer_of(tape)


def test_words_of_a_person_are_no_answer_of_a_member() -> None:
    asked = Message(role="user", content="Tell me who answers: is it the board of Aster Mills?")
    answered = Message(role="user", content="profile answers: Aster Mills grinds wheat.")

    output = script.answer(Prompt(messages=(asked, answered)))

    assert output.content == "Aster Mills grinds wheat."


async def test_it_is_right_at_its_tasks_unless_it_is_to_err() -> None:
    right = [one["expected"] in answer_of(await ask(one["question"])) for one in TASKS]
    wrong = [
        one["expected"] in answer_of(await ask(one["question"], error_rate=1.0)) for one in TASKS
    ]

    assert (right, any(wrong)) == ([True] * 7, False)


async def test_who_asks_about_no_company_hears_of_those_that_are_known() -> None:
    assert "Aster Mills, Aster Robotics" in answer_of(await ask("Brief me on Zephyr Motors."))
