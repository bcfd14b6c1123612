"""Arithmetic of the stretches that tapes are made of."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from tapes_app.tapes.domain.spans import Span, Spans, count_shared_start, join_spans, places

_LOGS = st.sampled_from([UUID(int=number) for number in range(1, 4)])
_SPANS = st.lists(
    st.builds(Span, log=_LOGS, start=st.integers(0, 6), count=st.integers(1, 4)), max_size=5
).map(join_spans)


@given(_SPANS, _SPANS, _SPANS)
def test_a_shared_start_is_counted_in_steps(past: Spans, one: Spans, other: Spans) -> None:
    left, right = (join_spans((*past, *rest)) for rest in (one, other))

    shared = count_shared_start(left, right)

    lefts, rights = list(places(left)), list(places(right))
    same = [a == b for a, b in zip(lefts, rights, strict=False)]
    assert shared == (same.index(False) if False in same else len(same))


def test_tapes_of_other_logs_share_nothing() -> None:
    assert count_shared_start((Span(UUID(int=1), 0, 3),), (Span(UUID(int=2), 0, 3),)) == 0
