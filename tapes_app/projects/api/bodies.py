"""Bases of requests and answers, and the one shape of errors."""

import re
from typing import Annotated, Any

from ninja import Schema
from pydantic import AfterValidator, BaseModel, ConfigDict, Field


def _refuse_unstorable(text: str) -> str:
    """Refuse what no text column takes; tapes may hold it, names may not."""
    if _UNSTORABLE.search(text):
        raise ValueError("may not contain NUL or an unpaired surrogate")
    return text


_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
Line = Annotated[str, AfterValidator(_refuse_unstorable)]


WHOLE = ConfigDict(json_schema_serialization_defaults_required=True)
"""An answer has all its fields."""

# Services' frozen dataclasses are answers as they are: in the description of the API they take
# on the configuration of the model around them, which ninja derives from its own base.
Schema.model_config.update(WHOLE)


class In(Schema):
    """Base of request bodies: an unknown key is a mistake, not an option."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Out(BaseModel):
    """Base of answers: read from the attributes of what a service gives.

    Not ninja's own base, whose look-ups in Python take a third of the time of a list.
    """

    model_config = ConfigDict(from_attributes=True, use_attribute_docstrings=True, **WHOLE)


class ErrorOut(Out):
    code: str
    message: str
    details: dict[str, Any] = Field(default_factory=dict)
