"""Rubrics, queues, annotations and rules of the linter on the command line."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth import get_user_model

from tapes_app.annotation.domain.rubric_presets import PRESETS
from tapes_app.annotation.services.queue_work import submit, take_next
from tapes_app.management.named import find_operator
from tapes_app.models import MembershipRecord
from tests.commands.running import answer_no, fail, run, run_json, run_lines

_ALL_YES = {item.key: True for item in PRESETS["GREADTH"].items}
pytestmark = pytest.mark.django_db


def test_a_rubric_is_shown_saved_and_gets_a_new_version(folder: Path) -> None:
    preset = run_json("rubrics", "show", "GREADTH")
    file = folder / "rubric.json"
    file.write_text(json.dumps(preset), "utf-8")

    made = run("rubrics", "save", "Ours", str(file))
    again = run("rubrics", "save", "Ours", str(file))
    file.write_text(json.dumps({"items": [{"kind": "text", "key": "a", "question": "Why?"}]}))
    changed = run_json("rubrics", "save", "Ours", str(file))
    shown = run_lines("rubrics", "show", "Ours")
    listed = run_json("rubrics", "list")["rubrics"]
    deleted = run("rubrics", "delete", "Ours")

    assert preset["name"] == "GREADTH"
    assert made == again == "Rubric 'Ours' saved as version 1."
    assert changed["version"] == 2
    assert shown == ["a: Why? (text)", "'Ours', version 2, score: none."]
    assert [(row["name"], row["version"]) for row in listed] == [("Ours", 2)]
    assert deleted == "Rubric 'Ours' deleted."
    assert "GREADTH  6 questions" in run_lines("rubrics", "presets")


def test_a_queue_is_made_shown_and_deleted(folder: Path) -> None:
    made = run("queues", "create", "look", "--rubric", "GREADTH", "-q", "outcome:none")
    listed = run_lines("queues", "list")
    shown = run_json("queues", "show", "look")
    run("queues", "delete", "look")

    assert made == "Queue 'look' created with 1 tape."
    assert listed == ["look  0 of 1 item done, 0 answers, asks 'GREADTH'", "1 queue."]
    assert shown["results"]["score"]["kind"] == "all"
    assert [item["key"] for item in shown["results"]["items"]][:2] == ["grounded", "responsive"]
    assert run("queues", "list") == "0 queues."


def test_a_queue_shows_what_was_answered_by_whom(folder: Path) -> None:
    run("queues", "create", "look", "--rubric", "GREADTH", "-q", "", "--annotators", "2")
    queue_id = UUID(run_json("queues", "show", "look")["id"])
    owner = find_operator("")
    bob = get_user_model().objects.create_user("bob")
    MembershipRecord.objects.create(project_id=owner.project_id, user=bob, role="editor")
    for person in (owner, replace(owner, user_id=bob.pk, name="bob")):
        held = take_next(person, queue_id).assignment
        assert held is not None
        submit(person, queue_id, held.item_id, values=dict(_ALL_YES), note="", seconds=3)

    lines = run_lines("queues", "show", "look")

    assert "grounded: yes 2, mean 1, equal 1.00 on 1 answered twice" in lines
    assert "by bob: 1, 3 s each" in lines
    assert lines[-1] == "1 of 3 items done, 2 answers."


def test_something_is_said_of_a_tape_a_step_and_a_piece_of_text(folder: Path) -> None:
    run("annotations", "add", "one", "--note", "look at this")
    run("annotations", "add", "one", "--step", "1", "--label", "slow", "--text", "ten minutes")
    run("annotations", "add", "one", "--step", "0", "--score", "tone", "4", "--scale", "five")
    place = ("--step", "0", "--field", "/content", "--span", "0", "5")
    run("annotations", "add", "one", *place, "--correction", "Words")

    *lines, last = run_lines("annotations", "list", "one")
    first = run_json("annotations", "list", "one")["annotations"][0]
    run("annotations", "delete", "one", first["id"])

    owner = first["source_name"]
    assert [line.split("  ", 1)[1] for line in lines] == [
        f"tape: note look at this ({owner})",
        f"step 1: label slow ten minutes ({owner})",
        f"step 0: score tone 4 ({owner})",
        f"step 0/content[0:5]: correction Words ({owner})",
    ]
    assert last == "4 annotations."
    assert run("annotations", "list", "one") == "3 annotations."


def test_what_was_said_comes_back_from_an_export_once(folder: Path) -> None:
    run("annotations", "add", "one", "--note", "kept")
    span = ("--step", "1", "--field", "/content", "--span", "0", "5")
    run("annotations", "add", "one", *span, "--label", "greeting")
    run("export_tapes", "--all", "--out", str(folder / "out"), "--with-annotations")
    file = folder / "out" / "annotations.jsonl"
    [line] = [json.loads(text) for text in file.read_text("utf-8").splitlines()]

    same = run("annotations", "import", str(file))
    line["tape_id"] = "two"
    line["annotations"][0]["owner"] = "somebody else"
    file.write_text(json.dumps(line) + "\n", "utf-8")
    other = run("annotations", "import", str(file))
    again = run("annotations", "import", str(file))

    assert same == "0 annotations imported, 2 already in the project."
    assert other == "2 annotations imported."
    assert again == "0 annotations imported, 2 already in the project."
    there = run_json("annotations", "list", "two")["annotations"]
    assert there[0]["source_name"] == "somebody else"
    assert there[1]["quote"] == "words"
    assert [one["created_at"][:19] for one in there] == [
        one["created_at"][:19].replace("T", " ") for one in line["annotations"]
    ]


def test_lines_that_cannot_be_taken_in_are_told_and_the_others_are(folder: Path) -> None:
    def line(tape: str, **said: Any) -> str:
        return json.dumps({"tape_id": tape, "annotations": [said]})

    file = folder / "said.jsonl"
    score = {"kind": "score", "name": "judge", "value": 7, "source": "judge", "source_name": "m"}
    lines = [
        line("one", text="a note\u2028of two lines"),
        line("nothing", text="x"),
        line("one", text="x", position=9),
        line("one", text="x", colour="red"),
        "{",
        "",
        line("one", **score, details={"content": "free", "queue": "q"}),
        line("one", text="x", position=0, field="/content", start=0, end=5, details={"quote": "y"}),
    ]
    file.write_text("\n".join(lines), "utf-8")

    values = json.loads(answer_no("annotations", "import", str(file), "--json"))

    assert (values["imported"], values["already_there"]) == (2, 0)
    assert [refused["number"] for refused in values["refused"]] == [2, 3, 4, 5, 8]
    listed = run_lines("annotations", "list", "one")
    assert "judge 7 (m)" in listed[1]


def test_files_with_a_byte_order_mark_are_read_and_other_encodings_refused(folder: Path) -> None:
    rubric, notes = folder / "rubric.json", folder / "notes.jsonl"
    asked = json.dumps({"items": [{"kind": "text", "key": "a", "question": "Why?"}]})
    note = json.dumps({"tape_id": "one", "annotations": [{"text": "marked"}]})
    rubric.write_text(asked, "utf-8-sig")
    notes.write_text(f"{note}\r\n", "utf-8-sig")

    saved = run("rubrics", "save", "Ours", str(rubric))
    imported = run("annotations", "import", str(notes))

    assert saved == "Rubric 'Ours' saved as version 1."
    assert imported == "1 annotation imported."
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        rubric.write_text(asked, encoding)
        refused = fail("rubrics", "save", "Ours", str(rubric))
        assert refused.endswith("rubric.json' is UTF-16 text; save it as UTF-8.")
    rubric.write_bytes(b"\xff" + asked.encode())
    assert fail("rubrics", "save", "Ours", str(rubric)).endswith("is not UTF-8 text.")


def test_a_rule_of_the_linter_is_tried_added_changed_and_deleted(folder: Path) -> None:
    text = "never kind == 'note'"

    tried = run("lint_rules", "try", text)
    run("lint_rules", "add", "no notes", text, "--severity", "error")
    found = answer_no("lint_tapes", "one")
    run("lint_rules", "change", "no notes", "--off", "--severity", "info")
    listed = run_lines("lint_rules", "list")
    run("lint_rules", "change", "no notes", "--rename", "quiet", "--on")
    run("lint_rules", "delete", "quiet")

    assert tried == "Matches 3 of 3 tapes."
    assert "1 error" in found
    assert listed == [f"no notes (info, off): {text}", "1 rule."]
    assert run("lint_rules", "list") == "0 rules."


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("rubrics", "show", "none"), "no rubric 'none'"),
        (("rubrics", "save", "a", "missing.json"), "cannot be read"),
        (("rubrics", "delete", "GREADTH"), "no rubric 'GREADTH'"),
        (("queues", "show", "none"), "no queue 'none'"),
        (("queues", "create", "a", "--rubric", "none"), "no rubric 'none'"),
        (("queues", "create", "a", "--rubric", "GREADTH", "--people", "eve"), "'eve'"),
        (("queues", "create", "a", "--rubric", "GREADTH", "--pairwise"), "pairwise"),
        (("queues", "create", "a", "--rubric", "GREADTH", "--lock", "0"), "1 to 10080"),
        (("queues", "create", " ", "--rubric", "GREADTH"), "at least one character"),
        (("annotations", "list", "none"), "no tape 'none'"),
        (("annotations", "add", "one", "--note", ""), "needs a text"),
        (("annotations", "add", "one", "--score", "a", "b"), "is not a number"),
        (("annotations", "add", "one", "--step", "9", "--note", "x"), "no step 9"),
        (("annotations", "add", "one", "--step", "-1", "--note", "x"), "no step -1"),
        (("annotations", "delete", "one", "x"), "is not an id"),
        (("annotations", "import", "missing.jsonl"), "cannot be read"),
        (("lint_rules", "add", "a", "sometimes colour"), "never"),
        (("lint_rules", "add", "", "never kind == 'note'"), "at least one character"),
        (("lint_rules", "change", "a"), "Give --rule"),
        (("lint_rules", "delete", "a"), "no rule 'a'"),
    ],
)
def test_a_command_that_makes_no_sense_says_why(
    folder: Path, command: tuple[str, ...], words: str
) -> None:
    assert words in fail(*command)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not valid JSON"),
        ("[]", "is invalid"),
        ('{"items": []}', "items"),
        ('{"rubric": 1}', "invalid"),
    ],
)
def test_a_file_that_is_no_rubric_is_refused(folder: Path, text: str, words: str) -> None:
    file = folder / "rubric.json"
    file.write_text(text, "utf-8")

    assert words in fail("rubrics", "save", "a", str(file))
