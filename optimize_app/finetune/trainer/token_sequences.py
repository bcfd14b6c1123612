"""What is seen of an example as tokens: values that need no library of the trainer."""

from dataclasses import dataclass
from typing import Literal

Role = Literal["learnt", "chosen", "rejected"]


@dataclass(frozen=True, slots=True)
class TokenPiece:
    """The shortest piece of text that whole tokens write: mostly one, several for an emoji."""

    text: str
    ids: tuple[int, ...]
    """Empty: no token stands for this text; the tokenizer drops it."""

    weight: float
    """The factor of its loss; 0 is not learnt."""


@dataclass(frozen=True, slots=True)
class TokenSequence:
    """One sequence that the model sees."""

    role: Role
    pieces: tuple[TokenPiece, ...]
    """Their texts together are the text, but for what is before a very long one's end."""

    hidden_count: int
    """Tokens before the first piece that are not listed."""

    token_count: int
    trained_count: int
    is_recorded: bool
    """Its tokens are those that a model was sent and sampled, not made again from text."""

    is_retokenized: bool
    """The text given as a whole becomes other tokens than prompt and answer apart."""

    is_text_kept: bool
    """The tokens, read back, are the text."""

    writes_calls: bool
    """The tool calls of the answer are in what is learnt; some templates leave them out."""


@dataclass(frozen=True, slots=True)
class Template:
    """What is known of a chat template."""

    marks_generation: bool
    """It marks the assistant's part itself; nothing here depends on that."""

    keeps_prefixes: bool
    """A longer chat begins with the text of the shorter one."""
