"""`/finetunes`, `/adapters`, `/base-models`: training runs, their results and their base models."""

from typing import Annotated, Any
from uuid import UUID

from ninja import Status
from pydantic import Field

from optimize_app.base_models import BaseModel
from optimize_app.finetune.base_recipe import BaseRecipe
from optimize_app.finetune.request import FinetuneRequest
from optimize_app.finetune.services import base_jobs, finetune_jobs, finetunes, tokens
from optimize_app.finetune.services.finetunes import FinetuneRow, Metrics
from optimize_app.finetune.services.tokens import BaseTemplate
from optimize_app.finetune.store import adapters
from optimize_app.finetune.store.adapters import AdapterRow
from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.presets import PRESETS
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.services.listeners import ShownJob, show_job
from tapes_app.projects.api.bodies import Out
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.domain.rows import Page

router = make_router("finetunes")
adapter_router = make_router("finetunes")
base_router = make_router("finetunes")
Limit = Annotated[int, Field(ge=1, le=200)]


@router.get("", response=Page[FinetuneRow])
def list_finetunes(
    request: PersonRequest, after: str | None = None, limit: Limit = 50
) -> Page[FinetuneRow]:
    """List finetunes, newest first."""
    return finetunes.list_finetunes(request.auth, after=after, limit=limit)


@router.post("", response={202: JobOut})
def start_finetune(request: PersonRequest, body: FinetuneRequest) -> Status[ShownJob]:
    """Start a finetune: it waits in the queue of the GPU workers, then trains."""
    return Status(202, show_job(finetune_jobs.start_finetune(request.auth, body)))


class CheckedFinetuneOut(Out):
    """A finetune that could be started."""

    train_count: int
    """Examples that it would learn from."""

    held_out_count: int


@router.post("/check", response=CheckedFinetuneOut)
def check_finetune(request: PersonRequest, body: FinetuneRequest) -> CheckedFinetuneOut:
    """Check whether a finetune could be started, without starting anything."""
    examples = finetune_jobs.check_finetune(request.auth, body)
    return CheckedFinetuneOut(
        train_count=examples.train_count, held_out_count=examples.held_out_count
    )


@router.get("/options", response=dict[str, Any])
def show_options(request: PersonRequest) -> dict[str, Any]:
    """Return the JSON schema of a finetune's options, and what each preset sets."""
    presets = {
        name: {
            key: value.model_dump() if hasattr(value, "model_dump") else value
            for key, value in values.items()
        }
        for name, values in PRESETS.items()
    }
    return {"schema": FinetuneConfig.model_json_schema(), "presets": presets}


@router.get("/{job_id}", response=FinetuneRow)
def show_finetune(request: PersonRequest, job_id: UUID) -> FinetuneRow:
    """Return a finetune: its options, its state and its result."""
    return finetunes.load_finetune(request.auth, job_id)


@router.get("/{job_id}/config", response=dict[str, Any])
def show_config(request: PersonRequest, job_id: UUID) -> dict[str, Any]:
    """Return all options of a finetune, including those of its preset and the defaults."""
    return finetunes.load_config(request.auth, job_id)


@router.get("/{job_id}/metrics", response=Metrics)
def show_metrics(
    request: PersonRequest, job_id: UUID, start: Annotated[int, Field(ge=0)] = 0
) -> Metrics:
    """Return the events in a run's log from byte `start` on: plan, steps, evaluations."""
    return finetunes.load_metrics(request.auth, job_id, start)


@router.post("/{job_id}/resume", response={202: JobOut})
def resume_finetune(request: PersonRequest, job_id: UUID) -> Status[ShownJob]:
    """Continue a finetune that failed or was cancelled from its last checkpoint."""
    return Status(202, show_job(finetunes.resume_finetune(request.auth, job_id)))


@adapter_router.get("", response=Page[AdapterRow])
def list_adapters(
    request: PersonRequest, after: str | None = None, limit: Limit = 50
) -> Page[AdapterRow]:
    """List the results of finetunes, newest first, with base and training set."""
    return adapters.list_adapters(request.auth.project_id, after=after, limit=limit)


@adapter_router.get("/{adapter_id}", response=AdapterRow)
def show_adapter(request: PersonRequest, adapter_id: UUID) -> AdapterRow:
    """Return an adapter: its base, its training set and its losses."""
    return adapters.load_adapter(adapter_id, request.auth.project_id)


@base_router.post("", response={202: JobOut})
def make_base_model(request: PersonRequest, body: BaseRecipe) -> Status[ShownJob]:
    """Make a tiny base model from scratch, in a few minutes on two cores."""
    return Status(202, show_job(base_jobs.start_base_model(request.auth, body)))


@base_router.get("", response=list[BaseModel])
def list_bases(request: PersonRequest) -> list[BaseModel]:
    """List the base models made in the project or provided by an operator; hub names work too."""
    return base_jobs.list_bases(request.auth)


@base_router.get("/templates", response=list[BaseTemplate])
def list_base_templates(request: PersonRequest) -> list[BaseTemplate]:
    """List what is known about the base models' chat templates; each is inspected only once."""
    return tokens.list_templates([base.name for base in base_jobs.list_bases(request.auth)])
