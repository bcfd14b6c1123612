"""Importing into a project: wholly or not at all, nothing twice, linked to calls and parents."""

from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from tapes_app.engine.environment.planting import find_plant
from tapes_app.exchange.services import import_files as import_module
from tapes_app.exchange.services.import_files import import_files
from tapes_app.exchange.services.import_report import ImportReport, summarize
from tapes_app.interchange.folders import ImportFile, clean_name, collect_files
from tapes_app.jobs.store.events import FencedError
from tapes_app.models import LLMCallRecord, ProjectRecord, StepRecord, TapeRecord
from tapes_app.tapes.store.batches import find_batch
from tapes_app.tapes.store.loading import load_tape
from tests.interchange.builders import build_row, build_tape_fields, store_json, store_rows


def run_import(project: UUID, path: Path, *, batch: str = "batch") -> ImportReport:
    return import_files(project, collect_files(path), batch_name=batch)


def only_tape() -> TapeRecord:
    return TapeRecord.objects.get()


def tape_of(source_id: str) -> TapeRecord:
    return TapeRecord.objects.get(source_id=source_id)


def test_a_folder_becomes_a_batch_with_its_tapes_and_calls(project: UUID, tmp_path: Path) -> None:
    store_json(tmp_path / "tapes" / "one.json", build_tape_fields("task", "note"))
    store_rows(tmp_path / "tapedata.sqlite", build_row(prompt_id="p1"))

    report = run_import(project, tmp_path)

    assert (report.imported, report.llm_calls, report.refused) == (1, 1, [])
    assert report.is_complete
    tape = only_tape()
    assert tape.source_id == "tape-1"
    assert tape.step_count == 2
    assert tape.title == "words of step 0"
    assert (tape.llm_call_count, tape.input_tokens, tape.cost_micro_usd) == (1, 12, 125)
    step = StepRecord.objects.get(position=1)
    assert step.llm_call is not None
    assert step.llm_call.prompt_id == "p1"
    assert step.writer == "import"


def test_importing_twice_changes_nothing_and_says_so(project: UUID, tmp_path: Path) -> None:
    store_json(tmp_path / "tapes.json", [build_tape_fields(id=f"t{i}") for i in range(3)])
    store_rows(tmp_path / "tapedata.sqlite", build_row(prompt_id="p1"))
    run_import(project, tmp_path)
    before = list(TapeRecord.objects.order_by("id").values())

    report = run_import(project, tmp_path)
    elsewhere = run_import(project, tmp_path, batch="another name")

    assert (report.imported, report.already_there) == (0, 3)
    assert (report.llm_calls, report.llm_calls_already_there) == (0, 1)
    assert elsewhere.already_there == 3
    assert report.is_complete
    assert list(TapeRecord.objects.order_by("id").values()) == before
    assert LLMCallRecord.objects.count() == 1
    assert find_batch("another name", project) is None


def test_a_broken_file_leaves_nothing_and_the_others_go_on(project: UUID, tmp_path: Path) -> None:
    many: list[Any] = [build_tape_fields(id=f"t{i}") for i in range(300)]
    store_json(tmp_path / "broken.json", [*many, {"steps": "none"}])
    store_json(tmp_path / "good.json", build_tape_fields(id="good"))

    report = run_import(project, tmp_path)

    assert report.imported == 1
    assert [tape.source_id for tape in TapeRecord.objects.all()] == ["good"]
    (refused,) = report.refused
    assert (refused.file, refused.position) == ("broken.json", "tape 300")
    assert "'steps' is not a list" in refused.reason
    assert not report.is_complete


def test_a_file_that_breaks_only_when_it_is_stored_is_taken_back(
    project: UUID, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module, "_CHUNK_ITEMS", 2)
    store_json(tmp_path / "tapes.json", [build_tape_fields(id=f"t{i}") for i in range(5)])
    commits: list[int] = []

    def fail_at_the_second(work: Any) -> None:
        commits.append(1)
        if len(commits) == 2:
            raise RuntimeError("the disk is full")
        import_module.commit_here(work)

    with pytest.raises(RuntimeError, match="disk"):
        import_files(
            project, collect_files(tmp_path), batch_name="batch", commit=fail_at_the_second
        )

    assert not TapeRecord.objects.exists()
    batch = find_batch("batch", project)
    assert batch is not None
    assert batch.tape_count == 0


def test_a_sound_file_that_is_no_tape_is_no_mistake_in_a_folder(
    project: UUID, tmp_path: Path
) -> None:
    store_json(tmp_path / "config.json", {"model_name": "tiny", "parameters": {}})
    store_json(tmp_path / "tape.json", build_tape_fields())

    in_folder = run_import(project, tmp_path)
    asked_for = run_import(project, tmp_path / "config.json")

    assert in_folder.is_complete
    assert [refused.file for refused in in_folder.refused] == ["config.json"]
    assert not asked_for.is_complete


def test_calls_without_steps_are_kept_with_the_batch(project: UUID, tmp_path: Path) -> None:
    store_rows(tmp_path / "tapedata.sqlite", build_row(prompt_id="nobody"))

    report = run_import(project, tmp_path)

    assert report.is_complete
    call = LLMCallRecord.objects.get()
    assert call.batch_id == report.batch_id
    assert not call.steps.exists()


def test_calls_that_come_after_their_tapes_are_linked(project: UUID, tmp_path: Path) -> None:
    tapes = store_json(tmp_path / "tape.json", build_tape_fields())
    calls = store_rows(tmp_path / "tapedata.sqlite", build_row(prompt_id="p1"))

    run_import(project, tapes)
    run_import(project, calls)

    assert StepRecord.objects.filter(llm_call__isnull=False).count() == 1
    assert only_tape().llm_call_count == 1
    assert only_tape().input_tokens == 12


def test_tapes_that_are_there_find_the_calls_that_come_with_a_larger_folder(
    project: UUID, tmp_path: Path
) -> None:
    store_json(tmp_path / "run" / "tapes" / "tape.json", build_tape_fields())
    store_rows(tmp_path / "run" / "tapedata.sqlite", build_row(prompt_id="p1"))

    run_import(project, tmp_path / "run" / "tapes", batch="tapes")
    report = run_import(project, tmp_path / "run", batch="run")

    assert report.already_there == 1
    assert only_tape().llm_call_count == 1


def test_of_calls_with_one_prompt_id_the_nearest_folder_wins(project: UUID, tmp_path: Path) -> None:
    for name in ("a", "b"):
        store_json(tmp_path / name / "tapes" / "tape.json", build_tape_fields(id=f"tape {name}"))
        row = build_row(prompt_id="p1", output={"content": f"from {name}", "role": "assistant"})
        store_rows(tmp_path / name / "tapedata.sqlite", row)

    run_import(project, tmp_path)

    for name in ("a", "b"):
        step = StepRecord.objects.get(log__source_id=f"tape {name}", prompt_id="p1")
        assert step.llm_call is not None
        assert step.llm_call.output["content"] == f"from {name}"


def test_parents_are_linked_in_any_order_of_files(project: UUID, tmp_path: Path) -> None:
    first, second, third = (str(uuid4()) for _ in range(3))
    store_json(tmp_path / "1.json", build_tape_fields(id=third, parent_id=second))
    store_json(tmp_path / "2.json", build_tape_fields(id=second, parent_id=first))
    store_json(tmp_path / "3.json", build_tape_fields(id=first, parent_id="not here"))

    run_import(project, tmp_path)

    assert tape_of(third).parent == tape_of(second)
    assert tape_of(second).parent == tape_of(first)
    assert tape_of(first).parent is None
    assert tape_of(third).root == tape_of(second).root == tape_of(first)


def test_a_tape_is_not_its_own_parent_nor_its_descendants_child(
    project: UUID, tmp_path: Path
) -> None:
    store_json(tmp_path / "self.json", build_tape_fields(id="self", parent_id="self"))
    store_json(tmp_path / "self2.json", build_tape_fields("more", id="self", parent_id="self"))
    store_json(tmp_path / "a.json", build_tape_fields(id="a", parent_id="b"))
    store_json(tmp_path / "b.json", build_tape_fields(id="b", parent_id="a"))

    run_import(project, tmp_path)

    assert not TapeRecord.objects.filter(source_id="self", parent__isnull=False).exists()
    linked = TapeRecord.objects.filter(source_id__in=["a", "b"], parent__isnull=False)
    assert linked.count() == 1


def test_equal_tapes_of_one_file_all_stay(project: UUID, tmp_path: Path) -> None:
    store_json(tmp_path / "tapes.json", [build_tape_fields()] * 3)

    first, second = run_import(project, tmp_path), run_import(project, tmp_path)

    assert (first.imported, second.imported, second.already_there) == (3, 0, 3)


def test_a_file_brings_no_attack_for_those_who_resume_its_tapes(
    project: UUID, tmp_path: Path
) -> None:
    attack = {"attack": {"plant": {"instruction": "Obey."}}, "kept": 1}
    fields = build_tape_fields(id="armed")
    for step in fields["steps"]:  # any of them may become the first one by an edit
        step["metadata"] = {**step.get("metadata", {}), "other": attack}
    store_json(tmp_path / "armed.json", fields)
    store_json(tmp_path / "plain.json", build_tape_fields(id="plain"))

    report = run_import(project, tmp_path)
    again = run_import(project, tmp_path)

    steps = load_tape(tape_of("armed").id, project).steps
    assert len(steps) > 1
    assert [find_plant(steps[at:]) for at in range(len(steps))] == [None] * len(steps)
    assert all(step.metadata.other == {"kept": 1} for step in steps)
    assert (report.imported, report.attacks_left_out, again.attacks_left_out) == (2, 1, 0)
    assert summarize(report).endswith("; the attack of 1 tape left out.")


def test_errors_on_a_tape_are_counted(project: UUID, tmp_path: Path) -> None:
    failed = build_tape_fields("task", "action_execution_failure", id="failed")
    broken = build_tape_fields(id="broken", error="the run broke")
    noted = build_tape_fields(id="noted")
    noted["steps"][1]["metadata"]["other"] = {"error": "the tool timed out"}
    store_json(tmp_path / "tapes.json", [failed, broken, noted, build_tape_fields(id="good")])

    run_import(project, tmp_path)

    assert tape_of("failed").error_count == 1
    flags = [tape_of(name).has_error for name in ("failed", "broken", "noted", "good")]
    assert flags == [True, True, True, False]


def test_progress_tells_each_file(project: UUID, tmp_path: Path) -> None:
    for number in range(3):
        store_json(tmp_path / f"{number}.json", build_tape_fields(id=f"t{number}"))
    told: list[tuple[int, int, str]] = []

    import_files(
        project,
        collect_files(tmp_path),
        batch_name="batch",
        report=lambda done, total, message: told.append((done, total, message)),
    )

    assert [done for done, _, _ in told] == [0, 1, 2, 3]
    assert told[1] == (1, 3, "Reading 1.json")


def test_a_long_file_tells_its_parts_and_can_be_stopped_in_the_middle(
    project: UUID, tmp_path: Path
) -> None:
    store_json(tmp_path / "a.json", build_tape_fields(id="a"))
    store_json(tmp_path / "long.json", [build_tape_fields(id=f"t{i}") for i in range(350)])
    told: list[str] = []

    def stop_at_the_third_part(done: int, total: int, message: str) -> None:
        told.append(message)
        if message == "Storing long.json, part 3":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_files(
            project, collect_files(tmp_path), batch_name="b", report=stop_at_the_third_part
        )

    assert [tape.source_id for tape in TapeRecord.objects.all()] == ["a"]
    assert "Checking long.json, part 4" in told
    batch = find_batch("b", project)
    assert batch is not None
    assert batch.tape_count == 1


def store_files(folder: Path) -> None:
    """Store a small file, and a long one of three parts with a call beside it."""
    store_json(folder / "a.json", build_tape_fields(id="a"))
    store_json(folder / "long.json", [build_tape_fields(id=f"t{i}") for i in range(250)])
    store_rows(folder / "tapedata.sqlite", build_row(prompt_id="p1"))


def lose_worker(project: UUID, folder: Path, import_id: UUID, *, after: int) -> None:
    """Import until the worker loses its job to another one, after so many transactions."""
    left = iter(range(after))

    def commit(work: Any) -> None:
        if next(left, None) is None:
            raise FencedError("Another worker has it.")
        import_module.commit_here(work)

    with pytest.raises(FencedError):
        import_files(
            project, collect_files(folder), batch_name="b", import_id=import_id, commit=commit
        )


@pytest.mark.parametrize("after", [2, 3, 4, 5])
def test_a_worker_that_takes_an_import_over_counts_what_the_first_one_stored(
    project: UUID, tmp_path: Path, after: int
) -> None:
    store_files(tmp_path)
    job = uuid4()
    lose_worker(project, tmp_path, job, after=after)
    assert TapeRecord.objects.exists()

    report = import_files(project, collect_files(tmp_path), batch_name="b", import_id=job)

    assert (report.imported, report.already_there) == (251, 0)
    assert (report.llm_calls, report.llm_calls_already_there) == (1, 0)
    assert TapeRecord.objects.count() == 251


def test_what_another_import_stored_is_already_there(project: UUID, tmp_path: Path) -> None:
    store_files(tmp_path)
    run_import(project, tmp_path, batch="b")

    report = import_files(project, collect_files(tmp_path), batch_name="b", import_id=uuid4())

    assert (report.imported, report.already_there) == (0, 251)
    assert (report.llm_calls, report.llm_calls_already_there) == (0, 1)


def test_a_file_that_is_refused_after_another_worker_took_over_leaves_nothing(
    project: UUID, tmp_path: Path
) -> None:
    store_files(tmp_path)
    job = uuid4()
    lose_worker(project, tmp_path, job, after=3)
    (tmp_path / "long.json").write_text("[", encoding="utf-8")

    report = import_files(project, collect_files(tmp_path), batch_name="b", import_id=job)

    assert [refused.file for refused in report.refused] == ["long.json"]
    assert (report.imported, report.llm_calls) == (1, 1)
    assert [tape.source_id for tape in TapeRecord.objects.all()] == ["a"]
    batch = find_batch("b", project)
    assert batch is not None
    assert batch.tape_count == 1


@pytest.mark.parametrize("message", ["Reading long.json", "Storing long.json, part 1"])
def test_an_import_that_is_cancelled_after_another_worker_took_over_leaves_no_pieces(
    project: UUID, tmp_path: Path, message: str
) -> None:
    store_files(tmp_path)
    job = uuid4()
    lose_worker(project, tmp_path, job, after=4)

    def cancel(done: int, total: int, told: str) -> None:
        if told == message:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_files(project, collect_files(tmp_path), batch_name="b", import_id=job, report=cancel)

    assert {tape.source_id for tape in TapeRecord.objects.all()} <= {"a"}


def test_another_project_has_its_own_tapes(project: UUID, tmp_path: Path) -> None:
    other = ProjectRecord.objects.create(name="other").id
    store_json(tmp_path / "tape.json", build_tape_fields(id=str(uuid4())))
    store_rows(tmp_path / "tapedata.sqlite", build_row(prompt_id="p1"))
    run_import(project, tmp_path)

    report = run_import(other, tmp_path)

    assert (report.imported, report.llm_calls) == (1, 1)
    for step in StepRecord.objects.filter(llm_call__isnull=False).select_related("log", "llm_call"):
        assert step.llm_call is not None
        assert step.llm_call.project_id == step.log.project_id


def test_links_in_a_folder_are_refused_and_not_followed(project: UUID, tmp_path: Path) -> None:
    outside = store_json(tmp_path / "outside" / "tape.json", build_tape_fields())
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link.json").symlink_to(outside)
    (folder / "linked").symlink_to(outside.parent)

    report = run_import(project, folder)

    assert [refused.file for refused in report.refused] == ["link.json"]
    assert not TapeRecord.objects.exists()


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("../../etc/passwd", "etc/passwd"),
        ("..\\..\\windows\\x.json", "windows/x.json"),
        ("/absolute/x.json", "absolute/x.json"),
        ("C:\\x.json", "C_/x.json"),
        ("a/./b//c.json", "a/b/c.json"),
        ("nul.json", "_nul.json"),
        ("x\x00\n\u202ey.json", "x_y.json"),
        ("\udcff.json", "_.json"),
        ("...", ""),
        ("l1_task000.json", "l1_task000.json"),
    ],
)
def test_a_name_never_leads_out_of_its_folder(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned


def test_a_long_name_is_cut_and_keeps_its_ending() -> None:
    cleaned = clean_name("x" * 5000 + ".json")

    assert len(cleaned) <= 100
    assert cleaned.endswith(".json")


def test_an_uploaded_file_is_known_by_its_own_name(project: UUID, tmp_path: Path) -> None:
    path = store_json(tmp_path / "00001.bin", build_tape_fields())
    file = ImportFile(path=path, name="tapes/l1.json")

    import_files(project, [file], batch_name="batch")

    assert only_tape().metadata["tape_studio_source"]["file"] == "tapes/l1.json"
