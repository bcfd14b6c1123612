"""An LLM that answers by program, for tests, teachers and demos without a key or a network."""

import asyncio
import inspect
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tapes_app.engine.errors import AgentConfigError, LLMError
from tapes_app.engine.model.llm import (
    SCRIPT_PREFIX,
    LLMDelta,
    LLMEvent,
    LLMOutput,
    LLMResult,
    Prompt,
    Usage,
    scripts,
)
from tapes_app.engine.model.messages import content_text
from tapes_app.engine.tape.steps import first_reason

Script = Callable[[Prompt], LLMOutput | str]
"""A pure function from a prompt to an answer; it may raise an `LLMError` to simulate a failure."""

CHARACTERS_PER_TOKEN = 4

_WORDS = re.compile(r"\s*\S+|\s+")
_NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


class ScriptedLLM:
    """Answers with a script, word by word; the same prompt always gives the same pieces.

    `script` is a name in `engine.scripts` or a function. It waits `delay_seconds` before
    each word, so that a person sees the answer grow. `options` are passed to the script by name.
    Every four characters count as one token, rounded up, in the texts and tool arguments of the
    prompt and of the answer; they cost nothing.
    """

    def __init__(
        self,
        script: str | Script,
        *,
        delay_seconds: float = 0.0,
        name: str = "",
        options: Mapping[str, Any] = _NO_OPTIONS,
    ) -> None:
        found = scripts.get(script) if isinstance(script, str) else script
        self._name = name or (script if isinstance(script, str) else script.__name__.strip("_<>"))
        self._delay_seconds = delay_seconds
        self._options = dict(options)
        self._script = _give_options(found, self._name, self._options)

    @property
    def model_name(self) -> str:
        return f"{SCRIPT_PREFIX}{self._name}"

    def describe(self) -> dict[str, Any]:
        parameters: dict[str, Any] = {"delay_seconds": self._delay_seconds}
        if self._options:
            parameters["script"] = self._options
        return {
            "model_name": self.model_name,
            "provider": "scripted",
            "parameters": parameters,
        }

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        answer = self._script(prompt)
        output = LLMOutput(content=answer) if isinstance(answer, str) else answer
        for delta in split_output(output):
            if self._delay_seconds:
                await asyncio.sleep(self._delay_seconds)
            yield delta
        yield LLMResult(
            output=output,
            usage=count_usage(prompt, output),
            cost_micro_usd=0,
            finish_reason="tool_calls" if output.tool_calls else "stop",
        )


def takes_option(name: str, option: str) -> bool:
    """Return whether there is a script of this name that takes an option."""
    return name in scripts and option in _list_options(scripts.get(name))


def _list_options(script: Script) -> dict[str, Any]:
    taken = inspect.signature(script, eval_str=True).parameters.values()
    return {item.name: item.annotation for item in taken if item.kind is item.KEYWORD_ONLY}


def _give_options(script: Script, name: str, options: Mapping[str, Any]) -> Script:
    """Return a script bound to options, which are validated by its annotations.

    Raises:
        AgentConfigError: it does not take one of them, or not with this value.
    """
    if not options:
        return script
    known = _list_options(script)
    for option, value in options.items():
        if option not in known:
            raise AgentConfigError(
                f"Script {name!r} has no option {option!r}; available: {sorted(known)}.",
                script=name,
            )
        try:
            TypeAdapter(known[option]).validate_python(value, strict=True)
        except ValidationError as error:
            raise AgentConfigError(
                f"Script {name!r} does not take {option}={value!r}: {first_reason(error)}.",
                script=name,
            ) from error
    return partial(script, **options)


def answers_in_order(answers: Iterable[LLMOutput | str]) -> Script:
    """Return a script that gives prepared answers in order, then raises an error."""
    left = iter(list(answers))

    def prepared_answers(_: Prompt) -> LLMOutput | str:
        try:
            return next(left)
        except StopIteration:
            raise LLMError("All scripted answers are used up; add more.") from None

    return prepared_answers


def split_output(output: LLMOutput) -> Iterable[LLMDelta]:
    """Split a message into the pieces in which a model would write it: words."""
    for word in _WORDS.findall(output.reasoning_content or ""):
        yield LLMDelta(reasoning=word)
    for word in _WORDS.findall(output.content or ""):
        yield LLMDelta(text=word)
    for index, call in enumerate(output.tool_calls):
        function = call.get("function", {})
        yield LLMDelta(tool_index=index, tool_name=str(function.get("name", "")))
        for word in _WORDS.findall(_arguments_text(call)):
            yield LLMDelta(tool_index=index, tool_arguments=word)


def count_usage(prompt: Prompt, output: LLMOutput) -> Usage:
    """Count tokens by the rule of `ScriptedLLM`: an estimate, but always the same one."""
    asked = sum(
        len(content_text(message.get("content")))
        + sum(len(_arguments_text(call)) for call in message.get("tool_calls") or ())
        for message in prompt.messages
    )
    reasoning = len(output.reasoning_content or "")
    answered = len(output.content or "") + reasoning
    answered += sum(len(_arguments_text(call)) for call in output.tool_calls)
    return Usage(
        input_tokens=_tokens(asked),
        output_tokens=_tokens(answered),
        reasoning_tokens=_tokens(reasoning),
    )


def _tokens(characters: int) -> int:
    return -(-characters // CHARACTERS_PER_TOKEN)


def _arguments_text(call: dict[str, Any]) -> str:
    arguments = call.get("function", {}).get("arguments", "")
    return arguments if isinstance(arguments, str) else str(arguments)
