"""What the engine is asked for, and what it reports while it writes an answer."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from optimize_app.serving.server.adapters import FoundAdapter
from optimize_app.serving.server.grammars import TokenGrammar
from tapes_app.engine.errors import StudioError


@dataclass(frozen=True)
class Sampled:
    """One token of an answer."""

    text: str
    """The text that became readable with it: none, or that of several tokens."""
    id: int
    token: str
    """The text of this token alone."""
    raw: bytes
    logprob: float
    """In nats, under the distribution that it was drawn from."""
    allowed_count: int
    """How many tokens could have been drawn."""
    top: tuple[tuple[str, bytes, float], ...] = ()
    """The likeliest tokens: text, bytes, log-probability."""
    mask: str | None = None
    """Which tokens could have been drawn (`pack_mask`), if that was requested."""


@dataclass(frozen=True)
class Ended:
    """An answer is over."""

    reason: Literal["stop", "length"]


@dataclass(frozen=True)
class Failed:
    """An answer cannot continue."""

    error: StudioError


Event = Sampled | Ended | Failed


@dataclass(frozen=True, eq=False)
class Ask:
    """A request to the engine for one answer."""

    model: str
    """The model's name in the request, for the log."""
    adapter: FoundAdapter | None
    prompt: tuple[int, ...]
    limit: int
    """Maximum number of tokens of the answer."""
    on_event: Callable[[Event], None] = field(repr=False)
    """Called from the engine's thread."""
    temperature: float = 1.0
    top_p: float = 1.0
    seed: int | None = None
    stops: tuple[str, ...] = ()
    grammar: TokenGrammar | None = None
    top_count: int = 0
    wants_masks: bool = False
