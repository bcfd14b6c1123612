"""A recorded LLM call as code to run elsewhere: a curl command, a Python program.

Neither contains the model's key: both read it from an environment variable.
"""

import json
import re
from dataclasses import dataclass
from pprint import pformat
from typing import Any

BASE_VARIABLE = "LLM_BASE_URL"
_DEFAULT_KEY = "LLM_API_KEY"
_END = "JSON"
_TIMEOUT_SECONDS = 600
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
# Nothing with a meaning in a shell, and no place for a password or a key.
_PLAIN_ADDRESS = re.compile(r"https?://[A-Za-z0-9._~:/\[\]+,=%-]+", re.ASCII)


@dataclass(frozen=True)
class CallRequest:
    """What a model was asked, cleaned of secrets, and where it can be asked again."""

    title: str
    """One line that identifies the call."""

    base_url: str
    """Up to and including "/v1"; empty when the model has no known address."""

    key_variable: str
    body: dict[str, Any]
    """The body of a chat-completions request."""


def write_curl(request: CallRequest) -> str:
    """Return a shell command. The body is in a quoted here-document: nothing in it expands."""
    # ASCII, because a text may contain lone surrogates; so no line can be the end mark either.
    body = json.dumps(request.body, indent=2, ensure_ascii=True)
    key = _key_variable(request)
    lines = [
        f"# {_comment(request.title)}",
        *_advice(request),
        f'curl -sS "{_base_in_shell(request)}/chat/completions" \\',
        f'  -H "Authorization: Bearer ${{{key}:-none}}" \\',
        "  -H 'Content-Type: application/json' \\",
        f"  --data-binary @- <<'{_END}'",
        body,
        _END,
    ]
    return "\n".join(lines) + "\n"


def write_python(request: CallRequest) -> str:
    """Return a program that only needs `httpx` and prints the message that comes back."""
    key = _key_variable(request)
    # Unprintable characters become escapes in a literal: lone surrogates, hidden characters.
    literal = pformat(request.body, width=96, sort_dicts=False)
    address = repr(_address(request))
    lines = [
        f"# {_comment(request.title)}",
        *_advice(request),
        "import json",
        "import os",
        "",
        "import httpx",
        "",
        f"base_url = os.environ.get({BASE_VARIABLE!r}, {address}).rstrip('/')",
        f"key = os.environ.get({key!r}, 'none')",
        f"request = {literal}",
        "",
        "response = httpx.post(",
        "    base_url + '/chat/completions',",
        "    headers={'Authorization': f'Bearer {key}', 'Content-Type': 'application/json'},",
        "    content=json.dumps(request),",
        f"    timeout={_TIMEOUT_SECONDS},",
        ")",
        "response.raise_for_status()",
        "print(json.dumps(response.json()['choices'][0]['message'], indent=2))",
    ]
    return "\n".join(lines) + "\n"


def _advice(request: CallRequest) -> list[str]:
    where = (
        f"Its address is unknown: set {BASE_VARIABLE} to the address of an OpenAI-compatible "
        "server, up to and including /v1."
        if not _address(request)
        else f"Set {BASE_VARIABLE} to use another server."
    )
    return [f"# The key is read from {_key_variable(request)}. {where}"]


def _address(request: CallRequest) -> str:
    address = request.base_url.rstrip("/")
    return address if _PLAIN_ADDRESS.fullmatch(address) else ""


def _base_in_shell(request: CallRequest) -> str:
    address = _address(request)
    return f"${{{BASE_VARIABLE}:-{address}}}" if address else f"${{{BASE_VARIABLE}:?}}"


def _key_variable(request: CallRequest) -> str:
    return request.key_variable if _VARIABLE.fullmatch(request.key_variable) else _DEFAULT_KEY


def _comment(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
