"""A recorded LLM call as code to run elsewhere, without its key."""

from typing import Any, Literal
from uuid import UUID

from tapes_app.calls.services.calls import find_model_of, list_choices, require_known_call
from tapes_app.engine.model.llm import LLMCall
from tapes_app.engine.redaction import REDACTED, redact, redact_json
from tapes_app.interchange.snippets import CallRequest, write_curl, write_python
from tapes_app.llms.openai_client import DIRECT_PREFIXES
from tapes_app.llms.reasoning import messages_for
from tapes_app.llms.remote import hide_secrets
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store import calls
from tapes_app.tapes.store.calls import CallRow

SnippetFormat = Literal["curl", "python"]

_OWN_PARAMETERS = frozenset({"delay_seconds"})
"""Parameters of this product, which no provider accepts."""

_KNOWN_SERVERS: dict[str, tuple[str, str]] = {
    "openai": ("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "anthropic": ("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    "gemini": ("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "groq": ("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "mistral": ("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    "deepseek": ("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "openrouter": ("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "together_ai": ("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    "fireworks_ai": ("https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
}
"""Providers with OpenAI's chat completions API: litellm's prefix, address, key."""


def write_snippet(person: Person, tape_id: UUID, call_id: UUID, wanted: SnippetFormat) -> str:
    """Return code that repeats a recorded call: a curl command or a Python program.

    Raises:
        NotFoundError: the tape has no such call.
    """
    require_known_call(person, tape_id, call_id)
    row = calls.load_call(call_id, person.project_id)
    request = _call_request(row, person.project_id)
    return write_curl(request) if wanted == "curl" else write_python(request)


def _call_request(row: CallRow, project_id: UUID) -> CallRequest:
    model = find_model_of(row, project_id)
    full_name = model.litellm_model if model is not None else row.model_name
    prefix, slash, rest = full_name.partition("/")
    address, key_variable = _KNOWN_SERVERS.get(prefix if slash else "openai", ("", ""))
    if model is not None:
        address, key_variable = model.base_url or address, model.api_key_env or key_variable
    is_prefixed = bool(slash) and (prefix in DIRECT_PREFIXES or prefix in _KNOWN_SERVERS)
    return CallRequest(
        title=f"LLM call {row.id} of a tape, as recorded by Tape Studio",
        base_url=redact(address),
        key_variable=key_variable,
        body=_body(row, rest if is_prefixed else full_name),
    )


def _body(row: CallRow, model: str) -> dict[str, Any]:
    call, prompt = row.call, row.call.prompt
    body: dict[str, Any] = {
        "model": model,
        "messages": messages_for(row.model_name, prompt.messages),
        **recorded_parameters(call),
    }
    if prompt.tools:
        body["tools"] = list(prompt.tools)
    if prompt.response_format:
        body["response_format"] = prompt.response_format
    cleaned: dict[str, Any] = redact_json(body)
    return cleaned


def recorded_parameters(call: LLMCall) -> dict[str, Any]:
    """Return the parameters that a call was made with, leaving out those with a secret."""
    parameters = call.llm.get("parameters")
    given = {**(parameters if isinstance(parameters, dict) else {}), **list_choices(call.prompt)}
    hidden = redact_json(hide_secrets({str(name): value for name, value in given.items()}))
    return {
        name: value
        for name, value in hidden.items()
        if value is not None and value != REDACTED and name not in _OWN_PARAMETERS
    }
