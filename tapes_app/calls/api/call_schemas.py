"""LLM calls: the exact prompt, the output and what it cost."""

from typing import Any

from pydantic import Field

from tapes_app.projects.api.bodies import In


class OutputIn(In):
    """Another answer, as a model would give it."""

    content: str | None = None
    tool_calls: list[dict[str, Any]] = Field(default_factory=list, max_length=1000)
    reasoning_content: str | None = None
