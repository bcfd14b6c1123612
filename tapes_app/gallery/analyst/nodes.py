"""Nodes of the analyst and of its search helper (SPEC E1.3)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from tapes_app.engine.control_steps import Call, Respond, SetNextNode
from tapes_app.engine.dialog_steps import AssistantStep, AssistantThought, ToolCall, ToolCalls
from tapes_app.engine.errors import AgentRunError, TrainingTextError
from tapes_app.engine.llm import LLMOutput, LLMStream, Prompt
from tapes_app.engine.messages import Message, canonical_json, system_message, user_message
from tapes_app.engine.nodes import Node
from tapes_app.engine.prompting import as_text, view_to_messages
from tapes_app.engine.steps import PartialStep, Step
from tapes_app.engine.tape import Tape
from tapes_app.environments.tool_functions import Tool
from tapes_app.gallery.analyst.library import get_next_page, get_page, get_search_results
from tapes_app.gallery.analyst.stocks import get_stock_data, get_stock_ticker

if TYPE_CHECKING:
    from tapes_app.engine.agent import Agent

SEARCH_AGENT = "search_agent"
PLAN, ACT = 0, 1
"""Positions of the analyst's nodes, as the paper's tape names them."""


def call_search_agent(query: str) -> None:
    """Ask a fellow agent to search the web for information.

    Args:
        query: what to find out, in words
    """


def _schemas(*functions: Any) -> tuple[dict[str, Any], ...]:
    return tuple(Tool(function).schema() for function in functions)


ANALYST_TOOLS = _schemas(get_stock_ticker, get_stock_data, call_search_agent)
SEARCH_TOOLS = _schemas(get_search_results, get_page, get_next_page)


class PlanNode(Node):
    """Writes a plan in words; always one thought."""

    type_name = "analyst.PlanNode"

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        return _analyst_prompt(agent, tape, "plan")

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        text = await llm_stream.get_text()
        if not text:
            raise _empty_answer(self)
        yield AssistantThought(content=text)

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        step = tape.steps[index]
        if not isinstance(step, AssistantThought):
            raise _wrong_step(self, tape, index, "a thought")
        return LLMOutput(content=as_text(step.content))


class ActNode(Node):
    """Takes the next action of the plan, asks the search helper, or answers the person."""

    type_name = "analyst.ActNode"

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        return _analyst_prompt(agent, tape, "act")

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        output = await llm_stream.get_message()
        if output.tool_calls:
            yield SetNextNode(next_node=ACT)
            yield choose_action(output)
        elif output.content:
            yield SetNextNode(next_node=PLAN)
            yield AssistantStep(content=output.content)
        else:
            raise _empty_answer(self)

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        if isinstance(tape.steps[index], SetNextNode) and index + 1 < len(tape):
            match tape.steps[index + 1]:
                case AssistantStep() as step:
                    return LLMOutput(content=step.content)
                case ToolCalls() as step:
                    return _output_of_calls(step)
                case Call() as step:
                    arguments = canonical_json({"query": step.content})
                    function = {"name": call_search_agent.__name__, "arguments": arguments}
                    call = {"id": "call_search_agent", "type": "function", "function": function}
                    return LLMOutput(tool_calls=(call,))
                case _:
                    pass
        raise _wrong_step(self, tape, index, "a node choice and then an action")


class SearchAgentMainNode(Node):
    """Searches until it can respond; how often is up to its prompt."""

    type_name = "analyst.SearchAgentMainNode"

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        view = agent.compute_view(tape).top
        messages = (system_message(agent.templates["system"]), *view_to_messages(view, agent))
        return Prompt(messages=messages, tools=SEARCH_TOOLS)

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        output = await llm_stream.get_message()
        if output.tool_calls:
            yield _calls_of(output)
            yield SetNextNode(next_node=0)
        elif output.content:
            yield Respond(content=output.content)
        else:
            raise _empty_answer(self)

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        match tape.steps[index]:
            case Respond() as step:
                return LLMOutput(content=as_text(step.content))
            case ToolCalls() as step:
                return _output_of_calls(step)
            case _:
                pass
        raise _wrong_step(self, tape, index, "tool calls or a response")


def choose_action(output: LLMOutput) -> ToolCalls | Call:
    """Return the tool calls before the one that asks the helper, or else the call to it."""
    calls = _calls_of(output)
    names = [call.function.name for call in calls.tool_calls]
    if call_search_agent.__name__ not in names:
        return calls
    index = names.index(call_search_agent.__name__)
    if index:
        return calls.model_copy(update={"tool_calls": calls.tool_calls[:index]})
    return Call(agent_name=SEARCH_AGENT, content=_query_of(calls.tool_calls[0]))


def _query_of(call: ToolCall) -> str:
    try:
        return str(call.parsed_arguments()["query"])
    except (ValueError, KeyError) as error:
        raise AgentRunError(
            f"The model asked the search agent without a readable query: "
            f"{call.function.arguments!r}. Resume from the step before to ask it again."
        ) from error


def _analyst_prompt(agent: Agent, tape: Tape, guidance: str) -> Prompt:
    view = agent.compute_view(tape).top
    history: list[Message] = view_to_messages(view, agent)
    return Prompt(
        messages=(
            system_message(agent.templates["system"]),
            *history,
            user_message(agent.templates[guidance]),
        ),
        tools=ANALYST_TOOLS,
    )


def _calls_of(output: LLMOutput) -> ToolCalls:
    calls = ToolCalls.from_llm_output(output)
    return calls.model_copy(update={"content": output.content}) if output.content else calls


def _output_of_calls(step: ToolCalls) -> LLMOutput:
    calls = tuple(call.model_dump(mode="json") for call in step.tool_calls)
    return LLMOutput(content=step.content, tool_calls=calls)


def _empty_answer(node: Node) -> AgentRunError:
    return AgentRunError(
        f"The model gave node {node.name!r} neither text nor tool calls; resume to ask it again, "
        "or choose another model.",
        node=node.name,
    )


def _wrong_step(node: Node, tape: Tape, index: int, expected: str) -> TrainingTextError:
    return TrainingTextError(
        f"Node {node.name!r} writes {expected}, but step {index} is a "
        f"{type(tape.steps[index]).__name__}.",
        node=node.name,
        position=index,
    )
