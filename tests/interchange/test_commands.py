"""The commands: one line or one JSON object at the end, exit status 0 when done."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from tapes_app.models import JobRecord, LensRecord, ProjectRecord, StepRecord, TapeRecord
from tapes_app.tapes.store.marks import mark_tape
from tests.commands.running import answer_no, fail, run, run_json
from tests.interchange.builders import build_row, build_tape_fields, store_json, store_rows
from tests.interchange.chats import build_conversation, store_lines

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store_json(tmp_path / "my run" / "tapes" / "one.json", build_tape_fields("task", "note"))
    store_rows(tmp_path / "my run" / "tapedata.sqlite", build_row(prompt_id="p1"))
    return tmp_path / "my run"


def test_import_names_the_batch_after_the_folder(folder: Path) -> None:
    said = run("import_tapes", str(folder))

    assert said == "1 tape and 1 LLM call imported into 'my run'."
    batch = TapeRecord.objects.get().batch
    assert batch is not None
    assert batch.name == "my run"


def test_import_says_what_is_there_already(folder: Path) -> None:
    run("import_tapes", str(folder))

    values = run_json("import_tapes", str(folder), "--batch", "again")

    assert (values["imported"], values["already_there"]) == (0, 1)
    assert values["batches"][0]["batch_name"] == "again"


def test_import_takes_calls_from_another_file(folder: Path, tmp_path: Path) -> None:
    calls = (folder / "tapedata.sqlite").rename(tmp_path / "calls.db")

    run("import_tapes", str(folder), "--llm-calls", str(calls))

    assert StepRecord.objects.filter(llm_call__isnull=False).count() == 1


def test_import_of_a_broken_file_fails_and_the_others_go_on(folder: Path) -> None:
    (folder / "broken.json").write_text("{", encoding="utf-8")

    said = answer_no("import_tapes", str(folder))

    assert said == "1 tape and 1 LLM call imported into 'my run'; 1 file rejected."
    assert TapeRecord.objects.count() == 1


def test_import_of_nothing_fails(tmp_path: Path) -> None:
    assert "no such file" in fail("import_tapes", str(tmp_path / "missing"))
    assert "no JSON, YAML or SQLite" in fail("import_tapes", str(tmp_path))


def test_an_unknown_project_is_refused(folder: Path) -> None:
    assert "There is no project 'mine'" in fail("import_tapes", str(folder), "--project", "mine")
    assert not ProjectRecord.objects.filter(name="mine").exists()


def test_export_of_a_batch_gives_the_files_back(folder: Path, tmp_path: Path) -> None:
    run("import_tapes", str(folder))

    values = run_json("export_tapes", "--batch", "my run", "--out", str(tmp_path / "out"))

    assert sorted(values["files"]) == ["tapedata.sqlite", "tapes/one.json"]
    written = json.loads((tmp_path / "out" / "tapes" / "one.json").read_text("utf-8"))
    assert written == build_tape_fields("task", "note")


def test_export_of_a_tape_takes_its_id_here_or_in_its_file(folder: Path, tmp_path: Path) -> None:
    run("import_tapes", str(folder))
    tape = TapeRecord.objects.get()

    by_source = run("export_tapes", "--tape", "tape-1", "--out", str(tmp_path / "a"))
    by_id = run("export_tapes", "--tape", str(tape.id), "--out", str(tmp_path / "b"))

    assert by_source.startswith("1 tape and 1 LLM call written as 2 files")
    assert by_id.startswith("1 tape and 1 LLM call written as 2 files")
    assert "no tape 'else'" in fail("export_tapes", "--tape", "else", "--out", str(tmp_path / "c"))


def test_diff_shows_where_two_tapes_part(tmp_path: Path) -> None:
    other = build_tape_fields("task", "note", "note", id="tape-2")
    other["steps"][1]["content"] = "words of another step 1"
    store_json(tmp_path / "in" / "tapes.json", [build_tape_fields("task", "note"), other])
    run("import_tapes", str(tmp_path / "in"))

    said = answer_no("diff_tapes", "tape-1", "tape-2")
    values = json.loads(answer_no("diff_tapes", "tape-1", "tape-2", "--json"))

    assert (
        said
        == "1 steps equal, 1 changed, 0 moved, 0 removed, 1 inserted; first difference at step 1."
    )
    assert values["first_divergence"] == 1
    assert run("diff_tapes", "tape-1", "tape-1") == "Equal: 2 steps."


def store_attempts(folder: Path, answers: dict[str, str]) -> None:
    """Write a batch in which each task is answered; "yes" is right."""
    for task, answer in answers.items():
        tape = build_tape_fields(
            "task", id=f"{folder.name}-{task}", task=task, expected="yes", actual=answer
        )
        tape["steps"].append({"kind": "note", "content": answer})
        store_json(folder / f"{task}.json", tape)
    run("import_tapes", str(folder))


def test_diff_of_two_batches_pairs_their_tapes_by_task(tmp_path: Path) -> None:
    store_attempts(tmp_path / "old", {"a": "yes", "b": "yes", "c": "no"})
    store_attempts(tmp_path / "new", {"b": "no", "a": "yes", "d": "no"})

    out = io.StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("diff_tapes", "--batch", "old", "--batch", "new", stdout=out, stderr=out)
    values = json.loads(answer_no("diff_tapes", "--batch", "old", "--batch", "new", "--json"))

    lines = out.getvalue().splitlines()
    assert stopped.value.code == 1
    assert lines[:4] == [
        "= a: pass -> pass; 2 steps equal",
        "~ b: pass -> fail; diverge at step 1",
        "< c: no tape with its key in the other batch",
        "> d: no tape with its key in the other batch",
    ]
    assert lines[-1] == ("2 pairs, 1 equal, 2 unpaired, 1 pass to fail, 0 fail to pass, p = 1.")
    assert [pair["outcomes"] for pair in values["pairs"]] == [["pass", "pass"], ["pass", "fail"]]
    assert (values["is_equal"], values["metrics"]["steps"]["pairs"]) == (False, 2)


def test_diff_takes_a_saved_search_for_a_batch(tmp_path: Path) -> None:
    store_attempts(tmp_path / "old", {"a": "yes"})
    store_attempts(tmp_path / "new", {"a": "no"})
    project = ProjectRecord.objects.get()
    look = {"query": "q=batch%3Anew"}
    LensRecord.objects.create(project=project, is_shared=True, name="the new ones", look=look)

    values = json.loads(
        answer_no("diff_tapes", "--batch", "old", "--batch", "the new ones", "--json")
    )

    assert [pair["outcomes"] for pair in values["pairs"]] == [["pass", "fail"]]
    assert "no lens of that name" in fail("diff_tapes", "--batch", "old", "--batch", "nothing")


def test_diff_of_equal_batches_says_so(tmp_path: Path) -> None:
    store_attempts(tmp_path / "old", {"a": "yes"})
    store_attempts(tmp_path / "new", {"a": "yes"})

    assert run("diff_tapes", "--batch", "old", "--batch", "new") == "Equal: 1 pair."
    assert run_json("diff_tapes", "--batch", "old", "--batch", "new", "--by", "title")["is_equal"]


def test_diff_says_what_it_needs(folder: Path) -> None:
    run("import_tapes", str(folder))

    assert "two tapes, or --batch twice" in fail("diff_tapes", "tape-1", "--batch", "my run")
    assert "no batch 'other'" in fail("diff_tapes", "--batch", "my run", "--batch", "other")
    twice = ("--batch", "my run", "--batch", "my run")
    assert "cannot be paired by 'size'" in fail("diff_tapes", *twice, "--by", "size")


@pytest.mark.django_db(transaction=True)
def test_a_run_from_a_message_ends_and_replays_identically() -> None:
    effort = ("--reasoning-effort", "low")
    values = run_json("run_agent", "chat", "--message", "What is 17 * 23?", *effort)
    replayed = run_json("replay_tapes", values["tape"])

    assert values["state"] in {"succeeded", "waiting"}
    assert values["steps"] > 1
    assert (replayed["replayed"], replayed["identical"]) == (1, 1)
    asked = JobRecord.objects.get(id=values["job"]).request["parameters"]
    assert asked == {"reasoning_effort": "low"}


@pytest.mark.django_db(transaction=True)
def test_a_run_emulates_the_tools_that_it_is_told_to() -> None:
    values = run_json(
        "run_agent", "chat", "--message", "What is 17 * 23?", "--emulate", "calculate", "gone"
    )

    asked = JobRecord.objects.get(id=values["job"]).request["tools"]["by_tool"]
    results = [step.body for step in StepRecord.objects.filter(kind="tool")]
    assert asked == {"calculate": "emulate", "gone": "emulate"}
    assert results
    assert all("emulated" in one["metadata"]["other"] for one in results)


@pytest.mark.django_db(transaction=True)
def test_a_run_goes_on_from_a_prefix_of_a_tape() -> None:
    first = run_json("run_agent", "chat", "--message", "What is 17 * 23?")

    second = run_json("run_agent", "chat", "--tape", first["tape"], "--at", "1")

    assert second["tape"] != first["tape"]
    assert second["steps"] == first["steps"]


def test_a_tape_of_an_unknown_agent_cannot_be_replayed(folder: Path) -> None:
    run("import_tapes", str(folder))

    assert answer_no("replay_tapes", "tape-1") == "0 of 1 tape replayed identically."
    assert "Give tape ids or --batch" in fail("replay_tapes")


def test_an_unknown_agent_is_refused_with_the_known_ones() -> None:
    said = fail("run_agent", "nobody", "--message", "Hello")

    assert said.startswith("There is no agent 'nobody'; the gallery has [")


def test_control_characters_of_a_tape_do_not_reach_the_terminal(tmp_path: Path) -> None:
    tapes = [build_tape_fields("note"), build_tape_fields("note", id="tape-2")]
    tapes[0]["steps"][0]["content"] = "\x1b[31mred \u202e backwards"
    store_json(tmp_path / "in" / "tapes.json", tapes)
    run("import_tapes", str(tmp_path / "in"))
    out = io.StringIO()

    with pytest.raises(SystemExit):
        call_command("diff_tapes", "tape-1", "tape-2", stdout=out, stderr=out)

    assert "\x1b" not in out.getvalue()
    assert "\u202e" not in out.getvalue()


@pytest.mark.parametrize(("wanted", "ending"), [("html", ".html"), ("markdown", ".md")])
def test_export_writes_each_tape_as_a_file_to_be_read(
    folder: Path, tmp_path: Path, wanted: str, ending: str
) -> None:
    run("import_tapes", str(folder))

    out = tmp_path / "out"
    values = run_json("export_tapes", "--batch", "my run", "--format", wanted, "--out", str(out))

    (name,) = values["files"]
    assert name.endswith(ending)
    assert "task" in (out / name).read_text()
    assert "exists in the folder" in fail(
        "export_tapes", "--batch", "my run", "--format", wanted, "--out", str(out)
    )


def test_export_takes_all_that_a_query_finds(folder: Path, tmp_path: Path) -> None:
    store_lines(folder / "chats.jsonl", build_conversation(), build_conversation(question="Two?"))
    run("import_tapes", str(folder))

    found = run_json("export_tapes", "-q", "task:none steps>0", "--out", str(tmp_path / "a"))
    every = run_json("export_tapes", "--all", "--out", str(tmp_path / "b"))
    pages = run_json("export_tapes", "--all", "--format", "html", "--out", str(tmp_path / "c"))
    refused = fail("export_tapes", "--query", "colour:red", "--out", str(tmp_path / "d"))

    assert (found["tapes"], found["files"]) == (0, [])
    assert (every["tapes"], every["llm_calls"], pages["tapes"]) == (3, 1, 3)
    assert len(list((tmp_path / "b").rglob("*.json"))) == 3
    assert "colour" in refused


def test_an_export_that_leaves_out_what_its_format_cannot_hold_says_which_and_fails(
    folder: Path, tmp_path: Path
) -> None:
    undeclared = build_conversation()
    del undeclared["tools"]
    store_lines(folder / "chats.jsonl", build_conversation(question="Two?"), undeclared)
    run("import_tapes", str(folder))
    query = ("export_tapes", "--query", "steps>0", "--format", "openai", "--out")

    said = answer_no(*query, str(tmp_path / "a"))
    values = json.loads(answer_no(*query, str(tmp_path / "b"), "--json"))

    (reason,) = values["unfit"].values()
    assert "no prompt of it declares" in reason
    assert (values["tapes"], values["lines"]) == (2, 2)
    assert f"1 tape omitted ({reason})" in said


def test_export_writes_one_file_to_train_on_and_says_what_is_left_out(
    folder: Path, tmp_path: Path
) -> None:
    store_lines(folder / "chats.jsonl", build_conversation(), build_conversation(question="Two?"))
    run("import_tapes", str(folder))
    mark_tape(*TapeRecord.objects.values_list("id", "project_id")[0], is_kept_from_training=True)

    said = run("export_tapes", "--all", "--format", "openai", "--out", str(tmp_path / "a"))
    values = run_json(
        "export_tapes", "--batch", "my run", "--format", "csv", "--out", str(tmp_path / "b")
    )

    assert said.startswith("2 tapes written to")
    assert said.endswith("1 tape omitted (excluded from training).")
    (file,) = (tmp_path / "a").iterdir()
    assert len(file.read_text("utf-8").splitlines()) == 2
    assert (values["tapes"], values["left_out"]) == (3, {})
    assert "no batch 'x'" in fail(
        "export_tapes", "--batch", "x", "--format", "csv", "--out", str(tmp_path / "c")
    )


def test_tapes_are_tagged_queued_and_listed_by_a_query(folder: Path, tmp_path: Path) -> None:
    store_lines(folder / "chats.jsonl", build_conversation(), build_conversation(question="Two?"))
    run("import_tapes", str(folder))

    tagged = run("tag_tapes", "-q", "steps>0", "--add", "Seen", "late")
    again = run_json("tag_tapes", "-q", "tag:seen", "--add", "seen", "--remove", "late")
    titles = [tape["title"] for tape in run_json("list_tapes", "--sort", "title")["tapes"]]
    made = run_json("queue_tapes", "look", "-q", "tag:seen", "--preset", "GREADTH")
    more = run("queue_tapes", "look", "-q", "steps>0")
    written = run_json("export_answers", "look", "--format", "csv", "--out", str(tmp_path / "out"))

    assert tagged.startswith("3 tapes of 3 changed; undo with --undo ")
    assert (again["tapes"], again["changed"]) == (3, 3)
    assert titles == sorted(titles)
    assert (made["added"], made["audit_percent"]) == (3, 0)
    assert more == "0 tapes added to queue 'look'."
    assert (written["answers"], written["files"]) == (0, ["look.csv"])
    assert (tmp_path / "out" / "look.csv").read_text().startswith("item,tape_id,")


def test_a_dataset_is_filled_by_a_query_listed_exported_and_deleted(
    folder: Path, tmp_path: Path
) -> None:
    store_lines(folder / "chats.jsonl", build_conversation(), build_conversation(question="Two?"))
    run("import_tapes", str(folder))

    made = run("datasets", "create", "to learn", "-q", 'batch:"my run"', "--description", "x")
    added = run_json("datasets", "add", "to learn", "-q", "steps>0")
    removed = run("datasets", "remove", "to learn", "-q", "title:Two")
    out = str(tmp_path / "out")
    written = run_json("export_tapes", "-q", 'dataset:"to learn"', "--format", "csv", "--out", out)
    known = run_json("datasets", "list")["datasets"]
    back = run("datasets", "undo", removed.rstrip(".").rpartition(" ")[2])
    named = run_json("datasets", "edit", "to learn", "--name", "learned")
    deleted = run("datasets", "delete", "learned")

    assert made == "Dataset 'to learn' created with 3 tapes."
    assert (added["tapes"], added["changed"]) == (3, 0)
    assert removed.startswith(
        "1 tape of 1 removed from dataset 'to learn'; undo with datasets undo "
    )
    assert back == "Undone on 1 tape."
    assert written["tapes"] == 2
    assert [(one["name"], one["tape_count"]) for one in known] == [("to learn", 2)]
    assert (named["name"], named["tape_count"], named["description"]) == ("learned", 3, "x")
    assert deleted == (
        f"Dataset 'learned' deleted; restore it with datasets restore {named['id']}."
    )
    assert run("datasets", "list") == "0 datasets."
    assert run("datasets", "restore", named["id"]) == "Dataset 'learned' restored."


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("datasets", "add", "none", "-q", ""), "no dataset 'none'"),
        (("datasets", "create", " "), "needs a name"),
        (("datasets", "undo", "none"), "none"),
        (("datasets", "create", "new", "-q", "agnt:x"), "did you mean 'agent'"),
        (("tag_tapes", "-q", "agnt:x", "--add", "a"), "did you mean 'agent'"),
        (("tag_tapes", "-q", "steps>0"), "at least one tag"),
        (("tag_tapes", "-q", "x" * 5000, "--add", "a"), "characters"),
        (("export_tapes", "-q", "x" * 5000, "--out", "never"), "characters"),
        (("queue_tapes", "none", "-q", ""), "--preset GREADTH"),
        (("queue_tapes", "new", "-q", "", "--preset", "none"), "none"),
        (("queue_tapes", "new", "-q", "", "--preset", "GREADTH", "--audit", "101"), "0 to 100"),
        (("export_answers", "none", "--out", "never"), "no queue 'none'"),
        (("list_tapes", "--sort", "colour"), "cannot be sorted by 'colour'"),
    ],
)
def test_a_command_that_makes_no_sense_says_why(command: tuple[str, ...], words: str) -> None:
    assert words in fail(*command)
