"""Tasks that bring a state of their environment: attempts begin in it, and its end is checked."""

from typing import Any

import pytest

from tapes_app.models import JobRecord
from tests.evaluation.bench import Bench, bench
from tests.evaluation.test_checkpoints_over_http import upload
from tests.evaluation.test_scoring_over_http import came, score
from tests.jobs.hosting import host_beside
from tests.waiting import wait_until

__all__ = ["bench"]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.both_databases,
    pytest.mark.slow,
]

MAPPING = {"message": "input", "id": "id", "check": "checkpoints", "state": "set_up"}


def task(number: str, status: str, wanted: str) -> dict[str, Any]:
    """Return a task whose environment has one order, with what is to become of it."""
    looked = {"kind": "jmespath", "expression": "step.kind == 'tool_calls'"}
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
        "a state of the environment that is no object"
    ]
    assert came(report) == [(4, 2, 0)]
    cells = [one for row in report["tasks"] for one in row["cells"][0]]
    whys = sorted({one["why"] for one in cells})
    assert whys == [
        "All checkpoints are met.",
        "Missed: end state. 1 of 2 checkpoints are met.",
    ]
    assert sorted(one["value"] for one in cells) == [0.25] * 2 + [1] * 4

    # A checker of the end state is a scorer, too; it needs no run.
    any_end = {"kind": "jmespath", "expression": "length(values(state.orders)) == `1`"}
    again = score(bench, sweep, {"kind": "check", "check": any_end})
    assert came(again) == [(6, 0, 0)]
