"""Tasks that bring a state of their environment: attempts begin in it, and its end is checked."""

import json
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from tapes_app.models import JobRecord
from tests.evaluation.bench import Bench, bench
from tests.evaluation.test_checkpoints_over_http import upload
from tests.evaluation.test_scoring_over_http import came, collect, score
from tests.jobs.hosting import host_beside
from tests.waiting import wait_until

__all__ = ["bench"]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]

MAPPING = {"message": "input", "id": "id", "check": "checkpoints", "state": "set_up"}


def task(number: str, status: str, wanted: str) -> dict[str, Any]:
    """Return a task whose environment has one order, with what is to become of it."""
    looked = {"kind": "jmespath", "expression": "step.tool_calls"}
    end = {"kind": "state", "state": {"orders": {number: {"status": wanted}}}}
    return {
        "id": number,
        "input": f"Please cancel order {number}.",
        "set_up": {"orders": {number: {"item": "lamp", "status": status}}},
        "checkpoints": [
            {"name": "used a tool", "check": looked},
            {"name": "end state", "check": end, "weight": 3, "at_end": True},
        ],
    }


WRITTEN = {"message": "input", "id": "id", "task": "task", "check": "checkpoints",
           "state": "environment_state"}  # fmt: skip


def written_tasks(bench: Bench, dataset: str) -> list[Any]:
    answer = bench.client.get(f"/api/v1/datasets/{dataset}/tasks.jsonl")
    assert answer.status_code == 200
    pieces = answer.streaming_content  # type: ignore[attr-defined]
    text = async_to_sync(collect)(pieces).decode()
    return [json.loads(line) for line in text.splitlines()]


def test_each_attempt_begins_in_the_state_of_its_task(bench: Bench) -> None:
    given = [
        task("41", "open", "cancelled"),
        task("42", "sent", "sent"),
        task("43", "sent", "cancelled"),
    ]
    broken = {**task("44", "open", "open"), "set_up": [1]}
    file = upload(bench, [*given, broken])
    shown = bench.ask("POST", f"example-files/{file}/preview", MAPPING)
    body = {"dataset": "desk", "mapping": MAPPING}
    job = bench.ask("POST", f"example-files/{file}/import", body, 202)
    with host_beside("agents"):
        wait_until(lambda: JobRecord.objects.get(id=job["id"]).finished_at, "the import to end")
    specs = {one["name"]: one["spec"] for one in bench.ask("GET", "gallery")}
    agent = bench.ask("POST", "agents", {"spec": specs["orders"]}, 201)

    sweep = bench.start(
        q="dataset:desk", variants=[{"agent_version_id": agent["versions"][0]["id"]}], repeats=2
    )
    report = bench.finish(sweep)

    assert shown["rows"][0]["state"] == '{"orders":{"41":{"item":"lamp","status":"open"}}}'
    assert [one["why"] for one in shown["left_out"]] == [
        "an environment state that is not an object"
    ]
    assert came(report) == [(4, 2, 0)]
    cells = [one for row in report["tasks"] for one in row["cells"][0]]
    whys = sorted({one["why"] for one in cells})
    assert whys == [
        "All checkpoints are met.",
        "Missed: end state. 1 of 2 checkpoints are met.",
    ]
    assert sorted(one["value"] for one in cells) == [0.25] * 2 + [1] * 4

    # What was read can be written, and read again as the same tasks.
    named = {one["name"]: one["id"] for one in bench.ask("GET", "datasets/names")}
    written = written_tasks(bench, named["desk"])
    assert [one["environment_state"] for one in written] == [one["set_up"] for one in given]
    assert [one["input"] for one in written] == [one["input"] for one in given]
    end = written[0]["checkpoints"][1]["check"]["state"]
    assert end == {"orders": {"41": {"status": "cancelled"}}}
    mapped = bench.ask("POST", f"example-files/{upload(bench, written)}/preview", WRITTEN)
    assert (mapped["example_count"], mapped["left_out"]) == (3, [])
    assert mapped["rows"][0]["state"] == shown["rows"][0]["state"]

    # A checker of the end state is a scorer, too; it needs no run.
    any_end = {"kind": "jmespath", "expression": "length(values(state.orders)) == `1`"}
    scored = score(bench, sweep, {"kind": "check", "check": any_end})
    assert came(scored) == [(6, 0, 0)]
