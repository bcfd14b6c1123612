"""How a model is reached, called and paid for, as data."""

from typing import Any

from pydantic import Field, SecretStr

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.llms.pricing import PriceSheet


class ModelConfig(FrozenModel):
    """One model. Its key is never shown: not in its text, its JSON or any error."""

    name: str = ""
    """The display name; the model's own name when empty."""

    litellm_model: str
    """Provider and model in litellm's form, such as "anthropic/claude-sonnet-4-5"; a script of this
    product is "script:NAME"."""

    base_url: str | None = None
    """Address of an OpenAI-compatible server, up to and including "/v1"."""

    api_key: SecretStr | None = None
    """The only key that is sent; without one, no key is taken from the environment."""

    allowed_hosts: tuple[str, ...] | None = None
    """Hosts inside the server's network that may be called in addition to public ones; `None` =
    any."""

    parameters: dict[str, Any] = Field(default_factory=dict)
    """Sent with every request: temperature, max_tokens, …"""

    prices: PriceSheet | None = None
    """What its tokens cost; if unset, litellm's own price list is used."""

    record_tokens: bool = False
    """Request token ids and log-probabilities from servers that return them."""

    record_masks: bool = False
    """With a call's tokens, also request the tokens that could have been drawn; only the studio's
    own server returns them."""

    deadline_seconds: float = Field(default=1800, gt=0, allow_inf_nan=False)
    """How long one answer may take, including waits and retries."""

    silence_seconds: float = Field(default=300, gt=0, allow_inf_nan=False)
    """How long the provider may send nothing before that counts as a timeout; reasoning models may
    be silent for minutes before their first word."""

    max_attempts: int = Field(default=5, ge=1, le=20)
    """How often a request is made before a transient failure is final. A rate limit that states a
    waiting time does not count as a failure, and is waited out."""

    backoff_seconds: float = Field(default=0.5, ge=0, allow_inf_nan=False)
    """Wait before the second attempt; it doubles with each further attempt, up to 30 seconds."""

    @property
    def label(self) -> str:
        return self.name or self.litellm_model
