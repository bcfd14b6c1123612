"""Low-code ways to build agents from the engine: everything that a module of one's own needs."""

from tapes_app.builders.conditions import (
    Condition,
    FieldCompares,
    LastObservationIs,
    LastStepIs,
)
from tapes_app.builders.control_flow import (
    CallNode,
    ControlNode,
    GoToNode,
    IfNode,
    ObservationNode,
    RespondNode,
    StepsNode,
    StopNode,
)
from tapes_app.builders.mono import MonoNode, build_mono_agent
from tapes_app.builders.step_refs import StepRef

__all__ = [
    "CallNode",
    "Condition",
    "ControlNode",
    "FieldCompares",
    "GoToNode",
    "IfNode",
    "LastObservationIs",
    "LastStepIs",
    "MonoNode",
    "ObservationNode",
    "RespondNode",
    "StepRef",
    "StepsNode",
    "StopNode",
    "build_mono_agent",
]
