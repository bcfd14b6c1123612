"""A node run that continues: what has come of it, and the call to keep when it is broken off."""

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime

from tapes_app.engine import events as engine
from tapes_app.engine.agent import Agent
from tapes_app.engine.errors import StudioError
from tapes_app.engine.llm import LLMCall, LLMOutput


@dataclass(slots=True)
class NodeInProgress:
    """The node run that continues, with what has come of it."""

    started: engine.NodeStarted
    steps: list[engine.StepAdded] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    clock: float = field(default_factory=time.perf_counter)


def cut_off_call(agent: Agent, node_run: NodeInProgress, reason: str) -> LLMCall:
    """Return the call of a node run as far as it came."""
    text, reasoning = "".join(node_run.text), "".join(node_run.reasoning)
    return LLMCall(
        prompt=node_run.started.prompt,
        output=LLMOutput(content=text or None, reasoning_content=reasoning or None),
        llm=_describe_llm(agent, node_run.started),
        started_at=node_run.started_at,
        duration_seconds=time.perf_counter() - node_run.clock,
        error=reason,
    )


def _describe_llm(agent: Agent, started: engine.NodeStarted) -> dict[str, object]:
    try:
        member = agent.find_subagent(started.agent.partition("/")[2])
    except StudioError:
        return {}
    node = member.find_node(started.node)
    llm = member.llms.get(node.llm) if node is not None else None
    return dict(llm.describe()) if llm is not None else {}
