"""What a step minimises: weighted tokens, or preferences between two answers."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

import torch

from optimize_app.finetune.trainer.encoding import Encoded, EncodedPair, Item
from optimize_app.finetune.trainer.tensors import (
    Pass,
    TokenScores,
    make_pass,
    score_tokens,
    sum_by_sequence,
)


@dataclass(frozen=True)
class PassResult:
    """The loss of one pass, as a sum, and by example."""

    total: torch.Tensor
    by_example: tuple[float, ...]
    """Loss of each example, per trained token or per pair."""
    figures: dict[str, float] = field(default_factory=dict)
    """Sums of further figures; divided by the number of examples of a step or an evaluation."""


class Objective(Protocol):
    """How a loss is computed. `size` is the divisor for the sum over a complete step."""

    def size(self, items: Sequence[Item]) -> float: ...

    def measure(self, model: torch.nn.Module, items: Sequence[Item]) -> PassResult: ...


@dataclass(frozen=True)
class _Layout:
    packed: bool
    pad_id: int
    device: torch.device

    def _make_pass(self, sequences: Sequence[Encoded]) -> Pass:
        return make_pass(sequences, packed=self.packed, pad_id=self.pad_id, device=self.device)


@dataclass(frozen=True)
class Imitation(_Layout):
    """Weighted cross-entropy, averaged over all trained tokens of a step.

    The average is over the step rather than over passes or processes, so that the way a step is
    split changes nothing.
    """

    def size(self, items: Sequence[Item]) -> float:
        return float(sum(item.trained for item in items))

    def measure(self, model: torch.nn.Module, items: Sequence[Item]) -> PassResult:
        sequences = list(_sequences(items))
        batch = self._make_pass(sequences)
        scores = score_tokens(model, batch)
        losses = -scores.log_probabilities * scores.weights
        sums = sum_by_sequence(losses.detach(), scores.owner, batch.sequences).tolist()
        by_example = tuple(
            total / item.trained for total, item in zip(sums, sequences, strict=False)
        )
        if scores.are_likeliest is None or not items:
            return PassResult(losses.sum(), by_example)
        figures = {"answers_right": sum(_shares_right(scores))}
        return PassResult(losses.sum(), by_example, figures)


def _shares_right(scores: TokenScores) -> Iterator[float]:
    """Yield, for each sequence, the share of its answers that are right to the last token.

    A token is right if none is likelier after the recorded ones before it. An answer is a run of
    learnt tokens.
    """
    assert scores.are_likeliest is not None
    answers: dict[int, list[bool]] = defaultdict(list)
    places = scores.places.tolist()
    rows = (scores.weights, scores.owner, scores.are_likeliest)
    for weights, owners, rights in zip(*(part.tolist() for part in rows), strict=True):
        before: tuple[int, int] | None = None
        for place, weight, owner, is_right in zip(places, weights, owners, rights, strict=True):
            if not weight:
                continue
            if before == (owner, place - 1):
                answers[owner][-1] &= is_right
            else:
                answers[owner].append(is_right)
            before = (owner, place)
    for found in answers.values():
        yield sum(found) / len(found)


@dataclass(frozen=True)
class Preference(_Layout):
    """Direct preference optimisation (Rafailov et al. 2023, arXiv 2305.18290, equation 7)."""

    beta: float
    reference: Callable[[torch.nn.Module], AbstractContextManager[torch.nn.Module]]
    """Provides the model as it was before training."""

    def size(self, items: Sequence[Item]) -> float:
        return float(len(items))

    def measure(self, model: torch.nn.Module, items: Sequence[Item]) -> PassResult:
        sequences = list(_sequences(items))
        batch = self._make_pass(sequences)
        scores = score_tokens(model, batch)
        with torch.no_grad(), self.reference(model) as base:
            base_scores = score_tokens(base, batch)
        learnt = (scores.weights != 0).float()
        gains = sum_by_sequence(
            (scores.log_probabilities - base_scores.log_probabilities) * learnt,
            scores.owner,
            batch.sequences,
        )
        if not items:
            return PassResult(gains.sum() * 0.0, ())
        margins = gains[0::2] - gains[1::2]
        losses = -torch.nn.functional.logsigmoid(self.beta * margins)
        figures = {
            "preferred": float((margins > 0).sum()),
            "margin": float(margins.detach().sum()),
        }
        return PassResult(losses.sum(), tuple(losses.detach().tolist()), figures)


def _sequences(items: Sequence[Item]) -> Iterator[Encoded]:
    for item in items:
        if isinstance(item, EncodedPair):
            yield item.chosen
            yield item.rejected
        else:
            yield item
