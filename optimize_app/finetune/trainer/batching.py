"""Which examples form a step, and which of them go through the model together.

All of it is a pure function of the lengths, the seed and the epoch, so that every process and every
resumed run arrives at the same plan without communication.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

WINDOW = 32
"""Batches whose examples are sorted together: enough to find similar lengths, few enough to mix."""


@dataclass(frozen=True)
class StepPlan:
    """One optimizer step: for each process its passes, for each pass the indices of examples.

    All processes have the same number of passes, as sharded models need; padding passes are empty.
    """

    passes: tuple[tuple[tuple[int, ...], ...], ...]


def plan_epoch(
    lengths: Sequence[int], batch_size: int, *, seed: int, epoch: int, shuffled: bool = True
) -> list[tuple[int, ...]]:
    """Return the batches of one epoch, each a tuple of indices into `lengths`.

    Examples are shuffled, those of similar length are put into one batch (so that little is
    padded), and the batches come in random order.
    """
    places = list(range(len(lengths)))
    if not shuffled:
        return _cut(places, batch_size)
    order = random.Random(f"{seed}/{epoch}")  # noqa: S311 - an order to repeat, not a secret
    order.shuffle(places)
    batches: list[tuple[int, ...]] = []
    for window in _cut(places, batch_size * WINDOW):
        batches += _cut(sorted(window, key=lambda place: lengths[place]), batch_size)
    order.shuffle(batches)
    return batches


def plan_step(
    batch: Sequence[int],
    lengths: Sequence[int],
    *,
    tokens_per_pass: int,
    processes: int = 1,
    padded: bool = True,
) -> StepPlan:
    """Distribute a batch over processes and split each share into passes of bounded size.

    With `padded`, each row of a pass costs as much as its longest example; an example that alone
    exceeds the bound gets its own pass.
    """
    by_length = sorted(batch, key=lambda place: lengths[place], reverse=True)
    shares = [by_length[first::processes] for first in range(processes)]
    split = [_split(share, lengths, tokens_per_pass, padded=padded) for share in shares]
    most = max(len(passes) for passes in split)
    return StepPlan(tuple((*passes, *[()] * (most - len(passes))) for passes in split))


def _split(
    share: Sequence[int], lengths: Sequence[int], bound: int, *, padded: bool
) -> tuple[tuple[int, ...], ...]:
    passes: list[list[int]] = []
    used = 0
    for place in share:
        length = lengths[place]
        cost = (
            lengths[passes[-1][0]] * (len(passes[-1]) + 1) if passes and padded else used + length
        )
        if passes and cost <= bound:
            passes[-1].append(place)
            used += length
        else:
            passes.append([place])
            used = length
    return tuple(tuple(places) for places in passes)


def _cut(places: Sequence[int], size: int) -> list[tuple[int, ...]]:
    return [tuple(places[at : at + size]) for at in range(0, len(places), size)]
