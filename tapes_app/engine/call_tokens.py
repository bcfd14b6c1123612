"""The tokens of a call as the server counted them: ids and log-probabilities, never made again."""

import math
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from tapes_app.engine.frozen_model import FrozenModel

LEAST_LOGPROB = -9999.0
"""Stands for "impossible", which JSON cannot say; vLLM writes it so too."""


def _finite(logprob: float) -> float:
    return logprob if math.isfinite(logprob) else LEAST_LOGPROB


TokenId = Annotated[int, Field(ge=0)]
Logprob = Annotated[float, AfterValidator(_finite)]


class CallTokens(FrozenModel):
    """What a model read and wrote, token by token; `None` = the server did not say."""

    prompt_ids: tuple[TokenId, ...] | None = None
    """Ids of the whole prompt, as the chat template wrote it."""

    ids: tuple[TokenId, ...] | None = None
    """Ids of everything that was sampled: reasoning, words and tool calls."""

    texts: tuple[str, ...] | None = None
    logprobs: tuple[Logprob, ...] | None = None
    """Natural logarithms, one a sampled token."""

    masks: tuple[str | None, ...] | None = None
    """Of each sampled token which ones could have been drawn, under a grammar say, and over which
    its probability is normalized: packed bits in base64 (`token_masks`); `None` = all."""

    def __bool__(self) -> bool:
        return self != CallTokens()

    def to_json(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)
