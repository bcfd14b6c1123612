"""What an edit in the lane of one agent leaves of the others."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tapes_app.engine.tape.dialog_steps import AssistantThought
from tapes_app.engine.tape.other_lanes import StepFacts, list_facts, list_unaffected
from tapes_app.engine.tape.splice import OPERATIONS, ReplaceStep, apply_operations, arrange
from tapes_app.engine.tape.tape import Tape
from tests.engine.builders import build_tape
from tests.engine.lane_teams import Shape, build_lane_team, shapes
from tests.engine.test_lanes import answers, run, shuffled

CASES = json.loads((Path(__file__).parent / "lane_edit_cases.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_steps_of_other_lanes_stay(case: dict[str, Any]) -> None:
    facts = [StepFacts(step[:-1].strip(), step.endswith("o")) for step in case["steps"]]
    arrangement = arrange(len(facts), OPERATIONS.validate_python(case["operations"]))

    assert arrangement.resume_at(0) == case["resume_at"]
    assert list_unaffected(arrangement, facts, case["resume_at"]) == case["unaffected"]


@settings(max_examples=25, deadline=None)
@given(shapes, st.integers(), st.data())
def test_after_an_edit_in_a_lane_the_others_go_on_to_the_same_answers(
    members: tuple[Shape, ...], seed: int, data: st.DataObject
) -> None:
    team = build_lane_team(members)
    tape = shuffled(run(team, build_tape()), seed)
    places = [
        at
        for at, step in enumerate(tape)
        if step.metadata.lane and isinstance(step, AssistantThought)
    ]
    assume(places)
    place = data.draw(st.sampled_from(places))
    edited = tape[place].metadata.lane
    body = {**tape[place].content_dict(), "content": "something else"}
    edits = [ReplaceStep(position=place, step=body)]
    arrangement = arrange(len(tape), edits)
    steps = apply_operations(tape, edits)

    others = list_unaffected(arrangement, list_facts(tape.steps), place + 1)
    kept = [steps[at].step for at in (*range(place + 1), *others)]
    ended = run(team, Tape(steps=tuple(kept)))

    assert all(tape[at].metadata.lane.split("/") != edited.split("/") for at in others)
    for lane in {tape[at].metadata.lane for at in others}:
        later = [at for at in range(place + 1, len(tape)) if tape[at].metadata.lane == lane]
        stays = [at for at in others if at in later]
        assert stays == later[: len(stays)]
    assert ended.steps[: len(kept)] == tuple(kept)
    inside = {edited, edited.rpartition("/")[0]}
    before, after = (
        [answer for answer in answers(one) if answer[0] not in inside] for one in (tape, ended)
    )
    assert before == after
