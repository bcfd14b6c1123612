"""What a server is asked to be; every value is bounded and says what it does."""

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
    """What requests call the base itself; None is the last part of `base`."""

    host: Name = "127.0.0.1"
    port: int = Field(default=0, ge=0, le=65535)
    """0 takes any free port; `address.json` says which."""
    api_key: Name | None = Field(default=None, repr=False)
    """What requests must bear; None lets everybody ask who can reach the port."""

    device: Literal["auto", "cpu", "cuda"] = "auto"
    precision: Literal["auto", "fp32", "bf16"] = "auto"
    """auto: bf16 on a GPU, fp32 on a CPU, as the trainer has it."""
    threads: int | None = Field(default=None, ge=1, le=1024)
    """Threads of one operation; None leaves the choice to torch."""

    max_batch: int = Field(default=16, ge=1, le=1024)
    """Answers that are written at once."""
    max_waiting: int = Field(default=256, ge=1, le=100_000)
    """Answers that may wait for their turn; more are refused with 429."""
    max_adapters: int = Field(default=8, ge=1, le=1024)
    """Adapters in memory; beyond that the one unused for longest is unloaded."""
    max_context: int | None = Field(default=None, ge=8)
    """Tokens of prompt and answer together; None is what the base was made for."""
    tokens_per_pass: int = Field(default=8192, ge=8)
    """Tokens of prompts, with padding, that go through the model at once. Memory, not maths."""
    window_ms: float = Field(default=3.0, ge=0, le=1000)
    """How long the first request of an idle server waits for others to begin with."""

    idle_minutes: float | None = Field(default=None, gt=0)
    """End after so long without a request; None never does."""
    unwatched_minutes: float = Field(default=10.0, gt=0)
    """End when the file `watched` is there and was not touched for so long."""
    grace_seconds: float = Field(default=5.0, ge=0, le=600)
    """How long answers may still be written once the server is asked to end."""

    @property
    def base_name(self) -> str:
        """What requests call the base."""
        return self.served_name or Path(self.base).name or self.base
