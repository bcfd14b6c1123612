"""How many examples of each set a mixture takes, and which."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from optimize_app.training_sets.mixing import count_shares, draw


@given(
    available=st.lists(st.integers(1, 50), min_size=2, max_size=5),
    weights=st.lists(st.floats(0.01, 100), min_size=5, max_size=5),
    size=st.none() | st.integers(1, 300),
)
def test_shares_are_what_was_asked_for_to_one_example(
    available: list[int], weights: list[float], size: int | None
) -> None:
    weights = weights[: len(available)]

    counts = count_shares(available, weights, size)

    total = sum(counts)
    for count, weight in zip(counts, weights, strict=True):
        assert abs(count - total * weight / sum(weights)) < 1
    if size is None:
        assert all(count <= most for count, most in zip(counts, available, strict=True))
    else:
        assert total == size


def test_a_seed_draws_the_same_and_each_one_once_before_any_twice() -> None:
    ids = [str(number) for number in range(10)]

    few, again, other = draw(ids, 4, 1), draw(ids, 4, 1), draw(ids, 4, 2)
    many = draw(ids, 23, 1)

    assert few == again != other
    assert len({one.place for one in few}) == 4
    assert set(Counter(one.place for one in many).values()) == {2, 3}
    assert len({(one.place, one.turn) for one in many}) == 23
