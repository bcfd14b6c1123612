"""`/models`: the models that agents may use."""

from typing import Annotated, Any
from uuid import UUID

from ninja import Status
from pydantic import Field, SecretStr

from tapes_app.agents.domain.rows import ModelRow
from tapes_app.agents.services import llm_models as models
from tapes_app.agents.services.llm_models import ModelTest
from tapes_app.agents.store import llm_models
from tapes_app.projects.api.bodies import In, Line
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router

router = make_router("models")

Seconds = Annotated[float, Field(ge=1, le=86_400, allow_inf_nan=False)]


class ModelIn(In):
    """A model that can be called. Prices in micro US dollars per million tokens."""

    name: Line = Field(min_length=1, max_length=200)
    litellm_model: Line = Field(min_length=1, max_length=300)
    base_url: Line = Field(default="", max_length=500)
    api_key_env: Line = Field(default="", max_length=100)
    api_key: SecretStr | None = None
    """Stored encrypted and never returned; `None` keeps the stored key, "" removes it."""

    parameters: dict[str, Any] = Field(default_factory=dict)
    input_price: int | None = Field(default=None, ge=0, le=10**12)
    cache_read_price: int | None = Field(default=None, ge=0, le=10**12)
    cache_write_price: int | None = Field(default=None, ge=0, le=10**12)
    output_price: int | None = Field(default=None, ge=0, le=10**12)
    silence_seconds: Seconds | None = None
    """How long the model may send nothing before the call is retried; `null` = 300."""

    deadline_seconds: Seconds | None = None
    """How long one answer may take, with all attempts; `null` = 1800."""

    max_attempts: int | None = Field(default=None, ge=1, le=20)
    """How often it is called before a transient failure is final; `null` = 5."""

    record_tokens: bool = False
    """Request token ids and log-probabilities from its server, and keep them with each call."""


class ModelPatchIn(In):
    """What to change in a model, in the fields of `ModelIn`; omitted fields stay unchanged."""

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
    silence_seconds: Seconds | None = None
    deadline_seconds: Seconds | None = None
    max_attempts: int | None = Field(default=None, ge=1, le=20)
    record_tokens: bool = False


@router.get("", response=list[ModelRow])
def list_models(request: PersonRequest) -> list[ModelRow]:
    """List the LLM models of the project; no answer contains a key."""
    return llm_models.list_models(request.auth.project_id)


@router.post("", response=created(ModelRow))
def add_model(request: PersonRequest, body: ModelIn) -> Status[ModelRow]:
    """Add an LLM model to the project; prices are in micro US dollars per million tokens."""
    return Status(201, models.add_model(request.auth, _values(body)))


@router.put("/{model_id}", response=ModelRow)
def change_model(request: PersonRequest, model_id: UUID, body: ModelIn) -> ModelRow:
    """Replace all settings of a model; its stored key stays unless another is given."""
    return models.change_model(request.auth, model_id, _values(body))


@router.patch("/{model_id}", response=ModelRow)
def patch_model(request: PersonRequest, model_id: UUID, body: ModelPatchIn) -> ModelRow:
    """Change the given settings of a model."""
    return models.change_model(request.auth, model_id, _values(body, only_given=True))


@router.delete("/{model_id}", response=emptied())
def delete_model(request: PersonRequest, model_id: UUID) -> Status[None]:
    """Delete an LLM model; runs that used it keep its name."""
    llm_models.delete_model(model_id, request.auth.project_id)
    return Status(204, None)


@router.post("/{model_id}/test", response=ModelTest)
def test_model(request: PersonRequest, model_id: UUID) -> ModelTest:
    """Ask the model a short question and return the result."""
    return models.ask_model(request.auth, model_id)


def _values(body: ModelIn | ModelPatchIn, *, only_given: bool = False) -> models.ModelValues:
    values = body.model_dump(exclude={"api_key"}, exclude_unset=only_given)
    key = body.api_key.get_secret_value() if body.api_key is not None else None
    return models.ModelValues(values, key)
