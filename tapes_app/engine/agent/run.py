"""One turn of an agent: select a node, prompt, ask, make steps; repeat until an action.

The one asynchronous implementation; `Agent.run_sync` wraps it.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, suppress
from datetime import UTC, datetime
from typing import Any

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.node_code import (
    ask_to_stop,
    generate_steps,
    make_prompt,
    refuse_silence,
    select_on,
)
from tapes_app.engine.agent.selection import Selection
from tapes_app.engine.environment.events import (
    AgentEvent,
    DeltaReceived,
    NodeFailed,
    NodeFinished,
    NodeStarted,
    PartialStepMade,
    StepAdded,
)
from tapes_app.engine.environment.supervision import BeforeNode, Deadline, Halt, NodeRan, Supervisor
from tapes_app.engine.errors import (
    AgentCodeError,
    AgentRunError,
    CallRefusedError,
    EndlessTurnError,
    LLMError,
    NodeStepError,
    UnreadableAnswerError,
)
from tapes_app.engine.frozen_model import new_id
from tapes_app.engine.model.answer_ends import check_end
from tapes_app.engine.model.llm import (
    LLMCall,
    LLMDelta,
    LLMEvent,
    LLMOutput,
    LLMResult,
    LLMStream,
    Prompt,
    is_unsent,
)
from tapes_app.engine.tape.dialog_steps import PARSING_FAILURE
from tapes_app.engine.tape.growing_tape import GrowingTape
from tapes_app.engine.tape.steps import PartialStep, Step
from tapes_app.engine.tape.tape import Tape

MOST_UNREAD = 4
"""How often in a row a node may run again because its model's answer could not be read."""

MOST_REASON = 300


class AgentStream:
    """The events of one agent turn. Iterate over it, or just ask for the final tape.

    Closing the iterator or cancelling the task stops the model call.
    """

    def __init__(
        self, agent: Agent, tape: Tape, supervisor: Supervisor | None = None, *, depth: int = 0
    ) -> None:
        """Continue a tape; the turn also ends once only `depth` views are left on its stack."""
        self.agent = agent
        self.tape: Tape = tape
        """The tape so far: complete after the last event; before that, complete node runs only."""

        self.halt: Halt | None = None
        """Why the turn stopped before its end; `None` when it did not."""

        self._parent = tape
        self._supervisor = supervisor or Supervisor()
        self._unread_count = 0
        self._depth = depth

    async def __aiter__(self) -> AsyncGenerator[AgentEvent, None]:
        self.tape = GrowingTape.of(self.tape)
        watch, deadline = self._supervisor, self._supervisor.deadline
        for _ in range(self.agent.max_iterations):
            selection = select_on(self.agent, self.tape)
            start = len(self.tape)
            self.halt = watch.check(BeforeNode(selection.path, selection.node.name, start))
            if self.halt is not None:
                return
            new_steps: list[Step] = []
            call: LLMCall | None = None
            try:
                async with aclosing(run_node(selection, self.tape, deadline)) as events:
                    async for event in events:
                        if isinstance(event, StepAdded):
                            new_steps.append(event.step)
                        elif isinstance(event, NodeFinished):
                            call = event.call
                        elif isinstance(event, NodeFailed) and event.keeps_steps:
                            self.tape = self.tape.append(*new_steps, author=self.agent.name)
                        yield event
            except DeadlinePassedError:
                assert deadline is not None, "no other deadline passes"
                self.halt = deadline.halt
                return
            except CallRefusedError as refused:
                self.halt = Halt("budget", refused.message, refused=refused)
                return
            self.tape = self.tape.append(*new_steps, author=self.agent.name)
            path, node = selection.path, selection.node.name
            self.halt = watch.check(NodeRan(path, node, start, new_steps, call))
            if self.halt is not None:
                return
            if not new_steps:
                raise refuse_silence(selection)
            if ask_to_stop(self.agent, self.tape) or hands_over(self.agent, self.tape, self._depth):
                return
            self._count_unread(selection, new_steps)
        raise EndlessTurnError(
            f"Agent {self.agent.name!r} ran {self.agent.max_iterations} nodes without an action; "
            "raise max_iterations or fix the loop.",
            agent=self.agent.name,
        )

    def _count_unread(self, selection: Selection, steps: Sequence[Step]) -> None:
        """Let a node that could not read its model's answer run again, a few times in a row."""
        failures = [step for step in steps if step.kind == PARSING_FAILURE]
        self._unread_count = self._unread_count + 1 if failures else 0
        if self._unread_count < MOST_UNREAD:
            return
        node, reason = selection.node.name, str(failures[-1].content_dict().get("error", ""))
        raise UnreadableAnswerError(
            f"Node {node!r} of agent {selection.path!r} could not read {MOST_UNREAD} answers of "
            f"its model in a row, the last because: {reason[:MOST_REASON]} Change its prompt or "
            "choose another model, then resume.",
            node=node,
        )

    async def get_final_tape(self) -> Tape:
        """Run to the end and return a child of the input tape with the new steps.

        The final tape has a fresh id, the input as parent, and the agent as author.
        """
        async for _ in self:
            pass
        added = len(self.tape) - len(self._parent)
        return self.tape.with_metadata(
            id=new_id(), parent_id=self._parent.id, author=self.agent.name, n_added_steps=added
        )


def hands_over(agent: Agent, tape: Tape, depth: int) -> bool:
    """Return whether others go on: agents called together, or the caller of one of them."""
    stack = agent.compute_view(tape)
    return stack.lanes is not None or len(stack.views) <= depth


async def run_node(
    selection: Selection, tape: Tape, deadline: Deadline | None = None
) -> AsyncGenerator[AgentEvent, None]:
    """Run one node: its prompt, the model's pieces, its steps, and the recorded call.

    Raises:
        DeadlinePassedError: the model was still writing at the deadline; a `NodeFailed` has
            recorded its call, with what had arrived.
    """
    prompt = make_prompt(selection, tape)
    yield NodeStarted(selection.path, selection.node.name, prompt)
    if prompt:
        async with aclosing(_ask_and_generate(selection, tape, prompt, deadline)) as events:
            async for event in events:
                yield event
        return
    try:
        async for event in _generate(selection, tape, LLMStream(prompt, None)):
            yield event
    except Exception as error:
        yield _describe_failure(selection, prompt, None, error, is_answered=True)
        raise
    yield NodeFinished(selection.path, selection.node.name, prompt.id, None)


async def _generate(
    selection: Selection, tape: Tape, stream: LLMStream
) -> AsyncGenerator[StepAdded | PartialStepMade, None]:
    position = len(tape)
    async for step in generate_steps(selection, tape, stream):
        if isinstance(step, PartialStep):
            yield PartialStepMade(stream.prompt.id, step)
        else:
            yield StepAdded(position, step)
            position += 1


def _describe_failure(
    selection: Selection,
    prompt: Prompt,
    call: LLMCall | None,
    error: Exception,
    *,
    is_answered: bool,
) -> NodeFailed:
    """Return the event for a failed node run.

    If the node's own code failed after a complete answer, the steps it had yielded are kept: once
    the code is fixed, the rest is made from the same answer.
    """
    is_mistake = isinstance(error, AgentCodeError | NodeStepError)
    return NodeFailed(
        selection.path,
        selection.node.name,
        prompt.id,
        call,
        error=str(error),
        keeps_steps=is_mistake and is_answered,
    )


async def _ask_and_generate(
    selection: Selection, tape: Tape, prompt: Prompt, deadline: Deadline | None
) -> AsyncGenerator[AgentEvent, None]:
    """Let the node read the answer in a separate task, so that deltas pass immediately."""
    exchange = _Exchange(selection, prompt)
    queue: asyncio.Queue[AgentEvent | None] = asyncio.Queue()

    async def generate() -> None:
        stream = LLMStream(prompt, exchange.listen(queue))
        try:
            async for event in _generate(selection, tape, stream):
                queue.put_nowait(event)
        finally:
            queue.put_nowait(None)

    async def next_event() -> AgentEvent | None:
        if deadline is None:
            return await queue.get()
        try:
            async with asyncio.timeout_at(deadline.at):
                return await queue.get()
        except TimeoutError:
            raise DeadlinePassedError(deadline.halt.message) from None

    task = asyncio.ensure_future(generate())
    try:
        try:
            while (event := await next_event()) is not None:
                yield event
            await task
        except CallRefusedError as refused:
            yield _describe_failure(selection, prompt, None, refused, is_answered=False)
            raise
        except Exception as error:
            is_answered = exchange.result is not None
            is_reported = isinstance(error, LLMError | DeadlinePassedError) or not is_answered
            recorded = exchange.record(error=str(error) if is_reported else "")
            call = None if exchange.is_unsent else recorded
            yield _describe_failure(selection, prompt, call, error, is_answered=is_answered)
            raise
        yield NodeFinished(selection.path, selection.node.name, prompt.id, exchange.record())
    finally:
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await exchange.close()


class DeadlinePassedError(Exception):
    """The supervisor's deadline passed in the middle of a model call."""


class _Exchange:
    """One model call in progress: passes the pieces on and remembers what arrived."""

    def __init__(self, selection: Selection, prompt: Prompt) -> None:
        llm = selection.agent.llms.get(selection.node.llm)
        if llm is None:
            raise AgentRunError(
                f"Node {selection.node.name!r} of agent {selection.path!r} has a prompt but no "
                f"LLM {selection.node.llm!r}; choose a model.",
                node=selection.node.name,
            )
        self.prompt = prompt
        self.llm = llm
        self.result: LLMResult | None = None
        self.text: list[str] = []
        self.reasoning: list[str] = []
        self.started_at = datetime.now(UTC)
        self._clock = time.perf_counter()
        self._first_token: float | None = None
        self._finished: float | None = None
        self._events: Any = None

    async def listen(self, queue: asyncio.Queue[AgentEvent | None]) -> AsyncIterator[LLMEvent]:
        self._events = self.llm.stream(self.prompt)
        async for event in self._events:
            if isinstance(event, LLMDelta):
                if self._first_token is None:
                    self._first_token = time.perf_counter() - self._clock
                self.text.append(event.text)
                self.reasoning.append(event.reasoning)
                queue.put_nowait(DeltaReceived(self.prompt.id, event))
            else:
                self.result = event
                self._finished = time.perf_counter() - self._clock
                check_end(event)
            yield event

    async def close(self) -> None:
        """Stop the request if it is still running."""
        if self._events is not None and hasattr(self._events, "aclose"):
            with suppress(RuntimeError):  # already being closed by its own consumer
                await self._events.aclose()

    @property
    def is_unsent(self) -> bool:
        """Whether nothing was sent: the call still waits for its turn."""
        return is_unsent(self.llm) and self.result is None and not self.text

    def _output_so_far(self) -> LLMOutput:
        output = LLMOutput(content="".join(self.text))
        thought = "".join(self.reasoning)
        return output.model_copy(update={"reasoning_content": thought}) if thought else output

    def record(self, error: str = "") -> LLMCall:
        """Return the call in the form to store; a cut-off answer keeps what arrived."""
        result = self.result or LLMResult(output=self._output_so_far())
        return LLMCall(
            prompt=self.prompt,
            output=result.output,
            usage=result.usage,
            cost_micro_usd=result.cost_micro_usd,
            llm=self.llm.describe(),
            started_at=self.started_at,
            duration_seconds=self._finished or time.perf_counter() - self._clock,
            first_token_seconds=self._first_token,
            finish_reason=result.finish_reason,
            is_cached=result.is_cached,
            error=error,
            tokens=result.tokens,
        )
