"""What a step is, judged from its JSON alone: its family, whether it ends a session or failed."""

from collections.abc import Container, Mapping
from typing import Any, Literal, get_args

from tapes_app.engine.tape.failure_texts import reports_failure

Family = Literal["thought", "action", "observation", "control"]
AssignedFamily = Literal["thought", "action", "observation", "control", "stop"]
"""What people can set for a kind: its family, or that it is an action which ends the tape."""

DECLARED_FAMILY = "kind_family"
"""Where the metadata of a step has the family of its kind, if the agent that wrote it defines the
kind."""


def read_declared_family(other: Mapping[str, Any]) -> AssignedFamily | None:
    """Return the family that a step's metadata declares; `None` if there is none."""
    declared = other.get(DECLARED_FAMILY)
    return next((family for family in get_args(AssignedFamily) if family == declared), None)


STOP_KINDS = frozenset(
    {
        "answer_action",
        "assistant_answer",
        "exit",
        "exit_action",
        "final_answer",
        "final_answer_action",
        "final_observation",
        "final_step",
        "finish",
        "finish_action",
        "gaia_answer",
        "gaia_answer_action",
        "math_answer_action",
        "stop",
        "stop_action",
        "stop_step",
        "submit",
        "terminate",
    }
)
"""TapeAgents and its examples, AgentLab, WebArena (`stop`), SWE-agent (`submit`), OpenHands
(`finish`). A project can set another family for each of them, or make another kind stop."""

MESSAGE_KINDS = {"user", "system", "task", "question", "image", "chat_message"}
_OBSERVATION_ENDINGS = ("observation", "_result", "_failure", "_output", "_response")
_OBSERVATION_KINDS = {"user", "tool", "task", "question", "image", "python_code_output"}
_ACTION_KINDS = {"assistant", "final_step", "tool_call", "annotation"}
_ACTING_VERBS = frozenset(
    [
        "browse",
        "click",
        "download",
        "drag",
        "execute",
        "fetch",
        "goto",
        "hover",
        "input",
        "invoke",
        "navigate",
        "open",
        "press",
        "query",
        "run",
        "scroll",
        "search",
        "send",
        "submit",
        "tap",
        "type",
        "upload",
        "visit",
    ]
)
"""A kind that begins with one of these does something outside the agent: `execute_code`."""

_CONTROL_KINDS = {"call", "respond", "broadcast", "set_next_node", "pass"}


def guess_family(kind: str, *, agent: str, other: Container[str]) -> Family:
    """Infer a family from the kind's name, then from who wrote the step.

    An agent leaves its path on thoughts and actions; what nobody on the team wrote is an
    observation. The browser guesses the same way for steps not stored yet (`families.ts`).
    """
    name = kind.lower()
    if name in _CONTROL_KINDS:
        return "control"
    if name.endswith("thought"):
        return "thought"
    if name.endswith("action"):
        return "action"
    if name in _OBSERVATION_KINDS or name.endswith(_OBSERVATION_ENDINGS):
        return "observation"
    if not agent:
        return "observation"
    acts = name in _ACTION_KINDS or name in STOP_KINDS or name.partition("_")[0] in _ACTING_VERBS
    return "action" if acts or "action_kind" in other else "thought"


_ERROR_WORDS = {"failure", "error", "exception"}
_CONTENTS = ("content", "text", "output", "result", "observation", "message")
"""Where observations of the public step libraries have what a tool gave back."""


def is_error_step(body: dict[str, Any], family: Family) -> bool:
    """Return whether a step reports that something went wrong, in its fields or in its text."""
    kind = str(body.get("kind", "")).lower()
    if _ERROR_WORDS.intersection(kind.split("_")):
        return True
    if body.get("error") or body.get("is_error") is True:
        return True
    metadata = body.get("metadata")
    other = metadata.get("other") if isinstance(metadata, dict) else None
    if isinstance(other, dict) and other.get("error"):
        return True
    result = body.get("result")
    exit_code = result.get("exit_code") if isinstance(result, dict) else None
    if isinstance(exit_code, int) and exit_code != 0:
        return True
    if family != "observation" or kind in MESSAGE_KINDS:
        return False
    return any(reports_failure(body[name]) for name in _CONTENTS if name in body)
