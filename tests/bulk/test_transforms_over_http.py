"""Transforms over HTTP: looked at first, made by a job in a new batch, cancelled, undone."""

import json
from collections.abc import Sequence
from contextlib import suppress
from io import StringIO
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command

from tapes_app.bulk.services import transforming
from tapes_app.bulk.services.new_batch import NewBatchJob
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.store.commands import request_cancel
from tapes_app.models import BatchRecord, TapeRecord
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.saving import save_tape
from tests.exchange.test_exports_over_http import Place, place
from tests.http.asking import call
from tests.jobs.builders import read_row
from tests.runs.browsers import work, working
from tests.waiting import wait_until

__all__ = ["place"]

pytestmark = pytest.mark.django_db(transaction=True)

HIDE = {"kind": "replace_text", "pattern": r"\d{3}-\d{4}", "replacement": "[phone]"}
DROP = {"kind": "drop_steps", "step_kinds": ["assistant"]}


def store(place: Place, *words: str) -> list[str]:
    return [
        str(
            save_tape(
                place.world.project,
                Tape(steps=(UserStep(content=word), AssistantStep(content=f"You said {word}"))),
            )
        )
        for word in words
    ]


def preview(place: Place, *transforms: Any, expect: int = 200, **body: Any) -> Any:
    wish = {**body, "transforms": list(transforms)}
    return call(place.client, "POST", "transforms/preview", wish, expect)


def transform(place: Place, name: str, *transforms: Any, expect: int = 202, **body: Any) -> Any:
    wish = {**body, "transforms": list(transforms), "batch_name": name}
    return call(place.client, "POST", "transforms", wish, expect)


def live_count() -> int:
    return TapeRecord.objects.filter(deleted_at__isnull=True).count()


def test_a_preview_shows_what_would_change_and_writes_nothing(place: Place) -> None:
    tapes = store(place, "call 555-1234", "nothing")
    before = live_count()

    shown = preview(place, HIDE, tape_ids=tapes)

    assert (shown["tape_count"], shown["looked_at"]) == (2, 2)
    assert (shown["changed_tapes"], shown["changed_steps"]) == (1, 2)
    (sample,) = shown["samples"]
    assert sample["tape_id"] == tapes[0]
    assert [step["position"] for step in sample["steps"]] == [0, 1]
    (field,) = sample["steps"][0]["fields"]
    assert (field["old"], field["new"]) == ("call 555-1234", "call [phone]")
    assert live_count() == before
    assert not BatchRecord.objects.filter(name="hidden").exists()


def test_a_job_makes_children_in_a_new_batch_and_undo_takes_them_away(place: Place) -> None:
    tapes = store(place, "call 555-1234", "nothing", "555-9999")
    recorded = [load_tape(UUID(tape), place.world.project).to_json() for tape in tapes]

    started = transform(place, " hidden ", HIDE, DROP, tape_ids=tapes[:3])
    work()
    result = call(place.client, "GET", f"transforms/{started['id']}")

    assert (result["batch_name"], result["tapes"], result["unchanged"]) == ("hidden", 3, 0)
    children = call(place.client, "GET", f"tapes?q=batch:{result['batch_id']}")["items"]
    assert {child["parent_id"] for child in children} == set(tapes)
    said = {
        load_tape(UUID(child["id"]), place.world.project)[0].to_json()["content"]
        for child in children
    }
    assert said == {"call [phone]", "nothing", "[phone]"}
    assert [load_tape(UUID(t), place.world.project).to_json() for t in tapes] == recorded
    assert BatchRecord.objects.get(id=result["batch_id"]).tape_count == 3

    undone = call(place.client, "POST", f"transforms/{started['id']}/undo")

    assert undone == {"tape_count": 3, "kept_count": 0}
    assert live_count() == 1 + len(tapes)
    assert not BatchRecord.objects.filter(name="hidden").exists()


def test_what_was_branched_off_stays_when_the_rest_is_undone(place: Place) -> None:
    started = transform(place, "used", HIDE, tape_ids=store(place, "555-0000", "555-0001"))
    work()
    batch = call(place.client, "GET", f"transforms/{started['id']}")["batch_id"]
    first = call(place.client, "GET", f"tapes?q=batch:{batch}")["items"][0]["id"]
    call(place.client, "POST", f"tapes/{first}/fork", {"at": 1}, expect=201)

    undone = call(place.client, "POST", f"transforms/{started['id']}/undo")

    assert undone == {"tape_count": 1, "kept_count": 1}
    assert BatchRecord.objects.get(id=batch).tape_count == 1


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of one tape; after the second one the job waits until somebody cancels it."""
    count_made = NewBatchJob.count_made

    def hold(job: NewBatchJob[Any, Any], made: Sequence[Any]) -> None:
        count_made(job, made)
        if job.tape_count == 2:
            wait_until(lambda: job.context.cancelled_by, "the job to be cancelled")

    monkeypatch.setattr(NewBatchJob, "page_size", 1)
    monkeypatch.setattr(NewBatchJob, "count_made", hold)


@pytest.mark.usefixtures("held")
def test_a_transform_that_is_cancelled_midway_leaves_nothing(place: Place) -> None:
    tapes = store(place, *(f"555-{number:04}" for number in range(50)))
    before = live_count()
    started = transform(place, "half", HIDE, tape_ids=tapes)

    with working():
        wait_until(lambda: live_count() == before + 2)
        request_cancel(place.world.project, UUID(started["id"]), person="ada")

    assert read_row(UUID(started["id"])).state == "cancelled"
    assert live_count() == before
    assert not BatchRecord.objects.filter(name="half").exists()


def test_an_attempt_that_died_is_gone_on_with(place: Place) -> None:
    tapes = store(place, "555-0000", "555-0001")
    started = transform(place, "twice", HIDE, tape_ids=tapes)
    work()
    call(place.client, "GET", f"transforms/{started['id']}")
    row = read_row(UUID(started["id"]))
    row.state, row.result, row.finished_at = "queued", None, None
    row.save()

    work()

    result = call(place.client, "GET", f"transforms/{started['id']}")
    assert (result["tapes"], len(TapeRecord.objects.filter(batch_id=result["batch_id"]))) == (2, 2)


def test_a_tape_on_which_it_fails_is_left_out_with_the_reason(place: Place) -> None:
    tapes = store(place, "fine 1", "fine 2")
    archived = {"is_archived": True}
    call(place.client, "PATCH", f"tapes/{tapes[0]}", archived)
    drop_it = {"kind": "replace_text", "pattern": "fine", "replacement": "good"}

    started = transform(place, "some", drop_it, tape_ids=tapes)
    work()

    result = call(place.client, "GET", f"transforms/{started['id']}")
    assert result["tapes"] == 1
    assert result["left_out"] == [{"why": "archived", "tape_count": 1}]


def test_a_transform_that_changes_nothing_makes_no_batch(place: Place) -> None:
    started = transform(place, "empty", HIDE, tape_ids=store(place, "nothing"))
    work()

    result = call(place.client, "GET", f"transforms/{started['id']}")
    assert (result["batch_id"], result["tapes"], result["unchanged"]) == (None, 0, 1)
    assert not BatchRecord.objects.filter(name="empty").exists()


def test_the_preview_says_how_far_it_looked(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transforming, "MOST_LOOKED_AT", 2)
    store(place, "555-0000", "555-0001", "555-0002")

    shown = preview(place, HIDE)

    assert (shown["tape_count"], shown["looked_at"], shown["changed_tapes"]) == (4, 2, 2)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"kind": "replace_text", "pattern": "("}, "regular expression is invalid"),
        ({"kind": "replace_text", "pattern": "a{1000000000}"}, "regular expression is invalid"),
        ({"kind": "replace_text", "pattern": "(?R)"}, "uses recursion"),
        ({"kind": "custom", "name": "nobody"}, "no transform 'nobody'"),
        (
            {"kind": "set_value", "pointer": "/metadata", "value": 1},
            "kind and metadata cannot change",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_at_once(place: Place, wish: Any, words: str) -> None:
    assert words in preview(place, wish, expect=422)["message"]
    assert words in transform(place, "x", wish, expect=422)["message"]


def test_the_batch_must_be_new_and_have_a_name(place: Place) -> None:
    taken = BatchRecord.objects.get(id=place.world.batch).name

    refused = transform(place, taken, HIDE, expect=409)
    assert "choose another name" in refused["message"]
    assert transform(place, "  ", HIDE, expect=422)["message"] == "Name the new batch."


def run_command(*args: str) -> Any:
    out = StringIO()
    with suppress(SystemExit):
        call_command("transform_tapes", *args, "--project", "Ours", "--json", stdout=out)
    return json.loads(out.getvalue())


def test_the_command_looks_first_then_makes_the_batch(place: Place, settings: Any) -> None:
    settings.STUDIO_OWNER_NAME = "ada"
    tapes = store(place, "call 555-1234", "nothing")
    wish = (json.dumps(HIDE), "--query", 'text:"555"')

    seen = run_command(*wish, "--preview")
    unnamed = run_command(*wish)
    made = run_command(*wish, "--batch", "hidden")
    taken = run_command(*wish, "--batch", "hidden")

    assert (seen["tapes"], seen["changed_tapes"], seen["changed_steps"]) == (1, 1, 2)
    assert unnamed["error"]["message"].startswith("Name the new batch")
    assert (made["batch_name"], made["tapes"]) == ("hidden", 1)
    [child] = call(place.client, "GET", f"tapes?q=batch:{made['batch_id']}")["items"]
    assert child["parent_id"] == tapes[0]
    assert taken["error"]["code"] == "conflict"


@pytest.mark.parametrize("text", ["{", '{"kind": "explode"}', '{"kind": "replace_text"}', "[]"])
def test_the_command_says_what_is_wrong_with_a_transform(
    place: Place, settings: Any, text: str
) -> None:
    settings.STUDIO_OWNER_NAME = "ada"
    message = run_command(text, "--preview")["error"]["message"]
    assert message.startswith(("A transform is not JSON", "A transform is invalid"))
    assert live_count() == 1
