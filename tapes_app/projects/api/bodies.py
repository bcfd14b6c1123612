"""Base classes of requests and answers, and the one format of errors."""

from typing import Annotated, Any

from ninja import Schema
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from tapes_app.projects.domain.columns import UNSTORABLE
from tapes_app.projects.domain.rows import ALL_FIELDS


def _refuse_unstorable(text: str) -> str:
    """Reject text that no text column accepts; tapes may contain it, names may not."""
    if UNSTORABLE.search(text):
        raise ValueError("may not contain NUL or an unpaired surrogate")
    return text


Line = Annotated[str, AfterValidator(_refuse_unstorable)]

# Frozen dataclasses of services are answers as they are: in the API's description they take on the
# configuration of the model around them, which ninja derives from its own base class.
Schema.model_config.update(ALL_FIELDS)


class In(Schema):
    """Base of request bodies: an unknown key is an error, not an option."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Out(BaseModel):
    """Base of answers: read from the attributes of a service's result.

    Not ninja's own base, whose lookups in Python take a third of the time of a list.
    """

    model_config = ConfigDict(from_attributes=True, use_attribute_docstrings=True, **ALL_FIELDS)


class ErrorOut(Out):
    code: str
    message: str
    details: dict[str, Any] = Field(default_factory=dict)
