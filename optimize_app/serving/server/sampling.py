"""Drawing the next tokens of a batch, and the probabilities that they were drawn with."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from optimize_app.finetune.trainer.token_masks import normalize_over

GREEDY_BELOW = 1e-5
"""A temperature below this takes the most likely token."""


@dataclass(frozen=True)
class Drawing:
    """How one row is drawn."""

    temperature: float
    top_p: float
    chance: float
    """A number in [0, 1) that decides; the same number selects the same token."""

    @property
    def is_greedy(self) -> bool:
        return self.temperature < GREEDY_BELOW


@dataclass(frozen=True)
class Drawn:
    """One token a row; tensors of shape (rows,) and (rows, vocabulary)."""

    tokens: torch.Tensor
    log_probabilities: torch.Tensor
    """In nats, of every token under the row's distribution; minus infinity if it could not be
    drawn."""


def draw(logits: torch.Tensor, allowed: torch.Tensor | None, drawings: Sequence[Drawing]) -> Drawn:
    """Draw a token for each row of logits (rows, vocabulary).

    The probabilities are normalized over what could be drawn: the tokens of `allowed`, and with
    top_p those of the nucleus; at the row's temperature, or at 1 for greedy rows.
    """
    temperatures = [1.0 if one.is_greedy else one.temperature for one in drawings]
    logits = logits.float()
    if any(temperature != 1.0 for temperature in temperatures):
        logits = logits / torch.tensor(temperatures, device=logits.device).unsqueeze(1)
    logs = normalize_over(logits, allowed)
    for row, one in enumerate(drawings):
        if one.top_p < 1.0 and not one.is_greedy:
            logs[row] = normalize_over(logs[row], _nucleus(logs[row], one.top_p))
    tokens = logs.argmax(dim=-1)
    drawn = [row for row, one in enumerate(drawings) if not one.is_greedy]
    if drawn:
        chances = torch.tensor([drawings[row].chance for row in drawn], dtype=torch.float64)
        tokens[drawn] = _invert(logs[drawn], chances.to(logs.device), tokens[drawn])
    return Drawn(tokens, logs)


def _nucleus(logs: torch.Tensor, top_p: float) -> torch.Tensor:
    """Return the fewest most likely tokens (vocabulary,) whose probabilities reach `top_p`."""
    ordered, places = logs.sort(descending=True, stable=True)
    shares = ordered.exp()
    is_in = shares.cumsum(0) - shares < top_p
    is_in[0] = True
    kept = torch.zeros_like(is_in)
    kept[places] = is_in
    return kept & logs.isfinite()


def _invert(logs: torch.Tensor, chances: torch.Tensor, likeliest: torch.Tensor) -> torch.Tensor:
    """Return for each row the token at which the cumulative probability exceeds its chance."""
    sums = logs.double().exp().cumsum(dim=-1)
    aims = chances * sums[:, -1]
    places = torch.searchsorted(sums, aims.unsqueeze(1), right=True).squeeze(1)
    # Rounding can put an aim at the very end, beyond the last token.
    return torch.where(places < logs.shape[1], places, likeliest)
