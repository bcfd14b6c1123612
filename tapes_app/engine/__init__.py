"""Steps, tapes, nodes, agents and their orchestration: pydantic only.

Agents and plugins import what they need from here; any other module of this package may change.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tapes_app.engine.agent.agent import Agent
    from tapes_app.engine.agent.nodes import Node, Route, Sampling
    from tapes_app.engine.agent.orchestrator import run_to_end
    from tapes_app.engine.agent.registration import gallery_agents, register
    from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, NodeSpec, environment_of
    from tapes_app.engine.agent.structured_node import StructuredNode
    from tapes_app.engine.agent.talk_node import TalkNode, read_answer, write_answer, wrong_step
    from tapes_app.engine.agent.training_text import make_training_text
    from tapes_app.engine.environment.actions import (
        ExternalInputNeeded,
        PendingAction,
        UnknownActionError,
    )
    from tapes_app.engine.environment.environment import (
        Environment,
        EnvironmentGroup,
        NoEnvironment,
    )
    from tapes_app.engine.environment.human import HumanEnvironment
    from tapes_app.engine.environment.opening import RunContext
    from tapes_app.engine.environment.process_groups import process_group
    from tapes_app.engine.environment.spec import (
        EnvironmentSettings,
        EnvironmentSpec,
        SecretName,
        environments,
    )
    from tapes_app.engine.environment.state import EnvironmentState, read_state, with_state
    from tapes_app.engine.environment.tool_context import Depends, ToolContext
    from tapes_app.engine.environment.tool_environment import ToolEnvironment
    from tapes_app.engine.environment.tool_functions import AnyTool, Tool, Tools, irreversible, tool
    from tapes_app.engine.environment.tool_rules import ToolRule, list_rulings
    from tapes_app.engine.environment.wrapper import WrapperEnvironment
    from tapes_app.engine.errors import (
        AgentConfigError,
        AgentRunError,
        LLMError,
        StudioError,
        TrainingTextError,
    )
    from tapes_app.engine.model.llm import LLM, LLMCall, LLMOutput, LLMStream, Prompt, scripts
    from tapes_app.engine.model.messages import (
        Message,
        assistant_message,
        system_message,
        user_message,
    )
    from tapes_app.engine.model.reasoning import reasoning_of
    from tapes_app.engine.prompts.answer_schema import make_response_format
    from tapes_app.engine.prompts.chat_messages import as_text
    from tapes_app.engine.prompts.parsing import parse_output
    from tapes_app.engine.prompts.sound_messages import view_to_messages
    from tapes_app.engine.prompts.structured_output import (
        StructuredOutputError,
        ask_structured,
        read_structured,
        write_structured,
    )
    from tapes_app.engine.tape.control_steps import (
        Broadcast,
        Call,
        CallTogether,
        FinalStep,
        Join,
        MemberCall,
        Respond,
        SetNextNode,
    )
    from tapes_app.engine.tape.defined_kinds import DefinedKind, KindField
    from tapes_app.engine.tape.dialog_steps import (
        AssistantStep,
        AssistantThought,
        ReasoningThought,
        SystemStep,
        ToolCall,
        ToolCalls,
        ToolResult,
        UserStep,
    )
    from tapes_app.engine.tape.media import Audio, Image
    from tapes_app.engine.tape.splice import CutHere
    from tapes_app.engine.tape.steps import (
        Action,
        ControlThought,
        Observation,
        PartialStep,
        Step,
        StopAction,
        Thought,
    )
    from tapes_app.engine.tape.tape import Tape

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
    "CallTogether",
    "ControlThought",
    "CutHere",
    "DefinedKind",
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
    "Join",
    "KindField",
    "LLMCall",
    "LLMError",
    "LLMOutput",
    "LLMSpec",
    "LLMStream",
    "MemberCall",
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
    "ToolRule",
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
    "list_rulings",
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
    "agent.agent": "Agent",
    "agent.nodes": "Node Route Sampling",
    "agent.orchestrator": "run_to_end",
    "agent.registration": "gallery_agents register",
    "agent.spec": "AgentSpec LLMSpec NodeSpec environment_of",
    "agent.structured_node": "StructuredNode",
    "agent.talk_node": "TalkNode read_answer write_answer wrong_step",
    "agent.training_text": "make_training_text",
    "environment.actions": "ExternalInputNeeded PendingAction UnknownActionError",
    "environment.environment": "Environment EnvironmentGroup NoEnvironment",
    "environment.human": "HumanEnvironment",
    "environment.opening": "RunContext",
    "environment.process_groups": "process_group",
    "environment.spec": "EnvironmentSettings EnvironmentSpec SecretName environments",
    "environment.state": "EnvironmentState read_state with_state",
    "environment.tool_context": "Depends ToolContext",
    "environment.tool_environment": "ToolEnvironment",
    "environment.tool_functions": "AnyTool Tool Tools irreversible tool",
    "environment.tool_rules": "ToolRule list_rulings",
    "environment.wrapper": "WrapperEnvironment",
    "errors": "AgentConfigError AgentRunError LLMError StudioError TrainingTextError",
    "model.llm": "LLM LLMCall LLMOutput LLMStream Prompt scripts",
    "model.messages": "Message assistant_message system_message user_message",
    "model.reasoning": "reasoning_of",
    "prompts.answer_schema": "make_response_format",
    "prompts.chat_messages": "as_text",
    "prompts.parsing": "parse_output",
    "prompts.sound_messages": "view_to_messages",
    "prompts.structured_output": "StructuredOutputError ask_structured read_structured "
    "write_structured",
    "tape.control_steps": "Broadcast Call CallTogether FinalStep Join MemberCall Respond "
    "SetNextNode",
    "tape.defined_kinds": "DefinedKind KindField",
    "tape.dialog_steps": "AssistantStep AssistantThought ReasoningThought SystemStep ToolCall "
    "ToolCalls ToolResult UserStep",
    "tape.media": "Audio Image",
    "tape.splice": "CutHere",
    "tape.steps": "Action ControlThought Observation PartialStep Step StopAction Thought",
    "tape.tape": "Tape",
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
