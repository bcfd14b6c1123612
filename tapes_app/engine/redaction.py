"""Removes secrets from text before it is logged, stored or shown."""

import re
from collections.abc import Iterator
from threading import Lock
from typing import Any

REDACTED = "[redacted]"
_SHORTEST_SECRET = 8  # shorter values would blank ordinary words

_PATTERNS = re.compile(
    r"(?P<scheme>\b(?:Bearer|Basic)\s+)[A-Za-z0-9._~+/=-]{12,}"
    r"|\b(?:sk|pk|rk|gsk|xai|hf|ghp|gho|ghs|glpat|tst|AIza|AKIA|xox[abpr])[-_A-Za-z0-9]{16,}"
    r"|(?P<userinfo>\b[a-z][a-z0-9+]{0,40}://[^\s:/@]*:)[^\s/@]+(?=@)",
)
_PIECE_LENGTH = 16_384
"""An expression keeps all other threads waiting until it is through its text."""

_CUT = re.compile(r"(?<!\s)(?<!Bearer)(?<!Basic)\s")
"""A blank within no secret."""

_registered: set[str] = set()
_lock = Lock()


def register_secret(value: str) -> None:
    """Remember a secret of this process, so that `redact` removes it from any text."""
    if len(value) >= _SHORTEST_SECRET:
        with _lock:
            _registered.add(value)


def redact(text: str) -> str:
    """Return `text` without registered secrets and without anything that looks like a key."""
    with _lock:
        secrets = sorted(_registered, key=len, reverse=True)
    for secret in secrets:
        text = text.replace(secret, REDACTED)
    return "".join(_PATTERNS.sub(_replace, piece) for piece in _cut(text))


def redact_json(value: Any) -> Any:
    """Return a JSON value with every text in it redacted, field names included."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {redact(str(name)): redact_json(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [redact_json(item) for item in value]
    return value


def _cut(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        found = _CUT.search(text, start + _PIECE_LENGTH)
        end = found.start() if found is not None else len(text)
        yield text[start:end]
        start = end


def _replace(match: re.Match[str]) -> str:
    return (match["scheme"] or match["userinfo"] or "") + REDACTED
