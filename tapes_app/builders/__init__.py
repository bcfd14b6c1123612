"""Low-code ways to build agents from the engine: everything that a module of one's own needs."""

from tapes_app.builders.conditions import (
    Condition,
    FieldCompares,
    LastObservationIs,
    LastStepIs,
)
from tapes_app.builders.control_flow import (
    CallNode,
    CallTogetherNode,
    ControlNode,
    GoToNode,
    IfNode,
    MemberTask,
    ObservationNode,
    RespondNode,
    StepsNode,
    StopNode,
)
from tapes_app.builders.function_node import LLMFunctionNode
from tapes_app.builders.llm_function import (
    AssistantOutput,
    ContextInput,
    Input,
    LLMFunctionTemplate,
    RationaleOutput,
    ThoughtOutput,
    ToolCallOutput,
)
from tapes_app.builders.mono import MonoNode, build_mono_agent
from tapes_app.builders.step_refs import StepRef
from tapes_app.builders.team import (
    MemberNode,
    SpeakerNode,
    SpeakerRule,
    TellNode,
    build_initiator,
    build_team,
    build_worker,
)

__all__ = [
    "AssistantOutput",
    "CallNode",
    "CallTogetherNode",
    "Condition",
    "ContextInput",
    "ControlNode",
    "FieldCompares",
    "GoToNode",
    "IfNode",
    "Input",
    "LLMFunctionNode",
    "LLMFunctionTemplate",
    "LastObservationIs",
    "LastStepIs",
    "MemberNode",
    "MemberTask",
    "MonoNode",
    "ObservationNode",
    "RationaleOutput",
    "RespondNode",
    "SpeakerNode",
    "SpeakerRule",
    "StepRef",
    "StepsNode",
    "StopNode",
    "TellNode",
    "ThoughtOutput",
    "ToolCallOutput",
    "build_initiator",
    "build_mono_agent",
    "build_team",
    "build_worker",
]
