"""What data is by rule: never changed, and without fields that nobody declared."""

from pydantic import BaseModel, ConfigDict


class FrozenModel(BaseModel):
    """Base of data with a fixed set of fields; what stands below a field describes it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
