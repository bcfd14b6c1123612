"""A node run: in progress, and written with its steps, its call and their events in one go."""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from uuid import UUID

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.environment import events as engine
from tapes_app.engine.errors import StudioError
from tapes_app.engine.model.llm import LLM, LLMCall, LLMOutput, is_unsent
from tapes_app.engine.tape.steps import Step, Writer
from tapes_app.jobs.domain import protocol
from tapes_app.jobs.store.events import Work
from tapes_app.tapes.domain.rows import StepRow
from tapes_app.tapes.domain.step_cuts import cut_row
from tapes_app.tapes.store import calls as call_storage
from tapes_app.tapes.store import headers
from tapes_app.tapes.store import tapes as tape_storage


@dataclass(slots=True)
class NodeInProgress:
    """The node run in progress, with what it has produced so far."""

    started: engine.NodeStarted
    steps: list[engine.StepAdded] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    clock: float = field(default_factory=time.perf_counter)


def cut_off_call(agent: Agent, node_run: NodeInProgress, reason: str) -> LLMCall | None:
    """Return the call of an unfinished node run, with what was received so far.

    `None`: nothing was sent.
    """
    llm = _find_llm(agent, node_run.started)
    if is_unsent(llm) and not node_run.text:
        return None
    text, reasoning = "".join(node_run.text), "".join(node_run.reasoning)
    return LLMCall(
        prompt=node_run.started.prompt,
        output=LLMOutput(content=text or None, reasoning_content=reasoning or None),
        llm=llm.describe() if llm is not None else {},
        started_at=node_run.started_at,
        duration_seconds=time.perf_counter() - node_run.clock,
        error=reason,
    )


def _find_llm(agent: Agent, started: engine.NodeStarted) -> LLM | None:
    try:
        member = agent.find_subagent(started.agent.partition("/")[2])
    except StudioError:
        return None
    node = member.find_node(started.node)
    return member.llms.get(node.llm) if node is not None else None


Commit = Callable[[Work], Awaitable[None]]
"""Runs a function in a transaction that also writes the events it returns."""


class RunStore:
    """Appends to one tape as its only writer."""

    def __init__(
        self,
        commit: Commit,
        *,
        tape_id: UUID,
        project_id: UUID,
        owner_id: int | None,
        step_count: int,
    ) -> None:
        self.tape_id = tape_id
        self._commit = commit
        self._project_id = project_id
        self._owner_id = owner_id
        self.step_count = step_count
        self._calls = call_storage.CallWriter(project_id, owner=owner_id)
        self._is_unsure = False

    async def add(
        self,
        steps: Sequence[Step],
        call: LLMCall | None = None,
        *,
        ended: protocol.NodeFinished | None = None,
        writer: Writer | None = None,
        also: Work | None = None,
    ) -> UUID | None:
        """Store steps, their call and their events in one transaction; return the call's id.

        `also` writes related rows in the same transaction.
        """
        call_ids: list[UUID | None] = [None]

        def work() -> list[protocol.Event]:
            if self._is_unsure:  # the last transaction may have been rolled back
                self._calls.forget()
            self._is_unsure = True
            stored = tape_storage.append_steps(
                self.tape_id,
                steps,
                project=self._project_id,
                expected_count=self.step_count,
                calls=[call] if call else [],
                call_writer=self._calls,
                writer=writer,
                owner=self._owner_id,
            )
            call_ids[0] = stored.call_ids.get(call.prompt.id) if call else None
            shown: list[protocol.Event] = [*_show(self.tape_id, stored.steps)]
            if ended is not None:
                shown.append(ended.model_copy(update={"call_id": call_ids[0]}))
            if also is not None:
                shown.extend(also() or ())
            return shown

        await self._commit(work)
        self._is_unsure = False
        self.step_count += len(steps)
        return call_ids[0]


def describe_steps(
    tape_id: UUID, project_id: UUID, *, start: int, count: int
) -> list[protocol.StepAdded]:
    """Return the events that show stored steps; called in the transaction that stores them."""
    return _show(tape_id, headers.load_steps(tape_id, project_id, start=start, count=count))


def _show(tape_id: UUID, rows: Sequence[StepRow]) -> list[protocol.StepAdded]:
    return [
        protocol.StepAdded(tape_id=tape_id, position=row.position, step=_stream(cut_row(row)))
        for row in rows
    ]


def _stream(row: StepRow) -> protocol.StreamedStep:
    given = {column.name: getattr(row, column.name) for column in _ROW}
    cut = protocol.StreamedCut(**asdict(row.cut)) if row.cut else None
    return protocol.StreamedStep(**{**given, "cut": cut})


_ROW = fields(StepRow)


def describe_end(
    agent: str, node: str, prompt_id: str, call: LLMCall | None, error: str
) -> protocol.NodeFinished:
    """Return the event that ends a node run; its call is not stored yet and has no id."""
    if call is None:
        return protocol.NodeFinished(agent=agent, node=node, prompt_id=prompt_id, error=error)
    return protocol.NodeFinished(
        agent=agent,
        node=node,
        prompt_id=prompt_id,
        usage=protocol.StreamedUsage(**call.usage.model_dump()),
        cost_micro_usd=call.cost_micro_usd,
        duration_seconds=call.duration_seconds,
        error=error,
    )
