"""What nodes say may run next is what runs next, on tapes of all sorts of agents."""

from collections.abc import Sequence

import pytest

import tapes_app.builders
from tapes_app.builders import LLMFunctionTemplate
from tapes_app.engine import Agent, LLMOutput, Node, Tape
from tapes_app.engine.agent.node_runs import split_node_runs
from tapes_app.gallery.math.problems import make_problems
from tests.builders.test_resuming import AGENTS, record
from tests.gallery.running import Session, build_gallery_agent
from tests.gallery.test_math import build_solver, solve


def list_missing_routes(agent: Agent, tape: Tape) -> list[tuple[str, str]]:
    """Return the nodes that followed one another without a route, except after failures."""
    missing: list[tuple[str, str]] = []
    last_by_agent: dict[str, str] = {}
    for run in split_node_runs(tape.steps):
        if not run.is_agent:
            continue
        member = agent.find_subagent(run.agent.partition("/")[2])
        names = [node.name for node in member.nodes]
        before = member.find_node(last_by_agent.get(run.agent, ""))
        if before is not None and before.name != run.node:
            routes = [route.node for route in before.list_routes(member)]
            named = [names[node] if isinstance(node, int) else node for node in routes]
            if run.node not in named:
                missing.append((before.name, run.node))
        last_by_agent[run.agent] = run.node
        if any(step.kind == "respond" for step in tape.steps[run.start : run.stop]):
            del last_by_agent[run.agent]
    return missing


@pytest.mark.parametrize(("agent", "answers"), AGENTS)
async def test_the_nodes_of_builders_go_where_they_say(
    agent: Agent, answers: Sequence[LLMOutput | str]
) -> None:
    tape, _ = await record(agent, answers)

    assert list_missing_routes(agent, tape) == []


@pytest.mark.parametrize(
    ("name", "question"), [("analyst", "Tell me about Vulcan"), ("chat", "What is 2 + 3?")]
)
async def test_the_nodes_of_the_gallery_go_where_they_say(name: str, question: str) -> None:
    session = Session(name)
    await session.say(question)
    await session.say(question)

    assert list_missing_routes(build_gallery_agent(name), session.tape) == []


async def test_the_nodes_of_the_solver_go_where_they_say() -> None:
    solver = build_solver()
    [problem] = make_problems("test", count=1)

    solved = await solve(solver, problem.text)

    assert list_missing_routes(solver, solved.tape) == []


@pytest.mark.parametrize(
    "cls",
    [
        LLMFunctionTemplate,
        *(
            getattr(tapes_app.builders, name)
            for name in tapes_app.builders.__all__
            if name.endswith("Node")
        ),
    ],
)
def test_every_builder_describes_its_settings_as_a_json_schema(
    cls: type[Node | LLMFunctionTemplate],
) -> None:
    assert cls.model_json_schema()["properties"]
