"""Agents of other frameworks' files, built and run with a scripted model."""

from collections.abc import Iterable

from tapes_app.authoring.domain.foreign.agents import ForeignReading, write_note
from tapes_app.authoring.domain.foreign.building import Models, build_spec
from tapes_app.engine import run_to_end
from tapes_app.engine.agent.spec import AgentSpec, build_agent, build_environment
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order

MODELS = Models({"gemini-2.5-flash": "flash", "gpt-4.1": "big"}, "script:stand-in")


def build(reading: ForeignReading) -> AgentSpec:
    return build_spec(reading.agent, MODELS).spec


def note_of(reading: ForeignReading) -> str:
    made = build_spec(reading.agent, MODELS)
    return write_note(reading.origin, (*made.differences, *reading.differences))


async def run(spec: AgentSpec, answers: Iterable[str], says: str = "") -> list[str]:
    """Return who said what on the tape of a task, as lines of writers and texts.

    If the person `says` something more, it is their second message.
    """
    llm = ScriptedLLM(answers_in_order(tuple(answers)))
    agent, environment = build_agent(spec, lambda _: llm), build_environment(spec)
    tape = Tape(steps=(UserStep(content="Do it."),))
    end = (await run_to_end(agent, tape, environment)).tape
    if says:
        answered = end.append(UserStep(content=says))
        end = (await run_to_end(agent, answered, environment)).tape
    told = [one for one in end.steps if one.kind in ("respond", "assistant")]
    return [f"{one.metadata.agent.rpartition('/')[2]}: {one.llm_dict()['content']}" for one in told]
