"""The settings of a server; every value is bounded and documented."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from tapes_app.engine.frozen_model import FrozenModel

Name = Annotated[str, StringConstraints(min_length=1, max_length=500)]


class ServerConfig(FrozenModel):
    """`server.json` of a server folder."""

    base: Name
    """A folder in Hugging Face form with safetensors, or a name on the hub."""
    revision: Name | None = None
    served_name: Name | None = None
    """The name of the base itself in requests; None is the last part of `base`."""

    host: Name = "127.0.0.1"
    port: int = Field(default=0, ge=0, le=65535)
    """0 picks any free port, which is written to `address.json`."""
    api_key: Name | None = Field(default=None, repr=False)
    """The key that requests must have; None lets in everybody who can reach the port."""

    device: Literal["auto", "cpu", "cuda"] = "auto"
    precision: Literal["auto", "fp32", "bf16"] = "auto"
    """auto: bf16 on a GPU, fp32 on a CPU, like the trainer."""
    threads: int | None = Field(default=None, ge=1, le=1024)
    """Threads per operation; None: as many cores as the process may use."""

    max_batch: int = Field(default=16, ge=1, le=1024)
    """Number of answers that are written concurrently."""
    max_waiting: int = Field(default=256, ge=1, le=100_000)
    """Number of answers that may wait for their turn; more are refused with 429."""
    max_adapters: int = Field(default=8, ge=1, le=1024)
    """Adapters in memory; beyond that the least recently used one is unloaded."""
    max_context: int | None = Field(default=None, ge=8)
    """Tokens of prompt and answer together; None is the length that the base was made for."""
    tokens_per_pass: int = Field(default=8192, ge=8)
    """Prompt tokens, with padding, that go through the model at once. Affects memory, not
    results."""
    window_ms: float = Field(default=3.0, ge=0, le=1000)
    """How long the first request to an idle server waits for others to start with."""

    idle_minutes: float | None = Field(default=None, gt=0)
    """End after this long without a request; None never ends."""
    unwatched_minutes: float = Field(default=10.0, gt=0)
    """End if the file `watched` exists and was not touched for this long."""
    grace_seconds: float = Field(default=5.0, ge=0, le=600)
    """How long answers may still be written after the server is asked to end."""

    @property
    def base_name(self) -> str:
        """The base's name in requests."""
        return self.served_name or Path(self.base).name or self.base
