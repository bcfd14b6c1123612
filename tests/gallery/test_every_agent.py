"""Each agent that ships goes on from any step, replays, and can be learnt from."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from tapes_app.engine import Tape, UserStep
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.orchestrator import main_loop
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.replay import replay_tape
from tapes_app.engine.agent.reuse import comparable
from tapes_app.engine.agent.spec import build_environment
from tapes_app.engine.agent.training_text import make_training_text
from tapes_app.engine.environment.events import LoopFinished, NodeFinished
from tapes_app.engine.environment.opening import RunContext, open_for_run
from tapes_app.engine.model.llm import LLMCall
from tapes_app.gallery.first_messages import FIRST_MESSAGES
from tests.gallery.running import build_gallery_agent

ASKED = FIRST_MESSAGES

SHIPPED = frozenset(gallery_agents)
"""As this file is read; tests register others later."""

NOT_ASKED = {
    "continuation",  # goes on from tapes of agents that are not here, on a model of one's own
    "web-tasks-browser",  # is `web-tasks` in a real browser
}

AT_MOST = 24
"""Prefixes that are tried of a longer tape, evenly."""


@dataclass(frozen=True)
class Session:
    agent: Agent
    tape: Tape
    calls: dict[str, LLMCall]
    node_runs: int = 0


_RUN: dict[str, Session] = {}


async def run_once(name: str) -> Session:
    """Return what the agent does when it is asked; it is asked once for all tests."""
    if name not in _RUN:
        _RUN[name] = await run(name)
    return _RUN[name]


async def run(name: str) -> Session:
    session = Session(build_gallery_agent(name), Tape(steps=(UserStep(content=ASKED[name]),)), {})
    return await go_on(name, session)


async def go_on(name: str, begun: Session) -> Session:
    """Run to the end; what was recorded of a node that was cut off is used again."""
    tape, calls, node_runs = begun.tape, dict(begun.calls), 0
    outputs = {prompt_id: call.output for prompt_id, call in calls.items()}
    environment = build_environment(gallery_agents.get(name)())
    async with open_for_run(environment, RunContext(tape)) as opened:
        async for event in main_loop(begun.agent, tape, opened, recorded_outputs=outputs):
            if isinstance(event, NodeFinished):
                node_runs += 1
                if event.call is not None:
                    calls[event.prompt_id] = event.call
            if isinstance(event, LoopFinished):
                tape = event.tape
    return Session(begun.agent, tape, calls, node_runs)


def list_prefixes(tape: Tape) -> range:
    """Return where to begin again: after each step, or so many evenly."""
    return range(1, len(tape), -(-len(tape) // AT_MOST))


def lane_by_lane(tape: Tape) -> list[tuple[str, str, str, Any]]:
    """Return who wrote what in which lane; lanes may come in another order among each other."""
    about = [(step.metadata.lane, step.metadata, step.content_dict()) for step in tape]
    rows = [(lane, data.agent, data.node, written) for lane, data, written in about]
    return sorted(rows, key=lambda row: row[0])


def test_every_agent_is_asked_something() -> None:
    assert set(ASKED) | NOT_ASKED == SHIPPED


@pytest.mark.parametrize("name", ASKED)
async def test_it_goes_on_from_any_step_to_the_same_end(name: str) -> None:
    session = await run_once(name)
    whole = session.tape

    for at in list_prefixes(whole):
        end = await go_on(name, replace(session, tape=whole.fork(at)))
        assert lane_by_lane(end.tape) == lane_by_lane(whole), at
        assert end.tape.metadata.parent_id == whole.id, at


@pytest.mark.parametrize("name", ASKED)
async def test_it_comes_to_the_same_answer_where_nothing_was_recorded(name: str) -> None:
    """From where a node ends: one that was cut off writes again, and has its first steps before."""
    session = await run_once(name)
    whole = session.tape
    runs = [step.metadata.prompt_id for step in whole]

    for at in list_prefixes(whole):
        if runs[at - 1] == runs[at]:
            continue
        end = (await go_on(name, replace(session, tape=whole.fork(at), calls={}))).tape
        assert comparable(end[-1]) == comparable(whole[-1]), at


@pytest.mark.parametrize("name", ASKED)
async def test_its_tapes_replay_and_make_training_texts(name: str) -> None:
    session = await run_once(name)

    replayed = await replay_tape(session.agent, session.tape, session.calls)
    texts = await make_training_text(session.agent, session.tape)

    assert replayed.divergence is None
    assert replayed.node_run_count == session.node_runs >= len(session.calls) > 0
    assert len(texts) == len(session.calls)
    said = [call.output.content for call in session.calls.values() if call.output.content]
    learnt = [text.output_text.removesuffix("<|end|>") for text in texts]
    assert [text for text in learnt if text in said] == said
