"""What a sweep started with, by name and hash: kept with the sweep, as rows may change later."""

from typing import Any

from pydantic import Field

from tapes_app.engine.frozen_model import FrozenModel


class ModelPin(FrozenModel):
    """An LLM model as it was called, without its key."""

    name: str
    litellm_model: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    digest: str
    """Hash of these fields and of the address at which it was called."""


class VariantPin(FrozenModel):
    """The agent version of a variant, with the models of the project that it calls."""

    agent: str
    version: int
    digest: str
    """Hash of the agent's spec."""

    model: str | None
    """The model called in place of all others; `None`: those that the agent names."""

    models: tuple[ModelPin, ...]
    """Scripts that come with the studio are not included."""


class DatasetPin(FrozenModel):
    """A dataset version that the tasks were chosen from."""

    name: str
    version: int
    digest: str
    """Hash of its tapes and their expected answers."""


class FunctionPin(FrozenModel):
    """A plugin's scorer function, or all functions that one scorer calls, by name."""

    name: str
    digest: str
    """Hash of its file, or of the hashes of all of them; empty if a file cannot be read."""


class Pins(FrozenModel):
    """What a sweep started with; an amendment adds to it."""

    studio: str
    """Version of the studio."""

    variants: tuple[VariantPin, ...]
    datasets: tuple[DatasetPin, ...]
    tasks: tuple[str, ...]
    """Hash of the tapes and expected answers of each group of tasks."""

    judge: ModelPin | None = None
    function: FunctionPin | None = None
