"""The rows of a batch with their keys and values: joining, adding a token, leaving.

Rows are padded on the left, so that all end in the same column. A row joins between two tokens of
the others and leaves when it is done.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from transformers import DynamicCache

from optimize_app.serving.server.model import AdaptedModel


@dataclass(eq=False)
class Row:
    """An answer that is being written."""

    prompt: tuple[int, ...]
    adapter: str | None
    """The key that `AdaptedModel.take` returned; None is the base."""
    ids: list[int] = field(default_factory=list)
    """Tokens of the answer; the last one has not gone through the model yet."""


class Batch:
    """Rows that go through the model together. The last token of each is not in the cache yet."""

    def __init__(self, model: AdaptedModel, pad_id: int) -> None:
        self._model = model
        self._device = model.base.device
        self._pad_id = pad_id
        self._cache = DynamicCache()
        self._mask = torch.zeros((0, 0), dtype=torch.long, device=self._device)
        self.rows: list[Row] = []

    def join(self, rows: Sequence[Row]) -> torch.Tensor:
        """Read the prompts of new rows; return logits (new rows, vocabulary) for their first token.

        The caller draws those tokens before `advance`. If this fails, the batch is unchanged.
        """
        width = max(len(row.prompt) for row in rows)
        token_ids = torch.full((len(rows), width), self._pad_id, dtype=torch.long)
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        for place, row in enumerate(rows):
            token_ids[place, width - len(row.prompt) :] = torch.tensor(row.prompt)
            mask[place, width - len(row.prompt) :] = 1
        positions = (mask.cumsum(dim=1) - 1).clamp(min=0)
        cache, mask = DynamicCache(), mask.to(self._device)
        logits = self._model.forward(
            token_ids.to(self._device),
            mask,
            positions.to(self._device),
            cache,
            [row.adapter for row in rows],
        )
        self._merge(cache, mask)
        self.rows += rows
        return logits

    def advance(self) -> torch.Tensor:
        """Read the last token of every row; return logits (rows, vocabulary) for the next one."""
        last = torch.tensor([[row.ids[-1]] for row in self.rows], device=self._device)
        positions = self._mask.sum(dim=1, keepdim=True)
        ones = torch.ones((len(self.rows), 1), dtype=torch.long, device=self._device)
        self._mask = torch.cat([self._mask, ones], dim=1)
        adapters = [row.adapter for row in self.rows]
        return self._model.forward(last, self._mask, positions, self._cache, adapters)

    def keep(self, rows: Sequence[Row]) -> None:
        """Remove all other rows, with the columns that only they needed."""
        kept = [place for place, row in enumerate(self.rows) if row in rows]
        if len(kept) == len(self.rows):
            return
        self.rows = [self.rows[place] for place in kept]
        if not kept:
            self.clear()
            return
        places = torch.tensor(kept, device=self._device)
        self._mask = self._mask[places]
        first = int(self._mask.any(dim=0).nonzero()[0, 0])
        self._mask = self._mask[:, first:]
        for layer in _layers(self._cache):
            layer.keys = layer.keys[places, :, first:]
            layer.values = layer.values[places, :, first:]

    def clear(self) -> None:
        """Remove all rows."""
        self.rows = []
        self._cache = DynamicCache()
        self._mask = self._mask.new_zeros((0, 0))

    def _merge(self, cache: DynamicCache, mask: torch.Tensor) -> None:
        if not self.rows:
            self._cache, self._mask = cache, mask
            return
        width = max(mask.shape[1], self._mask.shape[1])
        # Compute everything before storing any of it: if memory runs out here, the batch is
        # unchanged.
        masks = torch.cat([_pad_left(one, width, -1) for one in (self._mask, mask)])
        joined = [
            (
                torch.cat([_pad_left(one, width, -2) for one in (ours.keys, new.keys)]),
                torch.cat([_pad_left(one, width, -2) for one in (ours.values, new.values)]),
            )
            for ours, new in zip(_layers(self._cache), _layers(cache), strict=True)
        ]
        self._mask = masks
        for layer, (keys, values) in zip(_layers(self._cache), joined, strict=True):
            layer.keys, layer.values = keys, values


def _layers(cache: DynamicCache) -> list[Any]:
    """Return the layers; each has `keys` and `values` of shape (rows, heads, tokens, width)."""
    return list(cache.layers)


def _pad_left(tensor: torch.Tensor, width: int, dimension: int) -> torch.Tensor:
    """Return a tensor padded with leading zeros up to `width` in one of its last dimensions."""
    missing = width - tensor.shape[dimension]
    if not missing:
        return tensor
    sides = (0, 0) * (-dimension - 1) + (missing, 0)
    return torch.nn.functional.pad(tensor, sides)
