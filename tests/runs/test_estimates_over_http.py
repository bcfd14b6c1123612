"""What a run will take, estimated over HTTP from what was recorded."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.agents.store import agents
from tapes_app.agents.store import llm_models as models
from tapes_app.llms.pricing import PriceSheet
from tapes_app.models import JobRecord, LLMCallRecord, ProjectRecord
from tapes_app.runs.services.estimates import PastRun, find_range, price_sample
from tapes_app.tapes.store import saving as tape_saving
from tests.http.asking import call
from tests.http.worlds import World, spec, talk

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def estimate(studio: Client, tape: UUID, version: UUID, **wish: Any) -> Any:
    body = {"agent_version_id": str(version), **wish}
    return call(studio, "POST", f"tapes/{tape}/estimate", body)


def finish_run(project: ProjectRecord, tape: UUID, calls: int, seconds: float = 2.0) -> None:
    result = {
        "call_count": calls,
        "input_tokens": 100 * calls,
        "cache_read_tokens": 0,
        "output_tokens": 10 * calls,
        "cost_micro_usd": 5,
        "seconds": seconds,
    }
    JobRecord.objects.create(
        project=project, kind="run", tape_id=tape, state="succeeded", result=result
    )


def test_without_records_no_number_is_made_up(studio: Client, project: ProjectRecord) -> None:
    version = agents.create_agent(project.id, spec("new"))
    tape = tape_saving.save_tape(project.id, talk(1)[0])

    told = estimate(studio, tape, version.id)

    assert told["basis"].startswith("No estimate yet")
    assert [told[name] for name in ("calls", "cost_micro_usd", "seconds")] == [None] * 3


def test_the_recorded_rest_of_the_tape_is_the_guide(studio: Client, world: World) -> None:
    told = estimate(studio, world.tape, world.version, from_position=3)

    assert told["basis"] == "Based on the recorded rest of this tape."
    assert told["calls"] == {"low": 1, "likely": 1, "high": 1}
    assert told["input_tokens"]["likely"] == 101
    assert told["output_tokens"]["likely"] == 7


def test_earlier_runs_of_the_agent_give_the_range(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    for calls in (2, 3, 4, 5, 40):
        finish_run(project, world.tape, calls, seconds=calls * 1.5)

    told = estimate(studio, world.tape, world.version)

    assert told["basis"] == "Based on 5 earlier runs."
    assert told["calls"] == {"low": 3, "likely": 4, "high": 5}
    assert told["seconds"]["likely"] == 6


def test_tapes_of_the_agent_serve_where_no_run_is_known(studio: Client, world: World) -> None:
    told = estimate(studio, world.tape, world.version)

    assert told["basis"] == "Based on 1 tape of this agent."
    assert told["calls"]["likely"] == 2


def test_calls_of_a_foreign_tape_are_told_one_by_one(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    tape, calls = talk(3)
    foreign = tape_saving.save_tape(project.id, tape, calls=calls)
    version = agents.create_agent(project.id, spec("new"))

    told = estimate(studio, foreign, version.id)

    assert told["is_per_call"]
    assert told["calls"]["likely"] == 1
    assert told["sample_count"] == 3


def test_the_next_node_is_one_call_and_the_next_action_one_turn(
    studio: Client, world: World
) -> None:
    one_call = estimate(studio, world.tape, world.version, until="next_node")
    one_turn = estimate(studio, world.tape, world.version, until="next_action")

    assert one_call["basis"] == "Based on 2 calls on this tape."
    assert one_turn["basis"] == "Based on 2 turns on this tape."
    assert one_call["calls"] == one_turn["calls"] == {"low": 1, "likely": 1, "high": 1}


def test_up_to_a_step_the_same_steps_count(studio: Client, world: World) -> None:
    told = estimate(
        studio, world.tape, world.version, from_position=0, until="step", until_position=2
    )

    assert told["calls"]["likely"] == 1
    assert told["basis"] == "Based on the recording of the same steps."


def test_the_chosen_models_prices_count(
    studio: Client, project: ProjectRecord, world: World
) -> None:
    dear = models.create_model(
        project.id, name="dear", litellm_model="openai/x", input_price=10_000_000,
        cache_read_price=1_000_000, output_price=20_000_000,
    )  # fmt: skip
    unpriced = models.create_model(project.id, name="unpriced", litellm_model="openai/y")

    told = estimate(studio, world.tape, world.version, from_position=3, model_id=str(dear.id))
    recorded = estimate(
        studio, world.tape, world.version, from_position=3, model_id=str(unpriced.id)
    )
    script = estimate(studio, world.tape, world.version, from_position=3)

    # 101 input tokens of which 40 are cached, 7 output tokens.
    assert told["cost_micro_usd"]["likely"] == 61 * 10 + 40 * 1 + 7 * 20
    assert recorded["cost_micro_usd"] is None
    assert script["cost_micro_usd"]["likely"] == 0


def test_reusing_the_record_may_cost_nothing(studio: Client, world: World) -> None:
    told = estimate(studio, world.tape, world.version, from_position=3, reuse_recorded=True)

    assert told["calls"] == {"low": 0, "likely": 1, "high": 1}
    assert told["basis"].endswith("Recorded answers cost nothing.")


def test_failed_calls_and_calls_without_numbers_do_not_break_it(
    studio: Client, world: World
) -> None:
    LLMCallRecord.objects.update(input_tokens=None, output_tokens=None, cost_micro_usd=None)

    told = estimate(studio, world.tape, world.version, from_position=0)

    assert told["calls"]["likely"] == 2


def test_a_long_tape_is_not_read_whole(
    studio: Client, world: World, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(20):
        estimate(studio, world.tape, world.version, from_position=0)


def test_an_unknown_agent_is_named(studio: Client, world: World) -> None:
    body = {"agent_version_id": str(uuid4())}

    refused = call(studio, "POST", f"tapes/{world.tape}/estimate", body, expect=404)

    assert "Agent version not found" in refused["message"]


@given(st.lists(st.integers(min_value=0, max_value=10**9), min_size=1))
def test_a_range_is_ordered_and_lies_within_what_was_seen(values: list[int]) -> None:
    found = find_range(values)

    assert found is not None
    assert min(values) <= found.low <= found.likely <= found.high <= max(values)


def test_cached_tokens_count_in_full_where_their_price_is_unknown() -> None:
    sample = PastRun(1, 100, 90, 0, None, None)

    assert price_sample(sample, PriceSheet(input=1_000_000, output=0)) == 100
    assert price_sample(sample, PriceSheet(input=1_000_000, output=0, cache_read=0)) == 10
