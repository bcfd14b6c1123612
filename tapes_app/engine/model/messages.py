"""Prompt messages, tool calls and their content digests, in the chat-completions wire format.

A message stays a JSON object here (`role`, `content`, `tool_calls`, …) because providers add their
own keys, and a recorded call must come back exactly as it was stored.
"""

import json
from hashlib import blake2b
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import core_schema

DIGEST_BYTES = 16


_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def canonical_json(value: Any) -> str:
    """Return the canonical JSON text of a value: sorted keys, no spaces, non-ASCII kept."""
    return _encode(value)


def digest_json(value: Any) -> bytes:
    """Return the content digest of a JSON value, `DIGEST_BYTES` long (BLAKE2b, RFC 7693)."""
    # Lone surrogates are legal in JSON text and must not make a recorded call unstorable.
    encoded = canonical_json(value).encode("utf-8", "surrogatepass")
    return blake2b(encoded, digest_size=DIGEST_BYTES).digest()


class Message(dict[str, Any]):
    """One chat message. Treat it as a value: never change it, because its digest is cached."""

    __slots__ = ("_digest",)
    _digest: bytes

    @property
    def digest(self) -> bytes:
        """The content digest; computed once, so a long history costs one hash per message."""
        try:
            return self._digest
        except AttributeError:
            self._digest = digest_json(self)
            return self._digest

    @property
    def role(self) -> str:
        return str(self.get("role", ""))

    @property
    def text(self) -> str:
        """The text of the message; parts that are not text are left out."""
        return content_text(self.get("content"), self.role)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_after_validator_function(
            cls.of,
            core_schema.dict_schema(core_schema.str_schema(), core_schema.any_schema()),
            serialization=core_schema.plain_serializer_function_ser_schema(dict),
        )

    @classmethod
    def of(cls, value: dict[str, Any]) -> "Message":
        return value if isinstance(value, cls) else cls(value)


def content_text(content: Any, role: str = "") -> str:
    """Return the text of a message content: a string, a list of parts, or nothing.

    Parts that a model wrote continue one another, because providers cut an answer anywhere, as
    where a citation begins. Parts of other messages are blocks, one below the other.
    """
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        between = "" if role == "assistant" else "\n"
        return between.join(part for part in parts if isinstance(part, str))
    return ""


def system_message(content: str) -> Message:
    return Message(role="system", content=content)


def user_message(content: str) -> Message:
    return Message(role="user", content=content)


def assistant_message(content: str) -> Message:
    return Message(role="assistant", content=content)
