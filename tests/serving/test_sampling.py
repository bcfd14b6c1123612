"""Drawing tokens: what may be drawn, with which probabilities, and again with the same chance."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from optimize_app.finetune.trainer.token_masks import normalize_over, pack_mask, unpack_mask
from optimize_app.serving.server.sampling import Drawing, draw

LOGITS = st.lists(st.floats(-20, 20, width=32), min_size=2, max_size=40)


@given(
    logits=LOGITS,
    banned=st.sets(st.integers(0, 39)),
    temperature=st.sampled_from([0.0, 0.3, 1.0, 2.5]),
    top_p=st.sampled_from([0.05, 0.5, 0.999, 1.0]),
    chance=st.floats(0, 1, exclude_max=True),
)
def test_what_is_drawn_could_be_drawn_and_its_mask_gives_its_probability_again(
    logits: list[float], banned: set[int], temperature: float, top_p: float, chance: float
) -> None:
    row = torch.tensor([logits])
    allowed = torch.tensor([[place not in banned for place in range(len(logits))]])
    allowed[0, -1] = True
    drawing = Drawing(temperature, top_p, chance)

    drawn = draw(row, allowed, [drawing])

    token = int(drawn.tokens[0])
    could = drawn.log_probabilities[0].isfinite()
    assert bool(could[token])
    assert not bool((could & ~allowed[0]).any())
    assert float(drawn.log_probabilities[0].exp().sum()) == pytest.approx(1, abs=1e-5)
    scaled = row[0] if drawing.is_greedy else row[0] / temperature
    again = normalize_over(scaled, torch.from_numpy(unpack_mask(pack_mask(could), len(logits))))
    assert float(again[token]) == pytest.approx(float(drawn.log_probabilities[0, token]), abs=1e-4)


def test_a_row_is_drawn_as_it_is_alone() -> None:
    logits = torch.randn((6, 50), generator=torch.Generator().manual_seed(0))
    drawings = [Drawing(0.5 * row, 0.9 if row % 2 else 1.0, row / 6) for row in range(6)]

    together = draw(logits, None, drawings)
    alone = [draw(logits[row : row + 1], None, [drawings[row]]) for row in range(6)]

    assert together.tokens.tolist() == [int(one.tokens[0]) for one in alone]


def test_temperature_one_gives_the_models_own_probabilities() -> None:
    logits = torch.tensor([[1.0, 2.0, 4.0]])

    drawn = draw(logits, None, [Drawing(1.0, 1.0, 0.999)])

    assert drawn.tokens.tolist() == [2]
    assert torch.equal(drawn.log_probabilities, torch.log_softmax(logits, dim=-1))


def test_draws_follow_the_probabilities() -> None:
    shares = [0.5, 0.2, 0.3]
    logits = torch.tensor([[math.log(share) for share in shares]]).repeat(1000, 1)

    drawn = draw(logits, None, [Drawing(1.0, 1.0, row / 1000) for row in range(1000)])

    counts = np.bincount(drawn.tokens.numpy(), minlength=3)
    assert counts.tolist() == pytest.approx([500, 200, 300], abs=1)


def test_a_mask_of_another_vocabulary_is_refused() -> None:
    packed = pack_mask([True] * 100)

    with pytest.raises(ValueError, match="vocabulary of 200"):
        unpack_mask(packed, 200)
