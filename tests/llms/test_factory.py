"""Which client a configuration gets, and that its key stays inside."""

import pytest
from pydantic import SecretStr, ValidationError

from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.model.llm import LLMOutput, Prompt, Usage, scripts
from tapes_app.engine.model.prompt_length import find_own_limit
from tapes_app.llms.factory import build_llm
from tapes_app.llms.litellm_client import LiteLLM, find_listed_limit, find_listed_prices
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.openai_client import OpenAICompatibleLLM
from tapes_app.llms.rate_limits import parse_retry_after
from tapes_app.llms.scripted import ScriptedLLM


@pytest.mark.parametrize(
    ("model", "base_url", "expected"),
    [
        ("openai/gpt-x", "http://127.0.0.1:1/v1", OpenAICompatibleLLM),
        ("tiny", "http://127.0.0.1:1/v1", OpenAICompatibleLLM),
        ("hosted_vllm/org/model", "http://127.0.0.1:1/v1", OpenAICompatibleLLM),
        ("anthropic/claude", "http://127.0.0.1:1", LiteLLM),
        ("openai/gpt-x", None, LiteLLM),
    ],
)
def test_servers_that_need_no_translation_are_asked_directly(
    model: str, base_url: str | None, expected: type
) -> None:
    assert type(build_llm(ModelConfig(litellm_model=model, base_url=base_url))) is expected


def test_the_prefix_is_not_sent_to_the_server() -> None:
    config = ModelConfig(litellm_model="hosted_vllm/org/model", base_url="http://127.0.0.1:1/v1")

    assert OpenAICompatibleLLM(config).served_name == "org/model"


def test_a_script_is_a_model_too() -> None:
    scripts.add("tests-factory", lambda _: LLMOutput(content="hello"))

    llm = build_llm(ModelConfig(litellm_model="script:tests-factory"))

    assert isinstance(llm, ScriptedLLM)
    assert llm.model_name == "script:tests-factory"


def test_the_seed_of_an_attempt_goes_to_a_script_that_takes_one() -> None:
    def with_seed(_: Prompt, *, seed: int = 0, rate: float = 0.0) -> LLMOutput:
        return LLMOutput(content=f"{seed} {rate}")

    scripts.add("tests-seeded", with_seed)
    scripts.add("tests-unseeded", lambda _: LLMOutput(content="hello"))
    parameters = {"script": {"seed": 1, "rate": 0.5}, "seed": 7}

    seeded = build_llm(ModelConfig(litellm_model="script:tests-seeded", parameters=parameters))
    other = build_llm(ModelConfig(litellm_model="script:tests-unseeded", parameters={"seed": 7}))

    assert seeded.describe()["parameters"]["script"] == {"seed": 7, "rate": 0.5}
    assert "script" not in other.describe()["parameters"]


def test_a_configuration_never_shows_its_key() -> None:
    config = ModelConfig(litellm_model="openai/x", api_key=SecretStr("hush-hush-hush"))

    assert "hush" not in repr(config) + str(config) + config.model_dump_json()


def test_what_is_for_a_script_is_not_sent_to_a_model() -> None:
    parameters = {"delay_seconds": 0.1, "script": {"error_rate": 0.1}, "temperature": 1}

    llm = build_llm(ModelConfig(litellm_model="openai/x", parameters=parameters))

    assert llm.describe()["parameters"] == {"temperature": 1}


def test_credentials_among_the_parameters_are_not_remembered() -> None:
    parameters = {
        "extra_headers": {"Authorization": "hush"},
        "azure_ad_token": "hush",
        "api_key": "hush",
        "max_tokens": 9,
    }

    described = build_llm(ModelConfig(litellm_model="openai/x", parameters=parameters)).describe()

    assert "hush" not in str(described)
    assert described["parameters"]["max_tokens"] == 9


def test_a_misspelt_field_is_refused() -> None:
    with pytest.raises(ValidationError, match="deadline"):
        ModelConfig.model_validate({"litellm_model": "x", "deadline": 3})


LISTED = {
    "gpt-x": {
        "input_cost_per_token": 2e-6,
        "output_cost_per_token": 8e-6,
        "cache_read_input_token_cost": 1e-6,
        "input_cost_per_token_above_200k_tokens": 4e-6,
    }
}


def test_listed_prices_follow_the_length_of_the_prompt() -> None:
    short = find_listed_prices(LISTED, "openai/gpt-x", Usage(input_tokens=1_000))
    long = find_listed_prices(LISTED, "gpt-x", Usage(input_tokens=300_000))

    assert short is not None
    assert (short.input, short.cache_read, short.cache_write) == (2_000_000, 1_000_000, None)
    assert long is not None
    assert (long.input, long.output) == (4_000_000, 8_000_000)
    assert find_listed_prices(LISTED, "unlisted", Usage()) is None


def test_retry_after_may_be_seconds_or_a_date() -> None:
    assert parse_retry_after("1.5") == 1.5
    assert parse_retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert parse_retry_after("soon") is None
    assert parse_retry_after(None) is None


def test_what_a_model_reads_at_once_is_in_our_list_or_in_that_of_litellm() -> None:
    known = build_llm(ModelConfig(litellm_model="openai/gpt-4", base_url="http://127.0.0.1:9/v1"))

    assert find_own_limit(known) == 8_192
    assert find_listed_limit({"new": {"max_input_tokens": 9_000}}, "maker/new") == 9_000
    assert find_listed_limit({"new": {"max_input_tokens": None}}, "new") is None
    assert find_listed_limit({}, "new") is None


def test_options_of_a_script_that_are_no_object_are_refused() -> None:
    with pytest.raises(AgentConfigError, match='"script" holds the options of a script by name'):
        build_llm(ModelConfig(litellm_model="script:chat", parameters={"script": 3}))
