"""Models of a project: adding and changing them, retiring keys, testing whether they answer."""

import asyncio
import re
import time
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple
from uuid import UUID

from django.views.decorators.debug import sensitive_variables
from pydantic import ConfigDict, ValidationError

from tapes_app.agents.domain.llm_parameters import check_parameters
from tapes_app.agents.domain.rows import ModelRow
from tapes_app.agents.services.llm_configs import allowed_hosts, load_config
from tapes_app.agents.services.sealed_keys import seal_key
from tapes_app.agents.store import llm_models
from tapes_app.agents.store.llm_models import ModelFields
from tapes_app.agents.store.rate_limits import forget_limit
from tapes_app.engine.errors import (
    ConflictError,
    InvalidInputError,
    LLMError,
    NotAllowedError,
    StudioError,
)
from tapes_app.engine.model.llm import LLM, LLMResult, Prompt, Usage
from tapes_app.engine.model.messages import user_message
from tapes_app.engine.redaction import redact, register_secret
from tapes_app.engine.tape.steps import first_reason
from tapes_app.llms.addresses import refuse_inner_host
from tapes_app.llms.factory import build_llm
from tapes_app.projects.domain.rows import ALL_FIELDS
from tapes_app.projects.services.people import Person

TEST_SECONDS = 30.0
TEST_QUESTION = "Answer with the one word: ready"
_LONGEST_ANSWER = 1000

_WHERE_A_KEY_GOES = ("api_key_env", "base_url", "litellm_model")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class ModelValues(NamedTuple):
    """A person's settings for a model. `key`: `None` keeps the stored one, "" removes it."""

    fields: dict[str, Any]
    key: str | None


@dataclass(frozen=True)
class ModelTest:
    """The result of asking the model a short question."""

    __pydantic_config__: ClassVar[ConfigDict] = ALL_FIELDS

    is_ok: bool
    message: str
    text: str = ""
    duration_seconds: float = 0.0
    usage: Usage | None = None
    cost_micro_usd: int | None = None


@sensitive_variables()
def add_model(person: Person, values: ModelValues) -> ModelRow:
    """Store a model.

    Raises:
        InvalidInputError: an address, a variable's name or a parameter is not valid.
        NotAllowedError: it takes its key from a variable, and the person is not an owner.
        ConflictError: the project already has a model of that name.
    """
    _check(values.fields)
    _check_variable(person, values.fields, None)
    return llm_models.create_model(
        person.project_id, owner=person.user_id, **_fields_to_store(values)
    )


@sensitive_variables()
def change_model(person: Person, model_id: UUID, values: ModelValues) -> ModelRow:
    """Change the given settings of a model.

    Raises:
        InvalidInputError: as for `add_model`; or the address changes while the key stays, which
            would send the key to the server at the new address.
        ConflictError: the studio serves the model, and sets its address and key itself.
    """
    row = llm_models.load_model(model_id, person.project_id)
    _check_served(row, values)
    _check(values.fields)
    _check_variable(person, values.fields, row)
    address = values.fields.get("base_url", row.base_url)
    if address != row.base_url and row.has_api_key and values.key is None:
        raise InvalidInputError(
            f"The address of model {row.name!r} changed, so enter its key again; a stored key "
            "is only sent to the address it was entered for.",
            field="api_key",
        )
    return llm_models.update_model(model_id, person.project_id, **_fields_to_store(values))


def ask_model(person: Person, model_id: UUID) -> ModelTest:
    """Ask a model a short question, within a deadline; a failure is returned as a result too."""
    row = llm_models.load_model(model_id, person.project_id)
    began = time.monotonic()
    try:
        config = load_config(person.project_id, row, deadline_seconds=TEST_SECONDS, max_attempts=2)
        result = asyncio.run(_ask(build_llm(config)))
    except (StudioError, ValidationError) as error:
        reason = first_reason(error) if isinstance(error, ValidationError) else error.message
        return ModelTest(
            is_ok=False, message=redact(reason), duration_seconds=time.monotonic() - began
        )
    forget_limit(model_id)
    return ModelTest(
        is_ok=True,
        message=f"{row.name} answered.",
        text=redact((result.output.content or "")[:_LONGEST_ANSWER]),
        duration_seconds=time.monotonic() - began,
        usage=result.usage,
        cost_micro_usd=result.cost_micro_usd,
    )


def retire_key(model_id: UUID, project_id: UUID) -> ModelRow:
    """Remove a model's key; return the model as it was, with the name of its variable.

    Runs that start afterwards, or continue after a pause, are refused with an error until it is
    given a new key.

    Raises:
        NotFoundError: there is no such model in this project.
        ConflictError: it has no key, or the studio serves it and makes its key itself.
    """
    row = llm_models.load_model(model_id, project_id)
    if row.is_served_here:
        raise ConflictError(
            f"The studio serves {row.name!r} with its own key; stop serving it instead."
        )
    if not row.has_api_key and not row.api_key_env:
        raise ConflictError(f"Model {row.name!r} has no key to retire.")
    llm_models.take_key(model_id, project_id)
    return row


def describe_retired(row: ModelRow) -> str:
    """Describe what was removed, and what the operator still has to do."""
    if row.api_key_env:
        return (
            f"The key of {row.name} is retired: it reads the variable {row.api_key_env} no longer, "
            "which the server still has."
        )
    return f"The key of {row.name} is retired and removed from the database."


async def _ask(llm: LLM) -> LLMResult:
    prompt = Prompt(messages=(user_message(TEST_QUESTION),))
    async for event in llm.stream(prompt):
        if isinstance(event, LLMResult):
            return event
    raise LLMError("The model's answer was cut off; try again.")


def _check_served(row: ModelRow, values: ModelValues) -> None:
    changed = _list_redirected(row, values.fields)
    if row.is_served_here and (changed or values.key is not None):
        raise ConflictError(
            f"The studio serves {row.name!r} and sets its address and key itself. Add a model with "
            "another name for another address.",
            field=changed[0] if changed else "api_key",
        )


def _check_variable(person: Person, fields: dict[str, Any], row: ModelRow | None) -> None:
    """Let only owners decide which server variable is sent to which address.

    Raises:
        NotAllowedError: the person is not an owner.
    """
    variable = fields.get("api_key_env", row.api_key_env if row else "")
    if not variable or person.role == "owner":
        return
    if row is None or _list_redirected(row, fields):
        raise NotAllowedError(
            f"Only owners of project {person.project!r} can use the server's environment "
            "variables; enter your own key instead.",
            field="api_key_env",
        )


def _list_redirected(row: ModelRow, fields: dict[str, Any]) -> list[str]:
    return [
        name
        for name in _WHERE_A_KEY_GOES
        if fields.get(name, getattr(row, name)) != getattr(row, name)
    ]


def _check(fields: dict[str, Any]) -> None:
    address = fields.get("base_url")
    if address and not re.match(r"https?://[^\s/]+", address):
        raise InvalidInputError(
            f"The base URL {redact(address)!r} must begin with http:// or https://.",
            field="base_url",
        )
    hosts = allowed_hosts()
    if address and hosts is not None:
        refuse_inner_host(address, hosts)
    variable = fields.get("api_key_env")
    if variable and not _VARIABLE.fullmatch(variable):
        raise InvalidInputError(
            "Enter the name of an environment variable here, such as OPENAI_API_KEY; the key "
            "itself goes in the other field.",
            field="api_key_env",
        )
    check_parameters(fields.get("parameters") or {})


@sensitive_variables()
def _fields_to_store(values: ModelValues) -> ModelFields:
    """Return the fields with the key in stored form: sealed, or empty to remove it."""
    fields: ModelFields = {**values.fields}  # type: ignore[typeddict-item]  # the API checks them
    if values.key is not None:
        register_secret(values.key)
        fields["sealed_key"] = seal_key(values.key) if values.key else b""
    return fields
