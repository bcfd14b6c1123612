"""Examples as token ids with weights; an example that cannot be learnt is refused by its id."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.rendering import render_chat
from optimize_app.training_sets.samples import (
    ChatExample,
    PreferencePair,
    Sample,
    SampleError,
    Sequence,
    TextExample,
    TokenExample,
)


@dataclass(frozen=True)
class Encoded:
    """One sequence for the model. `weights[i]` is the factor of the loss of `token_ids[i]`."""

    id: str
    token_ids: tuple[int, ...]
    weights: tuple[float, ...]
    cut: int = 0
    """Number of tokens cut off at the beginning."""
    is_recorded: bool = False
    """Its tokens are those that a model was sent and sampled, not tokenized again from text."""
    retokenized: bool = False
    """The tokenizer would write the text with other tokens if it were given in one piece."""

    def __len__(self) -> int:
        return len(self.token_ids)

    @property
    def trained(self) -> int:
        """Number of tokens with a weight; the first one, with nothing before it, never counts."""
        return sum(1 for weight in self.weights[1:] if weight)


@dataclass(frozen=True)
class EncodedPair:
    """Two answers to one prompt; `len()` covers both."""

    id: str
    chosen: Encoded
    rejected: Encoded

    def __len__(self) -> int:
        return len(self.chosen) + len(self.rejected)

    @property
    def trained(self) -> int:
        return self.chosen.trained + self.rejected.trained


Item = Encoded | EncodedPair


@dataclass(frozen=True)
class EncodedSet:
    """The examples of a file that can be trained on, and those that were left out."""

    items: tuple[Item, ...]
    left_out: dict[str, str] = field(default_factory=dict)
    """The reason, by the id of the example."""


def encode_all(samples: Iterable[Sample], tokenizer: Any, config: FinetuneConfig) -> EncodedSet:
    """Return the examples as tokens.

    Raises:
        SampleError: an example does not fit the config's objective, has nothing to learn, or is too
            long and that is to be refused; or no example is left.
    """
    items: list[Item] = []
    left_out: dict[str, str] = {}
    for sample in samples:
        item = _encode(sample, tokenizer, config)
        if isinstance(item, str):
            left_out[sample.id] = item
        else:
            items.append(item)
    if not items:
        reasons = sorted(set(left_out.values()))
        raise SampleError(
            "There is no example to train on. "
            + (reasons[0] if reasons else "Put examples into samples.jsonl.")
        )
    return EncodedSet(tuple(items), left_out)


def _encode(sample: Sample, tokenizer: Any, config: FinetuneConfig) -> Item | str:
    if isinstance(sample, PreferencePair) != (config.objective == "preference"):
        raise SampleError(
            f"Example {sample.id} is {'' if isinstance(sample, PreferencePair) else 'not '}"
            f"a preference pair, and the objective is {config.objective}."
        )
    if not isinstance(sample, PreferencePair):
        return _fit(encode(sample, tokenizer), config)
    sides = [_fit(encode(side, tokenizer), config) for side in (sample.chosen, sample.rejected)]
    problem = next((side for side in sides if isinstance(side, str)), None)
    if problem is not None:
        return problem
    chosen, rejected = sides
    assert isinstance(chosen, Encoded)
    assert isinstance(rejected, Encoded)
    return EncodedPair(sample.id, chosen, rejected)


def encode(sequence: Sequence, tokenizer: Any) -> Encoded:
    """Return one sequence as tokens.

    Raises:
        SampleError: no token is to be learnt, or a token is unknown to the tokenizer.
    """
    if isinstance(sequence, ChatExample):
        sequence = render_chat(tokenizer, sequence)
    if isinstance(sequence, TextExample):
        encoded = _encode_text(sequence, tokenizer)
    else:
        encoded = _take_tokens(sequence, tokenizer)
    if not encoded.trained:
        raise SampleError(
            f"Example {sequence.id} has no token to learn. Give it a span or a weight, or leave "
            "it out."
        )
    return encoded


def _take_tokens(example: TokenExample, tokenizer: Any) -> Encoded:
    if max(example.token_ids) >= len(tokenizer):
        raise SampleError(
            f"Example {example.id} has tokens that the base model does not know; it was recorded "
            "with another tokenizer."
        )
    if example.text is not None and read_tokens(example.token_ids, tokenizer) != example.text:
        raise SampleError(
            f"Example {example.id} reads differently in the tokens of the base model; it was "
            "recorded with another tokenizer. Make the set for this base, or choose the base that "
            "it was made for."
        )
    return Encoded(example.id, example.token_ids, example.weights, is_recorded=True)


def read_tokens(ids: Iterable[int], tokenizer: Any) -> str:
    """Return the text of tokens, including the special ones."""
    return str(
        tokenizer.decode(list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False)
    )


def _encode_text(example: TextExample, tokenizer: Any) -> Encoded:
    """Tokenize prompt and spans separately, as a model sees them: a prompt, then samples."""
    ids: list[int] = []
    weights: list[float] = []
    for text, weight in list_pieces(example):
        piece = tokenize(text, tokenizer)
        ids += piece
        weights += [weight] * len(piece)
    full = tokenize(example.text, tokenizer)
    return Encoded(example.id, tuple(ids), tuple(weights), retokenized=full != ids)


def tokenize(text: str, tokenizer: Any) -> list[int]:
    """Tokenize a piece of a rendered chat; its template has already added the special tokens."""
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


def list_pieces(example: TextExample) -> Iterable[tuple[str, float]]:
    """Yield the parts of a text that are tokenized separately, each with its tokens' weight."""
    at = 0
    for span in example.spans:
        if span.start > at:
            yield example.text[at : span.start], 0.0
        yield example.text[span.start : span.end], span.weight
        at = span.end
    if at < len(example.text):
        yield example.text[at:], 0.0


def _fit(encoded: Encoded, config: FinetuneConfig) -> Encoded | str:
    over = len(encoded) - config.max_length
    if over <= 0:
        return encoded
    sentence = (
        f"Example {encoded.id} has {len(encoded):,} tokens, {over:,} more than max_length; raise "
        "max_length or cut the start of long examples."
    )
    match config.too_long:
        case "refuse":
            raise SampleError(sentence)
        case "leave_out":
            return sentence
        case "cut_start":
            cut = Encoded(
                encoded.id,
                encoded.token_ids[over:],
                encoded.weights[over:],
                cut=over,
                is_recorded=encoded.is_recorded,
                retokenized=encoded.retokenized,
            )
            return cut if cut.trained else sentence
