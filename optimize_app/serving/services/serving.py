"""Serving models: starting, listing and stopping. One server answers for all models of a base."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.db import transaction

from optimize_app.finetune.store.adapters import AdapterRow, load_adapter
from optimize_app.serving.request import SERVE_KIND, SERVE_QUEUE, ServeRequest, ServerRequest
from optimize_app.serving.store import folders, served
from optimize_app.serving.store.folders import FINETUNED
from optimize_app.serving.store.served import ServedRecord
from tapes_app.agents.store import llm_models
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.jobs.store.commands import request_cancel
from tapes_app.jobs.store.job import Job, create_job, load_jobs
from tapes_app.projects.services.people import Person

ServedState = Literal["starting", "ready", "refused", "failed", "stopped"]
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Parity:
    """How far the server's log-probabilities are from those of transformers and peft, in nats."""

    passed: bool
    message: str
    mean: float | None = None
    largest: float | None = None
    bound: float | None = None


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model that the studio serves or has served."""

    id: UUID
    name: str
    adapter_id: UUID | None
    adapter_name: str
    base: str
    server_id: UUID
    """The job of the server."""

    state: ServedState
    message: str
    """What it is waiting for, or why it is not served."""

    model_id: UUID | None
    """In the project's list of LLM models; `None` until it has passed the probe."""

    parity: Parity | None
    """`None` before the probe."""

    created_at: datetime


def serve(person: Person, request: ServeRequest) -> ServedModel:
    """Have the server of its base answer for a model; a repeated request returns the same one.

    Raises:
        NotFoundError: no such adapter in the project.
        InvalidInputError: there is no such base model.
        ConflictError: the finetune's folder was deleted.
    """
    adapter = load_adapter(request.adapter_id, person.project_id) if request.adapter_id else None
    base = _base_of(adapter) if adapter is not None else request.base
    folders.find_weights(base, person.project_id)
    with transaction.atomic():
        job = served.find_server(person.project_id, base, SERVE_KIND)
        name = _choose_name(person.project_id, adapter, base)
        is_lora = adapter is not None and adapter.method == "lora"
        if job is None:
            of_base = _choose_name(person.project_id, None, base) if is_lora else name
            if is_lora and of_base == name:
                of_base = f"{of_base}-base"
            job = _queue_server(person, ServerRequest(base=base, served_name=of_base))
        elif not is_lora:
            name = ServerRequest.model_validate(job.request).served_name
        record = served.save_served(
            person.project_id,
            owner=person.user_id,
            name=name,
            adapter_id=request.adapter_id,
            base=base,
            job_id=job.id,
        )
    return load_served(person, record.id)


def list_served(person: Person) -> list[ServedModel]:
    """Return everything that is or was served, newest first."""
    records = served.list_served(person.project_id)
    jobs = load_jobs(person.project_id, {record.job_id for record in records})
    return [_show(record, jobs.get(record.job_id)) for record in records]


def load_served(person: Person, served_id: UUID) -> ServedModel:
    """Return one served model.

    Raises:
        NotFoundError: the project has no served model of this id.
    """
    record = served.load_served(served_id, person.project_id)
    jobs = load_jobs(person.project_id, {record.job_id})
    return _show(record, jobs.get(record.job_id))


def stop_serving(person: Person, served_id: UUID) -> ServedModel:
    """Stop serving a model; the server of its base ends with its last model.

    Raises:
        NotFoundError: the project has no served model of this id.
        ConflictError: it is not served.
    """
    record = served.load_served(served_id, person.project_id)
    with transaction.atomic():
        served.update_served(record.id, is_wanted=False)
        if not served.list_of_server(record.job_id):
            request_cancel(person.project_id, record.job_id, person=person.name)
    return load_served(person, served_id)


def read_log(person: Person, served_id: UUID) -> str:
    """Return the end of the output of a model's server.

    Raises:
        NotFoundError: the project has no served model of this id.
    """
    record = served.load_served(served_id, person.project_id)
    return folders.server_folder(record.job_id).read_log()


def _base_of(adapter: AdapterRow) -> str:
    return adapter.base if adapter.method == "lora" else f"{FINETUNED}{adapter.job_id}"


def _queue_server(person: Person, request: ServerRequest) -> Job:
    return create_job(
        person.project_id,
        SERVE_KIND,
        request=request.model_dump(mode="json"),
        title=f"Serve {request.served_name}",
        owner_id=person.user_id,
        queue=SERVE_QUEUE,
    )


def _choose_name(project: UUID, adapter: AdapterRow | None, base: str) -> str:
    """Return the name that a model is served under, the same one every time.

    A name is used for a folder and in addresses: letters, digits, dots and dashes.
    """
    wanted = adapter.name if adapter is not None else base.rsplit("/", 1)[-1]
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", wanted).strip("-.")[:_LONGEST_NAME] or "model"
    number, name = 1, plain
    while not _is_free(project, name, adapter, base):
        number += 1
        name = f"{plain}-{number}"
    return name


def _is_free(project: UUID, name: str, adapter: AdapterRow | None, base: str) -> bool:
    record = served.find_served(project, name)
    if record is not None:
        own = adapter.id if adapter is not None else None
        return (record.adapter_id, record.base) == (own, base if own is None else record.base)
    return llm_models.find_model(name, project) is None


def _show(record: ServedRecord, job: Job | None) -> ServedModel:
    state, message = _find_state(record, job)
    parity = {key: record.parity.get(key) for key in Parity.__slots__} if record.parity else None
    return ServedModel(
        id=record.id,
        name=record.name,
        adapter_id=record.adapter_id,
        adapter_name=record.adapter_name,
        base=record.base,
        server_id=record.job_id,
        state=state,
        message=message,
        model_id=record.model_id,
        parity=Parity(**parity) if parity is not None else None,  # type: ignore[arg-type]
        created_at=record.created_at,
    )


def _find_state(record: ServedRecord, job: Job | None) -> tuple[ServedState, str]:
    if not record.is_wanted or job is None or job.state == "cancelled" or job.is_cancel_requested:
        return "stopped", ""
    if job.state in FINAL_STATES:
        return "failed", job.message
    if job.state != "running" or not record.parity:
        return "starting", job.message or "Waiting for a worker"
    if not record.parity["passed"]:
        return "refused", record.parity["message"]
    return "ready", ""
