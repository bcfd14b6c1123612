"""Models that a project may use. Keys arrive and stay sealed; no row ever contains one."""

from typing import Any, TypedDict, Unpack
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from tapes_app.agents.domain.rows import ModelRow
from tapes_app.agents.store.rate_limits import share_limit
from tapes_app.engine.errors import NotFoundError
from tapes_app.models import ModelRecord
from tapes_app.projects.domain.columns import check_text, fit_text
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.store.records import get_record, refusing_duplicates


class ModelFields(TypedDict, total=False):
    """What can be set on a model. Prices in micro US dollars per million tokens."""

    name: str
    litellm_model: str
    base_url: str
    api_key_env: str
    parameters: dict[str, Any]
    input_price: int | None
    cache_read_price: int | None
    cache_write_price: int | None
    output_price: int | None
    silence_seconds: float | None
    deadline_seconds: float | None
    max_attempts: int | None
    record_tokens: bool
    is_served_here: bool
    sealed_key: bytes
    """The key as `agents.services.sealed_keys` encrypts it; empty for none."""


_LENGTHS = {"name": 200, "litellm_model": 300, "base_url": 500, "api_key_env": 100}


def list_models(project: UUID) -> list[ModelRow]:
    """Return the project's models by name."""
    return [_row(record) for record in _live(project).order_by("name")]


def load_model(model_id: UUID, project: UUID) -> ModelRow:
    """Return one model.

    Raises:
        NotFoundError: there is no such model in this project.
    """
    return _row(_get(model_id, project))


def find_model(name: str, project: UUID) -> ModelRow | None:
    """Return the model of a name, if the project has one."""
    record = _live(project).filter(name=fit_text(name, _LENGTHS["name"])).first()
    return _row(record) if record is not None else None


def load_sealed_key(model_id: UUID, project: UUID) -> bytes:
    """Return a model's key, still sealed; empty when it has none.

    Raises:
        NotFoundError: there is no such model in this project.
    """
    return bytes(_get(model_id, project).api_key_encrypted)


def create_model(
    project: UUID, *, owner: int | None = None, **fields: Unpack[ModelFields]
) -> ModelRow:
    """Store a model.

    Raises:
        ConflictError: the project already has a model of that name.
    """
    record = ModelRecord(project_id=project, owner_id=owner)
    _save(record, fields)
    return _row(record)


def update_model(model_id: UUID, project: UUID, **fields: Unpack[ModelFields]) -> ModelRow:
    """Change the given fields of a model.

    Raises:
        NotFoundError: there is no such model in this project.
        ConflictError: the project has another model of that name.
    """
    record = _get(model_id, project)
    _save(record, fields)
    return _row(record)


def take_key(model_id: UUID, project: UUID) -> None:
    """Remove a model's key and the name of its variable, until it is given a new one.

    Raises:
        NotFoundError: there is no such model in this project.
    """
    record = _get(model_id, project)
    record.api_key_encrypted, record.api_key_env = b"", ""
    record.key_retired_at = timezone.now()
    record.save(update_fields=["api_key_encrypted", "api_key_env", "key_retired_at"])


def delete_model(model_id: UUID, project: UUID) -> None:
    """Remove a model from the lists and delete its key.

    Raises:
        NotFoundError: there is no such model in this project.
    """
    found = _live(project).filter(id=model_id)
    if not found.update(deleted_at=timezone.now(), api_key_encrypted=b""):
        raise NotFoundError("Model not found.", model_id=str(model_id))


def _save(record: ModelRecord, fields: ModelFields) -> None:
    for name, value in fields.items():
        if isinstance(value, str):
            check_text(value, _LENGTHS[name], f"The model's {name}")
        setattr(record, "api_key_encrypted" if name == "sealed_key" else name, value)
    record.limited_until = None  # its address or key may have changed
    if fields.get("sealed_key") or fields.get("api_key_env"):
        record.key_retired_at = None
    taken = f"The project already has an LLM model {record.name!r}; choose another name."
    with refusing_duplicates(taken, name=record.name):
        record.save()
    share_limit(record.id).forget()


def _live(project: UUID) -> QuerySet[ModelRecord, ModelRecord]:
    return ModelRecord.objects.filter(project_id=project, deleted_at__isnull=True)


def _get(model_id: UUID, project: UUID) -> ModelRecord:
    return get_record(_live(project), "Model not found.", model_id=model_id)


def _row(record: ModelRecord) -> ModelRow:
    return row_of(ModelRow, record, has_api_key=bool(record.api_key_encrypted))
