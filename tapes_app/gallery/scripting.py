"""What the scripts of the shipped agents share: reading a prompt, writing tool calls."""

import json
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from tapes_app.engine.model.llm import LLMOutput
from tapes_app.engine.model.messages import Message, canonical_json, digest_json

Share = Annotated[float, Field(ge=0, le=1)]
"""From 0 to 1."""


class ScriptedResult(NamedTuple):
    """One tool call in a prompt with its result."""

    name: str
    arguments: dict[str, Any]
    text: str

    @property
    def is_error(self) -> bool:
        return self.text.startswith("Error:")

    def parse_list(self) -> list[Any]:
        """Return the result as a JSON list; empty if it is not one, as an edited result may be."""
        try:
            value = json.loads(self.text)
        except ValueError:
            return []
        return value if isinstance(value, list) else []


def call_tools(messages: Sequence[Message], *calls: tuple[str, dict[str, Any]]) -> LLMOutput:
    """Return an answer that calls tools, with ids derived from the prompt alone."""
    return LLMOutput(
        tool_calls=tuple(
            {
                "id": f"call_{digest_json([name, arguments, number, len(messages)]).hex()[:12]}",
                "type": "function",
                "function": {"name": name, "arguments": canonical_json(arguments)},
            }
            for number, (name, arguments) in enumerate(calls)
        )
    )


def list_results(messages: Sequence[Message]) -> list[ScriptedResult]:
    """Return the tool calls among the messages that have a result, in order of the results."""
    calls: dict[str, tuple[str, dict[str, Any]]] = {}
    results: list[ScriptedResult] = []
    for message in messages:
        for call in message.get("tool_calls") or ():
            function = call.get("function", {})
            calls[call.get("id", "")] = (function.get("name", ""), _arguments(function))
        if message.role == "tool":
            name, arguments = calls.get(message.get("tool_call_id", ""), ("", {}))
            results.append(ScriptedResult(name, arguments, message.text))
    return results


def _arguments(function: dict[str, Any]) -> dict[str, Any]:
    arguments = function.get("arguments", "")
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return {}
    return arguments if isinstance(arguments, dict) else {}
