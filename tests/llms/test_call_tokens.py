"""Token ids and log-probabilities: asked for where a model records them, gathered as they come."""

from typing import Any

import pytest

from tapes_app.engine.model.llm import LEAST_LOGPROB, CallTokens, Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.llms.answer_builder import TokenRecord
from tapes_app.llms.factory import build_llm
from tapes_app.llms.litellm_client import LiteLLM
from tapes_app.llms.model_config import ModelConfig
from tests.llms.collecting import collect
from tests.llms.openai_server import Behaviour, OpenAIServer

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the 'model_:DeprecationWarning")
PROMPT = Prompt(messages=(user_message("Two words, please"), user_message("now")))
TWO_WORDS = Behaviour(text="Two words")


def config(server: OpenAIServer, **parts: Any) -> ModelConfig:
    values = {"record_tokens": True, "max_attempts": 1, **parts}
    return ModelConfig(litellm_model="openai/test-model", base_url=server.base_url, **values)


async def test_tokens_come_with_an_answer_whose_model_records_them(
    model_server: OpenAIServer,
) -> None:
    model_server.plan(TWO_WORDS, TWO_WORDS)

    _, plain = await collect(build_llm(config(model_server, record_tokens=False)), PROMPT)
    _, recorded = await collect(build_llm(config(model_server)), PROMPT)

    first, second = model_server.requests
    assert plain.tokens is None
    assert not {"logprobs", "return_token_ids"} & first.keys()
    assert second["logprobs"] is second["return_token_ids"] is True
    assert recorded.tokens == CallTokens(
        prompt_ids=(0, 1), ids=(101, 102), texts=("Two", " words"), logprobs=(-0.25, -0.5)
    )


async def test_a_server_that_refuses_is_asked_without_what_it_refuses(
    model_server: OpenAIServer,
) -> None:
    said = "Unrecognized request argument supplied: return_token_ids"
    model_server.plan(Behaviour(status=400, error=said), TWO_WORDS)

    _, result = await collect(build_llm(config(model_server)), PROMPT)

    assert result.tokens == CallTokens(texts=("Two", " words"), logprobs=(-0.25, -0.5))
    assert "return_token_ids" not in model_server.requests[1]


async def test_masks_are_asked_of_the_studios_own_server_alone(model_server: OpenAIServer) -> None:
    model_server.plan(TWO_WORDS, TWO_WORDS)

    await collect(build_llm(config(model_server)), PROMPT)
    await collect(build_llm(config(model_server, record_masks=True)), PROMPT)

    assert [request.get("return_token_masks") for request in model_server.requests] == [None, True]


@pytest.mark.parametrize(
    ("told", "kept"), [(["AA==", None], ("AA==", None)), ([None, None], None), ("AA==", None)]
)
def test_masks_are_kept_where_any_token_has_one(told: Any, kept: Any) -> None:
    record = TokenRecord()

    record.add({}, {"token_ids": [1, 2], "token_masks": told})

    tokens = record.build()
    assert tokens is not None
    assert tokens.masks == kept


@pytest.mark.slow
async def test_probabilities_come_through_litellm_too(model_server: OpenAIServer) -> None:
    model_server.plan(TWO_WORDS)

    _, result = await collect(LiteLLM(config(model_server)), PROMPT)

    assert result.tokens == CallTokens(texts=("Two", " words"), logprobs=(-0.25, -0.5))


def test_an_impossible_token_has_the_least_probability_and_nonsense_is_left_out() -> None:
    told, odd = TokenRecord(), TokenRecord()
    told.add({}, {"logprobs": {"content": [{"token": "a", "logprob": float("-inf")}]}})
    odd.add({"prompt_token_ids": ["x"]}, {"token_ids": [1], "logprobs": "yes"})

    assert told.build() == CallTokens(texts=("a",), logprobs=(LEAST_LOGPROB,))
    assert odd.build() is None
    assert TokenRecord().build() is None


@pytest.mark.slow
async def test_usage_that_a_library_guessed_says_so(model_server: OpenAIServer) -> None:
    model_server.plan(TWO_WORDS, Behaviour(text="Two words", has_usage=False))
    llm = LiteLLM(config(model_server, record_tokens=False))

    _, told = await collect(llm, PROMPT)
    _, guessed = await collect(llm, PROMPT)

    assert not told.usage.is_estimate
    assert guessed.usage.is_estimate
    assert guessed.usage.output_tokens
