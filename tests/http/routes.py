"""All routes of the API, with a valid request for each; a new route without one fails a test."""

import json
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from optimize_app.base_models import models_folder
from optimize_app.distillation.request import DISTILLATION_KIND
from optimize_app.evaluation.card import CardTasks, CardVariant, SweepCard
from optimize_app.evaluation.pins import VariantPin
from optimize_app.evaluation.plan import SweepBudget
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
from optimize_app.training_sets.services.request import SET_KIND
from optimize_app.training_sets.store import sets
from studio.api import api
from tapes_app.batches.services.rerun_request import RERUN_KIND
from tapes_app.bulk.services.transform_jobs import TRANSFORM_KIND
from tapes_app.bulk.store.dataset_versions import freeze, hash_members
from tapes_app.bulk.store.datasets import create_dataset, delete_dataset
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.messages import system_message, user_message
from tapes_app.exchange.services.example_imports import EXAMPLES_KIND
from tapes_app.exchange.services.export_request import EXPORT_KIND
from tapes_app.exchange.services.import_report import ImportedExamples
from tapes_app.jobs.store.job import create_job
from tapes_app.models import JobRecord, MembershipRecord, TapeChangeRecord
from tapes_app.projects.store.invitations import create_invitation
from tapes_app.projects.store.tokens import create_token
from tapes_app.runs.domain.request import ToolPolicies
from tapes_app.tapes.store import regression_tests
from tapes_app.tapes.store.calls import save_calls
from tests.http.worlds import World, spec

PREFIX = "/api/v1/"
READING = {"get"}
EXAMPLE = {"kind": "chat", "id": "a", "messages": [{"role": "user"}], "answer": {}}
DROP = {"kind": "drop_steps", "step_kinds": ["user"]}
PASSES = {"kind": "no_error"}
ROWS = b'{"question": "Why?"}'
RUBRIC = {"items": [{"kind": "binary", "key": "good", "question": "Good?"}]}


@dataclass(frozen=True)
class Route:
    method: str
    path: str

    @property
    def name(self) -> str:
        return f"{self.method.upper()} {self.path}"

    @property
    def takes_ids(self) -> bool:
        return "_id}" in self.path


@cache
def describe_api() -> dict[str, Any]:
    """Return the description of all routes, which takes seconds to make."""
    return api.get_openapi_schema(path_prefix=PREFIX)


def list_routes() -> list[Route]:
    schema = describe_api()
    return [
        Route(method, path.removeprefix(PREFIX))
        for path, operations in schema["paths"].items()
        for method in operations
    ]


def ask(client: Client, route: Route, world: World, **headers: str) -> Any:
    """Send a valid request for a route, about the rows of a world."""
    path = route.path.format(
        tape_id=world.tape,
        other_id=world.tape,
        call_id=world.call,
        batch_id=world.batch,
        agent_id=world.agent,
        version_id=world.version,
        model_id=world.model,
        job_id=world.question if "playground" in route.path else world.job,
        annotation_id=world.annotation,
        message_id="m",
        experiment_id=world.experiment,
        rule_id=world.rule,
        rerun_id=world.batch,
        rubric_id=world.rubric,
        queue_id=world.queue,
        dataset_id=world.dataset,
        item_id=world.item,
        change_id=world.tag_change,
        lens_id=world.lens,
        number=1,
        position=1,
        kind="user",
        name="unfulfilled_action",
        training_set_id=world.dataset,
        adapter_id=world.dataset,
        served_id=world.dataset,
        token_id=world.dataset,
        invitation_id=world.dataset,
        project_id=world.project,
        user_id=owner_of(world),
        file_format="csv",
        letter="A",
        scoring_id="",
        scorer_id=store_scorer(world) if "{scorer_id}" in route.path else "",
        file_id=store_example_file(world) if "{file_id}" in route.path else "",
    )
    if route.path.startswith("example-files/imports/"):
        path = route.path.format(job_id=store_example_import(world))
    if route.path.startswith("exports/"):
        path = route.path.format(job_id=store_export(world))
    if route.path.startswith("transforms/{job_id}"):
        path = route.path.format(job_id=store_transform(world))
    if route.path.startswith("tapes/changes/{change_id}"):
        path = route.path.format(change_id=store_change(world))
    if route.path.startswith("datasets/changes/{change_id}"):
        path = route.path.format(change_id=store_change(world, name="added_to_dataset"))
    if route.name == "POST datasets/{dataset_id}/restore":
        path = route.path.format(dataset_id=store_deleted_dataset(world))
    if route.path.startswith("training-sets/jobs/"):
        path = route.path.format(job_id=store_set_job(world))
    elif route.path.startswith("training-sets/{"):
        path = route.path.format(training_set_id=store_training_set(world))
    if route.path == "training-sets/{training_set_id}/example":
        path = f"{path}?example=a"
    if route.path == "training-sets/{training_set_id}/tokens":
        path = f"{path}?example=a&base={store_base()}"
    if route.path == "training-sets/{training_set_id}/texts":
        path = f"{path}?base={store_written_base()}"
    if route.path.startswith("finetunes/{"):
        path = route.path.format(job_id=store_finetune(world))
    if route.path.startswith("distillations/{"):
        path = route.path.format(job_id=store_distillation(world))
    if route.path.endswith("/changes") and "versions" in route.path:
        freeze(world.dataset, world.project)
    if route.path.startswith("sweeps/{"):
        sweep = store_sweep(world)
        scoring = store_scoring(world, sweep) if "{scoring_id}" in route.path else ""
        if "/verdicts/" in route.path:
            scoring = store_verdict(world, sweep)
        path = route.path.format(
            job_id=sweep, scoring_id=scoring, file_format="csv", letter="A", tape_id=world.tape
        )
    if route.path.startswith("tokens/{"):
        path = route.path.format(token_id=store_token(world))
    if route.path.startswith("invitations/{"):
        path = route.path.format(invitation_id=store_invitation(world))
    if route.name == "PUT tapes/{tape_id}/regression-test":
        path = route.path.format(tape_id=store_regression_test(world))
    if route.path.startswith("adapters/{"):
        path = route.path.format(adapter_id=store_adapter(world))
    if route.path.startswith("served-models/{"):
        path = route.path.format(served_id=store_served(world))
    if route.path.startswith("reruns/{rerun_id}"):
        path = route.path.format(rerun_id=store_rerun(world))
    if route.name == "GET exports":
        path = f"{path}?tape={world.tape}"
    if route.name == "GET batches/diff":
        path = f"{path}?a={world.batch}&b={world.batch}"
    if route.name == "GET agents/diff":
        path = f"{path}?a={world.version}&b={world.version}"
    if route.name == "GET tapes/{tape_id}/calls/{call_id}/diff":
        path = f"{path}?other_tape={world.tape}&other_call={world.call}"
    if route.name == "GET batches/matrix":
        path = f"{path}?id={world.batch}"
    if route.name == "GET batches/alignment":
        path = f"{path}?id={world.batch}&by=title&key=question+0"
    if route.name == "GET tapes/{tape_id}/fit":
        path = f"{path}?agent_version={world.version}"
    if route.name.endswith("/preference-pair"):
        path = f"{path}?best=0&worst=1"
    if route.name == "POST uploads":
        return client.post(f"{PREFIX}{path}", {"files": [a_file()]}, headers=headers)
    if route.name == "POST example-files":
        rows = SimpleUploadedFile("rows.jsonl", ROWS)
        return client.post(f"{PREFIX}{path}", {"file": rows}, headers=headers)
    body = body_of(route, world)
    return client.generic(
        route.method.upper(),
        f"{PREFIX}{path}",
        data="" if body is None else json.dumps(body),
        content_type="application/json",
        headers=headers,
    )


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


def store_sweep(world: World) -> UUID:
    """Return a sweep of the world's project that has not started."""
    plan = SweepRequest.model_validate(a_sweep(world)).plan((world.tape,))
    return create_job(world.project, SWEEP_KIND, request=plan.model_dump(mode="json")).id


def store_regression_test(world: World) -> UUID:
    """Return the tape of the world's project, which is a regression test."""
    regression_tests.set_test(world.tape, world.project, pass_check=PASSES, kept_count=1)
    return world.tape


def a_card(world: World) -> dict[str, Any]:
    """Return the card of a sweep by an agent that no project has."""
    pin = VariantPin(agent=f"agent {uuid4()}", version=1, digest="0", model=None, models=())
    card = SweepCard(
        studio="1",
        name="sweep",
        variants=(CardVariant(pin=pin),),
        seeds=(None,),
        datasets=(),
        tasks=(CardTasks(tape_ids=(world.tape,), digest=hash_members({world.tape: ""})),),
        scoring=None,
        judge=None,
        tools=ToolPolicies(),
        max_turns=1,
        concurrency=None,
        budget=SweepBudget(),
    )
    return card.sealed().model_dump(mode="json")


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


def a_file() -> SimpleUploadedFile:
    tape = {"metadata": {"id": "a"}, "context": None, "steps": [{"kind": "user", "content": "hi"}]}
    return SimpleUploadedFile("tape.json", json.dumps(tape).encode())


def body_of(route: Route, world: World) -> Any:
    model = {"name": "other", "litellm_model": "script:echo"}
    if route.name == "POST finetunes":
        training_set = str(store_training_set(world))
        return {"name": "student", "training_set_id": training_set, "base": "example/tiny"}
    if route.name in {"POST distillations", "POST distillations/check"}:
        return a_distillation(world)
    if route.name in {"POST sweeps", "POST sweeps/preview"}:
        return a_sweep(world)
    if route.name == "POST served-models":
        return {"adapter_id": str(store_adapter(world))}
    bodies = {
        "POST openai/chat/completions": {
            "model": "agent:nobody@1",
            "messages": [{"role": "user", "content": "hi"}],
        },
        "POST tokens": {"name": "nightly"},
        "PATCH people/{user_id}": {"role": "viewer"},
        "POST invitations": {"role": "viewer"},
        "POST projects": {"name": f"project {uuid4()}"},
        "PATCH projects/{project_id}": {"name": f"project {uuid4()}"},
        "POST base-models": {"name": "tiny", "steps": 1},
        "POST training-sets": {"name": "another", "tape_ids": [str(world.tape)]},
        "POST finetunes/{job_id}/resume": None,
        "POST served-models/{served_id}/stop": None,
        "POST sweeps/from-card": {"card": a_card(world)},
        "POST sweeps/{job_id}/amend": {"repeats": 1},
        "POST sweeps/{job_id}/pause": None,
        "POST sweeps/{job_id}/continue": None,
        "POST sweeps/{job_id}/amend/preview": {"repeats": 1},
        "PUT agents/{agent_id}/suites/{dataset_id}": None,
        "POST agents/{agent_id}/publications": {"version_id": str(world.version)},
        "POST suites/{dataset_id}/run": {"agent_version_ids": [str(world.version)]},
        "POST tapes/{tape_id}/regression-test": {"check": PASSES},
        "POST tapes/{tape_id}/next-step-tests": {"suite": "Next steps"},
        "PUT tapes/{tape_id}/regression-test": {"check": PASSES},
        "POST served-models/{served_id}/compare": {"tape_ids": [str(world.tape)]},
        "POST exports": {"format": "openai", "tape_ids": [str(world.tape)]},
        "POST tapes": {"agent_version_id": str(world.version), "message": "hi"},
        "POST reruns/preview": {"agent_version_id": str(world.version)},
        "POST reruns": {
            "tape_ids": [str(world.tape)],
            "agent_version_id": str(world.version),
            "batch_name": "run again",
        },
        "POST reruns/{rerun_id}/cancel": None,
        "POST reruns/{rerun_id}/undo": None,
        "POST transforms/preview": {"tape_ids": [str(world.tape)], "transforms": [DROP]},
        "POST transforms": {
            "tape_ids": [str(world.tape)],
            "transforms": [DROP],
            "batch_name": "transformed",
        },
        "POST transforms/{job_id}/undo": None,
        "POST tapes/count": {"tape_ids": [str(world.tape)]},
        "POST tapes/tags": {"tape_ids": [str(world.tape)], "add": ["good"]},
        "POST tapes/tags/{change_id}/undo": None,
        "POST tapes/changes": {
            "tape_ids": [str(world.tape)],
            "change": {"is_pinned": True},
        },
        "POST tapes/changes/{change_id}/undo": None,
        "PATCH tapes/{tape_id}": {"is_pinned": True},
        "POST tapes/{tape_id}/restore": None,
        "POST tapes/{tape_id}/fork": {"at": 1},
        "POST tapes/{tape_id}/replay": {},
        "POST tapes/{tape_id}/estimate": {"agent_version_id": str(world.version)},
        "PUT step-kinds/families": {"kind": "hover", "family": "action"},
        "PUT tapes/{tape_id}/draft": {
            "version": 0,
            "operations": [{"op": "delete", "position": 0}],
            "applied_count": 1,
        },
        "POST tapes/{tape_id}/save": None,
        "POST tapes/{tape_id}/resume": {"agent_version_id": str(world.version), "at": 1},
        "POST tapes/{tape_id}/reply": {"text": "yes"},
        "POST tapes/{tape_id}/annotations": {"kind": "note", "text": "hm", "position": 1},
        "PATCH tapes/{tape_id}/annotations/{annotation_id}": {"text": "other words"},
        "POST tapes/{tape_id}/annotations/{annotation_id}/restore": None,
        "POST tapes/{tape_id}/playground": {
            "model_id": str(world.model),
            "messages": [{"role": "user", "content": "hi"}],
        },
        "POST tapes/{tape_id}/calls/{call_id}/steps": {"content": "something else"},
        "POST tapes/{tape_id}/experiments": {"agent_version_id": str(world.version), "repeats": 2},
        "POST experiments/{experiment_id}/cancel": None,
        "POST experiments/{experiment_id}/retry": {"budget": {"tokens": 1000}},
        "POST experiments/{experiment_id}/check": {"check": {"kind": "no_error"}},
        "PATCH experiments/{experiment_id}/branches/{number}": {"passed": True},
        "POST experiments/{experiment_id}/labels": {"name": "training_set", "best": 0},
        "POST jobs/{job_id}/cancel": None,
        "POST jobs/{job_id}/requeue": None,
        "POST jobs/{job_id}/reply": {"text": "yes"},
        "POST jobs/{job_id}/pause": None,
        "POST jobs/{job_id}/continue": {"mode": "step"},
        "POST jobs/{job_id}/steer": {"text": "look again"},
        "PUT jobs/{job_id}/breakpoints": {"breakpoints": [{"kind": "node", "value": "say"}]},
        "POST agents": {"spec": spec("another").model_dump(mode="json")},
        "PUT agents/{agent_id}/draft": {"spec": {}, "revision": 0},
        "POST agents/{agent_id}/draft/undo": {"revision": 0},
        "POST agents/{agent_id}/draft/redo": {"revision": 0},
        "POST agents/{agent_id}/draft/prompt": {"tape_id": str(world.tape), "position": 1},
        "POST agents/{agent_id}/draft/save": {"revision": 0},
        "POST agents/{agent_id}/draft/run": {
            "revision": 0,
            "tape_id": str(world.tape),
            "position": 1,
        },
        "POST agents/from-tape": {"tape_id": str(world.tape), "name": "fourth"},
        "POST agents/import": {"text": json.dumps(spec("third").model_dump(mode="json"))},
        "POST agents/{agent_id}/versions": {"spec": spec(text="Be brief.").model_dump(mode="json")},
        "POST models": model,
        "PUT models/{model_id}": model,
        "PATCH models/{model_id}": {"name": "renamed"},
        "POST models/{model_id}/test": None,
        "POST tapes/{tape_id}/lint/notes": {"detector": "unfulfilled_action", "position": 0},
        "POST lint/jobs": {"batch_id": str(world.batch)},
        "POST lint/rules": {"name": "another", "text": "never is_error"},
        "POST lint/rules/check": {"text": "never is_error"},
        "POST tool-rules/dry-run": {"rules": [{"action": "deny"}]},
        "PATCH lint/rules/{rule_id}": {"is_enabled": False},
        "PATCH lint/detectors/{name}": {"is_enabled": False},
        "POST rubrics": {"name": "another", "rubric": RUBRIC},
        "PUT rubrics/{rubric_id}": {"name": "renamed", "rubric": RUBRIC},
        "POST queues": {"name": "another", "rubric_id": str(world.rubric)},
        "PATCH queues/{queue_id}": {"name": "renamed"},
        "POST queues/{queue_id}/items": {"targets": [{"tape_id": str(world.tape)}]},
        "POST queues/{queue_id}/next": None,
        "POST queues/{queue_id}/back": None,
        "POST queues/{queue_id}/requeue": {},
        "POST queues/{queue_id}/items/{item_id}/answer": {"values": {"good": True}},
        "POST queues/{queue_id}/items/{item_id}/skip": None,
        "POST queues/{queue_id}/items/{item_id}/release": None,
        "POST datasets": {"name": "another"},
        "POST datasets/word-problems": {"count": 2},
        "PATCH datasets/{dataset_id}": {"name": "renamed"},
        "POST datasets/{dataset_id}/restore": None,
        "POST datasets/{dataset_id}/add": {"tape_ids": [str(world.tape)]},
        "POST datasets/{dataset_id}/remove": {"tape_ids": [str(world.tape)]},
        "POST datasets/changes/{change_id}/undo": None,
        "POST datasets/{dataset_id}/scorers": {"name": "exact", "scorer": {"kind": "equals"}},
        "POST datasets/{dataset_id}/scorers/openai-eval": {"definition": {"type": "python"}},
        "POST datasets/{dataset_id}/versions": None,
        "POST sweeps/{job_id}/scorings": {"scorer": {"kind": "contains"}},
        "POST sweeps/{job_id}/scorings/{scoring_id}/verdicts/{tape_id}": None,
        "POST sweeps/{job_id}/scorings/{scoring_id}/labels": {"name": "to label", "count": 1},
        "POST example-files": None,
        "POST example-files/{file_id}/preview": {"message": "question"},
        "POST example-files/{file_id}/import": {
            "dataset": "from a file",
            "mapping": {"message": "question"},
        },
        "POST lenses": {"name": "another", "look": {"sort": "-cost"}},
        "PATCH lenses/{lens_id}": {"name": "renamed"},
        "POST uploads": None,
    }
    if route.method in {"get", "delete"}:
        return None
    return bodies[route.name]
