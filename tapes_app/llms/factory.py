"""From a model's configuration to the object that answers prompts."""

from tapes_app.engine.llm import LLM
from tapes_app.llms.litellm_client import LiteLLM
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.openai_client import OpenAICompatibleLLM, can_ask_directly
from tapes_app.llms.scripted import SCRIPT_PREFIX, ScriptedLLM

_SCRIPT_DELAY = "delay_seconds"


def build_llm(config: ModelConfig) -> LLM:
    """Return the LLM of a configuration; nothing is loaded or connected before it is asked.

    Raises:
        AgentConfigError: the configuration names a script that nobody registered.
    """
    if config.litellm_model.startswith(SCRIPT_PREFIX):
        delay = config.parameters.get(_SCRIPT_DELAY, 0.0)
        script = config.litellm_model.removeprefix(SCRIPT_PREFIX)
        return ScriptedLLM(script, delay_seconds=float(delay))
    # An agent that shipped with a script keeps the script's pace when it gets a real model.
    parameters = {key: item for key, item in config.parameters.items() if key != _SCRIPT_DELAY}
    config = config.model_copy(update={"parameters": parameters})
    if can_ask_directly(config.litellm_model, config.base_url):
        return OpenAICompatibleLLM(config)
    return LiteLLM(config)


__all__ = ["ModelConfig", "build_llm"]
