"""Cost of a call from its token counts and a price sheet."""

import pytest

from tapes_app.engine.model.llm import Usage
from tapes_app.llms.pricing import PriceSheet, compute_cost, price_per_million

PRICES = PriceSheet(input=2_500_000, output=10_000_000, cache_read=250_000, cache_write=3_000_000)


def test_each_class_of_tokens_has_its_own_price() -> None:
    usage = Usage(
        input_tokens=1_000, cache_read_tokens=600, cache_write_tokens=100, output_tokens=50
    )

    assert compute_cost(usage, PRICES) == 300 * 2.5 + 600 * 0.25 + 100 * 3 + 50 * 10


def test_reasoning_tokens_are_part_of_the_output_and_cost_as_much_unless_stated() -> None:
    usage = Usage(input_tokens=0, output_tokens=100, reasoning_tokens=60)

    assert compute_cost(usage, PRICES) == 1_000
    assert compute_cost(usage, PRICES.model_copy(update={"reasoning": 5_000_000})) == 700


def test_cached_tokens_without_a_price_make_the_cost_unknown_not_full() -> None:
    prices = PriceSheet(input=2_500_000, output=10_000_000)

    assert compute_cost(Usage(input_tokens=10, output_tokens=1), prices) == 35
    assert (
        compute_cost(Usage(input_tokens=10, output_tokens=1, cache_read_tokens=4), prices) is None
    )


def test_unknown_counts_make_the_cost_unknown() -> None:
    assert compute_cost(Usage(output_tokens=5), PRICES) is None


def test_a_call_without_output_needs_no_output_price() -> None:
    usage = Usage(input_tokens=1_000_000, output_tokens=0)

    assert compute_cost(usage, PriceSheet(input=100)) == 100


def test_fractions_of_a_micro_dollar_round_half_up() -> None:
    assert compute_cost(Usage(input_tokens=1, output_tokens=0), PriceSheet(input=500_000)) == 1
    assert compute_cost(Usage(input_tokens=1, output_tokens=0), PriceSheet(input=499_999)) == 0


def test_a_negative_price_is_refused() -> None:
    with pytest.raises(ValueError, match="input"):
        PriceSheet(input=-1)


def test_dollars_per_token_become_micro_dollars_per_million() -> None:
    assert price_per_million(2.5e-6) == 2_500_000
    assert price_per_million(None) is None
