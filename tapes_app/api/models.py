"""`/models`: the models that agents may ask."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ninja import Status

from tapes_app.api.people import PersonRequest, created, emptied, found, make_router
from tapes_app.api.schemas import ModelIn, ModelOut, ModelPatchIn, ModelTestOut
from tapes_app.services import models

router = make_router("models")


@router.get("", response=found(list[ModelOut]))
def list_models(request: PersonRequest) -> Any:
    # A list, because ninja takes a pair for a status and a body.
    return list(models.list_models(request.auth))


@router.post("", response=created(ModelOut))
def add_model(request: PersonRequest, body: ModelIn) -> Status[Any]:
    return Status(201, models.add_model(request.auth, _values(body)))


@router.put("/{model_id}", response=found(ModelOut))
def change_model(request: PersonRequest, model_id: UUID, body: ModelIn) -> Any:
    """Change everything of a model; its stored key stays unless another is given."""
    return models.change_model(request.auth, model_id, _values(body))


@router.patch("/{model_id}", response=found(ModelOut))
def patch_model(request: PersonRequest, model_id: UUID, body: ModelPatchIn) -> Any:
    """Change what is given of a model."""
    return models.change_model(request.auth, model_id, _values(body, only_given=True))


@router.delete("/{model_id}", response=emptied())
def delete_model(request: PersonRequest, model_id: UUID) -> Status[None]:
    models.delete_model(request.auth, model_id)
    return Status(204, None)


@router.post("/{model_id}/test", response=found(ModelTestOut))
def test_model(request: PersonRequest, model_id: UUID) -> Any:
    """Ask the model a short question and say what came of it."""
    return models.ask_model(request.auth, model_id)


def _values(body: ModelIn | ModelPatchIn, *, only_given: bool = False) -> models.ModelValues:
    values = body.model_dump(exclude={"api_key"}, exclude_unset=only_given)
    key = body.api_key.get_secret_value() if body.api_key is not None else None
    return models.ModelValues(values, key)
