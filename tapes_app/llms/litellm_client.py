"""Any other provider, through litellm, which is loaded on the first call."""

import asyncio
import os
import re
from collections.abc import Mapping
from functools import cached_property
from types import ModuleType
from typing import Any

from tapes_app.engine.errors import LLMError
from tapes_app.engine.model.llm import Usage
from tapes_app.llms.addresses import AddressRefusedError, is_allowed
from tapes_app.llms.context_limits import find_context_limit
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.pricing import PriceSheet, compute_cost, price_per_million
from tapes_app.llms.provider_errors import ProviderError
from tapes_app.llms.remote import Chunks, RemoteLLM
from tapes_app.llms.reported_usage import ESTIMATED

_NEVER = 10**9
_NO_KEY = "none"  # sent for a model without a key: for an empty one, litellm uses the environment's

_OWN_HOSTS = frozenset({
    "ai21", "ai21_chat", "anthropic", "cerebras", "cohere", "cohere_chat", "dashscope",
    "deepinfra", "deepseek", "fireworks_ai", "gemini", "groq", "hyperbolic", "mistral", "moonshot",
    "nebius", "novita", "nvidia_nim", "openai", "perplexity", "sambanova",
    "text-completion-openai", "together_ai", "xai", "zai",
})  # fmt: skip
"""Providers with their own public host that requires a key."""

_OF_THE_MACHINE = frozenset({"bedrock", "bedrock_converse", "sagemaker", "sagemaker_chat",
    "vertex_ai", "vertex_ai_beta"})  # fmt: skip
"""Providers that authenticate the machine itself: they are called without a key."""

_TIER = re.compile(r"_above_(\d+)k_tokens$")


class LiteLLM(RemoteLLM):
    """Calls any provider that litellm supports, for text and tool calls, streamed."""

    provider = "litellm"

    @cached_property
    def context_tokens(self) -> int | None:
        known = find_context_limit(self.model_name)
        return known or find_listed_limit(load_litellm().model_cost, self.model_name)

    async def prepare(self) -> None:
        # Loading takes seconds, so it is not done in the thread that serves all streams.
        self._check_reach(await asyncio.to_thread(find_provider, self.config.litellm_model))
        await asyncio.to_thread(load_litellm)

    async def open_chunks(self, body: dict[str, Any]) -> Chunks:
        litellm = load_litellm()
        response: Any = None
        try:
            response = await litellm.acompletion(**self._request(body))
            await self.heed_limits(getattr(response, "_response_headers", None) or {})
            async for chunk in response:
                if not getattr(response, "received_finish_reason", True):
                    _drop_finish_reason(chunk)
                yield _mark_guess(chunk.model_dump(exclude_none=True), response)
        except Exception as error:  # noqa: BLE001 - whatever a vendor's library raises
            raise self._translate(error) from None
        finally:
            if hasattr(response, "aclose"):
                await response.aclose()

    def _check_reach(self, provider: str) -> None:
        """Refuse a call that would use a key other than the model's, or a forbidden address.

        Raises:
            LLMError: the message explains how to set up the model.
        """
        config = self.config
        if config.base_url:
            if config.allowed_hosts is not None and not is_allowed(
                config.base_url, config.allowed_hosts
            ):
                raise AddressRefusedError(
                    f"Model {config.label!r} has its own address: on a server with accounts, "
                    "only OpenAI-compatible models, such as openai/NAME, may, or hosts that "
                    "STUDIO_MODEL_HOSTS names."
                )
        elif provider in _OWN_HOSTS and config.api_key is None:
            raise LLMError(
                f"Model {config.label!r} has no key; enter one under Models, or name the "
                "environment variable that holds it."
            )
        elif provider not in _OWN_HOSTS and config.allowed_hosts is not None:
            raise AddressRefusedError(
                f"Models of {provider!r} are called at this machine or with its credentials, which "
                "a server with accounts does not lend; add one of another provider."
            )

    def _request(self, body: dict[str, Any]) -> dict[str, Any]:
        key = self.config.api_key
        provider, _, _ = self.config.litellm_model.partition("/")
        no_key = None if provider in _OF_THE_MACHINE else _NO_KEY
        return {
            **body,
            "timeout": self.config.silence_seconds,
            "num_retries": 0,
            "max_retries": 0,
            "api_key": key.get_secret_value() if key else no_key,
            "base_url": self.config.base_url,
            # Otherwise, litellm 1.106 loads its own MCP gateway for tools, which needs the package
            # `mcp` and rewrites them; here, tools belong to the environment.
            "_skip_mcp_handler": True,
        }

    def _translate(self, error: Exception) -> LLMError:
        """Turn any exception of the library into one of our errors, without the model's key."""
        if isinstance(error, LLMError):
            return error
        name = type(error).__name__
        status = getattr(error, "status_code", None)
        source = _find_reported(error)
        if source is not None:
            return self.provider_error(
                ProviderError.read({"error": getattr(source, "body", None)})
                or ProviderError(str(error)),
                http_status=getattr(source, "status_code", None),
                headers=_headers_of(error),
            )
        if name in ("Timeout", "APIConnectionError", "MidStreamFallbackError") or isinstance(
            error, OSError
        ):
            return self.connection_error(str(error))
        if isinstance(status, int):
            return self.provider_error(
                ProviderError(str(error)), http_status=status, headers=_headers_of(error)
            )
        return LLMError(
            f"Model {self.config.label!r} could not be called: {name}: {self.clean(str(error))}; "
            "check its name and parameters."
        )

    async def price(self, usage: Usage) -> int | None:
        return price_by_list(self.config, usage)


def price_by_list(config: ModelConfig, usage: Usage) -> int | None:
    """Return the cost of a call by the model's own prices, or else by litellm's list."""
    if config.prices is not None:
        return compute_cost(usage, config.prices)
    prices = find_listed_prices(load_litellm().model_cost, config.litellm_model, usage)
    return compute_cost(usage, prices) if prices else None


def find_provider(model: str) -> str:
    """Return the provider of a model; empty when none is known."""
    provider, slash, _ = model.partition("/")
    if slash:
        return provider
    try:
        return str(load_litellm().get_llm_provider(model)[1])
    except Exception:  # noqa: BLE001 - whatever a vendor's library raises
        return ""


def find_listed_prices(
    model_cost: dict[str, dict[str, Any]], model: str, usage: Usage
) -> PriceSheet | None:
    """Return litellm's prices for a model and a call of this size; `None` if it lists none."""
    entry = model_cost.get(model) or model_cost.get(model.partition("/")[2])
    if not entry:
        return None
    tier = _find_tier(entry, usage.input_tokens or 0)

    def price(key: str) -> int | None:
        value = entry.get(f"{key}{tier}", entry.get(key))
        return price_per_million(value if isinstance(value, int | float) else None)

    return PriceSheet(
        input=price("input_cost_per_token"),
        output=price("output_cost_per_token"),
        cache_read=price("cache_read_input_token_cost"),
        cache_write=price("cache_creation_input_token_cost"),
        reasoning=price("output_cost_per_reasoning_token"),
    )


def find_listed_limit(model_cost: dict[str, dict[str, Any]], model: str) -> int | None:
    """Return how many tokens litellm lists as a model's limit; `None` if it lists none."""
    entry = model_cost.get(model) or model_cost.get(model.partition("/")[2]) or {}
    tokens = entry.get("max_input_tokens")
    return tokens if isinstance(tokens, int) else None


def _find_tier(entry: dict[str, Any], input_tokens: int) -> str:
    """Return the suffix of the keys that apply to prompts of this length."""
    limits = {int(match[1]) for key in entry if (match := _TIER.search(key))}
    passed = [limit for limit in limits if input_tokens > limit * 1000]
    return f"_above_{max(passed)}k_tokens" if passed else ""


def load_litellm() -> ModuleType:
    """Import litellm without letting it fetch its price list or report anything."""
    # Read at import; without it the library accesses the network before the first call.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # noqa: TID251
    import litellm

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    # Its guard mistakes the legitimate repetitions of a small model for a broken stream.
    setattr(litellm, "REPEATED_STREAMING_CHUNK_LIMIT", _NEVER)  # noqa: B010 - not declared there
    return litellm


def _drop_finish_reason(chunk: Any) -> None:
    """Remove the finish reason that the library makes up when a provider's stream just stops."""
    for choice in chunk.choices:
        choice.finish_reason = None


def _mark_guess(chunk: dict[str, Any], response: Any) -> dict[str, Any]:
    """Mark a usage that the library counted itself: no chunk from the provider contained one."""
    if "usage" not in chunk:
        return chunk
    pieces = getattr(response, "chunks", None)
    is_guess = pieces is not None and not any(getattr(one, "usage", None) for one in pieces)
    return {**chunk, "usage": {**chunk["usage"], ESTIMATED: is_guess}}


def _find_reported(error: BaseException) -> BaseException | None:
    """Return the exception with what the provider reported: the library wraps it several times.

    One without a status was raised within a stream.
    """
    found: BaseException | None = None
    seen: set[int] = set()
    source: BaseException | None = error
    while source is not None and id(source) not in seen:
        if isinstance(getattr(source, "body", None), dict):
            found = source
        seen.add(id(source))
        inner = getattr(source, "original_exception", None)
        source = inner if isinstance(inner, Exception) else source.__cause__ or source.__context__
    return found


_LIMIT_WORDS = ("retry-after", "x-ratelimit-", "anthropic-ratelimit-")


def _headers_of(error: Exception) -> Mapping[str, str]:
    for source in (
        getattr(getattr(error, "response", None), "headers", None),
        getattr(error, "litellm_response_headers", None),
    ):
        if source is not None and any(
            str(name).lower().startswith(_LIMIT_WORDS) for name in source
        ):
            found: Mapping[str, str] = source
            return found
    return {}
