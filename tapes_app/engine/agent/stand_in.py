"""Answers where no model was chosen: reports what it read, and that it is not a model."""

from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.model.llm import SCRIPT_PREFIX, LLMOutput, Prompt, scripts
from tapes_app.engine.model.messages import Message

STAND_IN = "stand-in"
_LONGEST = 200


@scripts.register(STAND_IN)
def stand_in(prompt: Prompt) -> LLMOutput:
    last = prompt.messages[-1] if prompt.messages else Message(role="user", content="")
    quote = last.text if len(last.text) <= _LONGEST else last.text[:_LONGEST] + "…"
    return LLMOutput(
        content=(
            f"I am a script, not a language model: choose a model in the run bar to continue. "
            f"I read {len(prompt.messages)} messages; the last one says: {quote}"
        )
    )


def needs_model(spec: AgentSpec) -> bool:
    """Return whether an agent, or a member of its team, has no model but the stand-in."""
    return any(_is_stand_in(llm.model) for llm in spec.llms.values()) or any(
        needs_model(member) for member in spec.subagents
    )


def _is_stand_in(model: str) -> bool:
    name = model.removeprefix(SCRIPT_PREFIX)
    return name != model and name in scripts and scripts.get(name) is stand_in
