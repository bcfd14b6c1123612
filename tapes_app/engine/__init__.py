"""Steps, tapes, nodes, agents and their orchestration: pydantic only.

Agents and plugins import what they need from here; any other module of this package may change.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tapes_app.engine.agent import Agent
    from tapes_app.engine.answer_schema import make_response_format
    from tapes_app.engine.chat_messages import as_text
    from tapes_app.engine.control_steps import Broadcast, Call, FinalStep, Respond, SetNextNode
    from tapes_app.engine.dialog_steps import (
        AssistantStep,
        AssistantThought,
        ReasoningThought,
        SystemStep,
        ToolCall,
        ToolCalls,
        ToolResult,
        UserStep,
    )
    from tapes_app.engine.environment import (
        Environment,
        EnvironmentGroup,
        ExternalInputNeeded,
        NoEnvironment,
        PendingAction,
        UnknownActionError,
    )
    from tapes_app.engine.environment_spec import EnvironmentSettings, EnvironmentSpec, SecretName
    from tapes_app.engine.environment_state import EnvironmentState, read_state, with_state
    from tapes_app.engine.errors import (
        AgentConfigError,
        AgentRunError,
        LLMError,
        StudioError,
        TrainingTextError,
    )
    from tapes_app.engine.human import HumanEnvironment
    from tapes_app.engine.llm import LLM, LLMCall, LLMOutput, LLMStream, Prompt
    from tapes_app.engine.media import Audio, Image
    from tapes_app.engine.messages import Message, assistant_message, system_message, user_message
    from tapes_app.engine.nodes import Node, Route, Sampling
    from tapes_app.engine.opening import RunContext
    from tapes_app.engine.orchestrator import run_to_end
    from tapes_app.engine.parsing import parse_output
    from tapes_app.engine.process_groups import process_group
    from tapes_app.engine.reasoning import reasoning_of
    from tapes_app.engine.registration import register
    from tapes_app.engine.registry import environments, gallery_agents, scripts
    from tapes_app.engine.sound_messages import view_to_messages
    from tapes_app.engine.spec import AgentSpec, LLMSpec, NodeSpec, environment_of
    from tapes_app.engine.steps import (
        Action,
        ControlThought,
        Observation,
        PartialStep,
        Step,
        StopAction,
        Thought,
    )
    from tapes_app.engine.structured_node import StructuredNode
    from tapes_app.engine.structured_output import (
        StructuredOutputError,
        ask_structured,
        read_structured,
        write_structured,
    )
    from tapes_app.engine.talk_node import TalkNode, read_answer, write_answer, wrong_step
    from tapes_app.engine.tape import Tape
    from tapes_app.engine.tool_context import Depends, ToolContext
    from tapes_app.engine.tool_environment import ToolEnvironment
    from tapes_app.engine.tool_functions import AnyTool, Tool, Tools, irreversible, tool
    from tapes_app.engine.training_text import make_training_text
    from tapes_app.engine.wrapper_environment import WrapperEnvironment

__all__ = [
    "LLM",
    "Action",
    "Agent",
    "AgentConfigError",
    "AgentRunError",
    "AgentSpec",
    "AnyTool",
    "AssistantStep",
    "AssistantThought",
    "Audio",
    "Broadcast",
    "Call",
    "ControlThought",
    "Depends",
    "Environment",
    "EnvironmentGroup",
    "EnvironmentSettings",
    "EnvironmentSpec",
    "EnvironmentState",
    "ExternalInputNeeded",
    "FinalStep",
    "HumanEnvironment",
    "Image",
    "LLMCall",
    "LLMError",
    "LLMOutput",
    "LLMSpec",
    "LLMStream",
    "Message",
    "NoEnvironment",
    "Node",
    "NodeSpec",
    "Observation",
    "PartialStep",
    "PendingAction",
    "Prompt",
    "ReasoningThought",
    "Respond",
    "Route",
    "RunContext",
    "Sampling",
    "SecretName",
    "SetNextNode",
    "Step",
    "StopAction",
    "StructuredNode",
    "StructuredOutputError",
    "StudioError",
    "SystemStep",
    "TalkNode",
    "Tape",
    "Thought",
    "Tool",
    "ToolCall",
    "ToolCalls",
    "ToolContext",
    "ToolEnvironment",
    "ToolResult",
    "Tools",
    "TrainingTextError",
    "UnknownActionError",
    "UserStep",
    "WrapperEnvironment",
    "as_text",
    "ask_structured",
    "assistant_message",
    "environment_of",
    "environments",
    "gallery_agents",
    "irreversible",
    "make_response_format",
    "make_training_text",
    "parse_output",
    "process_group",
    "read_answer",
    "read_state",
    "read_structured",
    "reasoning_of",
    "register",
    "run_to_end",
    "scripts",
    "system_message",
    "tool",
    "user_message",
    "view_to_messages",
    "with_state",
    "write_answer",
    "write_structured",
    "wrong_step",
]

_HOMES = {
    "agent": "Agent",
    "answer_schema": "make_response_format",
    "chat_messages": "as_text",
    "control_steps": "Broadcast Call FinalStep Respond SetNextNode",
    "dialog_steps": "AssistantStep AssistantThought ReasoningThought SystemStep "
    "ToolCall ToolCalls ToolResult UserStep",
    "environment": "Environment EnvironmentGroup ExternalInputNeeded "
    "NoEnvironment PendingAction UnknownActionError",
    "environment_spec": "EnvironmentSettings EnvironmentSpec SecretName",
    "environment_state": "EnvironmentState read_state with_state",
    "errors": "AgentConfigError AgentRunError LLMError StudioError TrainingTextError",
    "human": "HumanEnvironment",
    "llm": "LLM LLMCall LLMOutput LLMStream Prompt",
    "media": "Audio Image",
    "messages": "Message assistant_message system_message user_message",
    "nodes": "Node Route Sampling",
    "opening": "RunContext",
    "orchestrator": "run_to_end",
    "parsing": "parse_output",
    "process_groups": "process_group",
    "reasoning": "reasoning_of",
    "registration": "register",
    "registry": "environments gallery_agents scripts",
    "sound_messages": "view_to_messages",
    "spec": "AgentSpec LLMSpec NodeSpec environment_of",
    "steps": "Action ControlThought Observation PartialStep Step StopAction Thought",
    "structured_node": "StructuredNode",
    "structured_output": "StructuredOutputError ask_structured read_structured write_structured",
    "talk_node": "TalkNode read_answer write_answer wrong_step",
    "tape": "Tape",
    "tool_context": "Depends ToolContext",
    "tool_environment": "ToolEnvironment",
    "tool_functions": "AnyTool Tool Tools irreversible tool",
    "training_text": "make_training_text",
    "wrapper_environment": "WrapperEnvironment",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


if not TYPE_CHECKING:  # a type checker reads the imports above, and rejects other names

    def __getattr__(name: str) -> object:
        """Load a part when it is first used: most importers need one module, not all of them."""
        if name not in _HOME_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
