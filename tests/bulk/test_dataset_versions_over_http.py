"""Versions of datasets: frozen by what stands on them, compared, and asked for in queries."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import TapeRecord
from tapes_app.tapes.store.saving import save_tape
from tests.commands.running import fail, run, run_json, run_lines
from tests.http.asking import call
from tests.http.worlds import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def tapes(world: World) -> list[str]:
    return [
        str(save_tape(world.project, Tape(steps=(UserStep(content=f"number {number}"),))))
        for number in range(3)
    ]


@pytest.fixture
def dataset(studio: Client, tapes: list[str]) -> Any:
    """A dataset of two of them."""
    body = {"name": "exam", "selection": {"tape_ids": tapes[:2]}}
    return call(studio, "POST", "datasets", body, 201)


def freeze(client: Client, dataset: Any) -> Any:
    return call(client, "POST", f"datasets/{dataset['id']}/versions", {}, 201)


def changes(client: Client, dataset: Any, number: int, query: str = "", expect: int = 200) -> Any:
    path = f"datasets/{dataset['id']}/versions/{number}/changes{query}"
    return call(client, "GET", path, expect=expect)


def change(client: Client, dataset: Any, tapes: list[str]) -> None:
    """Put the third tape in, take the first one out, and expect something of the second."""
    call(client, "POST", f"datasets/{dataset['id']}/add", {"tape_ids": tapes[2:]})
    call(client, "POST", f"datasets/{dataset['id']}/remove", {"tape_ids": tapes[:1]})
    TapeRecord.objects.filter(id=tapes[1]).update(expected="42")


def test_a_dataset_that_did_not_change_is_frozen_once(
    studio: Client, dataset: Any, tapes: list[str]
) -> None:
    first, again = freeze(studio, dataset), freeze(studio, dataset)
    change(studio, dataset, tapes)
    second = freeze(studio, dataset)
    TapeRecord.objects.filter(id=tapes[1]).update(expected="")
    call(studio, "POST", f"datasets/{dataset['id']}/add", {"tape_ids": tapes[:1]})
    call(studio, "POST", f"datasets/{dataset['id']}/remove", {"tape_ids": tapes[2:]})
    third = freeze(studio, dataset)

    assert (first, first["number"], first["tape_count"]) == (again, 1, 2)
    assert (second["number"], third["number"]) == (2, 3)
    # What it holds says the hash, not when.
    assert first["content_hash"] == third["content_hash"] != second["content_hash"]
    listed = call(studio, "GET", f"datasets/{dataset['id']}/versions")
    assert [one["number"] for one in listed] == [3, 2, 1]


def test_what_changed_between_two_versions_is_said(
    studio: Client, dataset: Any, tapes: list[str]
) -> None:
    freeze(studio, dataset)
    change(studio, dataset, tapes)

    now = changes(studio, dataset, 1)
    freeze(studio, dataset)
    frozen = changes(studio, dataset, 1, "?to=2")

    told = {one["tape_id"]: (one["change"], one["before"], one["after"]) for one in now["tapes"]}
    assert told == {
        tapes[2]: ("added", "", ""),
        tapes[0]: ("removed", "", ""),
        tapes[1]: ("expected", "", "42"),
    }
    counts = ("added_count", "removed_count", "expected_count", "same_count")
    assert [now[name] for name in counts] == [1, 1, 1, 0]
    assert frozen == {**now, "after": 2}
    assert "no version 7" in changes(studio, dataset, 7, expect=404)["message"]
    assert "no version 7" in changes(studio, dataset, 1, "?to=7", expect=404)["message"]


def test_a_query_finds_the_tapes_of_a_version(
    studio: Client, dataset: Any, tapes: list[str]
) -> None:
    freeze(studio, dataset)
    change(studio, dataset, tapes)

    def found(query: str) -> set[str]:
        return {row["id"] for row in studio.get("/api/v1/tapes", {"q": query}).json()["items"]}

    assert found("dataset:exam@1") == set(tapes[:2])
    assert found("dataset:exam") == set(tapes[1:])
    assert found("dataset:exam@2") == found("dataset:exam@x") == set()
    # A dataset of that very name comes first.
    call(studio, "POST", "datasets", {"name": "exam@1", "selection": {"tape_ids": tapes[2:]}}, 201)
    assert found("dataset:exam@1") == {tapes[2]}


def test_the_command_lists_versions_and_what_changed(tmp_path: Path, db: None) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n".join(f'{{"q": "number {number}"}}' for number in range(3)))
    run("datasets", "import", "exam", str(rows), "--message", "q")
    assert run("datasets", "freeze", "exam") == "exam@1 has 3 tapes."
    gone = run_json("list_tapes", "--query", "title:2")["tapes"][0]["id"]
    run("datasets", "remove", "exam", "--query", "title:2")

    *told, last = run_lines("datasets", "changes", "exam", "--since", "1")

    assert run("datasets", "versions", "exam") == "1 version."
    assert told == [f"removed {gone} number 2"]
    assert last == "0 added, 1 removed, 0 with a different expected answer, 2 the same."
    assert "no version 3" in fail("datasets", "changes", "exam", "--since", "3")
