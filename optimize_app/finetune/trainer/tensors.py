"""A pass of sequences as tensors: padded rows, or one row that holds them end to end."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from optimize_app.finetune.trainer.encoding import Encoded


@dataclass(frozen=True)
class Pass:
    """Tensors of shape (rows, tokens)."""

    token_ids: torch.Tensor
    weights: torch.Tensor
    """Factor of the loss of each token; 0 for padding and for what is not learnt."""
    owner: torch.Tensor
    """Which sequence of the pass a token belongs to, from 0."""
    position_ids: torch.Tensor | None
    """Positions that restart with each sequence of a packed row; None for padded rows.

    Attention infers sequence ends from them, but only without a mask and without a cache: with a
    mask of ones the sequences would silently see each other. Padded rows need no mask either, as
    no token sees the padding that comes after it, and fast attention has no use for one.
    """
    sequences: int
    """Number of sequences; 0 for a padding pass."""
    tokens: int
    """Number of tokens without padding."""


def make_pass(
    sequences: Sequence[Encoded], *, packed: bool, pad_id: int, device: torch.device
) -> Pass:
    """Return the tensors of these sequences; without any, a pass that trains nothing."""
    if not sequences:
        zeros = torch.zeros((1, 2), dtype=torch.long, device=device)
        return Pass(zeros, zeros.float(), zeros, None, 0, 0)
    return (_pack if packed else _pad)(sequences, pad_id, device)


def _pad(sequences: Sequence[Encoded], pad_id: int, device: torch.device) -> Pass:
    width = max(len(sequence) for sequence in sequences)
    shape = (len(sequences), width)
    token_ids = torch.full(shape, pad_id, dtype=torch.long)
    weights = torch.zeros(shape)
    for row, sequence in enumerate(sequences):
        length = len(sequence)
        token_ids[row, :length] = torch.tensor(sequence.token_ids)
        weights[row, :length] = torch.tensor(sequence.weights)
    owner = torch.arange(len(sequences)).unsqueeze(1).expand(shape)
    return Pass(
        token_ids=token_ids.to(device),
        weights=_without_first(weights).to(device),
        owner=owner.to(device),
        position_ids=None,
        sequences=len(sequences),
        tokens=sum(map(len, sequences)),
    )


def _pack(sequences: Sequence[Encoded], pad_id: int, device: torch.device) -> Pass:
    del pad_id  # nothing is padded
    ids, weights, owner, positions = [], [], [], []
    for place, sequence in enumerate(sequences):
        ids.append(torch.tensor(sequence.token_ids))
        weights.append(_without_first(torch.tensor(sequence.weights).unsqueeze(0))[0])
        owner.append(torch.full((len(sequence),), place))
        positions.append(torch.arange(len(sequence)))
    row = [torch.cat(parts).unsqueeze(0).to(device) for parts in (ids, weights, owner, positions)]
    return Pass(row[0], row[1], row[2], row[3], len(sequences), row[0].numel())


def _without_first(weights: torch.Tensor) -> torch.Tensor:
    """Return weights with none on first tokens: nothing before them could have predicted them."""
    weights = weights.clone()
    weights[:, 0] = 0.0
    return weights


@dataclass(frozen=True)
class TokenScores:
    """Log-probabilities of tokens, in nats; tensors of shape (rows, places that are learnt)."""

    log_probabilities: torch.Tensor
    weights: torch.Tensor
    owner: torch.Tensor
    places: torch.Tensor
    """Of the second dimension, in their rows."""
    are_likeliest: torch.Tensor | None
    """Whether no other token is likelier; `None` while training, when nobody asks."""


def score_tokens(model: torch.nn.Module, batch: Pass) -> TokenScores:
    """Return the log-probability of each token that has a weight.

    The vocabulary is computed only where some row learns: prompts, most of an agent's tokens, cost
    no logits.
    """
    learnt = (batch.weights != 0).any(dim=0).nonzero().squeeze(1)
    if learnt.numel() == 0:
        learnt = torch.ones(1, dtype=torch.long, device=batch.token_ids.device)
    output = model(
        input_ids=batch.token_ids,
        position_ids=batch.position_ids,
        use_cache=False,
        logits_to_keep=learnt - 1,
    )
    targets = batch.token_ids[:, learnt]
    losses = torch.nn.functional.cross_entropy(
        output.logits.float().flatten(0, 1), targets.flatten(), reduction="none"
    )
    return TokenScores(
        log_probabilities=-losses.view_as(targets),
        weights=batch.weights[:, learnt],
        owner=batch.owner[:, learnt],
        places=learnt,
        are_likeliest=None if model.training else output.logits.argmax(dim=-1) == targets,
    )


def sum_by_sequence(values: torch.Tensor, owner: torch.Tensor, sequences: int) -> torch.Tensor:
    """Return the sum of `values` for each sequence of a pass, of shape (sequences,)."""
    sums = torch.zeros(max(sequences, 1), device=values.device, dtype=values.dtype)
    return sums.index_add(0, owner.flatten(), values.flatten())
