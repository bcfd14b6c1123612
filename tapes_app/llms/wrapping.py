"""The base of LLMs that stand in front of another one."""

from typing import Any

from tapes_app.engine.model.llm import LLM, is_unsent
from tapes_app.engine.model.prompt_length import find_own_limit


class WrappingLLM:
    """Describes itself as the LLM behind it and has its limits; how it answers is up to it."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm

    @property
    def model_name(self) -> str:
        return self._llm.model_name

    @property
    def context_tokens(self) -> int | None:
        return find_own_limit(self._llm)

    @property
    def is_waiting(self) -> bool:
        """Whether the newest call has not been sent yet."""
        return is_unsent(self._llm)

    def describe(self) -> dict[str, Any]:
        return self._llm.describe()
