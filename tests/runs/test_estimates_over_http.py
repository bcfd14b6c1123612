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

NOT_YET = "No estimate: this agent has not run with this model yet."

pytestmark = pytest.mark.django_db


@pytest.fixture
def model(project: ProjectRecord) -> str:
    """The model that the calls of the world asked."""
    return add_model(project, "test/model")


def add_model(project: ProjectRecord, asks: str, *, name: str = "", **prices: Any) -> str:
    return str(models.create_model(project.id, name=name or asks, litellm_model=asks, **prices).id)


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

    assert told["basis"] == NOT_YET
    assert [told[name] for name in ("calls", "cost_micro_usd", "seconds")] == [None] * 3


def test_the_recorded_rest_of_the_tape_is_the_guide(
    studio: Client, world: World, model: str
) -> None:
    told = estimate(studio, world.tape, world.version, from_position=3, model_id=model)

    assert told["basis"] == "Based on the recorded rest of this tape."
    assert told["calls"] == {"low": 1, "likely": 1, "high": 1}
    assert told["input_tokens"]["likely"] == 101
    assert told["output_tokens"]["likely"] == 7


def test_earlier_runs_of_the_agent_give_the_range(
    studio: Client, project: ProjectRecord, world: World, model: str
) -> None:
    for calls in (2, 3, 4, 5, 40):
        finish_run(project, world.tape, calls, seconds=calls * 1.5)

    told = estimate(studio, world.tape, world.version, model_id=model)

    assert told["basis"] == "Based on 5 earlier runs with this model."
    assert told["calls"] == {"low": 3, "likely": 4, "high": 5}
    assert told["seconds"]["likely"] == 6


def test_tapes_of_the_agent_serve_where_no_run_is_known(
    studio: Client, world: World, model: str
) -> None:
    told = estimate(studio, world.tape, world.version, model_id=model)

    assert told["basis"] == "Based on 1 tape of this agent with this model."
    assert told["calls"]["likely"] == 2


@pytest.mark.parametrize("until", ["end", "next_action", "next_node"])
def test_what_another_model_took_is_no_estimate(
    studio: Client, project: ProjectRecord, world: World, until: str
) -> None:
    finish_run(project, world.tape, 3)
    other = add_model(project, "test/other")

    wished = estimate(
        studio, world.tape, world.version, from_position=0, until=until, model_id=other
    )
    own = estimate(studio, world.tape, world.version, from_position=0, until=until)

    assert wished["calls"] is own["calls"] is None
    assert wished["basis"] == own["basis"] == NOT_YET


def test_what_another_agent_took_is_no_estimate(
    studio: Client, project: ProjectRecord, world: World, model: str
) -> None:
    finish_run(project, world.tape, 3)
    version = agents.create_agent(project.id, spec("new"))

    told = estimate(studio, world.tape, version.id, from_position=0, model_id=model)

    assert told["calls"] is None
    assert told["basis"] == NOT_YET


def test_a_tape_on_which_two_models_worked_counts_for_neither(
    studio: Client, project: ProjectRecord, world: World, model: str
) -> None:
    finish_run(project, world.tape, 3)
    LLMCallRecord.objects.filter(id=world.call).update(model_name="test/other")

    told = estimate(studio, world.tape, world.version, from_position=0, model_id=model)

    assert told["is_per_call"] is False
    assert told["basis"] == NOT_YET


def test_other_versions_of_the_agent_count(
    studio: Client, project: ProjectRecord, world: World, model: str
) -> None:
    newer = agents.add_version(world.agent, project.id, spec(text="Be brief."))

    told = estimate(studio, world.tape, newer.id, model_id=model)

    assert told["basis"] == "Based on 1 tape of this agent with this model."


def test_calls_of_an_imported_tape_by_an_agent_of_the_name_are_told_one_by_one(
    studio: Client, project: ProjectRecord, model: str
) -> None:
    tape, calls = talk(3)
    imported = tape_saving.save_tape(project.id, tape, calls=calls)
    version = agents.create_agent(project.id, spec("talker"))

    told = estimate(studio, imported, version.id, model_id=model)

    assert told["is_per_call"]
    assert told["calls"]["likely"] == 1
    assert told["sample_count"] == 3


def test_the_next_node_is_one_call_and_the_next_action_one_turn(
    studio: Client, world: World, model: str
) -> None:
    wish = {"model_id": model}
    one_call = estimate(studio, world.tape, world.version, until="next_node", **wish)
    one_turn = estimate(studio, world.tape, world.version, until="next_action", **wish)

    assert one_call["basis"] == "Based on 2 calls on this tape."
    assert one_turn["basis"] == "Based on 2 turns on this tape."
    assert one_call["calls"] == one_turn["calls"] == {"low": 1, "likely": 1, "high": 1}


def test_up_to_a_step_the_same_steps_count(studio: Client, world: World, model: str) -> None:
    part = {"from_position": 0, "until": "step", "until_position": 2}

    told = estimate(studio, world.tape, world.version, model_id=model, **part)

    assert told["calls"]["likely"] == 1
    assert told["basis"] == "Based on the recording of the same steps."


def test_the_chosen_models_prices_count(
    studio: Client, project: ProjectRecord, world: World, model: str
) -> None:
    dear = add_model(
        project, "test/model", name="dear",
        input_price=10_000_000, cache_read_price=1_000_000, output_price=20_000_000,
    )  # fmt: skip

    told = estimate(studio, world.tape, world.version, from_position=3, model_id=dear)
    unpriced = estimate(studio, world.tape, world.version, from_position=3, model_id=model)
    LLMCallRecord.objects.update(model_name="script:echo")
    script = estimate(studio, world.tape, world.version, from_position=3)

    # 101 input tokens of which 40 are cached, 7 output tokens.
    assert told["cost_micro_usd"]["likely"] == 61 * 10 + 40 * 1 + 7 * 20
    assert unpriced["cost_micro_usd"] is None
    assert script["cost_micro_usd"]["likely"] == 0


def test_reusing_the_record_may_cost_nothing(studio: Client, world: World, model: str) -> None:
    wish = {"from_position": 3, "reuse_recorded": True}

    told = estimate(studio, world.tape, world.version, model_id=model, **wish)

    assert told["calls"] == {"low": 0, "likely": 1, "high": 1}
    assert told["basis"].endswith("Recorded answers cost nothing.")


def test_failed_calls_and_calls_without_numbers_do_not_break_it(
    studio: Client, world: World, model: str
) -> None:
    LLMCallRecord.objects.update(input_tokens=None, output_tokens=None, cost_micro_usd=None)

    told = estimate(studio, world.tape, world.version, from_position=0, model_id=model)

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
