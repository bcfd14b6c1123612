"""OpenRouter, called directly: litellm drops the reasoning in a stream that comes next to text."""

import asyncio
from functools import cached_property

from tapes_app.engine.errors import LLMError
from tapes_app.engine.model.llm import Usage
from tapes_app.llms.litellm_client import find_listed_limit, load_litellm, price_by_list
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.openai_client import OpenAICompatibleLLM
from tapes_app.llms.rate_limits import RateLimit

PREFIX = "openrouter/"
_ADDRESS = "https://openrouter.ai/api/v1"


class OpenRouterLLM(OpenAICompatibleLLM):
    """Calls OpenRouter, at its own address or through a proxy in front of it."""

    provider = "openrouter"

    def __init__(self, config: ModelConfig, rate_limit: RateLimit | None = None) -> None:
        self._has_own_address = config.base_url is not None
        addressed = config.model_copy(update={"base_url": config.base_url or _ADDRESS})
        super().__init__(addressed, rate_limit)

    @property
    def served_name(self) -> str:
        return self.config.litellm_model.removeprefix(PREFIX)

    @cached_property
    def context_tokens(self) -> int | None:
        return super().context_tokens or find_listed_limit(
            load_litellm().model_cost, self.model_name
        )

    async def prepare(self) -> None:
        """Load what the first request needs.

        Raises:
            LLMError: there is no key to call OpenRouter with.
        """
        if self.config.api_key is None and not self._has_own_address:
            raise LLMError(
                f"Model {self.config.label!r} has no key; enter one under Models, or name the "
                "environment variable that holds it."
            )
        await super().prepare()
        if self.config.prices is None:
            await asyncio.to_thread(load_litellm)

    async def price(self, usage: Usage) -> int | None:
        return price_by_list(self.config, usage)
