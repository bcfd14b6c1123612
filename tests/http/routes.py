"""All routes of the API, with a valid request for each; a new route without one fails a test."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from studio.api import api
from tapes_app.bulk.store.dataset_versions import freeze
from tests.http.bodies import body_of
from tests.http.rows import (
    ROWS,
    owner_of,
    store_adapter,
    store_answer,
    store_base,
    store_change,
    store_deleted_dataset,
    store_distillation,
    store_example_file,
    store_example_import,
    store_export,
    store_finetune,
    store_invitation,
    store_regression_test,
    store_rerun,
    store_revision,
    store_scorer,
    store_scoring,
    store_served,
    store_set_job,
    store_study,
    store_sweep,
    store_token,
    store_training_set,
    store_transform,
    store_verdict,
    store_written_base,
)
from tests.http.worlds import World

PREFIX = "/api/v1/"
READING = {"get"}


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

    def body(self, world: World) -> Any:
        """Return what a valid request sends, or `None`."""
        return None if self.method in {"get", "delete"} else body_of(self.name, world)


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
        server="nowhere",
        training_set_id=world.dataset,
        adapter_id=world.dataset,
        served_id=world.dataset,
        token_id=world.dataset,
        invitation_id=world.dataset,
        project_id=world.project,
        user_id=owner_of(world),
        file_format="csv",
        letter="A",
        company="DriveCorp",
        key="first",
        response_id=store_answer(world) if "{response_id}" in route.path else "",
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
    if route.path.startswith("studies/{"):
        path = route.path.format(
            job_id=store_study(world), name="test", company="DriveCorp", key="first"
        )
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
    if route.name == "POST tapes/{tape_id}/steps/{position}/revision":
        path = route.path.format(tape_id=store_revision(world), position=0)
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
    if route.name in {"GET agents/diff", "GET agents/versions/outcomes"}:
        path = f"{path}?a={world.version}&b={world.version}"
    if route.name == "GET agents/{agent_id}/draft/changes":
        path = f"{path}?revision=0"
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
    body = route.body(world)
    return client.generic(
        route.method.upper(),
        f"{PREFIX}{path}",
        data="" if body is None else json.dumps(body),
        content_type="application/json",
        headers=headers,
    )


def a_file() -> SimpleUploadedFile:
    tape = {"metadata": {"id": "a"}, "context": None, "steps": [{"kind": "user", "content": "hi"}]}
    return SimpleUploadedFile("tape.json", json.dumps(tape).encode())
