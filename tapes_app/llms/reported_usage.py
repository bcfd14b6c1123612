"""The tokens of a call as providers report them, in their different structures."""

from itertools import chain, combinations
from typing import Any

from tapes_app.engine.model.llm import Usage

ESTIMATED = "is_estimate"
"""Key of a usage that a client's library counted itself."""


def read_usage(usage: dict[str, Any]) -> Usage:
    """Read token counts from the different structures that providers use.

    Most count reasoning as part of the completion and cached tokens as part of the prompt. If the
    total is larger by exactly such counts, the provider counts them beside it, and they are added.
    """
    asked = usage.get("prompt_tokens_details") or {}
    answered = usage.get("completion_tokens_details") or {}
    given = Usage(
        input_tokens=_count(usage.get("prompt_tokens")),
        cache_read_tokens=_first_count(
            asked.get("cached_tokens"),
            usage.get("cache_read_input_tokens"),
            usage.get("prompt_cache_hit_tokens"),
        ),
        cache_write_tokens=_first_count(
            asked.get("cache_creation_tokens"), usage.get("cache_creation_input_tokens")
        ),
        output_tokens=_count(usage.get("completion_tokens")),
        reasoning_tokens=_first_count(
            answered.get("reasoning_tokens"), usage.get("reasoning_tokens")
        ),
        is_estimate=usage.get(ESTIMATED) is True,
    )
    return _add_what_is_beside(given, _count(usage.get("total_tokens")))


_REASONING, _READ, _WRITTEN = "reasoning_tokens", "cache_read_tokens", "cache_write_tokens"


def _add_what_is_beside(given: Usage, total: int | None) -> Usage:
    asked, answered = given.input_tokens, given.output_tokens
    if asked is None or answered is None or total is None:
        return given
    counts = {name: getattr(given, name) or 0 for name in (_REASONING, _READ, _WRITTEN)}
    beside = _find_beside(counts, total - asked - answered, given)
    return given.model_copy(
        update={
            "input_tokens": asked + sum(counts[name] for name in beside if name != _REASONING),
            "output_tokens": answered + (counts[_REASONING] if _REASONING in beside else 0),
        }
    )


def _find_beside(counts: dict[str, int], missing: int, given: Usage) -> tuple[str, ...]:
    """Return the counts whose sum is what the total has more than prompt and completion.

    If several sums fit, those too large to be part of the prompt or completion are among them.
    """
    named = [name for name, count in counts.items() if count]
    sizes = (combinations(named, size) for size in range(1, len(named) + 1))
    fitting = [
        names
        for names in chain.from_iterable(sizes)
        if sum(counts[name] for name in names) == missing
    ]
    wholes = {_REASONING: given.output_tokens, _READ: given.input_tokens,
              _WRITTEN: given.input_tokens}  # fmt: skip
    too_large = {name for name in named if counts[name] > (wholes[name] or 0)}
    return max(fitting, key=lambda names: len(too_large & set(names)), default=())


def _count(value: Any) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_count else None


def _first_count(*values: Any) -> int | None:
    counts = [count for value in values if (count := _count(value)) is not None]
    # Providers send zeros next to the field that they actually fill.
    return next((count for count in counts if count), counts[0] if counts else None)
