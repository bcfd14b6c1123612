"""The plan of an experiment covers every condition evenly and is never larger than allowed."""

from collections import Counter
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tapes_app.engine.errors import InvalidInputError
from tapes_app.experiments.services.request import (
    MAX_BRANCHES,
    BranchPoint,
    ExperimentRequest,
    plan_branches,
)

TAPE = uuid4()


def request(**values: Any) -> ExperimentRequest:
    return ExperimentRequest.model_validate({"agent_version_id": uuid4(), **values})


def places_of(asked: ExperimentRequest) -> list[BranchPoint]:
    counts = asked.at or (4,)
    return [BranchPoint(TAPE, "original", count, count) for count in counts]


@given(
    places=st.sets(st.integers(0, 300), min_size=1, max_size=5),
    models=st.integers(1, 3),
    temperatures=st.sets(st.sampled_from([0.0, 0.3, 1.0, 2.0]), min_size=1),
    repeats=st.integers(1, 3),
)
def test_every_condition_is_run_equally_often(
    places: set[int], models: int, temperatures: set[float], repeats: int
) -> None:
    asked = request(
        at=sorted(places),
        model_ids=[uuid4() for _ in range(models)],
        temperatures=sorted(temperatures),
        repeats=repeats,
    )

    planned = plan_branches(asked, places_of(asked))

    counts = Counter((plan.place, plan.model_id, plan.temperature) for plan in planned)
    assert len(planned) == asked.branch_count
    assert set(counts.values()) == {repeats}
    assert len(counts) == len(places) * models * len(temperatures)


def test_all_conditions_come_before_any_is_repeated() -> None:
    asked = request(at=[1, 2], temperatures=[0.0, 1.0], repeats=3)

    first = plan_branches(asked, places_of(asked))[:4]

    assert len({(plan.place, plan.temperature) for plan in first}) == 4


def test_too_many_runs_are_refused_with_their_number() -> None:
    with pytest.raises(InvalidInputError, match=r"1,000 runs; the limit is 200 at once"):
        request(at=list(range(10)), repeats=100)
    assert request(at=list(range(10)), repeats=20).branch_count == MAX_BRANCHES


def test_a_range_of_steps_does_not_go_with_an_edit() -> None:
    with pytest.raises(InvalidInputError, match="leave out the steps"):
        request(arms=["original", "edited"], at=[3])


@pytest.mark.parametrize(
    "wrong",
    [
        {"arms": []},
        {"arms": ["original", "original"]},
        {"arms": ["other"]},
        {"at": [-1]},
        {"at": [2, 2]},
        {"repeats": 0},
        {"temperatures": [3.0]},
        {"check": {"kind": "equals"}},
        {"check": {"kind": "judge", "model_id": str(uuid4()), "rubric": ""}},
        {"breakpoints": []},
    ],
)
def test_a_request_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises((ValidationError, InvalidInputError)):
        request(**wrong)


def test_a_run_has_its_conditions_over_the_shared_parameters() -> None:
    asked = request(
        parameters={"temperature": 0.1, "max_tokens": 9}, temperatures=[0.7], budget={"seconds": 60}
    )
    [plan] = plan_branches(asked, places_of(asked))[:1]
    branch_id = uuid4()

    run = asked.run_request(plan, branch_id, None)

    assert run.parameters == {"temperature": 0.7, "max_tokens": 9}
    assert run.branch_id == branch_id
    assert run.budget.seconds == 60
    assert not run.reuse_recorded
