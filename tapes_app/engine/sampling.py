"""How a model shall choose its words: what one node asks for, over its agent and its model."""

from collections.abc import Container
from typing import Annotated, Any, Self

from pydantic import Field

from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.llm import Prompt
from tapes_app.engine.plain_json import dump_json_data

TOOL_MODES = ("auto", "none", "required")


class Sampling(FrozenModel):
    """Parameters that a node sets; `None` = as the agent or the model says."""

    temperature: float | None = Field(default=None, ge=0, le=2, allow_inf_nan=False)
    top_p: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=1)
    stop: tuple[Annotated[str, Field(min_length=1)], ...] | None = None
    seed: int | None = None

    def without(self, names: Container[str]) -> Self:
        """Return what is left where somebody else decides about these parameters."""
        chosen = self.model_dump(exclude_none=True)
        return type(self)(**{name: value for name, value in chosen.items() if name not in names})


def apply_choices(prompt: Prompt, sampling: Sampling, tool_choice: str) -> Prompt:
    """Return a prompt with what its node chose; what the prompt says itself stays.

    Raises:
        AgentConfigError: a tool is to be called that the prompt does not offer.
    """
    chosen = dump_json_data(sampling, exclude_none=True)
    changes: dict[str, Any] = {}
    if chosen:
        changes["sampling"] = {**chosen, **(prompt.sampling or {})}
    # Providers refuse a choice among no tools.
    if tool_choice and prompt.tools and prompt.tool_choice is None:
        changes["tool_choice"] = _write_choice(prompt, tool_choice)
    return prompt.model_copy(update=changes) if changes else prompt


def _write_choice(prompt: Prompt, tool_choice: str) -> str | dict[str, Any]:
    if tool_choice in TOOL_MODES:
        return tool_choice
    offered = [tool.get("function", {}).get("name") for tool in prompt.tools or ()]
    if tool_choice not in offered:
        raise AgentConfigError(
            f"tool_choice names {tool_choice!r}, but the node offers {offered}; name one of them, "
            f"or one of {list(TOOL_MODES)}.",
            tool=tool_choice,
        )
    return {"type": "function", "function": {"name": tool_choice}}
