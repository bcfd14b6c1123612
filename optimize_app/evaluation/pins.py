"""What a sweep was begun with, by names and hashes: kept with it, as rows may change later."""

from typing import Any

from pydantic import Field

from tapes_app.engine.frozen_model import FrozenModel


class ModelPin(FrozenModel):
    """An LLM model as it was asked, without its key."""

    name: str
    litellm_model: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    digest: str
    """Of these, and of the address at which it was asked."""


class VariantPin(FrozenModel):
    """The agent version of a variant, with the models of the project that it asks."""

    agent: str
    version: int
    digest: str
    """Of the agent's spec."""

    model: str | None
    """The one that was asked in the place of all others; `None`: those that the agent names."""

    models: tuple[ModelPin, ...]
    """Scripts that come with the studio are not among them."""


class DatasetPin(FrozenModel):
    """A version of a dataset that the tasks were chosen from."""

    name: str
    version: int
    digest: str
    """Of its tapes and their expected answers."""


class FunctionPin(FrozenModel):
    """A scorer function of a plugin, or all that one scorer asks, by name."""

    name: str
    digest: str
    """Of the file that it is written in, or of the hashes of all; empty: nobody can read that."""


class Pins(FrozenModel):
    """What a sweep was begun with; an amendment adds to it."""

    studio: str
    """Version of the studio."""

    variants: tuple[VariantPin, ...]
    datasets: tuple[DatasetPin, ...]
    tasks: tuple[str, ...]
    """Hash of the tapes and expected answers of each group of tasks."""

    judge: ModelPin | None = None
    function: FunctionPin | None = None
