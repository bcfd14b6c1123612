"""What is shown of an example as tokens: values that need no library of the trainer."""

from dataclasses import dataclass
from typing import Literal

Role = Literal["learnt", "chosen", "rejected"]


@dataclass(frozen=True, slots=True)
class TokenPiece:
    """The shortest text that complete tokens write: mostly one token, several for an emoji."""

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
    """Their texts join to the full text, except that very long ones lose their beginning."""

    hidden_count: int
    """Number of tokens before the first listed piece."""

    token_count: int
    trained_count: int
    is_recorded: bool
    """Its tokens are those that a model was sent and sampled, not tokenized again from text."""

    is_retokenized: bool
    """The text in one piece has other tokens than prompt and answer separately."""

    is_text_kept: bool
    """Decoding the tokens gives the text."""

    loses_thoughts: bool
    """The template has no place for what was thought before the answer."""


@dataclass(frozen=True, slots=True)
class Template:
    """What is known about a chat template."""

    marks_generation: bool
    """It marks the assistant's part itself; nothing here depends on that."""

    keeps_prefixes: bool
    """A longer chat begins with the text of the shorter one."""
