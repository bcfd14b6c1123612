"""Examples as token ids with weights; an example that cannot be learnt is refused by its id."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.rendering import UnwrittenError, render_chat
from optimize_app.training_sets.samples import (
    ChatExample,
    PreferencePair,
    Sample,
    SampleError,
    Sequence,
    TextExample,
    TokenExample,
    name_any,
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
    loses_thoughts: bool = False
    """The chat template has no place for what was thought before the answer."""
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
    """A sentence with the reason, by the id of the example."""
    reasons: Counter[str] = field(default_factory=Counter)
    """How many were left out for the same reason, by a sentence about an example."""


@dataclass(frozen=True)
class _LeftOut:
    sentence: str
    reason: str


def encode_all(samples: Iterable[Sample], tokenizer: Any, config: FinetuneConfig) -> EncodedSet:
    """Return the examples as tokens.

    Raises:
        SampleError: an example does not fit the config's objective, has nothing to learn, or is too
            long and that is to be refused.
    """
    items: list[Item] = []
    left_out: dict[str, str] = {}
    reasons: Counter[str] = Counter()
    for sample in samples:
        try:
            item = _encode(sample, tokenizer, config)
        except UnwrittenError as error:
            item = _leave_out(error.message, sample)
        if isinstance(item, _LeftOut):
            left_out[sample.id] = item.sentence
            reasons[item.reason] += 1
        else:
            items.append(item)
    return EncodedSet(tuple(items), left_out, reasons)


def require_items(encoded: EncodedSet) -> EncodedSet:
    """Return the examples.

    Raises:
        SampleError: all of them were left out, or there was none.
    """
    if not encoded.items:
        reasons = sorted(set(encoded.left_out.values()))
        raise SampleError(
            "There is no example to train on. "
            + (reasons[0] if reasons else "Put examples into samples.jsonl.")
        )
    return encoded


def _leave_out(sentence: str, sample: Sample) -> _LeftOut:
    """Leave an example out for a reason that may be the same for others."""
    return _LeftOut(sentence, name_any(sentence, sample))


def _encode(sample: Sample, tokenizer: Any, config: FinetuneConfig) -> Item | _LeftOut:
    if isinstance(sample, PreferencePair) != (config.objective == "preference"):
        raise SampleError(
            f"Example {sample.id} is {'' if isinstance(sample, PreferencePair) else 'not '}"
            f"a preference pair, and the objective is {config.objective}."
        )
    if not isinstance(sample, PreferencePair):
        return _fit(encode(sample, tokenizer), config)
    sides = [_fit(encode(side, tokenizer), config) for side in (sample.chosen, sample.rejected)]
    problem = next((side for side in sides if isinstance(side, _LeftOut)), None)
    if problem is not None:
        return problem
    chosen, rejected = sides
    assert isinstance(chosen, Encoded)
    assert isinstance(rejected, Encoded)
    if chosen.token_ids == rejected.token_ids:
        return _leave_out(
            f"Example {sample.id}: both answers are the same, so neither is better.", sample
        )
    return EncodedPair(sample.id, chosen, rejected)


def encode(sequence: Sequence, tokenizer: Any) -> Encoded:
    """Return one sequence as tokens.

    Raises:
        SampleError: no token is to be learnt, or a token is unknown to the tokenizer.
    """
    loses_thoughts = False
    if isinstance(sequence, ChatExample):
        rendering = render_chat(tokenizer, sequence)
        sequence, loses_thoughts = rendering.example, rendering.loses_thoughts
    if isinstance(sequence, TextExample):
        encoded = replace(_encode_text(sequence, tokenizer), loses_thoughts=loses_thoughts)
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


def _fit(encoded: Encoded, config: FinetuneConfig) -> Encoded | _LeftOut:
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
            return _LeftOut(sentence, "An example is longer than max_length.")
        case "cut_start":
            return _cut_start(encoded, over) or _LeftOut(
                f"Example {encoded.id} has {len(encoded):,} tokens, and its answer alone is not "
                f"shorter than max_length, {config.max_length:,}; raise max_length.",
                "An example's answer alone is not shorter than max_length.",
            )


def _cut_start(encoded: Encoded, over: int) -> Encoded | None:
    """Cut off at least `over` tokens, but no part of an answer, nor all that comes before it.

    `None`: nothing to learn would be left.
    """
    start = next((at for at in range(over, len(encoded)) if not encoded.weights[at]), len(encoded))
    cut = replace(
        encoded,
        token_ids=encoded.token_ids[start:],
        weights=encoded.weights[start:],
        cut=start,
    )
    return cut if cut.trained else None
