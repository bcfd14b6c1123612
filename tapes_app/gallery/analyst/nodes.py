"""Nodes of the analyst and of its search helper."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from tapes_app.engine.agent.nodes import Route
from tapes_app.engine.agent.talk_node import (
    ROUTE_OF_TOOLS,
    TalkNode,
    read_answer,
    write_answer,
    wrong_step,
)
from tapes_app.engine.environment.tool_functions import Tools, tool
from tapes_app.engine.errors import AgentRunError
from tapes_app.engine.model.llm import LLMOutput, LLMStream
from tapes_app.engine.model.messages import canonical_json
from tapes_app.engine.prompts.chat_messages import as_text
from tapes_app.engine.tape.control_steps import Call, Respond, SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep, AssistantThought, ToolCall, ToolCalls
from tapes_app.engine.tape.steps import PartialStep, Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.analyst.library import get_next_page, get_page, get_search_results
from tapes_app.gallery.analyst.stocks import get_stock_data, get_stock_ticker

if TYPE_CHECKING:
    from tapes_app.engine.agent.agent import Agent

SEARCH_AGENT = "search_agent"
PLAN, ACT = 0, 1
"""Positions of the analyst's nodes, as the paper's tape names them."""


@tool
def call_search_agent(query: str) -> None:
    """Ask a fellow agent to search the web for information.

    Args:
        query: what to find out, in words
    """


class PlanNode(TalkNode):
    """Writes a plan in words; always one thought."""

    type_name = "analyst.PlanNode"

    tools: Tools = (get_stock_ticker, get_stock_data)
    guidance: str = "plan"

    def list_schemas(self) -> tuple[dict[str, Any], ...]:
        # The model sees one more tool; no environment answers it, but the helper itself.
        return (*super().list_schemas(), call_search_agent.schema())

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        output = await llm_stream.get_message()
        plan = read_answer(self, LLMOutput(content=output.content))
        yield AssistantThought(content=plan.content)

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        return (Route(self.following(agent)),)

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        step = tape.steps[index]
        if not isinstance(step, AssistantThought):
            raise wrong_step(self, tape, index, "a thought")
        return LLMOutput(content=as_text(step.content))


class ActNode(PlanNode):
    """Takes the next action of the plan, asks the search helper, or answers the person."""

    type_name = "analyst.ActNode"

    guidance: str = "act"

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        answer = read_answer(self, await llm_stream.get_message())
        if isinstance(answer, ToolCalls):
            yield SetNextNode(next_node=ACT)
            yield choose_action(answer)
        else:
            yield SetNextNode(next_node=PLAN)
            yield answer

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        return (
            Route(ACT, ROUTE_OF_TOOLS),
            Route(ACT, f"when {SEARCH_AGENT} has responded", SEARCH_AGENT),
            Route(PLAN, "after an answer"),
        )

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        match tape.steps[index : index + 2]:
            case (SetNextNode(), AssistantStep() | ToolCalls() as answer):
                return write_answer(answer)
            case (SetNextNode(), Call() as step):
                arguments = canonical_json({"query": step.content})
                function = {"name": call_search_agent.name, "arguments": arguments}
                call = {"id": "call_search_agent", "type": "function", "function": function}
                return LLMOutput(tool_calls=(call,))
            case _:
                raise wrong_step(self, tape, index, "a node selection followed by an action")


class SearchAgentMainNode(TalkNode):
    """Searches until it can respond; its prompt decides how often."""

    type_name = "analyst.SearchAgentMainNode"

    tools: Tools = (get_search_results, get_page, get_next_page)

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        answer = read_answer(self, await llm_stream.get_message())
        if isinstance(answer, ToolCalls):
            yield answer
            yield SetNextNode(next_node=0)
        else:
            yield Respond(content=answer.content)

    def list_routes(self, agent: Agent) -> tuple[Route, ...]:
        return (Route(self.name, ROUTE_OF_TOOLS),)

    def make_llm_output(self, agent: Agent, tape: Tape, index: int) -> LLMOutput:
        match tape.steps[index]:
            case Respond() as step:
                return LLMOutput(content=as_text(step.content))
            case ToolCalls() as answer:
                return write_answer(answer)
            case _:
                raise wrong_step(self, tape, index, "tool calls or a response")


def choose_action(calls: ToolCalls) -> ToolCalls | Call:
    """Return the tool calls before the one that asks the helper, or else that call."""
    names = [call.function.name for call in calls.tool_calls]
    if call_search_agent.name not in names:
        return calls
    index = names.index(call_search_agent.name)
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
