"""A server with accounts asks models at public addresses, and sends no key that is not theirs."""

import socket
from typing import Any

import pytest
from pydantic import SecretStr

from tapes_app.engine.errors import LLMError
from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.llms.addresses import AddressRefusedError, find_place, refuse_inner_host
from tapes_app.llms.factory import build_llm
from tapes_app.llms.model_config import ModelConfig
from tests.llms.collecting import collect
from tests.llms.openai_server import Behaviour, OpenAIServer

INNER = [
    "127.0.0.1", "127.1", "2130706433", "0.0.0.0", "10.0.0.7", "172.16.0.1", "192.168.1.1",
    "169.254.169.254", "100.64.0.1", "224.0.0.1", "[::1]", "[::]", "[fe80::1]", "[fd00::1]",
    "[::ffff:127.0.0.1]", "[::ffff:a9fe:a9fe]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "localhost",
]  # fmt: skip
pytestmark = pytest.mark.filterwarnings(
    # litellm walks over pydantic models in a way that pydantic has deprecated
    "ignore:Accessing the 'model_:DeprecationWarning"
)


async def ask(config: ModelConfig) -> None:
    await collect(build_llm(config), Prompt(messages=(user_message("hi"),)))


@pytest.mark.parametrize("host", INNER)
async def test_an_inner_address_is_not_asked(host: str) -> None:
    with pytest.raises(AddressRefusedError, match="STUDIO_MODEL_HOSTS"):
        await find_place(f"http://{host}:8000/v1", ())


@pytest.mark.parametrize("host", ["1.1.1.1", "[2606:4700::1111]"])
async def test_a_public_address_is(host: str) -> None:
    place = await find_place(f"https://me@{host}:8000/v1", ())

    assert place is not None
    assert (place.address, place.netloc) == (host.strip("[]"), f"{host}:8000")


async def test_a_name_with_one_inner_address_among_public_ones_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def look_up(*args: Any, **options: Any) -> list[Any]:
        return [(2, 1, 6, "", (address, 443)) for address in ("1.1.1.1", "10.0.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)

    with pytest.raises(AddressRefusedError):
        await find_place("https://two.example/v1", ())


@pytest.mark.parametrize("host", [*INNER[4:], "printer", "gpu.internal", "db.local."])
def test_a_plainly_inner_address_is_refused_when_it_is_entered(host: str) -> None:
    with pytest.raises(AddressRefusedError):
        refuse_inner_host(f"http://{host}/v1", ())
    refuse_inner_host(f"http://{host}/v1", (host.upper(),))


@pytest.mark.parametrize("model", ["openai/x", "hosted_vllm/x", "anthropic/x"])
async def test_a_model_at_an_inner_address_gets_no_request(
    model: str, model_server: OpenAIServer
) -> None:
    with pytest.raises(AddressRefusedError):
        await ask(
            ModelConfig(litellm_model=model, base_url=model_server.base_url, allowed_hosts=())
        )

    assert model_server.requests == []


async def test_a_host_that_the_server_allows_is_asked(model_server: OpenAIServer) -> None:
    await ask(
        ModelConfig(
            litellm_model="openai/x", base_url=model_server.base_url, allowed_hosts=("127.0.0.1",)
        )
    )

    assert len(model_server.requests) == 1


async def test_a_redirect_is_not_followed(model_server: OpenAIServer) -> None:
    model_server.plan(Behaviour(status=302, error="elsewhere"))

    with pytest.raises(LLMError, match="302"):
        await ask(ModelConfig(litellm_model="openai/x", base_url=model_server.base_url))

    assert len(model_server.requests) == 1


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai/x", "OPENAI_API_KEY"),
        ("mistral/x", "MISTRAL_API_KEY"),
        ("deepseek/x", "DEEPSEEK_API_KEY"),
        ("groq/x", "GROQ_API_KEY"),
    ],
)
async def test_a_model_without_a_key_takes_none_of_the_environment(
    model: str, variable: str, model_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "sk-of-the-server-0123456789")

    await ask(ModelConfig(litellm_model=model, base_url=model_server.base_url))

    assert "sk-of-the-server-0123456789" not in "".join(model_server.keys)
    with pytest.raises(LLMError, match="has no key"):
        await ask(ModelConfig(litellm_model=model))


@pytest.mark.parametrize("model", ["ollama/llama3", "bedrock/x", "vertex_ai/x", "huggingface/x"])
async def test_a_shared_server_lends_neither_its_own_models_nor_its_credentials(model: str) -> None:
    key = SecretStr("sk-somebody-0123456789")

    with pytest.raises(AddressRefusedError, match="does not lend"):
        await ask(ModelConfig(litellm_model=model, api_key=key, allowed_hosts=()))
