"""The kinds of steps that may be on a tape of an agent, and what asks for others."""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tapes_app.authoring.domain.agent_graph import Member, Team, point_to
from tapes_app.authoring.domain.rows import Problem
from tapes_app.builders.conditions import FieldCompares, LastObservationIs, LastStepIs
from tapes_app.builders.control_flow import (
    CallNode,
    CallTogetherNode,
    ControlNode,
    GoToNode,
    IfNode,
    ObservationNode,
    PassingNode,
    RespondNode,
    StepsNode,
    StopNode,
)
from tapes_app.builders.function_node import LLMFunctionNode
from tapes_app.builders.mono import MonoNode
from tapes_app.builders.step_refs import StepRef
from tapes_app.builders.team import MemberNode, SpeakerNode, TellNode
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.agent.structured_node import StructuredNode
from tapes_app.engine.agent.talk_node import TalkNode
from tapes_app.engine.errors import StudioError
from tapes_app.engine.tape import dialog_steps
from tapes_app.engine.tape.control_steps import (
    Broadcast,
    Call,
    CallTogether,
    FinalStep,
    Join,
    Respond,
    SetNextNode,
)
from tapes_app.engine.tape.defined_kinds import DefinedKind
from tapes_app.engine.tape.steps import Observation, Step, list_step_classes, list_step_kinds

_GALLERY = "tapes_app.gallery."
_ANSWERS = (dialog_steps.AssistantStep, dialog_steps.ToolCalls, SetNextNode)
_THOUGHT = dialog_steps.AssistantThought
_UNREADABLE = dialog_steps.ParsingFailure
_ALWAYS = (
    dialog_steps.UserStep,
    dialog_steps.SystemStep,
    dialog_steps.ToolResult,
    dialog_steps.ChatMessage,
    dialog_steps.ActionFailure,
    dialog_steps.LoopWarning,
    dialog_steps.ReasoningThought,
)
"""What is on a tape whoever its agent is: from people, callers with tools of theirs, and limits."""


def _of_function(node: Any, agent: Agent) -> Iterable[type[Step]]:
    try:
        outputs = node.find_function(agent).outputs
    except StudioError:  # reported elsewhere
        return ()
    return (*(type(one.make_step("")) for one in outputs), _UNREADABLE, SetNextNode)


def _of_form(node: Any, _: Agent) -> Iterable[type[Step]]:
    step = node.output if issubclass(node.output, Step) else _THOUGHT
    return (step, *_ANSWERS, _UNREADABLE)


_WRITERS: Mapping[Any, Callable[[Any, Agent], Iterable[type[Step]]]] = {
    TalkNode.generate_steps: lambda *_: _ANSWERS,
    MonoNode.generate_steps: lambda node, _: (*node.steps, _THOUGHT, *_ANSWERS[1:], _UNREADABLE),
    StructuredNode.generate_steps: _of_form,
    LLMFunctionNode.generate_steps: _of_function,
    MemberNode.generate_steps: lambda *_: (*_ANSWERS, Respond),
    SpeakerNode.generate_steps: lambda *_: (Call, SetNextNode, _UNREADABLE),
    StepsNode.write_steps: lambda node, _: (*map(type, node.steps), SetNextNode),
    GoToNode.write_steps: lambda *_: (SetNextNode,),
    IfNode.write_steps: lambda *_: (SetNextNode,),
    ObservationNode.write_steps: lambda *_: (SetNextNode,),
    CallNode.write_steps: lambda *_: (Call, SetNextNode),
    CallTogetherNode.write_steps: lambda *_: (CallTogether, Join, SetNextNode),
    RespondNode.write_steps: lambda *_: (Respond, dialog_steps.AssistantStep, SetNextNode),
    StopNode.write_steps: lambda *_: (FinalStep,),
    TellNode.write_steps: lambda *_: (Broadcast,),
}
"""The steps of nodes, by the code that writes them; other code may write anything."""


def list_given_kinds(
    team: Team, kinds: Sequence[DefinedKind], *, environment_modules: Collection[str]
) -> frozenset[str] | None:
    """Return the kinds of steps that may be on a tape which a team began.

    `environment_modules`: where the environments that it names are written, whose code may write
    any observation, and that of a bundled agent's node any step; but the kinds of a bundled agent
    are only for its own code and for those who use its steps. `None`: nobody knows, because other
    code decides.
    """
    classes: set[type[Step]] = set(_ALWAYS)
    bundled: set[str] = set()
    for member in team.values():
        for node in member.agent.nodes:
            write = _WRITERS.get(_writer_of(node))
            bundle = _bundle_of(type(node).__module__)
            if write is not None:
                classes.update(write(node, member.agent))
            elif bundle:
                bundled.add(bundle)
            else:
                return None
    given = {_kind_of(cls) for cls in classes}
    given |= {kind.name for kind in kinds if kind.family == "observation"}
    if bundled:
        given |= _list_kinds_of(bundled, Step)
    if environment_modules:
        modules = (*environment_modules, *(cls.__module__ for cls in classes))
        given |= _list_kinds_of({*bundled, *map(_bundle_of, modules)}, Observation)
    return frozenset(given)


def _writer_of(node: Node) -> Any:
    cls = type(node)
    if isinstance(node, MonoNode) and cls is not MonoNode:
        return None  # it may read answers in its own way
    return cls.write_steps if issubclass(cls, ControlNode) else cls.generate_steps


def _kind_of(cls: type[Step]) -> str:
    return str(cls.model_fields["kind"].default)


def _list_kinds_of(bundles: Collection[str], family: type[Step]) -> set[str]:
    """Return the kinds of steps that these bundled agents have, or no bundled agent."""
    return {
        kind
        for kind in list_step_kinds()
        for cls in list_step_classes(kind)
        if issubclass(cls, family) and _bundle_of(cls.__module__) in {"", *bundles}
    }


def _bundle_of(module: str) -> str:
    """Return the folder of the gallery that a module is in; an empty text for all others."""
    inside = module.removeprefix(_GALLERY)
    return "" if inside == module else inside.partition(".")[0]


def check_wanted_kinds(
    member: Member, given: frozenset[str], own: Container[str]
) -> Iterator[Problem]:
    """Warn of kinds that an agent waits for or reads, and that nothing in its team gives.

    `own` are the kinds that the team defines. That no class has a kind is reported elsewhere.
    """
    for at, node in enumerate(member.agent.nodes):
        inside = point_to(member.point_to_node(at), "settings")
        for place, kind in _list_wanted(node):
            is_known = place[0] == "routes" or kind in own or list_step_classes(kind)
            if kind not in given and is_known:
                message = (
                    f"Nothing in this agent gives a step of kind {kind[:100]!r}, so its own tapes "
                    "have none."
                )
                yield Problem(point_to(inside, *place), message, severity="warning")


def _list_wanted(node: Node) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the kinds that a node decides by or reads, each with its place in the settings."""
    match node:
        case ObservationNode():
            yield from ((("routes", kind), kind) for kind in node.routes)
        case IfNode(condition=FieldCompares(step=step)):
            yield from _wanted_by(step, "condition", "step")
        case IfNode(condition=LastStepIs() | LastObservationIs() as condition):
            yield from (
                (("condition", "kinds", at), kind) for at, kind in enumerate(condition.kinds)
            )
        case PassingNode():
            if isinstance(node.content, StepRef):
                yield from _wanted_by(node.content, "content")
            for name, ref in node.inputs.items():
                yield from _wanted_by(ref, "inputs", name)
        case LLMFunctionNode():
            for at, ref in enumerate(node.input_refs):
                yield from _wanted_by(ref, "input_refs", at)
        case _:
            pass


def _wanted_by(ref: StepRef, *place: str | int) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if ref.kind:
        yield (*place, "kind"), ref.kind
