"""Annotation queues over HTTP: made, worked through, looked at, exported; and who may not."""

import json
from importlib import import_module
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client

from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import (
    AnnotationRecord,
    AnswerRecord,
    MembershipRecord,
    ProjectRecord,
    TapeRecord,
)
from tapes_app.tapes.store.batches import ensure_batch
from tapes_app.tapes.store.saving import save_tape
from tests.http.worlds import World

pytestmark = [
    pytest.mark.django_db,
    # Downloads are made for the asynchronous server; here a synchronous one asks.
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume asynchronous"),
]

YES = dict.fromkeys(
    ("grounded", "responsive", "accurate", "disciplined", "transparent", "helpful"), True
)


@pytest.fixture
def colleague(project: ProjectRecord) -> Client:
    user = User.objects.create_user("bob", password="x")
    MembershipRecord.objects.create(project=project, user=user, role="member")
    client = Client()
    client.force_login(user)
    return client


def send(client: Client, method: str, path: str, body: Any = None) -> Any:
    return client.generic(
        method,
        f"/api/v1/{path}",
        "" if body is None else json.dumps(body),
        content_type="application/json",
    )


def store_tapes(project: ProjectRecord, count: int, **options: Any) -> list[str]:
    steps = (UserStep(content="hm?"), AssistantStep(content="ah."))
    return [str(save_tape(project.id, Tape(steps=steps), **options)) for _ in range(count)]


def make_queue(client: Client, tapes: list[str], **values: Any) -> str:
    body = {
        "name": "turns",
        "preset": "GREADTH",
        "targets": [{"tape_id": t} for t in tapes],
        "audit_percent": 0,
    }
    made = send(client, "POST", "queues", {**body, **values})
    assert made.status_code == 201, made.content
    return str(made.json()["id"])


def take(client: Client, queue: str) -> Any:
    answer = send(client, "POST", f"queues/{queue}/next")
    assert answer.status_code == 200, answer.content
    return answer.json()["assignment"]


def submit(client: Client, queue: str, item: str, **values: Any) -> Any:
    body = {"values": {**YES, **values}, "seconds": 12.5, "note": values.pop("note", "")}
    return send(client, "POST", f"queues/{queue}/items/{item}/answer", body)


def said_on(client: Client, tape: str) -> dict[str, float | None]:
    items = client.get(f"/api/v1/tapes/{tape}/annotations").json()["items"]
    return {item["name"]: item["value"] for item in items}


def test_a_queue_is_worked_through_and_what_was_said_is_on_the_tape(
    studio: Client, project: ProjectRecord
) -> None:
    tapes = store_tapes(project, 2)
    queue = make_queue(studio, tapes)

    first = take(studio, queue)
    assert (first["tape_id"], first["number"]) == (tapes[0], 0)
    assert submit(studio, queue, first["item_id"], helpful=False).status_code == 204
    assert said_on(studio, tapes[0]) == {
        **{f"GREADTH: {key}": 1.0 for key in YES},
        "GREADTH: helpful": 0.0,
        "GREADTH": 0.0,
    }
    second = take(studio, queue)
    assert submit(studio, queue, second["item_id"]).status_code == 204
    assert take(studio, queue) is None
    shown = studio.get(f"/api/v1/queues/{queue}").json()
    assert (shown["done_count"], shown["item_count"]) == (2, 2)


def test_the_first_offer_asks_whether_the_tape_did_its_task(
    studio: Client, project: ProjectRecord
) -> None:
    [tape] = store_tapes(project, 1)
    offered = studio.get("/api/v1/rubrics/presets").json()["items"][0]["name"]
    queue = make_queue(studio, [tape], preset=offered)

    held = take(studio, queue)
    answer = {"values": {"passed": True}, "seconds": 1.0, "note": ""}
    said = send(studio, "POST", f"queues/{queue}/items/{held['item_id']}/answer", answer)

    assert offered == "Pass or fail"
    assert said.status_code == 204
    assert said_on(studio, tape) == {"Pass or fail: passed": 1.0, "Pass or fail": 1.0}


def ask_pass_or_fail(client: Client, tape: str, name: str = "verdicts", **values: Any) -> str:
    return make_queue(client, [tape], preset="Pass or fail", name=name, **values)


def say(client: Client, queue: str, *, passed: bool) -> None:
    held = take(client, queue)
    answer = {"values": {"passed": passed}, "seconds": 1.0, "note": ""}
    said = send(client, "POST", f"queues/{queue}/items/{held['item_id']}/answer", answer)
    assert said.status_code == 204, said.content


def outcome_of(client: Client, tape: str) -> str:
    return str(client.get(f"/api/v1/tapes/{tape}").json()["outcome"])


def test_the_answer_is_the_outcome_of_a_tape_that_has_none_and_going_back_undoes_it(
    studio: Client, project: ProjectRecord
) -> None:
    [tape] = store_tapes(project, 1)
    queue = ask_pass_or_fail(studio, tape)

    say(studio, queue, passed=False)

    assert outcome_of(studio, tape) == "fail"
    said = studio.get(f"/api/v1/tapes/{tape}/annotations").json()["items"]
    assert [(one["source_name"], one["outcome"]) for one in said if one["outcome"]] == [
        ("ada", "fail")
    ]
    send(studio, "POST", f"queues/{queue}/back")
    assert outcome_of(studio, tape) == ""


def test_an_answer_does_not_overrule_an_outcome_that_was_decided(
    studio: Client, colleague: Client, project: ProjectRecord
) -> None:
    [tape] = store_tapes(project, 1)
    queue = ask_pass_or_fail(studio, tape, annotators_per_item=2)
    say(studio, queue, passed=False)
    filled_in = outcome_of(studio, tape)
    send(studio, "PATCH", f"tapes/{tape}", {"outcome": "pass"})

    say(colleague, queue, passed=False)
    after = outcome_of(studio, tape)
    send(colleague, "POST", f"queues/{queue}/back")

    assert (filled_in, after, outcome_of(studio, tape)) == ("fail", "pass", "pass")


def test_annotators_who_disagree_leave_the_outcome_as_it_was(
    studio: Client, colleague: Client, project: ProjectRecord
) -> None:
    [tape] = store_tapes(project, 1)
    queue = ask_pass_or_fail(studio, tape, annotators_per_item=2)

    say(studio, queue, passed=True)
    first = outcome_of(studio, tape)
    say(colleague, queue, passed=False)
    split = outcome_of(studio, tape)
    send(colleague, "POST", f"queues/{queue}/back")
    say(colleague, queue, passed=True)

    assert (first, split, outcome_of(studio, tape)) == ("pass", "", "pass")


def test_what_answers_of_earlier_releases_overruled_is_known_afterwards(
    studio: Client, project: ProjectRecord
) -> None:
    overruled, agreed = store_tapes(project, 2)
    queue = make_queue(studio, [overruled, agreed], preset="Pass or fail")
    say(studio, queue, passed=False)
    say(studio, queue, passed=True)
    for score in AnnotationRecord.objects.filter(name="Pass or fail: passed"):
        score.details = {**score.details, "outcome_before": "pass"}
        score.save()
    TapeRecord.objects.update(outcome_before=None, outcome_changed_at=None)

    import_module("tapes_app.migrations.0040_changed_outcomes").read_answers(apps, None)

    known = TapeRecord.objects.values_list("outcome", "outcome_before", "outcome_changed_at")
    assert known.get(id=agreed) == ("pass", None, None)
    outcome, before, changed_at = known.get(id=overruled)
    assert (outcome, before, changed_at is None) == ("fail", "pass", False)


def test_who_judged_the_tape_itself_in_the_meantime_is_not_undone(
    studio: Client, project: ProjectRecord
) -> None:
    [tape] = store_tapes(project, 1)
    queue = ask_pass_or_fail(studio, tape)
    say(studio, queue, passed=True)
    send(studio, "PATCH", f"tapes/{tape}", {"outcome": "fail"})

    send(studio, "POST", f"queues/{queue}/back")

    assert outcome_of(studio, tape) == "fail"


def test_a_question_about_a_step_is_no_outcome(studio: Client, project: ProjectRecord) -> None:
    [tape] = store_tapes(project, 1)
    step = [{"tape_id": tape, "position": 1}]
    queue = make_queue(studio, [], preset="Pass or fail", targets=step)

    say(studio, queue, passed=True)

    assert outcome_of(studio, tape) == ""


def test_going_back_takes_the_annotations_away_until_the_answer_is_given_again(
    studio: Client, project: ProjectRecord
) -> None:
    [tape] = store_tapes(project, 1)
    queue = make_queue(studio, [tape])
    held = take(studio, queue)
    submit(studio, queue, held["item_id"], helpful=False)

    back = send(studio, "POST", f"queues/{queue}/back").json()

    assert back["assignment"]["values"] == {**YES, "helpful": False}
    assert back["progress"]["answered_count"] == 0
    assert said_on(studio, tape) == {}
    submit(studio, queue, held["item_id"])
    assert said_on(studio, tape)["GREADTH"] == 1.0
    assert AnnotationRecord.objects.filter(tape_id=UUID(tape)).count() == 7


def test_two_people_answer_audited_items_and_their_agreement_is_shown(
    studio: Client, colleague: Client, project: ProjectRecord
) -> None:
    queue = make_queue(studio, store_tapes(project, 3), audit_percent=100)
    for client, is_helpful in ((studio, True), (colleague, False)):
        while (held := take(client, queue)) is not None:
            submit(client, queue, held["item_id"], helpful=is_helpful or held["number"] == 0)

    results = studio.get(f"/api/v1/queues/{queue}/results").json()

    helpful = next(item for item in results["items"] if item["key"] == "helpful")
    assert helpful["values"] == [{"value": "yes", "count": 4}, {"value": "no", "count": 2}]
    assert helpful["agreement"]["unit_count"] == 3
    assert helpful["agreement"]["percent"] == pytest.approx(1 / 3)
    assert helpful["agreement"]["kappa"] == pytest.approx(0)
    assert results["score"]["mean"] == pytest.approx(4 / 6)
    assert [one["person"] for one in results["people"]] == ["ada", "bob"]
    listed = studio.get("/api/v1/queues").json()["items"][0]
    assert (listed["pair_count"], listed["agreeing_count"]) == (3, 1)


def test_a_pair_is_compared_and_each_tape_is_told(studio: Client, project: ProjectRecord) -> None:
    left, right = store_tapes(project, 2)
    targets = [{"tape_id": left, "other_tape_id": right}]
    queue = make_queue(
        studio, [], preset="Better of two", mode="pairwise", targets=targets, name="pairs"
    )
    held = take(studio, queue)

    answer = send(
        studio, "POST", f"queues/{queue}/items/{held['item_id']}/answer",
        {"values": {"better": "right", "why": "shorter"}},
    )  # fmt: skip

    assert answer.status_code == 204
    shown = held["tape_id"], held["other_tape_id"]
    assert {*shown} == {left, right}
    assert "Better of two: better: not preferred" in said_on(studio, shown[0])
    assert "Better of two: better: preferred" in said_on(studio, shown[1])


def test_tapes_are_paired_by_task_and_those_without_another_are_named(
    studio: Client, project: ProjectRecord
) -> None:
    first, alone, second, untold, alike = store_tapes(project, 5)
    for tape, task in ((first, "sum"), (alone, "product"), (second, "sum")):
        TapeRecord.objects.filter(id=tape).update(task=task)
    TapeRecord.objects.filter(id__in=[untold, alike]).update(title="Hello")

    paired = send(
        studio, "POST", "queues/pairs", {"tape_ids": [first, alone, second, untold, alike]}
    ).json()

    pairs = [(one["tape_id"], one["other_tape_id"]) for one in paired["pairs"]]
    assert (pairs, paired["left_out"]) == ([(first, second), (untold, alike)], [alone])
    assert studio.get("/api/v1/queues").json()["items"] == []
    missing = send(studio, "POST", "queues/pairs", {"tape_ids": [first, str(uuid4())]})
    assert missing.status_code == 404


def test_pairs_stand_on_either_side_so_that_their_order_tells_nothing(
    studio: Client, project: ProjectRecord
) -> None:
    tapes = store_tapes(project, 40)
    pairs = list(zip(tapes[::2], tapes[1::2], strict=True))
    targets = [{"tape_id": left, "other_tape_id": right} for left, right in pairs]
    queue = make_queue(
        studio, [], preset="Better of two", mode="pairwise", targets=targets, name="sides"
    )

    items = studio.get(f"/api/v1/queues/{queue}/items?limit=50").json()["items"]

    shown = [(item["tape_id"], item["other_tape_id"]) for item in items]
    kept = sum(pair in shown for pair in pairs)
    assert {frozenset(pair) for pair in shown} == {frozenset(pair) for pair in pairs}
    assert 0 < kept < len(pairs)


def test_an_answer_that_does_not_fit_is_refused_and_nothing_is_stored(
    studio: Client, project: ProjectRecord
) -> None:
    [tape] = store_tapes(project, 1)
    queue = make_queue(studio, [tape])
    held = take(studio, queue)

    answer = submit(studio, queue, held["item_id"], helpful="very")

    assert answer.status_code == 422
    assert answer.json()["details"] == {"item": "helpful"}
    assert said_on(studio, tape) == {}
    assert AnswerRecord.objects.filter(answered_at__isnull=False).count() == 0


def test_only_those_named_may_answer(
    studio: Client, colleague: Client, owner: User, project: ProjectRecord
) -> None:
    queue = make_queue(studio, store_tapes(project, 1), people=[owner.pk])

    refused = send(colleague, "POST", f"queues/{queue}/next")

    assert refused.status_code == 403
    assert "is assigned to ada" in refused.json()["message"]
    assert take(studio, queue) is not None


def test_a_viewer_sees_and_does_not_annotate(viewer: Client, world: World) -> None:
    results = viewer.get(f"/api/v1/queues/{world.queue}/results")
    taken = send(viewer, "POST", f"queues/{world.queue}/next")
    answered = send(
        viewer, "POST", f"queues/{world.queue}/items/{world.item}/answer",
        {"values": {"good": True}},
    )  # fmt: skip

    assert results.status_code == 200
    assert (taken.status_code, answered.status_code) == (403, 403)


def test_an_item_of_another_queue_is_not_answered(
    studio: Client, world: World, elsewhere: World
) -> None:
    path = f"queues/{world.queue}/items/{elsewhere.item}/answer"

    answer = send(studio, "POST", path, {"values": {"good": True}})

    assert answer.status_code == 404


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"preset": "Better of two"}, "must be pairwise"),
        ({"mode": "pairwise"}, "which tape is better"),
        ({"people": [10**6]}, "cannot edit this project"),
        ({"preset": ""}, "a rubric or a preset"),
        ({"name": "  "}, "name"),
        ({"annotators_per_item": 0}, "annotators_per_item"),
        ({"preset": "NoSuch"}, "available: GREADTH"),
    ],
)
def test_a_queue_that_cannot_work_is_refused_with_the_reason(
    studio: Client, changes: dict[str, Any], words: str
) -> None:
    answer = send(studio, "POST", "queues", {"name": "q", "preset": "GREADTH", **changes})

    assert answer.status_code in {404, 422}
    assert words in answer.json()["message"]
    assert studio.get("/api/v1/queues").json()["items"] == []


@pytest.mark.parametrize(
    ("values", "expected"),
    [({}, 10), ({"audit_percent": 5}, 5), ({"annotators_per_item": 2}, 0), ({"alone": True}, 0)],
)
def test_one_in_ten_items_goes_to_a_second_person_unless_somebody_says_otherwise(
    studio: Client, colleague: Client, owner: User, values: dict[str, Any], expected: float
) -> None:
    if values.pop("alone", False):
        values["people"] = [owner.pk]

    queue = make_queue(studio, [], **{"audit_percent": None, **values})

    assert studio.get(f"/api/v1/queues/{queue}").json()["audit_percent"] == expected


def test_nothing_is_audited_where_one_person_is_alone(studio: Client) -> None:
    queue = make_queue(studio, [], audit_percent=None)
    assert studio.get(f"/api/v1/queues/{queue}").json()["audit_percent"] == 0


def test_more_annotators_than_people_are_refused(studio: Client, owner: User) -> None:
    body = {"name": "q", "preset": "GREADTH", "people": [owner.pk], "audit_percent": 10}

    answer = send(studio, "POST", "queues", body)

    assert answer.status_code == 422
    assert "2 people must answer" in answer.json()["message"]


def test_all_tapes_of_a_batch_are_added_once(
    studio: Client, owner: User, project: ProjectRecord
) -> None:
    batch = ensure_batch(project.id, "queued", owner=owner.pk)
    store_tapes(project, 3, batch=batch.id)
    queue = make_queue(studio, [])
    path = f"queues/{queue}/items"

    added = send(studio, "POST", path, {"batch_id": str(batch.id)})
    again = send(studio, "POST", path, {"batch_id": str(batch.id)})

    assert (added.json(), again.json()) == ({"added_count": 3}, {"added_count": 0})
    items = studio.get(f"/api/v1/{path}?limit=2").json()
    assert ([item["number"] for item in items["items"]], items["next"]) == ([0, 1], "1")


def test_skipping_and_requeueing(studio: Client, project: ProjectRecord) -> None:
    queue = make_queue(studio, store_tapes(project, 1))
    held = take(studio, queue)

    send(studio, "POST", f"queues/{queue}/items/{held['item_id']}/skip")

    assert take(studio, queue) is None
    assert studio.get(f"/api/v1/queues/{queue}/progress").json()["skipped_count"] == 1
    back = send(studio, "POST", f"queues/{queue}/requeue", {})
    assert back.json() == {"requeued_count": 1}
    assert take(studio, queue)["item_id"] == held["item_id"]


def test_answers_are_exported_as_lines_and_as_a_table(
    studio: Client, project: ProjectRecord
) -> None:
    queue = make_queue(studio, store_tapes(project, 1))
    submit(studio, queue, take(studio, queue)["item_id"])

    lines = [json.loads(line) for line in read(studio, queue, "jsonl")]
    table = read(studio, queue, "csv")

    assert [(line["person"], line["score"], line["values"]["grounded"]) for line in lines] == [
        ("ada", 1.0, True)
    ]
    assert table[0].startswith("item,tape_id,tape,")
    assert table[0].endswith("values.transparent,values.helpful")
    assert len(table) == 2


def read(client: Client, queue: str, file_format: str) -> list[str]:
    answer = client.get(f"/api/v1/queues/{queue}/export?format={file_format}")
    return b"".join(answer).decode().splitlines()


def test_a_deleted_queue_is_gone_and_what_was_said_stays(
    studio: Client, project: ProjectRecord
) -> None:
    [tape] = store_tapes(project, 1)
    queue = make_queue(studio, [tape])
    submit(studio, queue, take(studio, queue)["item_id"])

    assert send(studio, "DELETE", f"queues/{queue}").status_code == 204

    assert studio.get("/api/v1/queues").json()["items"] == []
    assert studio.get(f"/api/v1/queues/{queue}").status_code == 404
    assert said_on(studio, tape)["GREADTH"] == 1.0
    make_queue(studio, [])
