"""Companies and forms that an agent makes, and an assistant that fills them in."""

from typing import Any

import pytest

from tapes_app.engine.agent.orchestrator import run_to_end
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import build_agent, build_environment
from tapes_app.engine.environment.spec import EnvironmentSpec, build_registered
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.plain_json import dump_json_data
from tapes_app.engine.tape.dialog_steps import ParsingFailure, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.form_filler.agent import PERSON
from tapes_app.gallery.form_filler.assistant import script as assistant
from tapes_app.gallery.form_filler.companies.environment import FORMS
from tapes_app.gallery.form_filler.making import script
from tapes_app.gallery.form_filler.making.steps import FormsMadeAction, FormThought
from tapes_app.gallery.form_filler.steps import FunctionCandidates, FunctionSchemaObservation
from tapes_app.llms.scripted import ScriptedLLM
from tests.gallery.form_filler.berths import BERTH

ASKED = "A bicycle rental named PedalCorp with 3 forms."


async def _make(asked: str = ASKED, **options: Any) -> Tape:
    llm = ScriptedLLM(script.NAME, options=options)
    spec = gallery_agents.get("form_maker")()
    start = Tape(steps=(UserStep(content=asked),))
    ended = await run_to_end(build_agent(spec, lambda _: llm), start, build_environment(spec))
    return ended.tape


def _list_forms(tape: Tape) -> list[dict[str, Any]]:
    made = [step.form for step in tape if isinstance(step, FormThought)]
    return [dump_json_data(form, by_alias=True) for form in made]


async def _ask_teacher(text: str, forms: list[dict[str, Any]]) -> Tape:
    chosen = (EnvironmentSpec(type=FORMS, settings={"forms": forms}), PERSON)
    spec = gallery_agents.get("form_teacher")().model_copy(update={"environment": chosen})
    agent = build_agent(spec, lambda _: ScriptedLLM(assistant.NAME))
    start = Tape(steps=(UserStep(content=text),))
    return (await run_to_end(agent, start, build_environment(spec))).tape


async def test_a_company_is_made_and_its_forms_can_be_asked_for() -> None:
    made = await _make()

    done = made.steps[-1]
    forms = _list_forms(made)
    assert isinstance(done, FormsMadeAction)
    assert done.company == "PedalCorp"
    assert [dump_json_data(form, by_alias=True) for form in done.forms] == forms
    assert len(forms) == 3

    wanted = forms[1]["description"].partition(".")[0]
    asked = await _ask_teacher(f"I want to {wanted.lower()}.", forms)
    (listed,) = [step for step in asked if isinstance(step, FunctionCandidates)]
    (shown,) = [step for step in asked if isinstance(step, FunctionSchemaObservation)]
    assert [one.function for one in listed.candidates] == [form.name for form in done.forms]
    assert dump_json_data(shown.to_form(), by_alias=True) == forms[1]


async def test_a_form_that_nobody_could_fill_in_is_written_again() -> None:
    made = await _make(error_rate=1.0)

    failures = [step for step in made if isinstance(step, ParsingFailure)]
    assert len(failures) == 3
    assert "the required slot 'approval' is not among its slots" in failures[0].error
    assert _list_forms(made) == _list_forms(await _make())


async def test_as_many_forms_are_made_as_there_are_words_for() -> None:
    assert len(_list_forms(await _make("Some company called Rowboat"))) == 10
    assert len(_list_forms(await _make("Named Rowboat, 999 forms"))) == 10
    assert len(_list_forms(await _make("Named Rowboat, 0 forms"))) == 1


@pytest.mark.parametrize(
    ("forms", "reason"),
    [
        ([BERTH, BERTH], "two forms are named 'BookBerth'"),
        ([{**BERTH, "rules": [{"earlier": "arrival", "later": "boat"}]}], "have no order"),
        ([{**BERTH, "parameters": {"properties": {}}}], "at least 1"),
        ([{**BERTH, "name": f"Berth{n}"} for n in range(101)], "at most 100"),
        ("BookBerth", "tuple"),
    ],
)
def test_forms_of_ones_own_are_checked(forms: Any, reason: str) -> None:
    with pytest.raises(AgentConfigError, match=reason):
        build_registered(EnvironmentSpec(type=FORMS, settings={"forms": forms}))
