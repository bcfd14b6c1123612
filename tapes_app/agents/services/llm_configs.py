"""From a stored model to its client: configuration including the key, and rate limit."""

from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.views.decorators.debug import sensitive_variables
from pydantic import SecretStr

from tapes_app.agents.domain.llm_parameters import check_parameters
from tapes_app.agents.domain.rows import ModelRow
from tapes_app.agents.services.sealed_keys import open_key
from tapes_app.agents.store import llm_models
from tapes_app.agents.store.rate_limits import share_limit
from tapes_app.engine.errors import ConflictError
from tapes_app.engine.model.llm import LLM
from tapes_app.engine.redaction import register_secret
from tapes_app.llms.addresses import is_allowed
from tapes_app.llms.factory import build_llm
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.pricing import PriceSheet

_LIMITS = ("silence_seconds", "deadline_seconds", "max_attempts")


class ModelKeyMissingError(ConflictError):
    """A model's key is in an environment variable that is not set."""

    code = "model_key_missing"


class ModelKeyRetiredError(ModelKeyMissingError):
    """An operator retired a model's key, and it has no new one yet."""

    code = "model_key_retired"


def build_stored_llm(
    project_id: UUID, row: ModelRow, parameters: dict[str, Any] | None = None
) -> LLM:
    """Return a model's client, which shares its rate limit with the model's other clients.

    Raises:
        StudioError: as `load_config` and `build_llm` do.
    """
    return build_llm(load_config(project_id, row, parameters), share_limit(row.id))


def load_config(
    project_id: UUID,
    row: ModelRow,
    parameters: dict[str, Any] | None = None,
    **options: Any,
) -> ModelConfig:
    """Return the configuration of a model; `parameters` override its own.

    Raises:
        ModelKeyMissingError: its variable is not set; the message names it.
        ModelKeyRetiredError: its key was retired.
        KeyUnreadableError: its stored key cannot be decrypted.
        InvalidInputError: a parameter would redirect the call or a key.
    """
    merged = {**row.parameters, **(parameters or {})}
    check_parameters(merged)
    return ModelConfig(
        name=row.name,
        litellm_model=row.litellm_model,
        base_url=row.base_url or None,
        api_key=_load_key(project_id, row),
        allowed_hosts=_allowed_for(row),
        parameters=merged,
        prices=price_sheet(row),
        record_tokens=row.record_tokens,
        record_masks=row.is_served_here,
        **{**_limits(row), **options},
    )


def _limits(row: ModelRow) -> dict[str, float]:
    """Return the entered values for silence, deadline and attempts."""
    entered = {name: getattr(row, name) for name in _LIMITS}
    return {name: value for name, value in entered.items() if value is not None}


def allowed_hosts() -> tuple[str, ...] | None:
    """Return the internal hosts where models may be; `None` = any, in a one-person studio."""
    return settings.STUDIO_MODEL_HOSTS if settings.STUDIO_ACCOUNTS else None


def _allowed_for(row: ModelRow) -> tuple[str, ...] | None:
    """Return the internal hosts where a model may be, including the studio's own server."""
    allowed = allowed_hosts()
    if allowed is None or not row.is_served_here:
        return allowed
    return (*allowed, urlsplit(row.base_url).netloc)


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
    if row.key_retired_at is not None:
        raise ModelKeyRetiredError(
            f"The key of model {row.name!r} was retired; give it a new one under Models.",
            model=row.name,
        )
    if row.has_api_key:
        return SecretStr(open_key(llm_models.load_sealed_key(row.id, project_id), model=row.name))
    if not row.api_key_env:
        return None
    allowed = allowed_hosts()
    if row.base_url and allowed is not None and not is_allowed(row.base_url, allowed):
        raise ConflictError(
            f"Model {row.name!r} would send one of the server's keys to an address of its own: "
            "enter the key itself under Models, or let STUDIO_MODEL_HOSTS name the host."
        )
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
