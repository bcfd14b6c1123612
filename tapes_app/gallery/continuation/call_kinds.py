"""Which kind of step a tool call became on a tape whose agent turned its calls into steps.

TapeAgents names the tool of a step class by the class: `Search` is `search_action`, and
`ProducePlanThought` is `plan_thought`.
"""

import re
from collections.abc import Collection

from tapes_app.engine.dialog_steps import ToolCalls
from tapes_app.engine.steps import list_step_classes
from tapes_app.engine.tape import Tape

_PRODUCED = "Produce"
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CLASS_NAME = re.compile(r"[A-Z][A-Za-z0-9]*")


def turns_calls_into_steps(tape: Tape, kinds: Collection[str], *, has_tools: bool) -> bool:
    """Tell whether an agent that was offered tools left steps of its own and no calls."""
    has_calls = any(isinstance(step, ToolCalls) for step in tape.steps)
    return has_tools and bool(kinds) and not has_calls


def find_kind(tool: str, kinds: Collection[str], *, is_class: bool) -> str | None:
    """Return the kind that a call of a tool is, of those on the tape; `None` for a mere call.

    `is_class` says that tools are named by classes, also those of steps that never came.
    """
    name = tool.removeprefix(_PRODUCED)
    for kind in kinds:
        if _plain(kind) in (_plain(tool), f"{_plain(tool)}action", _plain(name)):
            return kind
    if not (is_class and _CLASS_NAME.fullmatch(tool)):
        return None
    kind = _WORD.sub("_", name).lower()
    if tool != name or list_step_classes(kind):
        return kind
    return f"{kind}_action"


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
