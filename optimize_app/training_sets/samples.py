"""Examples as they are stored: text, tokens, a chat with its answer, or a preference pair."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.steps import first_reason


class SampleError(InvalidInputError):
    """An example cannot be trained on; the message names it and says why."""

    code = "training_sample"


Weight = Annotated[float, Field(allow_inf_nan=False)]
"""Factor of the loss of a token; 0 is not learnt, a negative one is unlearnt."""

Logprob = Annotated[float, Field(allow_inf_nan=False)]


class Span(FrozenModel):
    """A part of a text that is learnt, in characters (code points) from its beginning."""

    start: int = Field(ge=0)
    end: int = Field(ge=1)
    weight: Weight = 1.0
    """Of each of its tokens."""

    @model_validator(mode="after")
    def _check_order(self) -> "Span":
        if self.end <= self.start:
            raise ValueError("a span ends after its start")
        return self


class _Example(FrozenModel):
    id: str = Field(min_length=1, max_length=200)
    origin: dict[str, Any] = Field(default_factory=dict)
    """The way back: tape, step, call; the trainer only carries it."""


class TextExample(_Example):
    """A text of which the spans are learnt."""

    kind: Literal["text"] = "text"
    text: str
    spans: tuple[Span, ...]

    @model_validator(mode="after")
    def _check_spans(self) -> "TextExample":
        end = 0
        for span in self.spans:
            if span.start < end:
                raise ValueError("spans stand in order and do not overlap")
            end = span.end
        if end > len(self.text):
            raise ValueError(f"a span ends at {end}, after the text ({len(self.text)} characters)")
        return self


class ChatExample(_Example):
    """An LLM call: the chat template of the base model writes it, the answer is learnt."""

    kind: Literal["chat"] = "chat"
    messages: tuple[dict[str, Any], ...] = Field(min_length=1)
    tools: tuple[dict[str, Any], ...] = ()
    answer: dict[str, Any]
    """An assistant message: `content`, `tool_calls`."""
    weight: Weight = 1.0


class TokenExample(_Example):
    """Recorded tokens: exactly what a model was sent and what it sampled."""

    kind: Literal["tokens"] = "tokens"
    token_ids: tuple[Annotated[int, Field(ge=0, lt=2**31)], ...] = Field(min_length=1)
    weights: tuple[Weight, ...]
    """One for each token."""

    logprobs: tuple[Logprob | None, ...] | None = None
    """What the model that sampled a token gave it, in nats; `None` for what it was sent.

    The losses here need none; algorithms that compare with that model do.
    """

    text: str | None = None
    """What the tokens write. A tokenizer that reads something else is not that of the model."""

    chat: ChatExample | None = None
    """The last of its calls in words, to be read and exported; nothing is learnt of it."""

    @model_validator(mode="after")
    def _check_lengths(self) -> "TokenExample":
        for name, values in (("weights", self.weights), ("logprobs", self.logprobs)):
            if values is not None and len(values) != len(self.token_ids):
                raise ValueError(
                    f"{len(self.token_ids)} tokens need as many {name}, not {len(values)}"
                )
        return self


Sequence = Annotated[TextExample | TokenExample | ChatExample, Field(discriminator="kind")]


class PreferencePair(_Example):
    """Two answers to one prompt, the better one first."""

    kind: Literal["preference"] = "preference"
    chosen: Sequence
    rejected: Sequence


Sample = Annotated[
    TextExample | TokenExample | ChatExample | PreferencePair, Field(discriminator="kind")
]
_SAMPLE: TypeAdapter[Sample] = TypeAdapter(Sample)


def read_sample(line: str | bytes) -> Sample:
    """Return the example of a line that was written here."""
    return _SAMPLE.validate_json(line)


def read_samples(path: Path) -> list[Sample]:
    """Return the examples of a file of JSON lines.

    Raises:
        SampleError: a line is no example, or an id is there twice; the message names the line.
    """
    samples: list[Sample] = []
    lines: dict[str, int] = {}
    for number, line in _lines(path):
        try:
            sample = _SAMPLE.validate_json(line)
        except ValidationError as error:
            raise SampleError(
                f"Line {number} of {path.name} is not an example: {first_reason(error)}.",
                line=number,
            ) from error
        if sample.id in lines:
            raise SampleError(
                f"Lines {lines[sample.id]} and {number} of {path.name} have one id, "
                f"{sample.id!r}. Give each example an id of its own.",
                line=number,
            )
        lines[sample.id] = number
        samples.append(sample)
    return samples


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield number, line


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
