"""From a stored model to the configuration that `llms` asks it with, its key included."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.conf import settings
from django.views.decorators.debug import sensitive_variables
from pydantic import SecretStr

from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.engine.redaction import register_secret
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.pricing import PriceSheet
from tapes_app.services.sealed_keys import open_key
from tapes_app.storage import models as model_storage
from tapes_app.storage.rows import ModelRow

MAX_PACE = 60
_SECRET_PARAMETER = re.compile(
    r"api_?key|secret|passw|credential|authorization|headers|api_base|base_url|_token$",
    re.IGNORECASE,
)


class ModelKeyMissingError(ConflictError):
    """A model's key is in an environment variable that is not set."""

    code = "model_key_missing"


def load_config(
    project_id: UUID,
    row: ModelRow,
    parameters: dict[str, Any] | None = None,
    **options: Any,
) -> ModelConfig:
    """Return how to ask a model; `parameters` go over its own.

    Raises:
        ModelKeyMissingError: its variable is not set; the message names it.
        KeyUnreadableError: its stored key cannot be opened.
    """
    return ModelConfig(
        name=row.name,
        litellm_model=row.litellm_model,
        base_url=row.base_url or None,
        api_key=_load_key(project_id, row),
        parameters={**row.parameters, **(parameters or {})},
        prices=price_sheet(row),
        **options,
    )


def price_sheet(row: ModelRow) -> PriceSheet | None:
    """Return what the model's tokens cost; `None` when nobody entered a price."""
    sheet = PriceSheet(
        input=row.input_price,
        output=row.output_price,
        cache_read=row.cache_read_price,
        cache_write=row.cache_write_price,
    )
    return None if sheet == PriceSheet() else sheet


def check_parameters(parameters: Mapping[str, Any]) -> None:
    """Refuse what does not belong among the parameters of a model or of an agent's LLM.

    Raises:
        InvalidInputError: a key or an address, which every recorded call would show; a pace
            that is no number.
    """
    for name in parameters:
        if _SECRET_PARAMETER.search(name):
            raise InvalidInputError(
                f"Parameter {name!r} does not belong here: parameters are recorded with every "
                "call. Enter the key and the address of a model in their own fields.",
                field="parameters",
            )
    pace = parameters.get("delay_seconds", 0)
    if isinstance(pace, bool) or not isinstance(pace, int | float) or not 0 <= pace <= MAX_PACE:
        raise InvalidInputError(
            f"delay_seconds must be a number of seconds up to {MAX_PACE}.", field="parameters"
        )


@sensitive_variables()
def _load_key(project_id: UUID, row: ModelRow) -> SecretStr | None:
    if row.has_api_key:
        return SecretStr(
            open_key(model_storage.load_sealed_key(row.id, project_id), model=row.name)
        )
    if not row.api_key_env:
        return None
    key = settings.STUDIO_READ_VARIABLE(row.api_key_env)
    if not key:
        raise ModelKeyMissingError(
            f"Model {row.name!r} takes its key from the environment variable "
            f"{row.api_key_env!r}, which is not set; set it and restart the studio, "
            "or enter a key under Models.",
            model=row.name,
            variable=row.api_key_env,
        )
    register_secret(key)
    return SecretStr(key)
