"""Which tokens could have been drawn at a place, so that a trainer can normalize as a server did.

Under a grammar or a nucleus, a server draws from a part of the vocabulary, and the
log-probabilities that it records are normalized over that part. A ratio of probabilities is
meaningful only if the trainer uses the same part.
"""

import base64
import zlib
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray


def pack_mask(allowed: Any) -> str:
    """Return a mask of shape (vocabulary,) as text: its bits, compressed, in base64."""
    bits = np.packbits(np.asarray(allowed, dtype=bool), bitorder="little")
    return base64.b64encode(zlib.compress(bits.tobytes(), 1)).decode()


def unpack_mask(packed: str, vocabulary: int) -> NDArray[np.bool_]:
    """Return the mask that `pack_mask` wrote, of shape (vocabulary,).

    Raises:
        ValueError: the mask is for another vocabulary.
    """
    expected = (vocabulary + 7) // 8
    opened = zlib.decompressobj()
    bits = opened.decompress(base64.b64decode(packed), expected + 1)
    if len(bits) != expected:
        raise ValueError(f"The mask is not for a vocabulary of {vocabulary} tokens.")
    raw = np.frombuffer(bits, dtype=np.uint8)
    return np.unpackbits(raw, bitorder="little")[:vocabulary].astype(bool)


def normalize_over(logits: torch.Tensor, allowed: torch.Tensor | None) -> torch.Tensor:
    """Return log-probabilities in nats, of shape (…, vocabulary), over the allowed tokens.

    Tokens that are not allowed get minus infinity. None allows everything.
    """
    logits = logits.float()
    if allowed is not None:
        logits = logits.masked_fill(~allowed, -torch.inf)
    return torch.log_softmax(logits, dim=-1)
