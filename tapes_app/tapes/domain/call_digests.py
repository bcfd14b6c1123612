"""What an action asks for, judged from its JSON: the tools, and a digest to compare calls by."""

import contextlib
import hashlib
import json
from typing import Any

from tapes_app.engine.model.reasoning import REASONING

_DIGEST_BYTES = 16
_BESIDE = frozenset({"metadata", *REASONING})


def tools_of(body: dict[str, Any]) -> tuple[str, ...]:
    """Return the names of the tools that a step calls, in order."""
    calls = body.get("tool_calls")
    if not isinstance(calls, list | tuple):
        return ()
    functions = (call.get("function") for call in calls if isinstance(call, dict))
    names = (one.get("name") for one in functions if isinstance(one, dict))
    return tuple("_".join(name.split()) for name in names if isinstance(name, str) and name.strip())


def tool_called_by(action: dict[str, Any], observation: dict[str, Any]) -> str:
    """Return the tool whose call an observation answers; empty if its id does not identify one."""
    wanted = observation.get("tool_call_id")
    calls = action.get("tool_calls")
    if not wanted or not isinstance(calls, list | tuple):
        return ""
    fitting = [call for call in calls if isinstance(call, dict) and call.get("id") == wanted]
    return next(iter(tools_of({"tool_calls": fitting})), "")


def digest_call(body: dict[str, Any]) -> str:
    """Return a digest of an action's kind and arguments: equal for a repeated call.

    Metadata, reasoning and tool-call ids do not count; arguments are compared as values.
    """
    content = {key: value for key, value in body.items() if key not in _BESIDE}
    calls = content.get("tool_calls")
    if isinstance(calls, list | tuple):
        content["tool_calls"] = [_asked(call) for call in calls]
    text = json.dumps(content, sort_keys=True, default=str)
    return hashlib.blake2b(
        text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES
    ).hexdigest()


def _asked(call: Any) -> Any:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        return call
    arguments = function.get("arguments")
    if isinstance(arguments, str):
        # Arguments that are not JSON are compared as text.
        with contextlib.suppress(ValueError, RecursionError):
            arguments = json.loads(arguments)
    return [function.get("name"), arguments]
