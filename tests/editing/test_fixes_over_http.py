"""Fixes over HTTP: several named drafts of one person on one tape, none in another's way."""

from typing import Any

import pytest
from django.test import Client

from tests.http.asking import REPLACE, call, put_draft
from tests.http.worlds import World

pytestmark = pytest.mark.django_db

DELETE = {"op": "delete", "position": 3}


def put_fix(client: Client, tape: Any, fix: str, *operations: Any, **more: Any) -> Any:
    body = {
        "version": 0,
        "operations": list(operations),
        "applied_count": len(operations),
        **more,
    }
    return call(client, "PUT", f"tapes/{tape}/draft?fix={fix}", body)


def test_a_person_has_several_fixes_and_who_names_none_means_the_first(
    studio: Client, world: World
) -> None:
    put_draft(studio, world.tape, REPLACE)
    put_fix(studio, world.tape, "C", DELETE, REPLACE, name="Shorter")

    fixes = call(studio, "GET", f"tapes/{world.tape}/fixes")
    first = call(studio, "GET", f"tapes/{world.tape}/draft")
    opened = call(studio, "GET", f"tapes/{world.tape}")["draft"]

    assert [(fix["fix"], fix["name"], fix["applied_count"]) for fix in fixes] == [
        ("A", "", 1), ("C", "Shorter", 2),
    ]  # fmt: skip
    assert [fix["words"].partition(":")[0] for fix in fixes] == ["#1 content", "#1 content"]
    assert fixes[1]["words"].endswith(", 1 more")
    assert (first["fix"], first["operations"]) == ("A", [REPLACE])
    assert (opened["fix"], opened["name"]) == ("C", "Shorter")  # what was changed last


def test_saving_one_fix_leaves_the_others_and_says_what_it_changed(
    studio: Client, world: World
) -> None:
    put_draft(studio, world.tape, DELETE)
    put_fix(studio, world.tape, "B", REPLACE)

    child = call(studio, "POST", f"tapes/{world.tape}/save?fix=B", expect=201)["tape_id"]

    assert [fix["fix"] for fix in call(studio, "GET", f"tapes/{world.tape}/fixes")] == ["A"]
    family = call(studio, "GET", f"tapes/{child}/family")["items"]
    (words,) = [one["edit_words"] for one in family if one["id"] == child]
    assert words.startswith("#1 content: ")
    assert words.endswith('→ "better"')


def test_a_fix_that_is_kept_can_be_run_again(studio: Client, world: World) -> None:
    put_fix(studio, world.tape, "B", REPLACE)
    body = {"agent_version_id": str(world.version), "use_draft": True, "fix": "B"}
    resume = f"tapes/{world.tape}/resume"

    first = call(studio, "POST", resume, {**body, "keeps_draft": True}, expect=201)
    second = call(studio, "POST", resume, body, expect=201)

    assert first["tape_id"] != second["tape_id"]
    assert call(studio, "GET", f"tapes/{world.tape}/fixes") == []


def test_a_name_stays_until_another_is_given(studio: Client, world: World) -> None:
    put_fix(studio, world.tape, "B", REPLACE, name="Kind")

    kept = put_fix(studio, world.tape, "B", DELETE, version=1)
    taken = put_fix(studio, world.tape, "B", DELETE, version=2, name="")

    assert (kept["name"], taken["name"]) == ("Kind", "")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "draft?fix=J"),
        ("PUT", "draft?fix=J"),
        ("DELETE", "draft?fix=AB"),
        ("POST", "save?fix=9"),
        ("GET", "draft/preview?fix="),
    ],
)
def test_there_are_eight_fixes_and_another_is_refused_with_a_sentence(
    studio: Client, world: World, method: str, path: str
) -> None:
    body = {"version": 0, "operations": [REPLACE], "applied_count": 1} if method == "PUT" else None

    refused = call(studio, method, f"tapes/{world.tape}/{path}", body, expect=422)

    assert "A tape has at most 8 fixes, named A to H" in str(refused)
    assert call(studio, "GET", f"tapes/{world.tape}/fixes") == []


def test_a_fix_without_edits_makes_no_child(studio: Client, world: World) -> None:
    put_draft(studio, world.tape, REPLACE)

    refused = call(studio, "POST", f"tapes/{world.tape}/save?fix=B", expect=422)

    assert refused["message"].startswith("Fix B of this tape changes nothing")
