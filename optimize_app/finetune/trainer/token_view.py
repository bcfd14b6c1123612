"""An example as a model sees it: its text in pieces, with ids and weights, for display."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from optimize_app.finetune.trainer.encoding import encode, list_pieces, read_tokens
from optimize_app.finetune.trainer.rendering import render_chat
from optimize_app.finetune.trainer.token_sequences import Role, TokenPiece, TokenSequence
from optimize_app.training_sets.samples import ChatExample, PreferencePair, Sample, TextExample
from optimize_app.training_sets.samples import Sequence as Sequenced

MOST_TOKENS = 20_000
"""Limit of tokens shown per sequence; earlier ones are counted. The answer is at the end."""

_UNFINISHED = "\ufffd"
"""What a decoder writes for bytes that are not a complete character."""


def view_sample(sample: Sample, tokenizer: Any) -> tuple[TokenSequence, ...]:
    """Return an example as tokens; a preference pair as two.

    Raises:
        SampleError: the chat template cannot write it, or no token of it is learnt.
    """
    if isinstance(sample, PreferencePair):
        sides: tuple[tuple[Role, Sequenced], ...] = (
            ("chosen", sample.chosen),
            ("rejected", sample.rejected),
        )
        return tuple(_view(role, side, tokenizer) for role, side in sides)
    return (_view("learnt", sample, tokenizer),)


def _view(role: Role, sequence: Sequenced, tokenizer: Any) -> TokenSequence:
    loses_thoughts = False
    if isinstance(sequence, ChatExample):
        rendering = render_chat(tokenizer, sequence)
        sequence, loses_thoughts = rendering.example, rendering.loses_thoughts
    encoded = encode(sequence, tokenizer)
    if isinstance(sequence, TextExample) and getattr(tokenizer, "is_fast", False):
        text: str | None = sequence.text
        pieces = tuple(
            piece
            for part, weight in list_pieces(sequence)
            for piece in _cut_text(part, weight, tokenizer)
        )
    else:
        text = sequence.text if isinstance(sequence, TextExample) else None
        pieces = tuple(cut_ids(encoded.token_ids, encoded.weights, tokenizer))
    shown, hidden = _take_last(pieces, MOST_TOKENS)
    return TokenSequence(
        role=role,
        pieces=shown,
        hidden_count=hidden,
        token_count=len(encoded),
        trained_count=encoded.trained,
        is_recorded=encoded.is_recorded,
        is_retokenized=encoded.retokenized,
        is_text_kept=text in (None, read_tokens(encoded.token_ids, tokenizer)),
        loses_thoughts=loses_thoughts,
    )


def _cut_text(text: str, weight: float, tokenizer: Any) -> Iterator[TokenPiece]:
    """Cut a text at token boundaries; tokens that share a character stay together."""
    given = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    at = 0
    for start, end, ids in _group(given["input_ids"], given["offset_mapping"]):
        if start > at:
            yield TokenPiece(text[at:start], (), weight)
        yield TokenPiece(text[max(at, start) : end], ids, weight)
        at = max(at, end)
    if at < len(text):
        yield TokenPiece(text[at:], (), weight)


def _group(
    ids: Sequence[int], offsets: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Group tokens that overlap, as each holds one of the bytes of a character."""
    first, last = 0, 0
    held: list[int] = []
    for token, (start, end) in zip(ids, offsets, strict=True):
        if held and start >= last and end > last:
            yield first, last, tuple(held)
            held = []
        if not held:
            first, last = start, end
        held.append(token)
        last = max(last, end)
    if held:
        yield first, last, tuple(held)


def cut_ids(ids: Sequence[int], weights: Sequence[float], tokenizer: Any) -> Iterator[TokenPiece]:
    """Cut recorded tokens where they write complete characters."""
    for weight, group in groupby(zip(ids, weights, strict=True), key=lambda pair: pair[1]):
        held: list[int] = []
        for token, _ in group:
            held.append(token)
            text = read_tokens(held, tokenizer)
            if not text.endswith(_UNFINISHED):
                yield TokenPiece(text, tuple(held), weight)
                held = []
        if held:
            yield TokenPiece(read_tokens(held, tokenizer), tuple(held), weight)


def _take_last(pieces: tuple[TokenPiece, ...], count: int) -> tuple[tuple[TokenPiece, ...], int]:
    """Return the last pieces with at most `count` tokens, and how many tokens come before them."""
    taken = 0
    for at in range(len(pieces) - 1, -1, -1):
        taken += len(pieces[at].ids)
        if taken > count:
            return pieces[at + 1 :], sum(len(piece.ids) for piece in pieces[: at + 1])
    return pieces, 0
