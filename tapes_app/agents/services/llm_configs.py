"""From a stored model to the configuration that `llms` asks it with, its key included."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.views.decorators.debug import sensitive_variables
from pydantic import SecretStr

from tapes_app.agents.rows import ModelRow
from tapes_app.agents.services.sealed_keys import open_key
from tapes_app.agents.store import llm_models
from tapes_app.engine.errors import ConflictError
from tapes_app.engine.redaction import register_secret
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.pricing import PriceSheet


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


@sensitive_variables()
def _load_key(project_id: UUID, row: ModelRow) -> SecretStr | None:
    if row.has_api_key:
        return SecretStr(open_key(llm_models.load_sealed_key(row.id, project_id), model=row.name))
    if not row.api_key_env:
        return None
    key = settings.STUDIO_READ_VARIABLE(row.api_key_env)
    if not key:
        raise ModelKeyMissingError(
            f"Model {row.name!r} reads its key from the environment variable "
            f"{row.api_key_env!r}, which is not set; set it and restart the studio, "
            "or enter a key under Models.",
            model=row.name,
            variable=row.api_key_env,
        )
    register_secret(key)
    return SecretStr(key)
