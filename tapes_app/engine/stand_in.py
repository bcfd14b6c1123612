"""What answers where no model was chosen: it says what it read, and that it is not a model."""

from tapes_app.engine.llm import LLMOutput, Prompt
from tapes_app.engine.messages import Message
from tapes_app.engine.registry import scripts

STAND_IN = "stand-in"
_LONGEST = 200


@scripts.register(STAND_IN)
def stand_in(prompt: Prompt) -> LLMOutput:
    last = prompt.messages[-1] if prompt.messages else Message(role="user", content="")
    heard = last.text if len(last.text) <= _LONGEST else last.text[:_LONGEST] + "…"
    return LLMOutput(
        content=(
            f"I am a script, not a language model: choose a model in the run bar to go on. "
            f"I read {len(prompt.messages)} messages; the last one says: {heard}"
        )
    )
