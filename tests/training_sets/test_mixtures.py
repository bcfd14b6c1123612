"""Mixtures of training sets: so much of each, and split by task over all of them."""

from collections import Counter
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command

from tapes_app.management.named import find_operator
from tapes_app.models import LLMCallRecord, TapeRecord
from tests.http.asking import call
from tests.training_sets.test_recorded_tokens import Rollout, base, lines_of
from tests.training_sets.test_sets_over_http import Desk, desk

__all__ = ["base", "desk"]
pytestmark = pytest.mark.django_db(transaction=True)


def make_set(desk: Desk, name: str, count: int, **body: Any) -> str:
    """Make a set of `count` tapes of its own."""
    tapes = [str(desk.store(f"{name} {number}", f"of {name}")) for number in range(count)]
    job = desk.make(name=name, tape_ids=tapes, **{"held_out_share": 0, **body})
    return str(job["result"]["training_set_id"])


def mix(desk: Desk, *parts: tuple[str, float], expect: int = 202, **body: Any) -> Any:
    mixture = [{"training_set_id": one, "weight": weight} for one, weight in parts]
    asked = {"name": "mix", "source": "mixture", "mixture": mixture, **body}
    if expect != 202:
        return call(desk.client, "POST", "training-sets", asked, expect=expect)
    return desk.make(**asked)


def count_by_set(lines: list[dict[str, Any]]) -> Counter[str]:
    return Counter(line["answer"]["content"].removeprefix("of ") for line in lines)


def test_a_mixture_learns_as_much_of_each_set_as_was_asked(desk: Desk) -> None:
    good, rare = make_set(desk, "good", 20), make_set(desk, "rare", 3)

    plain = mix(desk, (good, 70), (rare, 30))
    again = mix(desk, (good, 0.7), (rare, 0.3), name="again")
    large = mix(desk, (good, 70), (rare, 30), name="large", size=20)

    assert count_by_set(lines_of(desk, plain)) == {"good": 7, "rare": 3}
    assert lines_of(desk, plain) == lines_of(desk, again)
    assert count_by_set(lines_of(desk, large)) == {"good": 14, "rare": 6}
    ids = [line["id"] for line in lines_of(desk, large)]
    assert len(set(ids)) == 20
    assert sum(one.endswith("#2") for one in ids) == 3
    rows = {row["name"]: row for row in call(desk.client, "GET", "training-sets")["items"]}
    assert rows["mix"]["content_hash"] == rows["again"]["content_hash"]
    assert (rows["mix"]["kind"], rows["mix"]["tape_count"]) == ("chat", 10)
    assert [
        (one["name"], one["training_set_id"], one["available_count"], one["learnt_count"])
        for one in rows["large"]["facts"]["parts"]
    ] == [("good", good, 20, 14), ("rare", rare, 3, 6)]


def test_no_task_is_learnt_that_any_set_holds_out(desk: Desk) -> None:
    shared = [desk.store(f"shared {number}", "one") for number in range(12)]
    twins = [desk.store(f"shared {number}", "two") for number in range(12)]
    first = desk.make(name="a", tape_ids=[*map(str, shared)], held_out_share=0.4)
    second = desk.make(name="b", tape_ids=[*map(str, twins)], held_out_share=0.4, seed=5)
    TapeRecord.objects.filter(id=shared[0]).update(split="test")
    TapeRecord.objects.filter(id=shared[1]).update(is_kept_from_training=True)

    job = mix(desk, *((one["result"]["training_set_id"], 1) for one in (first, second)))

    def tasks(side: str) -> set[str]:
        return {one["messages"][0]["content"] for one in desk.examples(job, side)}

    assert tasks("train")
    assert not tasks("train") & tasks("held_out")
    assert "shared 0" not in tasks("train") | tasks("held_out")
    made = {one["origin"]["tape"] for side in ("train", "held_out")
            for one in desk.examples(job, side)}  # fmt: skip
    assert str(shared[1]) not in made
    reasons = job["result"]["examples_left_out"]
    assert reasons["Its task is held out in another of the sets, so it is not learnt."] > 0
    assert "It is of the test split, which is for evaluation alone." in reasons


def test_what_sets_share_is_taken_once_and_deleted_tapes_stay_learnt(desk: Desk) -> None:
    tapes = [desk.store(f"question {number}", "of both") for number in range(4)]
    ids = [str(tape) for tape in tapes]
    sets = [
        desk.make(name=name, tape_ids=chosen, held_out_share=0)["result"]["training_set_id"]
        for name, chosen in (("a", ids), ("b", [ids[0], str(desk.store("only b"))]))
    ]
    LLMCallRecord.objects.filter(tape_id=tapes[1]).update(tape=None)
    TapeRecord.objects.filter(id=tapes[1]).delete()

    job = mix(desk, (sets[0], 4), (sets[1], 1))

    asked = Counter(one["messages"][0]["content"] for one in desk.examples(job))
    assert asked == dict.fromkeys((*(f"question {n}" for n in range(4)), "only b"), 1)
    assert job["result"]["tapes"] == 4


def test_sets_that_cannot_be_mixed_are_refused(desk: Desk, base: str) -> None:
    one, two = make_set(desk, "one", 2), make_set(desk, "two", 2)
    Rollout("r").turn("what is one", "the sum").store(desk, task="tokens")
    tokens = desk.make(name="tokens", q="task:tokens", held_out_share=0, base=base)
    mixed = mix(desk, (one, 1), (tokens["result"]["training_set_id"], 1))
    made = mixed["result"]

    def refuse(*parts: tuple[str, float], **body: Any) -> str:
        return str(mix(desk, *parts, expect=422, name="no", **body)["message"])

    assert "Give at least two training sets" in refuse((one, 1))
    assert "Only recorded calls have recorded tokens" in refuse((one, 1), (two, 1), base=base)
    assert "each of them once" in refuse((one, 1), (one, 2))
    assert "weight" in str(mix(desk, (one, 0), (two, 1), expect=422, name="no"))
    missing = mix(desk, (one, 1), (str(uuid4()), 1), expect=404, name="no")
    assert missing["message"] == "Training set not found."
    assert (made["facts"]["base"], made["facts"]["recorded_count"]) == (base, 1)
    joined = {"name": "no", "joined": [made["training_set_id"]], "held_out_share": 0,
              "base": base}  # fmt: skip
    told = call(desk.client, "POST", "training-sets", joined, expect=422)
    assert "is a mixture" in told["message"]


def test_the_command_mixes(desk: Desk) -> None:
    project = find_operator("").project_id
    for name in ("one", "two"):
        for number in range(3):
            Desk(desk.client, project).store(f"{name} {number}", task=name)
        call_command(
            "make_training_set", name, "-q", f"task:{name}", "--held-out", "0",
            stdout=StringIO(),
        )  # fmt: skip
    output, errors = StringIO(), StringIO()

    call_command("make_training_set", "mix", "--mix", "one=2", "two=1", stdout=output)
    with pytest.raises(SystemExit):
        call_command("make_training_set", "no", "--mix", "one", stdout=output, stderr=errors)

    assert "one: 3 of 3" in output.getvalue()
    assert "two: 2 of 3" in output.getvalue() or "two: 1 of 3" in output.getvalue()
    assert "write NAME=SHARE" in errors.getvalue()
