"""The base of pure data: immutable, and without undeclared fields; and new ids."""

from uuid import uuid4

from pydantic import BaseModel, ConfigDict


class FrozenModel(BaseModel):
    """Base of data with a fixed set of fields; the docstring below a field describes it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


def new_id() -> str:
    return str(uuid4())
