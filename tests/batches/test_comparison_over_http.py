"""Batches in a list with their rates, two compared pair by pair, several against one."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tapes_app.models import LensRecord, ProjectRecord, TapeRecord
from tapes_app.tapes.store.batches import ensure_batch
from tapes_app.tapes.store.edits import fork_tape
from tests.batches.worlds import store_batch, store_tape
from tests.http.worlds import World

pytestmark = pytest.mark.django_db

OLD = {"t1": ["plan", "yes"], "t2": ["plan", "yes"], "t3": ["plan", "no"], "t4": ["plan", "no"]}
NEW = {"t2": ["plan", "look", "no"], "t1": ["plan", "yes"], "t3": ["look", "yes"], "t5": ["no"]}


def get(client: Client, path: str, **query: Any) -> Any:
    answer = client.get(f"/api/v1/batches/{path}", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


@pytest.fixture
def batches(project: ProjectRecord) -> tuple[str, str]:
    return tuple(  # type: ignore[return-value]  # two
        str(store_batch(project.id, name, answers)) for name, answers in (("A", OLD), ("B", NEW))
    )


def count_of(diff: Any, left: str, right: str) -> int:
    [count] = [
        one["count"] for one in diff["transitions"] if (one["left"], one["right"]) == (left, right)
    ]
    return int(count)


def test_the_list_says_how_batches_did(studio: Client, batches: tuple[str, str]) -> None:
    page = get(studio, "summaries", limit=1)

    [newest] = page["items"]
    assert (newest["name"], newest["tape_count"]) == ("B", 4)
    assert (newest["passed_count"], newest["failed_count"]) == (2, 2)
    assert newest["pass_rate"]["value"] == 0.5
    assert newest["pass_rate"]["low"] == pytest.approx(0.15, abs=0.001)
    [oldest] = get(studio, "summaries", after=page["next"])["items"]
    assert oldest["name"] == "A"


def test_a_page_of_the_list_takes_two_queries(
    project: ProjectRecord,
    batches: tuple[str, str],
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    from tapes_app.batches.store.batch_tapes import list_summaries

    with django_assert_num_queries(2):
        assert len(list_summaries(project.id).items) == 2


def test_pairs_go_by_task_and_nobody_is_lost(studio: Client, batches: tuple[str, str]) -> None:
    diff = get(studio, "diff", a=batches[0], b=batches[1])

    tasks = [(pair["left"]["task"], pair["right"]["task"]) for pair in diff["pairs"]]
    assert tasks == [("t1", "t1"), ("t2", "t2"), ("t3", "t3")]
    left_out = [(one["side"], one["why"], one["tape"]["task"]) for one in diff["left_out"]]
    assert left_out == [("left", "alone", "t4"), ("right", "alone", "t5")]
    assert count_of(diff, "pass", "pass") == 1
    assert count_of(diff, "pass", "fail") == 1
    assert count_of(diff, "fail", "pass") == 1
    assert diff["p_value"] == 1.0
    assert (diff["pass_difference"]["value"], diff["pass_difference"]["count"]) == (0, 3)
    assert (diff["equal_count"], diff["is_equal"]) == (1, False)


def test_pairs_say_where_they_part(studio: Client, batches: tuple[str, str]) -> None:
    diff = get(studio, "diff", a=batches[0], b=batches[1])

    equal, longer, other = diff["pairs"]
    assert equal["match"] == {
        "first_left": None, "first_right": None, "equal": 3, "left_only": 0, "right_only": 0,
    }  # fmt: skip
    assert longer["match"]["first_left"] == 2
    assert (longer["left_step"]["node"], longer["right_step"]["node"]) == ("answer", "look")
    assert (other["left_step"]["kind"], other["left_step"]["node"]) == ("reasoning_thought", "plan")
    assert [
        (one["node"], one["count"], one["pass_to_fail"], one["fail_to_pass"])
        for one in diff["partings"]
    ] == [("answer", 1, 1, 0), ("plan", 1, 0, 1)]


def test_metrics_are_compared_pair_by_pair(studio: Client, batches: tuple[str, str]) -> None:
    TapeRecord.objects.filter(batch__name="A", task="t1").update(score=0.5)
    TapeRecord.objects.filter(batch__name="B", task="t1").update(score=0.75)

    metrics = {
        one["metric"]: one for one in get(studio, "diff", a=batches[0], b=batches[1])["metrics"]
    }

    # Steps: 3, 3, 3 and 3, 4, 3; d = 0, 1, 0: mean 1/3, s = 0.5774, t(2) = 4.3027.
    steps = metrics["steps"]
    assert (steps["left"], steps["right"]) == (3, pytest.approx(10 / 3))
    assert steps["difference"]["low"] == pytest.approx(1 / 3 - 1.4342, abs=1e-3)
    assert metrics["score"]["difference"] == {"value": 0.25, "low": None, "high": None, "count": 1}


def test_tapes_of_one_task_are_not_guessed_at(
    studio: Client, project: ProjectRecord, batches: tuple[str, str]
) -> None:
    store_tape(project.id, ensure_batch(project.id, "B").id, "?", ["x"], task="t1")
    store_tape(project.id, ensure_batch(project.id, "B").id, "?", ["x"])

    diff = get(studio, "diff", a=batches[0], b=batches[1])

    why = [(one["side"], one["why"]) for one in diff["left_out"] if one["tape"]["task"] != "t5"]
    assert sorted(why) == [
        ("left", "alone"), ("left", "duplicate"), ("right", "duplicate"), ("right", "duplicate"),
        ("right", "no_key"),
    ]  # fmt: skip


def test_branches_of_one_tape_are_paired_by_their_start(
    studio: Client, project: ProjectRecord, batches: tuple[str, str]
) -> None:
    other = ensure_batch(project.id, "C")
    start = TapeRecord.objects.get(batch__name="A", task="t4")
    child = fork_tape(start.id, project=project.id, at=2)
    TapeRecord.objects.filter(id=child).update(batch=other.id, task="")
    store_tape(project.id, other.id, "Is it t1?", ["something", "else"])

    diff = get(studio, "diff", a=batches[0], b=str(other.id), by="start")

    pairs = {pair["left"]["task"]: pair for pair in diff["pairs"]}
    assert set(pairs) == {"t1", "t4"}
    assert pairs["t4"]["match"]["first_left"] == 2
    assert pairs["t4"]["right_step"]["kind"] == ""  # the fork ends there


def test_a_pointer_pairs_by_what_the_metadata_says(studio: Client, project: ProjectRecord) -> None:
    ids = []
    for name in ("A", "B"):
        batch = ensure_batch(project.id, name)
        for seed in (1, 2):
            store_tape(project.id, batch.id, name, [str(seed)], run={"seed": seed})
        ids.append(str(batch.id))

    diff = get(studio, "diff", a=ids[0], b=ids[1], by="/metadata/run/seed")

    assert len(diff["pairs"]) == 2


@pytest.mark.parametrize("by", ["__class__", "/steps/0", "metadata.task", "/metadata/~"])
def test_what_is_no_key_is_refused_or_pairs_nobody(
    studio: Client, batches: tuple[str, str], by: str
) -> None:
    answer = studio.get("/api/v1/batches/diff", {"a": batches[0], "b": batches[1], "by": by})

    assert answer.status_code == 422 or answer.json()["pairs"] == []


def test_a_batch_equals_itself(studio: Client, batches: tuple[str, str]) -> None:
    assert get(studio, "diff", a=batches[0], b=batches[0])["is_equal"]


def test_a_batch_of_another_project_is_not_there(
    studio: Client, batches: tuple[str, str], elsewhere: World
) -> None:
    for path in (
        f"diff?a={batches[0]}&b={elsewhere.batch}",
        f"matrix?id={batches[0]}&id={elsewhere.batch}",
        f"alignment?id={elsewhere.batch}&key=t1",
    ):
        assert studio.get(f"/api/v1/batches/{path}").status_code == 404


def test_several_batches_stand_against_one(
    studio: Client, project: ProjectRecord, batches: tuple[str, str]
) -> None:
    third = str(store_batch(project.id, "C", {"t3": ["plan", "yes"], "t4": ["plan", "yes"]}))

    matrix = get(studio, "matrix", id=[*batches, third])

    first, _, last = matrix["rows"]
    assert (first["pass_difference"], first["differences"]) == (None, [])
    assert (last["totals"]["name"], last["pair_count"]) == ("C", 2)
    assert (last["pass_difference"]["value"], last["p_value"]) == (1.0, 0.5)
    by_key = {task["key"]: task["cells"] for task in matrix["tasks"]}
    assert [cell["passed_count"] for cell in by_key["t3"]] == [0, 1, 1]
    assert [cell["tape_count"] for cell in by_key["t5"]] == [0, 1, 0]
    other = get(studio, "matrix", id=[*batches, third], baseline=third)
    assert other["rows"][0]["pass_difference"]["value"] == -1.0


def test_too_many_batches_and_a_strange_baseline_are_refused(
    studio: Client, project: ProjectRecord, batches: tuple[str, str], world: World
) -> None:
    ids = [str(ensure_batch(project.id, str(number)).id) for number in range(13)]
    many = studio.get("/api/v1/batches/matrix", {"id": ids})
    strange = studio.get("/api/v1/batches/matrix", {"id": batches, "baseline": str(world.batch)})

    assert (many.status_code, strange.status_code) == (422, 422)
    assert "1 to 12 batches" in many.json()["message"]


def test_the_tapes_of_a_task_stand_on_one_axis(studio: Client, batches: tuple[str, str]) -> None:
    paths = get(studio, "alignment", id=list(batches), key="t2")

    assert [row["batch_name"] for row in paths["rows"]] == ["A", "B"]
    nodes = [(column["node"], column["is_consensus"]) for column in paths["columns"]]
    assert nodes == [("", True), ("plan", True), ("look", False), ("answer", True)]
    assert [column["positions"] for column in paths["columns"]][2:] == [[None, 2], [2, 3]]
    assert paths["rows"][1]["steps"][3]["gist"] == "no"


def test_a_task_that_nobody_did_is_not_there(studio: Client, batches: tuple[str, str]) -> None:
    answer = studio.get("/api/v1/batches/alignment", {"id": batches, "key": "t99"})

    assert answer.status_code == 404


def test_saved_searches_are_compared_like_batches(studio: Client, batches: tuple[str, str]) -> None:
    first, second = (
        studio.post(
            "/api/v1/lenses",
            {"name": name, "look": {"query": f"q=batch%3A{name}&error=0"}},
            content_type="application/json",
        ).json()["id"]
        for name in ("A", "B")
    )

    found = get(studio, "diff", a=first, b=second)
    stored = get(studio, "diff", a=batches[0], b=batches[1])
    mixed = get(studio, "matrix", id=[batches[0], second])

    assert [side["is_search"] for side in (found["left"], found["right"])] == [True, True]
    assert found["left"]["name"] == "A"
    assert found["transitions"] == stored["transitions"]
    assert found["left_out"] == stored["left_out"]
    assert [row["totals"]["is_search"] for row in mixed["rows"]] == [False, True]


def test_a_saved_search_of_somebody_else_is_no_side(
    studio: Client, project: ProjectRecord, batches: tuple[str, str]
) -> None:
    stranger = User.objects.create_user("stranger")
    other = LensRecord.objects.create(project=project, owner=stranger, name="own", look={})

    answer = studio.get("/api/v1/batches/diff", {"a": batches[0], "b": str(other.id)})

    assert answer.status_code == 404
