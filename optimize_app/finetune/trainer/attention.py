"""Which attention a model is trained with, and one for rows that hold several sequences."""

from importlib.util import find_spec
from typing import Any, Final

import torch
from transformers import AttentionInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward

WITHIN_SEQUENCES: Final = "sdpa_within_sequences"
_FAMILIES: Final = frozenset({"llama", "qwen2", "qwen3"})
"""Families whose layers give their positions to the attention, and whose tokens see all before."""


def choose_attention(described: Any, device: torch.device, *, packed: bool) -> str:
    """Return the name of the attention for a model with this description.

    Packed rows under torch's own attention need a mask of all pairs of tokens of the row; on a CPU,
    each sequence is attended by itself where that is known to be right. On an H200 that took twice
    as long as the mask (`benchmarks/README.md`, claim 10).
    """
    if device.type == "cuda":
        return "sdpa" if find_spec("flash_attn") is None else "flash_attention_2"
    has_window = bool(getattr(described, "use_sliding_window", False))
    if packed and described.model_type in _FAMILIES and not has_window:
        return WITHIN_SEQUENCES
    return "sdpa"


def skip_cudnn_attention() -> None:
    """Have torch choose its other fast attention on a GPU.

    cuDNN's makes a plan for each length that it has not seen yet, which took about 0.1 s on an
    H200, and lengths differ from pass to pass and from token to token.
    """
    torch.backends.cuda.enable_cudnn_sdp(enabled=False)


def attend_within_sequences(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    *,
    position_ids: torch.Tensor,
    **options: Any,
) -> tuple[torch.Tensor, None]:
    """Attend causally within each sequence of a row; they begin where positions are 0.

    `query` is (rows, heads, tokens, width), the result (rows, tokens, heads, width). Anything but
    a packed row, such as the next token of an answer, is left to torch's attention.
    """
    parts = (query, key, value)
    attend: Any = sdpa_attention_forward
    starts = (position_ids[0] == 0).nonzero()[:, 0].tolist()
    if len(query) > 1 or query.shape[2] != key.shape[2] or len(starts) < 2:  # noqa: PLR2004
        whole: torch.Tensor = attend(module, *parts, attention_mask, **options)[0]
        return whole, None
    sizes = [end - start for start, end in zip(starts, [*starts[1:], query.shape[2]], strict=True)]
    attended = [
        attend(module, *sequence, None, **options)[0]
        for sequence in zip(*(part.split(sizes, dim=2) for part in parts), strict=True)
    ]
    return torch.cat(attended, dim=1), None


AttentionInterface.register(WITHIN_SEQUENCES, attend_within_sequences)
