"""Tokens as providers count them: within prompt and completion, or beside them."""

from typing import Any

import pytest

from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.openai_client import OpenAICompatibleLLM
from tapes_app.llms.pricing import PriceSheet
from tests.llms.collecting import collect
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.llms.reported_streams import read_reported

PROMPT = Prompt(messages=(user_message("What is 3 times 3?"),))
PRICES = PriceSheet(input=1_000_000, output=4_000_000, cache_read=500_000, cache_write=2_000_000)


def build(server: OpenAIServer) -> OpenAICompatibleLLM:
    return OpenAICompatibleLLM(
        ModelConfig(litellm_model="openai/m", base_url=server.base_url, prices=PRICES)
    )


def usage(
    asked: int,
    answered: int,
    total: int | None,
    *,
    reasoning: int = 0,
    read: int = 0,
    written: int = 0,
) -> dict[str, Any]:
    return {
        "prompt_tokens": asked,
        "completion_tokens": answered,
        "total_tokens": total,
        "completion_tokens_details": {"reasoning_tokens": reasoning},
        "prompt_tokens_details": {"cached_tokens": read},
        "cache_creation_input_tokens": written,
    }


@pytest.mark.parametrize(
    ("reported", "asked", "answered"),
    [
        (usage(100, 5, 405, reasoning=300, read=40), 100, 305),
        (usage(100, 305, 405, reasoning=300, read=40), 100, 305),
        (usage(10, 5, 105, read=90), 100, 5),
        (usage(10, 5, 135, read=90, written=30), 130, 5),
        (usage(10, 5, 45, read=90, written=30), 40, 5),
        (usage(10, 5, 435, read=90, written=30, reasoning=300), 130, 305),
        # Both fit, but only one is too large to be within.
        (usage(10, 500, 600, read=90, reasoning=90), 100, 500),
        (usage(200, 5, 295, read=90, reasoning=90), 200, 95),
        # The total proves nothing.
        (usage(100, 5, 106, reasoning=300), 100, 5),
        (usage(100, 5, 105, reasoning=300), 100, 5),
        (usage(100, 5, None, reasoning=300), 100, 5),
        (usage(100, 5, 0, reasoning=300), 100, 5),
    ],
)
async def test_tokens_beside_the_others_count_where_the_total_proves_them(
    model_server: OpenAIServer, reported: dict[str, Any], asked: int, answered: int
) -> None:
    choice = {"message": {"content": "9"}, "finish_reason": "stop"}
    model_server.plan(Behaviour(body={"choices": [choice], "usage": reported}))

    _, result = await collect(build(model_server), PROMPT)

    assert (result.usage.input_tokens, result.usage.output_tokens) == (asked, answered)


async def test_tokens_beside_the_others_are_paid_for(model_server: OpenAIServer) -> None:
    reported = usage(100, 5, 405, reasoning=300, read=40)
    model_server.plan(
        Behaviour(body={"choices": [{"message": {"content": "9"}}], "usage": reported})
    )

    _, result = await collect(build(model_server), PROMPT)

    assert result.cost_micro_usd == 60 + 40 // 2 + 305 * 4


async def test_the_total_of_a_reported_stream_proves_its_reasoning(
    model_server: OpenAIServer,
) -> None:
    model_server.plan(read_reported("s08"))

    _, result = await collect(build(model_server), PROMPT)

    assert (result.usage.output_tokens, result.usage.reasoning_tokens) == (305, 300)
