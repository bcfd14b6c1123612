"""The base of pure data: immutable, and without undeclared fields."""

from pydantic import BaseModel, ConfigDict


class FrozenModel(BaseModel):
    """Base of data with a fixed set of fields; the docstring below a field describes it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
