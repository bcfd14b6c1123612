"""What the engine is asked for, and what it tells of an answer while it writes it."""

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
    """What became readable with it: nothing, or the text of several tokens."""
    id: int
    token: str
    """The token alone, as text."""
    raw: bytes
    logprob: float
    """In nats, under what it was drawn from."""
    allowed_count: int
    """How many tokens could have been drawn."""
    top: tuple[tuple[str, bytes, float], ...] = ()
    """The likeliest tokens: text, bytes, log-probability."""
    mask: str | None = None
    """Which tokens could have been drawn (`pack_mask`), where that was asked for."""


@dataclass(frozen=True)
class Ended:
    """An answer is over."""

    reason: Literal["stop", "length"]


@dataclass(frozen=True)
class Failed:
    """An answer cannot go on."""

    error: StudioError


Event = Sampled | Ended | Failed


@dataclass(frozen=True, eq=False)
class Ask:
    """One answer that is asked of the engine."""

    model: str
    """What the request called the model, for the log."""
    adapter: FoundAdapter | None
    prompt: tuple[int, ...]
    limit: int
    """Tokens of the answer, at most."""
    tell: Callable[[Event], None] = field(repr=False)
    """Called from the engine's thread."""
    temperature: float = 1.0
    top_p: float = 1.0
    seed: int | None = None
    stops: tuple[str, ...] = ()
    grammar: TokenGrammar | None = None
    top_count: int = 0
    wants_masks: bool = False
