"""From a model's configuration to the object that answers prompts."""

from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.model.llm import LLM, SCRIPT_PREFIX
from tapes_app.llms import openrouter_client
from tapes_app.llms.litellm_client import LiteLLM
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.openai_client import OpenAICompatibleLLM, can_ask_directly
from tapes_app.llms.rate_limits import RateLimit
from tapes_app.llms.scripted import ScriptedLLM, takes_option

_SCRIPT_DELAY, _SCRIPT_OPTIONS, _SEED = "delay_seconds", "script", "seed"
_FOR_SCRIPTS = (_SCRIPT_DELAY, _SCRIPT_OPTIONS)


def build_llm(config: ModelConfig, rate_limit: RateLimit | None = None) -> LLM:
    """Return the LLM of a configuration; nothing is loaded or connected before its first call.

    `rate_limit`: the provider's known rate limit; `None`: track one for this LLM alone.

    Raises:
        AgentConfigError: the configuration names an unregistered script, or options that it does
            not take.
    """
    if config.litellm_model.startswith(SCRIPT_PREFIX):
        return _build_scripted(config)
    # An agent that shipped with a script keeps the script's options when it gets a real model.
    parameters = {
        name: value for name, value in config.parameters.items() if name not in _FOR_SCRIPTS
    }
    config = config.model_copy(update={"parameters": parameters})
    if config.litellm_model.startswith(openrouter_client.PREFIX):
        return openrouter_client.OpenRouterLLM(config, rate_limit)
    if can_ask_directly(config.litellm_model, config.base_url):
        return OpenAICompatibleLLM(config, rate_limit)
    return LiteLLM(config, rate_limit)


def _build_scripted(config: ModelConfig) -> ScriptedLLM:
    delay = config.parameters.get(_SCRIPT_DELAY, 0.0)
    options = config.parameters.get(_SCRIPT_OPTIONS, {})
    if not isinstance(options, dict):
        raise AgentConfigError(
            'The parameter "script" holds the options of a script by name, as in '
            '{"error_rate": 0.1}.'
        )
    script = config.litellm_model.removeprefix(SCRIPT_PREFIX)
    # The seed of an attempt goes to a script that takes one, as it does to any other model.
    if _SEED in config.parameters and takes_option(script, _SEED):
        options = {**options, _SEED: config.parameters[_SEED]}
    return ScriptedLLM(script, delay_seconds=float(delay), options=options)
