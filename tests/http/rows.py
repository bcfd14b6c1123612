"""Rows of a world that few routes are about, made when one of these is asked."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.utils import timezone

from optimize_app.base_models import models_folder
from optimize_app.case_study.services.study_jobs import STUDY_KIND, folder_of
from optimize_app.case_study.settings import StudySettings
from optimize_app.distillation.request import DISTILLATION_KIND
from optimize_app.evaluation.request import SWEEP_KIND, SweepRequest
from optimize_app.evaluation.scoring.scorers import AnswerScorer, JudgeScorer
from optimize_app.evaluation.scoring_request import ScoringRequest
from optimize_app.evaluation.store.dataset_scorers import save_scorer
from optimize_app.evaluation.store.scores import StoredScore, ensure_scoring, save_scores
from optimize_app.finetune.request import FINETUNE_KIND, TRAIN_QUEUE
from optimize_app.finetune.store import token_files
from optimize_app.finetune.store.adapters import save_adapter
from optimize_app.serving.request import SERVE_KIND
from optimize_app.serving.store import served
from optimize_app.tape_trees.branch_file import BranchWriter, open_tree
from optimize_app.tape_trees.branches import Branch
from optimize_app.training_sets.services.request import SET_KIND
from optimize_app.training_sets.store import sets
from tapes_app.batches.services.rerun_request import RERUN_KIND
from tapes_app.bulk.services.transform_jobs import TRANSFORM_KIND
from tapes_app.bulk.store.datasets import create_dataset, delete_dataset
from tapes_app.editing.services.revisions import name_improved
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.messages import system_message, user_message
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.exchange.services.example_imports import EXAMPLES_KIND
from tapes_app.exchange.services.export_request import EXPORT_KIND
from tapes_app.exchange.services.import_report import ImportedExamples
from tapes_app.gallery.improver.given import write_body
from tapes_app.gallery.improver.steps import RevisionObservation
from tapes_app.jobs.domain.run_result import RUN_KIND
from tapes_app.jobs.store.job import create_job
from tapes_app.models import JobRecord, MembershipRecord, TapeChangeRecord
from tapes_app.projects.store.invitations import create_invitation
from tapes_app.projects.store.tokens import create_token
from tapes_app.runs.domain.response_items import AnswerPlace
from tapes_app.tapes.store import regression_tests
from tapes_app.tapes.store.calls import save_calls
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.saving import save_tape
from tests.http.worlds import World

EXAMPLE = {"kind": "chat", "id": "a", "messages": [{"role": "user"}], "answer": {}}
PASSES = {"kind": "no_error"}
ROWS = b'{"question": "Why?"}'


def store_export(world: World) -> UUID:
    """Return a finished export of the world's project, with its file."""
    job = create_job(world.project, EXPORT_KIND, request={"format": "csv"})
    result = {
        "format": "csv", "file_name": "a.csv", "size_bytes": 1, "tapes": 0, "lines": 0,
        "left_out": [],
    }  # fmt: skip
    JobRecord.objects.filter(id=job.id).update(state="succeeded", result=result)
    file = Path(settings.STUDIO_DATA_DIR) / "exports" / str(job.id) / "file"
    file.parent.mkdir(parents=True)
    file.write_text("x")
    return job.id


def store_scoring(world: World, sweep: UUID) -> UUID:
    """Return a scoring of a sweep of the world's project."""
    request = ScoringRequest(scorer=AnswerScorer()).model_dump(mode="json")
    return ensure_scoring(world.project, sweep, request, owner=None)


def store_verdict(world: World, sweep: UUID) -> UUID:
    """Return a scoring of a sweep by a judge that judged the world's tape."""
    scorer = JudgeScorer(model_id=world.model, rubric="Is it right?")
    request = ScoringRequest(scorer=scorer).model_dump(mode="json")
    scoring = ensure_scoring(world.project, sweep, request, owner=None)
    prompt = Prompt(messages=(system_message("Judge it."), user_message("It is done.")))
    output = LLMOutput(content='{"score": 1, "reason": "It is."}')
    (call,) = save_calls(world.project, [LLMCall(prompt=prompt, output=output)])
    save_scores(scoring, {world.tape: StoredScore(1, True, "It is.", judge_call_id=call)})
    return scoring


def store_scorer(world: World) -> UUID:
    """Return a scorer of the world's dataset."""
    return save_scorer(world.dataset, str(uuid4()), {"kind": "equals"}).id


def store_answer(world: World) -> str:
    """Store a called agent's answer; return the id of its response."""
    said = Tape(steps=(UserStep(content="Hi"),))
    tape = save_tape(world.project, said, writer="person")
    create_job(world.project, RUN_KIND, tape_id=tape, request={"agent_version_id": str(uuid4())})
    return AnswerPlace(tape, 1).response_id


def store_example_file(world: World) -> UUID:
    """Return an uploaded file of examples in the world's project."""
    file_id = uuid4()
    folder = Path(settings.STUDIO_DATA_DIR) / "example_files" / f"{world.project}.{file_id}"
    folder.mkdir(parents=True)
    (folder / "name").write_text("rows.jsonl")
    (folder / "file").write_bytes(ROWS)
    return file_id


def store_example_import(world: World) -> UUID:
    """Return a finished import of examples."""
    job = create_job(world.project, EXAMPLES_KIND, request={})
    result = ImportedExamples("sums", "rows.jsonl").describe()
    JobRecord.objects.filter(id=job.id).update(state="succeeded", result=result)
    return job.id


def store_transform(world: World) -> UUID:
    """Return a finished transform of the world's project that changed nothing."""
    job = create_job(world.project, TRANSFORM_KIND, request={})
    result: dict[str, Any] = {
        "batch_id": None, "batch_name": "", "tapes": 0, "steps": 0, "unchanged": 1, "left_out": [],
    }  # fmt: skip
    JobRecord.objects.filter(id=job.id).update(state="succeeded", result=result)
    return job.id


def store_set_job(world: World) -> UUID:
    """Return a finished job that made a training set."""
    job = create_job(world.project, SET_KIND, request={})
    JobRecord.objects.filter(id=job.id).update(state="succeeded", result={"tapes": 1})
    return job.id


def store_training_set(world: World) -> UUID:
    """Return a training set of the world's project with one example."""
    folder = sets.sets_folder() / f".made-{uuid4()}"
    folder.mkdir(parents=True)
    (folder / sets.TRAIN_FILE).write_text(json.dumps(EXAMPLE))
    (folder / sets.HELD_OUT_FILE).touch()
    place = sets.folder_of(sets.hash_folder(folder))
    if not place.is_dir():
        folder.rename(place)
    row = sets.save_set(
        world.project,
        owner=None,
        job_id=uuid4(),
        name=f"set {uuid4()}",
        request={},
        counts={"train": 1, "held_out": 0},
        sources={world.tape: sets.SourceTape("train", 1)},
        left_out=[],
        folder=place,
    )
    return row.id


def store_base() -> str:
    """Return a base whose template and whose tokens of the example are cached already."""
    folder = models_folder() / "looked-at"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"model_type": "llama"}))
    example = {"problem": "It cannot be written.", "sequences": []}
    written = {"problem": "", "template": None, "template_problem": "", "examples": [example]}
    with token_files.one_at_a_time():
        for lines in ((), (json.dumps(EXAMPLE),)):
            token_files.save(token_files.key_of(folder, *lines), written)
    return folder.name


def store_written_base() -> str:
    """Return a base with a tokenizer that can be loaded."""
    from tests.finetune.folders import make_base  # it imports torch

    folder = models_folder() / "written"
    if not folder.is_dir():
        make_base(folder)
    return folder.name


def store_finetune(world: World) -> UUID:
    """Return a finetune of the world's project that somebody cancelled."""
    request = {"name": "a", "training_set_id": str(store_training_set(world)), "base": "a/b"}
    job = create_job(world.project, FINETUNE_KIND, request=request, queue=TRAIN_QUEUE)
    JobRecord.objects.filter(id=job.id).update(state="cancelled")
    return job.id


def store_distillation(world: World) -> UUID:
    """Return a distillation of the world's project that has not started."""
    return create_job(world.project, DISTILLATION_KIND, request=a_distillation(world)).id


def a_distillation(world: World) -> dict[str, Any]:
    return {
        "name": f"student {uuid4()}",
        "tape_ids": [str(world.tape)],
        "agent_version_id": str(world.version),
        "base": "example/tiny",
    }


def store_study(world: World) -> UUID:
    """Return a study of the world's project, with a tree of one dialogue to ask about."""
    settings = StudySettings(name=f"study-{uuid4()}")
    job = create_job(world.project, STUDY_KIND, request=settings.model_dump(mode="json")).id
    folder = folder_of(job) / "test" / "DriveCorp"
    tree = BranchWriter(open_tree(folder, settings.asked_trees.identity))
    first = {"key": "first", "parent": "1", "root": "1", "depth": 1, "tag": "UserHappyPath"}
    said = ({"kind": "user", "content": "Hello"},)
    tree.add([Branch.model_validate({**first, "group": "RentCar", "is_open": True, "steps": said})])
    tree.close()
    return job


def store_sweep(world: World) -> UUID:
    """Return a sweep of the world's project that has not started."""
    plan = SweepRequest.model_validate(a_sweep(world)).plan((world.tape,))
    return create_job(world.project, SWEEP_KIND, request=plan.model_dump(mode="json")).id


def store_regression_test(world: World) -> UUID:
    """Return the tape of the world's project, which is a regression test."""
    regression_tests.set_test(world.tape, world.project, pass_check=PASSES, kept_count=1)
    return world.tape


def store_revision(world: World) -> UUID:
    """Return a tape of the world's project whose first step is a revision of the world's tape."""
    was = write_body(load_tape(world.tape, world.project).steps[1])
    revision = RevisionObservation(position=1, was=was, steps=[{**was, "content": "better"}])
    return save_tape(world.project, Tape(context=name_improved(world.tape), steps=(revision,)))


def a_sweep(world: World) -> dict[str, Any]:
    return {
        "name": f"sweep {uuid4()}",
        "tape_ids": [str(world.tape)],
        "variants": [{"agent_version_id": str(world.version)}],
    }


def store_served(world: World) -> UUID:
    """Return an adapter of the world's project that a server answers for."""
    job = create_job(world.project, SERVE_KIND, request={"base": "a/b", "served_name": "b"})
    JobRecord.objects.filter(id=job.id).update(state="running")
    adapter = store_adapter(world)
    record = served.save_served(
        world.project,
        owner=None,
        name=f"student-{adapter}",
        adapter_id=adapter,
        base="a/b",
        job_id=job.id,
    )
    parity = {"passed": True, "message": "The server answers as the model does."}
    served.update_served(record.id, parity=parity, model_id=world.model)
    return record.id


def store_token(world: World) -> UUID:
    """Return the access token of the owner of the world's project."""
    return create_token(
        world.project,
        owner_of(world),
        name=str(uuid4()),
        access="read",
        digest=str(uuid4()),
        hint="tst_",
        expires_at=None,
    ).id


def store_invitation(world: World) -> UUID:
    """Return an unused invitation to the world's project."""
    until = timezone.now() + timedelta(days=1)
    return create_invitation(
        world.project, owner_of(world), role="viewer", digest=str(uuid4()), expires_at=until
    ).id


def owner_of(world: World) -> int:
    return MembershipRecord.objects.get(project_id=world.project, role="owner").user_id


def store_adapter(world: World) -> UUID:
    """Return an adapter of the world's project."""
    row = save_adapter(
        world.project,
        owner=None,
        job_id=uuid4(),
        name="student",
        training_set_id=store_training_set(world),
        base="a/b",
        config={"method": "lora"},
        steps=1,
        loss=1.0,
        held_out_loss=None,
    )
    return row.id


def store_change(world: World, *, name: str = "is_pinned") -> UUID:
    """Return a change that affected no tape in the world's project."""
    return TapeChangeRecord.objects.create(project_id=world.project, name=name).id


def store_deleted_dataset(world: World) -> UUID:
    """Return a deleted dataset of the world's project."""
    dataset = create_dataset(world.project, owner=None, name="deleted")
    delete_dataset(dataset.id, world.project)
    return dataset.id


def store_rerun(world: World) -> UUID:
    """Return a rerun of the world's project that has not started."""
    request = {"agent_version_id": str(world.version), "batch_name": "again"}
    return create_job(world.project, RERUN_KIND, request=request).id
