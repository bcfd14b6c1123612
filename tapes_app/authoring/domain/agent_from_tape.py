"""An agent from the tape of another one: its instruction, its tools, its kinds of steps."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tapes_app.builders.mono import MonoNode
from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.engine.agent.talk_node import TalkNode
from tapes_app.engine.environment.tool_functions import tools as registered_tools
from tapes_app.engine.model.messages import Message
from tapes_app.engine.tape.dialog_steps import (
    AssistantStep,
    ParsingFailure,
    ReasoningThought,
    SystemStep,
    ToolCalls,
)
from tapes_app.engine.tape.steps import Step, family_of, list_step_classes
from tapes_app.engine.tape.tape import Tape

NO_INSTRUCTION = "Help the person with what they ask for."
_WRITTEN_ANYWAY = (AssistantStep, ToolCalls, ParsingFailure, ReasoningThought)
_MOST_NAMED = 10


class TapeAgent(NamedTuple):
    """An agent like the one that wrote a tape, and what of it is missing here."""

    spec: AgentSpec
    missing: str
    """A sentence; empty: nothing."""


def build_from_tape(
    name: str, tape: Tape, offered: Sequence[dict[str, Any]], sent: Sequence[Message], model: str
) -> TapeAgent:
    """Return an agent with what a tape shows of its writer.

    `offered` are the tools that its model was offered, `sent` the messages of its last prompt.
    """
    names = list(dict.fromkeys(_list_names(offered)))
    found = {one: find_tool(one) for one in names}
    kinds = list(dict.fromkeys(_list_kinds(tape.steps)))
    known = [kind for kind in kinds if list_step_classes(kind)]
    settings: dict[str, Any] = {"name": "act", "tools": [tool for tool in found.values() if tool]}
    node = TalkNode.type_name
    if known:
        node = MonoNode.type_name
        settings |= {"steps": ["assistant", *known], "answers": "json"}
    spec = AgentSpec(
        name=name,
        description="Made from a tape.",
        llms={"default": LLMSpec(model=model)},
        templates={"system": find_instruction(tape.steps, sent)},
        nodes=(NodeSpec(type=node, settings=settings),),
    )
    lacking = [one for one, tool in found.items() if not tool]
    unknown = [kind for kind in kinds if kind not in known]
    sentences = (_name("tools", lacking), _name("kinds of steps", unknown))
    return TapeAgent(spec, " ".join(filter(None, sentences)))


def find_instruction(steps: Sequence[Step], sent: Sequence[Message]) -> str:
    """Return the system prompt of a tape: among its steps, or else in a prompt."""
    texts = [step.content for step in steps if isinstance(step, SystemStep)]
    texts += [message.text for message in sent if message.role in ("system", "developer")]
    return next((text for text in texts if text.strip()), NO_INSTRUCTION)


def find_tool(name: str) -> str:
    """Return what a spec calls the tool of a name; empty unless exactly one has it."""
    found = [one for one in registered_tools if name in (one, registered_tools.get(one).name)]
    return found[0] if len(found) == 1 else ""


def _list_names(offered: Sequence[dict[str, Any]]) -> Iterator[str]:
    for tool in offered:
        function = tool.get("function")
        name = function.get("name") if isinstance(function, dict) else None
        if isinstance(name, str) and name:
            yield name


def _list_kinds(steps: Sequence[Step]) -> Iterator[str]:
    """Yield the kinds of thoughts and actions besides what every agent can say."""
    for step in steps:
        if family_of(step) in ("thought", "action") and not isinstance(step, _WRITTEN_ANYWAY):
            yield step.kind


def _name(what: str, names: Sequence[str]) -> str:
    shown = ", ".join(repr(name[:60]) for name in names[:_MOST_NAMED])
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"No plugin here has the {what} {shown}{more}." if names else ""
