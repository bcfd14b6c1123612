"""What several commands answer alike."""

import pytest

from tapes_app.management.output import cost_values


@pytest.mark.parametrize(
    ("micro_usd", "is_known", "told"),
    [(0, True, 0), (7, True, 7), (7, False, 7), (0, False, None)],
)
def test_a_cost_that_nobody_knows_is_never_told_as_nothing(
    micro_usd: int, is_known: bool, told: int | None
) -> None:
    assert cost_values(micro_usd, is_known=is_known) == {
        "cost_micro_usd": told,
        "is_cost_known": is_known,
    }
