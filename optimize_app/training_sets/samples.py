"""Examples as they are stored: text, tokens, a chat with its answer, or a preference pair."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.tape.steps import first_reason


class SampleError(InvalidInputError):
    """An example cannot be trained on; the message names it and the reason."""

    code = "training_sample"


Weight = Annotated[float, Field(allow_inf_nan=False)]
"""Factor of the loss of a token; 0 is not learnt, a negative one is unlearnt."""

Logprob = Annotated[float, Field(allow_inf_nan=False)]


class Span(FrozenModel):
    """A part of a text that is learnt, in characters (code points) from its beginning."""

    start: int = Field(ge=0)
    end: int = Field(ge=1)
    weight: Weight = 1.0
    """Weight of each of its tokens."""

    @model_validator(mode="after")
    def _check_order(self) -> "Span":
        if self.end <= self.start:
            raise ValueError("a span ends after its start")
        return self


class _Example(FrozenModel):
    id: str = Field(min_length=1, max_length=200)
    origin: dict[str, Any] = Field(default_factory=dict)
    """Where it comes from: tape, step, call; the trainer only passes it on."""


class TextExample(_Example):
    """A text whose spans are learnt."""

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
    """An LLM call: the base model's chat template formats it, and the answer is learnt."""

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
    """The sampling model's log-probability of each token, in nats; `None` for tokens it was sent.

    The losses here do not need it; algorithms that compare with that model do.
    """

    text: str | None = None
    """The text of the tokens. If a tokenizer reads something else, it is not the model's."""

    chat: ChatExample | None = None
    """The last of its calls as text, for reading and exporting; it is not learnt."""

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


def name_any(sentence: str, sample: Sample) -> str:
    """Return a sentence about an example, or a side of a pair, as one that others share."""
    sides = (sample.chosen, sample.rejected) if isinstance(sample, PreferencePair) else ()
    names = sorted((f"Example {one.id}" for one in (sample, *sides)), key=len, reverse=True)
    named = next(filter(sentence.startswith, names), "")
    return f"An example{sentence.removeprefix(named)}" if named else sentence


def read_sample(line: str | bytes) -> Sample:
    """Return the example in a line that this module has written."""
    return _SAMPLE.validate_json(line)


def read_samples(path: Path) -> list[Sample]:
    """Return the examples of a file of JSON lines.

    Raises:
        SampleError: a line is not an example, or two have the same id; the message names the line.
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
                f"Lines {lines[sample.id]} and {number} of {path.name} have the same id, "
                f"{sample.id!r}. Give each example its own id.",
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
