"""A branch of a tree of tapes, and who lets branches grow."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.tape import Tape


class World(Protocol):
    """The two sides of the dialogues of a tree."""

    def list_roots(self) -> Mapping[str, str]:
        """Return names for where dialogues begin, each with its group."""
        ...

    async def begin(self) -> Tape:
        """Return what the agent says before anybody has said anything."""
        ...

    def list_tags(self, root: str, tape: Tape) -> Sequence[str]:
        """Return what may be observed next."""
        ...

    async def grow(self, root: str, tape: Tape, tag: str, seed: str) -> tuple[Tape, bool]:
        """Add an observation of a tag, let the agent continue, and say whether more may follow.

        `seed` belongs to this place in the tree, and decides whatever is left to chance.
        """
        ...


class Place(NamedTuple):
    """A tape that may be continued."""

    root: str
    key: str
    """Of its last branch, or the name of its root."""

    group: str
    tape: Tape


class Branch(FrozenModel):
    """An observation and its continuation, as they are kept."""

    key: str
    parent: str
    """Key of the branch before it, or of its root."""

    root: str
    depth: int
    """1: the first observation."""

    tag: str
    group: str
    is_open: bool
    """Whether the dialogue may go on."""

    steps: tuple[dict[str, object], ...]
    """Only those that it adds."""


def key_of(parent: str, tag: str) -> str:
    """Return the key of the branch that follows another one with an observation of a tag."""
    return hashlib.sha256(f"{parent}\n{tag}".encode()).hexdigest()[:20]
