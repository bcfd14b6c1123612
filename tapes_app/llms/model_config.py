"""How a model is reached, asked and paid for, as data."""

from typing import Any

from pydantic import Field, SecretStr

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.llms.pricing import PriceSheet


class ModelConfig(FrozenModel):
    """One model. Its key is never shown: not in its text, its JSON or any error."""

    name: str = ""
    """What people call it; the model's own name when empty."""

    litellm_model: str
    """Provider and model as litellm writes them, such as "anthropic/claude-sonnet-4-5"; a
    script of this product is "script:NAME"."""

    base_url: str | None = None
    """Address of an OpenAI-compatible server, up to and including "/v1"."""

    api_key: SecretStr | None = None
    """The only key that is sent; without one, none of the environment is taken."""

    allowed_hosts: tuple[str, ...] | None = None
    """Hosts inside the server's network that may be asked, beside public ones; `None` = any."""

    parameters: dict[str, Any] = Field(default_factory=dict)
    """Sent with every request: temperature, max_tokens, …"""

    prices: PriceSheet | None = None
    """What its tokens cost; when unknown, litellm's own price list is asked."""

    record_tokens: bool = False
    """Ask for token ids and log-probabilities, where the server gives them."""

    record_masks: bool = False
    """With the tokens of a call also which ones could have been drawn; the studio's own server
    tells that."""

    deadline_seconds: float = Field(default=1800, gt=0, allow_inf_nan=False)
    """How long one answer may take, waiting and trying again included."""

    silence_seconds: float = Field(default=300, gt=0, allow_inf_nan=False)
    """How long the provider may say nothing before that counts as a timeout; models that reason
    may be silent for minutes before their first word."""

    max_attempts: int = Field(default=5, ge=1, le=20)
    """How often a request is made before a transient failure is final; a rate limit that names a
    time to wait is none, and is waited for."""

    backoff_seconds: float = Field(default=0.5, ge=0, allow_inf_nan=False)
    """Wait before the second attempt; it doubles with each further one, up to 30 seconds."""

    @property
    def label(self) -> str:
        return self.name or self.litellm_model
