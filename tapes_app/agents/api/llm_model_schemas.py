"""Models to ask, and trying whether they answer."""

from typing import Any

from pydantic import Field, SecretStr

from tapes_app.engine.llm import Usage
from tapes_app.projects.api.bodies import In, Line, Out


class ModelIn(In):
    """A model to ask. Prices in micro US dollars for a million tokens."""

    name: Line = Field(min_length=1, max_length=200)
    litellm_model: Line = Field(min_length=1, max_length=300)
    base_url: Line = Field(default="", max_length=500)
    api_key_env: Line = Field(default="", max_length=100)
    api_key: SecretStr | None = None
    """Stored encrypted and never given out; `None` keeps what is stored, "" removes it."""

    parameters: dict[str, Any] = Field(default_factory=dict)
    input_price: int | None = Field(default=None, ge=0, le=10**12)
    cache_read_price: int | None = Field(default=None, ge=0, le=10**12)
    cache_write_price: int | None = Field(default=None, ge=0, le=10**12)
    output_price: int | None = Field(default=None, ge=0, le=10**12)


class ModelPatchIn(In):
    """What to change of a model; what is left out stays."""

    name: Line | None = Field(default=None, min_length=1, max_length=200)
    litellm_model: Line | None = Field(default=None, min_length=1, max_length=300)
    base_url: Line | None = Field(default=None, max_length=500)
    api_key_env: Line | None = Field(default=None, max_length=100)
    api_key: SecretStr | None = None
    parameters: dict[str, Any] | None = None
    input_price: int | None = Field(default=None, ge=0, le=10**12)
    cache_read_price: int | None = Field(default=None, ge=0, le=10**12)
    cache_write_price: int | None = Field(default=None, ge=0, le=10**12)
    output_price: int | None = Field(default=None, ge=0, le=10**12)


class ModelTestOut(Out):
    """The result of asking the model a short question."""

    is_ok: bool
    message: str
    text: str
    duration_seconds: float
    usage: Usage | None
    cost_micro_usd: int | None
