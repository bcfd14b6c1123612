"""What a model call costs: prices per class of tokens, in integers."""

from pydantic import Field

from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.llm import Usage

_MILLION = 1_000_000


class PriceSheet(FrozenModel):
    """Prices in millionths of a US dollar per million tokens: $2.50 is 2_500_000.

    `None` means unknown. Cached tokens are never assumed to cost the full price: without their own
    price, the cost of a call that has some is unknown.
    """

    input: int | None = Field(default=None, ge=0)
    """Prompt tokens that were not read from a cache."""

    output: int | None = Field(default=None, ge=0)
    """Completion tokens."""

    cache_read: int | None = Field(default=None, ge=0)
    """Prompt tokens read from the provider's cache."""

    cache_write: int | None = Field(default=None, ge=0)
    """Prompt tokens written to the provider's cache."""

    reasoning: int | None = Field(default=None, ge=0)
    """Completion tokens spent on reasoning; the price of `output` applies when unknown."""


def price_per_million(usd_per_token: float | None) -> int | None:
    """Convert litellm's price, in dollars per token, into one of a price sheet."""
    return None if usd_per_token is None else round(usd_per_token * _MILLION * _MILLION)


def compute_cost(usage: Usage, prices: PriceSheet) -> int | None:
    """Return the cost in micro USD, rounded half up; `None` if a count or price is unknown."""
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    read = usage.cache_read_tokens or 0
    written = usage.cache_write_tokens or 0
    reasoning = min(usage.reasoning_tokens or 0, usage.output_tokens)
    reasoning_price = prices.output if prices.reasoning is None else prices.reasoning
    parts = (
        (max(usage.input_tokens - read - written, 0), prices.input),
        (read, prices.cache_read),
        (written, prices.cache_write),
        (usage.output_tokens - reasoning, prices.output),
        (reasoning, reasoning_price),
    )
    total = 0
    for count, price in parts:
        if not count:
            continue
        if price is None:
            return None
        total += count * price
    return (total + _MILLION // 2) // _MILLION
