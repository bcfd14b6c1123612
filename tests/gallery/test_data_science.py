"""The data-science team: its code is run, corrected and reported, and resumed in the middle."""

import pytest

from tapes_app.engine.agent.orchestrator import run_to_end
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import build_environment
from tapes_app.engine.environment.state import read_state
from tapes_app.engine.tape.control_steps import Respond
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolResult, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.analyst.stocks import find_companies
from tests.gallery.running import build_gallery_agent

NAME = "data-science"


async def run(tape: Tape) -> Tape:
    environment = build_environment(gallery_agents.get(NAME)())
    return (await run_to_end(build_gallery_agent(NAME), tape, environment)).tape


def ask(text: str) -> Tape:
    return Tape(steps=(UserStep(content=text),))


def answer_of(tape: Tape) -> str:
    step = tape[-1]
    assert isinstance(step, AssistantStep)
    return str(step.content)


def runs_of(tape: Tape) -> list[ToolResult]:
    results = [step for step in tape.steps if isinstance(step, ToolResult)]
    return [step for step in results if step.metadata.other.get("state") or step.is_error]


async def test_code_that_fails_is_corrected_and_uses_what_the_block_before_left() -> None:
    tape = await run(ask("Compare the shares of Vulcan and Aster Mills."))

    data, failed, mended = runs_of(tape)
    speakers = [
        step.metadata.agent.rpartition("/")[2] for step in tape if isinstance(step, Respond)
    ]
    assert (data.is_error, failed.is_error, mended.is_error) == (False, True, False)
    assert "No module named 'statistics'" in str(failed.content)
    assert speakers == [
        *("software_engineer", "code_executor", "asset_reviewer") * 2,
        "manager",
    ]
    assert answer_of(tape).startswith("Approved. VMC did best: +")
    assert "\n 100.0 #########################\n" in answer_of(tape)


async def test_it_is_resumed_in_the_middle_with_the_variables_there() -> None:
    whole = await run(ask("Compare Delphi and Borealis, please."))
    (first, *_) = runs_of(whole)
    at = whole.steps.index(first) + 2  # the second block has failed

    again = await run(Tape(steps=whole.steps[:at]))

    assert read_state(whole.steps[:at]) is not None
    assert answer_of(again) == answer_of(whole)
    assert len(again) == len(whole)


async def test_without_a_company_it_says_what_it_can_do() -> None:
    tape = await run(ask("Hello"))

    assert runs_of(tape) == []
    assert "I am a script, not a language model" in answer_of(tape)


@pytest.mark.parametrize(
    ("question", "companies"),
    [
        ("emberline against CBLT", ["Emberline Energy"]),
        ("Aster", []),
        ("aster robotics and aster mills", ["Aster Mills", "Aster Robotics"]),
    ],
)
def test_companies_are_found_by_unambiguous_names(question: str, companies: list[str]) -> None:
    assert find_companies(question) == companies
