"""Adding a served model to the project's list of LLM models, where runs find it."""

from typing import Any
from uuid import UUID

from optimize_app.serving.server.server_folder import Address
from optimize_app.serving.store import served
from optimize_app.serving.store.served import ServedRecord
from tapes_app.agents.services.sealed_keys import seal_key
from tapes_app.agents.store import llm_models
from tapes_app.agents.store.llm_models import ModelFields
from tapes_app.engine.errors import NotFoundError
from tapes_app.jobs.store.job import Job


def is_known(record: ServedRecord, address: Address) -> bool:
    """Return whether a model was probed since its server started."""
    return record.parity.get("loaded_at") == address.started_at


def announce(
    job: Job, record: ServedRecord, parity: dict[str, Any], address: Address, key: str
) -> None:
    """Store the result of the probe, and let the project use the model if it passed."""
    model_id = record.model_id
    if parity["passed"]:
        fields = ModelFields(
            litellm_model=f"hosted_vllm/{record.name}",
            base_url=address.url,
            sealed_key=seal_key(key),
            record_tokens=True,
            is_served_here=True,
        )
        model_id = _update(job, record, fields) or _create(job, record, fields)
    served.update_served(record.id, parity=parity, model_id=model_id)


def _update(job: Job, record: ServedRecord, fields: ModelFields) -> UUID | None:
    if record.model_id is None:
        return None
    try:
        return llm_models.update_model(record.model_id, job.project_id, **fields).id
    except NotFoundError:  # a person deleted it from the list
        return None


def _create(job: Job, record: ServedRecord, fields: ModelFields) -> UUID:
    name = record.name
    while llm_models.find_model(name, job.project_id) is not None:
        name = f"{name}-served"
    fields["name"] = name
    return llm_models.create_model(job.project_id, owner=job.owner_id, **fields).id
