"""How many tokens well-known models read at once, by name prefix.

The numbers are from the makers' documentation. The limit of any other model is unknown.
"""

_LIMITS: dict[str, int] = {
    "gpt-3.5-turbo": 16_385,
    "gpt-4": 8_192,
    "gpt-4-turbo": 128_000,
    "gpt-4o": 128_000,
    "gpt-4.1": 1_047_576,
    "gpt-5": 400_000,
    "o1": 200_000,
    "o3": 200_000,
    "o4-mini": 200_000,
    "claude-": 200_000,
    "gemini-1.5-flash": 1_048_576,
    "gemini-1.5-pro": 2_097_152,
    "gemini-2": 1_048_576,
    "deepseek-chat": 128_000,
    "deepseek-reasoner": 128_000,
    "mistral-large": 128_000,
    "mistral-small": 32_000,
    "llama-3-": 8_192,
    "llama-3.1": 128_000,
    "llama-3.2": 128_000,
    "llama-3.3": 128_000,
    "meta-llama-3-": 8_192,
    "meta-llama-3.1": 128_000,
    "qwen2.5": 32_768,
}


def find_context_limit(model: str) -> int | None:
    """Return the limit of a model such as `openai/gpt-4o-mini`; the longest prefix wins."""
    name = model.lower().rpartition("/")[2]
    fitting = [start for start in _LIMITS if name.startswith(start)]
    return _LIMITS[max(fitting, key=len)] if fitting else None
