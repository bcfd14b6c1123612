"""How a caller of an agent wants an answer to be sampled, and what is refused of it."""

from collections.abc import Iterator, Mapping
from typing import Any

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.model.llm import LLM

_PASSED = (
    "temperature",
    "top_p",
    "max_tokens",
    "stop",
    "seed",
    "frequency_penalty",
    "presence_penalty",
    "reasoning_effort",
)
_OTHER_NAMES = frozenset({"max_completion_tokens", "max_output_tokens"})
"""What newer requests call `max_tokens`."""

_MOST_STOPS = 4
_TEXT: Mapping[str, Any] = {"type": "text"}
_UNABLE: Mapping[str, tuple[tuple[Any, ...], str]] = {
    "n": ((1,), "An agent gives one answer; call it n times."),
    "logprobs": ((False,), "An agent returns no log-probabilities; its tape has them, if any."),
    "top_logprobs": ((0,), "An agent returns no log-probabilities; its tape has them, if any."),
    "logit_bias": (
        ({},),
        "logit_bias depends on one model's tokens, and an agent may ask several.",
    ),
    "background": ((False,), "An agent answers while you wait, streamed or not."),
    "store": ((True,), "Each conversation is a tape, which is kept."),
    "conversation": ((), "Continue a conversation with previous_response_id."),
    "prompt": ((), "The version has its own prompts."),
    "max_tool_calls": ((), "The agent decides how often it calls tools."),
    "text.format": ((_TEXT,), "The version decides the form of its answers."),
    "response_format": ((_TEXT,), "The version decides the form of its answers."),
    "tool_choice": (("auto", "none"), "The agent decides whether it calls a tool."),
}
"""What cannot be done: the values that ask for nothing, and why any other is refused."""


def read_sampling(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters for the models of a run; `asked` has the fields that were sent.

    Raises:
        InvalidInputError: something is asked for that an agent cannot do.
    """
    for name, (harmless, why) in _UNABLE.items():
        if name in asked and asked[name] not in harmless:
            raise InvalidInputError(f"{why} Leave {name} out.", field=name)
    passed = {name: asked[name] for name in _PASSED if name in asked}
    for name in _OTHER_NAMES.intersection(asked):
        passed["max_tokens"] = asked[name]
    if "stop" in passed:
        passed["stop"] = _read_stops(passed["stop"])
    return {name: value for name, value in passed.items() if value != []}


def _read_stops(stop: str | list[str]) -> list[str]:
    stops = [stop] if isinstance(stop, str) else stop
    if len(stops) > _MOST_STOPS or "" in stops:
        raise InvalidInputError(f"stop has at most {_MOST_STOPS} texts, none empty.", field="stop")
    return stops


def check_taken(agent: Agent, sampling: Mapping[str, Any]) -> None:
    """Refuse parameters that no model of an agent would take. Other models refuse for themselves.

    Raises:
        InvalidInputError: there is one; the message names it.
    """
    llms = list(_list_llms(agent))
    for name in sampling:
        if not any(_may_take(llm, name) for llm in llms):
            raise InvalidInputError(
                f"Agent {agent.name!r} is answered by scripts, which take no {name}; leave it out.",
                field=name,
            )


def _list_llms(agent: Agent) -> Iterator[LLM]:
    yield from agent.llms.values()
    for member in agent.subagents:
        yield from _list_llms(member)


def _may_take(llm: LLM, name: str) -> bool:
    described = llm.describe()
    if described.get("provider") != "scripted":
        return True
    return name in described["parameters"].get("script", {})
