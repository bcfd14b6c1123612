"""A batch whose rows come and go writes what each row would write alone."""

from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from optimize_app.serving.server.adapters import FoundAdapter
from optimize_app.serving.server.config import ServerConfig
from optimize_app.serving.server.decoding import Batch, Row
from optimize_app.serving.server.model import AdaptedModel, load_base

PROMPTS = st.lists(st.integers(5, 200), min_size=1, max_size=12)
ARRIVALS = st.lists(
    st.tuples(PROMPTS, st.sampled_from([None, "one.v1", "two"]), st.integers(1, 6)),
    min_size=1, max_size=5,
)  # fmt: skip


@pytest.fixture(scope="module")
def model(base: Path) -> AdaptedModel:
    torch.set_num_threads(1)
    return AdaptedModel(load_base(ServerConfig(base=str(base), device="cpu")), 4)


@pytest.fixture(scope="module")
def keys(model: AdaptedModel, adapters: dict[str, Path]) -> dict[str | None, str | None]:
    found = {name: FoundAdapter(name, place, mixes=True) for name, place in adapters.items()}
    return {None: None, **{name: model.take(one, ()) for name, one in found.items()}}


def write_alone(model: AdaptedModel, prompt: list[int], key: str | None, count: int) -> list[int]:
    row = Row(tuple(prompt), key)
    batch = Batch(model, 0)
    logits = batch.join([row])
    for _ in range(count - 1):
        row.ids.append(int(logits.argmax()))
        logits = batch.advance()
    return [*row.ids, int(logits.argmax())]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(arrivals=ARRIVALS, at_once=st.integers(1, 3))
def test_rows_that_join_and_leave_write_what_they_write_alone(
    model: AdaptedModel,
    keys: dict[str | None, str | None],
    arrivals: list[tuple[list[int], str | None, int]],
    at_once: int,
) -> None:
    rows = [Row(tuple(prompt), keys[name]) for prompt, name, _ in arrivals]
    waiting, batch = list(rows), Batch(model, 0)
    counts = {id(row): count for row, (_, _, count) in zip(rows, arrivals, strict=True)}

    while waiting or batch.rows:
        for written in (True, False):
            taken = batch.rows if written else [waiting.pop(0) for _ in waiting[:at_once]]
            if taken:
                logits = batch.advance() if written else batch.join(taken)
                for row, line in zip(taken, logits, strict=True):
                    row.ids.append(int(line.argmax()))
        batch.keep([row for row in batch.rows if len(row.ids) < counts[id(row)]])

    for row, (prompt, name, count) in zip(rows, arrivals, strict=True):
        assert row.ids == write_alone(model, prompt, keys[name], count)


def test_adapters_leave_the_base_as_it_was(base: Path, adapters: dict[str, Path]) -> None:
    model = AdaptedModel(load_base(ServerConfig(base=str(base), device="cpu")), 1)
    before = write_alone(model, [5, 6, 7], None, 8)

    keys = [
        model.take(FoundAdapter(name, place, mixes=True), ()) for name, place in adapters.items()
    ]
    with_last = write_alone(model, [5, 6, 7], keys[-1], 8)

    assert model.loaded == 1
    assert with_last != before
    assert write_alone(model, [5, 6, 7], None, 8) == before
