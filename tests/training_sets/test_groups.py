"""Sets of groups: attempts at one place, weighed by how much better than each other they are."""

import math
from io import StringIO
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command

from tapes_app.management.named import find_operator
from tapes_app.models import TapeRecord
from tests.experiments.lab import Lab
from tests.http.asking import call
from tests.training_sets.test_recorded_tokens import Rollout, base, lines_of, sample
from tests.training_sets.test_sets_over_http import Desk, desk

__all__ = ["base", "desk"]
pytestmark = pytest.mark.django_db(transaction=True)


def weights(desk: Desk, job: Any) -> dict[str, float]:
    """Return the weight of each answer."""
    return {line["answer"]["content"]: line["weight"] for line in lines_of(desk, job)}


def test_an_attempt_weighs_what_it_is_better_than_its_group(desk: Desk) -> None:
    desk.store("sum?", "right", task="sum", outcome="pass")
    for wrong in ("wrong", "silly", "odd"):
        desk.store("sum?", wrong, task="sum", outcome="fail")

    spread = desk.make(held_out_share=0, source="groups")
    plain = desk.make(name="plain", held_out_share=0, source="groups", divides_by_spread=False)

    deviation = math.sqrt(0.25 * 0.75)
    assert weights(desk, spread) == pytest.approx(
        {"right": 0.75 / deviation} | dict.fromkeys(("wrong", "silly", "odd"), -0.25 / deviation)
    )
    assert weights(desk, plain) == {"right": 0.75, "wrong": -0.25, "silly": -0.25, "odd": -0.25}
    assert sum(weights(desk, spread).values()) == pytest.approx(0)
    origins = [line["origin"] for line in lines_of(desk, plain)]
    assert len({origin["group"] for origin in origins}) == 1
    assert max((one["reward"], one["weight"]) for one in origins) == (1, 0.75)
    assert plain["result"]["facts"]["group_count"] == 1


def test_groups_that_teach_nothing_are_left_out_and_counted(desk: Desk) -> None:
    for answer in ("a", "b"):
        desk.store("easy", answer, task="easy", outcome="pass")
    desk.store("alone", "a", task="alone", outcome="pass")
    desk.store("alone", "b", task="alone")
    for score, answer in enumerate(("low", "middle", "high")):
        desk.store(
            "hard", answer, task="hard", outcome=("fail", "pass", "pass")[score], score=score
        )

    by_score = desk.make(name="score", held_out_share=0, source="groups", reward="score")
    by_outcome = desk.make(name="outcome", held_out_share=0, source="groups")

    assert set(weights(desk, by_score)) == {"low", "high"}
    reasons = {one["why"]: one["tape_count"] for one in by_outcome["result"]["left_out"]}
    assert reasons == {
        "All attempts of its group have one reward, so none is better.": 2,
        "Its group has no other attempt with a reward.": 1,
        "Nobody judged it, so it has no reward.": 1,
    }
    middle = {one["why"] for one in by_score["result"]["left_out"]}
    assert "Its reward is the mean of its group, so it is neither better nor worse." in middle
    counted = by_outcome["result"]["facts"]
    assert (counted["group_count"], counted["equal_group_count"]) == (1, 1)
    facts = {
        one["name"]: one["facts"] for one in call(desk.client, "GET", "training-sets")["items"]
    }
    assert facts["outcome"]["equal_group_count"] == 1


def test_attempts_that_say_the_same_count_each(desk: Desk) -> None:
    for outcome in ("pass", "pass", "fail"):
        desk.store("sum?", "same" if outcome == "pass" else "other", task="sum", outcome=outcome)

    job = desk.make(held_out_share=0, source="groups", divides_by_spread=False)

    told = sorted((line["answer"]["content"], line["weight"]) for line in lines_of(desk, job))
    assert [answer for answer, _ in told] == ["other", "same", "same"]
    assert [weight for _, weight in told] == pytest.approx([-2 / 3, 1 / 3, 1 / 3])


def test_recorded_tokens_of_an_attempt_are_weighed(desk: Desk, base: str) -> None:
    good = Rollout("a").turn("what is one", "the sum")
    good.store(desk, task="one", outcome="pass")
    Rollout("b").turn("what is one", "the answer").store(desk, task="one", outcome="fail")

    job = desk.make(held_out_share=0, source="groups", base=base)

    lines = {line["origin"]["reward"]: line for line in lines_of(desk, job)}
    assert lines[1]["token_ids"] == list(good.ids)
    answer = len(sample("the sum"))
    assert lines[1]["weights"] == [0.0] * (len(good.ids) - answer) + [1.0] * answer
    assert set(lines[0]["weights"]) == {0.0, -1.0}
    assert job["result"]["facts"]["recorded_count"] == 2


def test_branches_of_one_step_are_a_group_of_what_they_wrote_themselves(
    transactional_db: None,
) -> None:
    lab = Lab()
    shown = lab.run(repeats=2)
    tapes = [UUID(branch["tape_id"]) for branch in shown["branches"]]
    for tape, outcome in zip(tapes, ("pass", "fail"), strict=True):
        TapeRecord.objects.filter(id=tape).update(outcome=outcome)
    asked = {"name": "ours", "held_out_share": 0, "source": "groups", "tape_ids": tapes}
    job = lab.ask("POST", "training-sets", asked, expect=202)
    lab.work()

    made = lab.ask("GET", f"jobs/{job['id']}")["result"]

    rows = lab.ask("GET", f"training-sets/{made['training_set_id']}/examples")["items"]
    path = f"training-sets/{made['training_set_id']}/example?example="
    origins = [lab.ask("GET", f"{path}{row['id']}")["origin"] for row in rows]
    assert {(one["tape"], one["weight"]) for one in origins} == {
        (str(tapes[0]), 1.0),
        (str(tapes[1]), -1.0),
    }
    assert len({one["group"] for one in origins}) == 1


def test_the_command_weighs_groups(transactional_db: None) -> None:
    owner = Desk(None, find_operator("").project_id)  # type: ignore[arg-type]
    for answer, outcome in (("a", "pass"), ("b", "fail")):
        owner.store("sum?", answer, task="sum", outcome=outcome)
    output = StringIO()

    call_command(
        "make_training_set", "ours", "--held-out", "0", "--groups", "--no-spread", stdout=output
    )

    assert "groups: 1; with equal rewards, left out: 0" in output.getvalue()
