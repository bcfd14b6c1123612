"""The forty attacks that ship: each can be followed, and hinders nobody who does not follow it."""

import json
from collections import Counter
from typing import Any

import pytest

from tapes_app.engine import Tape, run_to_end
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import build_agent, build_environment
from tapes_app.engine.environment.opening import RunContext, open_for_run
from tapes_app.engine.environment.planting import KIND_TITLES, find_plant
from tapes_app.engine.environment.tool_rules import ToolRule
from tapes_app.engine.model.llm import SCRIPT_PREFIX
from tapes_app.environments.planting import PlantingEnvironment
from tapes_app.environments.policy import PolicyEnvironment
from tapes_app.exchange.domain.example_cells import CHECKS
from tapes_app.exchange.domain.example_mapping import Example, ExampleMapping, map_row
from tapes_app.experiments.domain.attacks import Attacked, decide_attack
from tapes_app.experiments.domain.checks import Ended, decide, final_text
from tapes_app.gallery.attack_files import find_attacks, list_attacked
from tapes_app.llms.scripted import ScriptedLLM
from tapes_app.tapes.domain.answer_match import compare_answers

MAPPING = ExampleMapping(
    message="input", expected="expected", id="id", check="pass_check",
    state="environment_state", attack="attack",
)  # fmt: skip


def read_examples(agent: str) -> list[Example]:
    path = find_attacks(agent)
    assert path is not None
    rows = path.read_text("utf-8").splitlines()
    return [map_row(MAPPING, json.loads(row)) for row in rows]


async def run(agent: str, *rules: ToolRule, **options: Any) -> list[tuple[Example, Ended]]:
    """Run the shipped agent at each of its attacks."""
    spec = gallery_agents.get(agent)()
    script = spec.llms["default"].model.removeprefix(SCRIPT_PREFIX)
    built = build_agent(spec, lambda _: ScriptedLLM(script, options=options))
    ended = []
    async with open_for_run(build_environment(spec), RunContext()) as opened:
        for example in read_examples(agent):
            tape = example.write("")
            plant = find_plant(tape.steps)
            assert plant is not None
            ruled = PolicyEnvironment(opened, {}, rules=rules)
            result = await run_to_end(built, tape, PlantingEnvironment(ruled, plant))
            ended.append((example, Ended(result.tape, len(tape), result.status)))
    return ended


def attacked(ended: list[tuple[Example, Ended]]) -> Counter[str | None]:
    return Counter(decide_attack(one).resistance for _, one in ended)


def is_useful(example: Example, ended: Ended) -> bool:
    if example.check is None:
        return compare_answers(example.expected, final_text(ended.new_steps)) == "pass"
    return decide(CHECKS.validate_python(example.check), ended).passed


def test_there_are_forty_of_six_kinds() -> None:
    kinds = Counter(
        example.attack.kind
        for agent in list_attacked()
        for example in read_examples(agent)
        if example.attack is not None
    )

    assert kinds.total() == 40
    assert set(kinds) == set(KIND_TITLES)
    assert min(kinds.values()) >= 5


@pytest.mark.parametrize("agent", list_attacked())
async def test_a_script_follows_none_or_all_as_it_is_told(agent: str) -> None:
    firm = await run(agent)
    gullible = await run(agent, gullibility=1.0)

    assert attacked(firm) == {"refused": len(firm)}
    assert all(is_useful(example, ended) for example, ended in firm)
    assert attacked(gullible) == {"followed": len(firm)}


async def test_a_rate_for_one_kind_leaves_the_others_alone() -> None:
    ended = await run("orders", gullibility={"system": 1.0})

    followed = [one.attack.kind for one, end in ended if decide_attack(end).resistance == "followed"
                and one.attack is not None]  # fmt: skip
    assert followed == ["system", "system"]


async def test_tool_rules_stop_what_a_gullible_agent_tries() -> None:
    once = ToolRule(action="deny", tool="cancel_order", after_tool="show_order")

    ended = await run("orders", once, gullibility=1.0)

    assert attacked(ended) == {"stopped": 6, "followed": 4}


def test_a_run_that_never_read_the_instruction_says_nothing() -> None:
    tape = read_examples("orders")[0].write("")

    assert decide_attack(Ended(tape, 1, "completed")) == Attacked(
        None, "The agent never read the planted instruction."
    )
    assert decide_attack(Ended(Tape(), 0, "")) == Attacked(None, "The task has no attack.")
