"""How a worker runs an agent on a tape; each node run is stored with its call as it ends.

A node run is the unit: its steps, its call and their events go into one transaction. A worker that
dies in the middle of an answer leaves nothing half-written, and the next attempt asks again from
the stored tape; stored work is never asked or done twice.
"""

import asyncio
from contextlib import aclosing
from datetime import UTC, datetime
from functools import partial

from tapes_app.engine.agent.orchestrator import main_loop
from tapes_app.engine.environment import events as engine
from tapes_app.engine.environment.actions import UnknownActionError
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.tool_context import RunPlace, current_run
from tapes_app.engine.errors import EndlessTurnError, StudioError
from tapes_app.engine.model.llm import LLMCall, LLMDelta
from tapes_app.engine.tape.steps import Step
from tapes_app.jobs.domain import protocol
from tapes_app.jobs.domain.run_result import (
    RUN_KIND,
    Asks,
    CodeLine,
    CutOffCall,
    RunResult,
    RunStatus,
)
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.store.events import FencedError, Work
from tapes_app.jobs.store.granting import store_checkpoint, take_message
from tapes_app.runs.domain.progress import RunProgress
from tapes_app.runs.domain.request import RunRequest
from tapes_app.runs.services.listeners import notify_end, notify_progress
from tapes_app.runs.services.result import (
    describe_asked,
    describe_cut,
    describe_hit,
    describe_refused,
    list_code_lines,
    note_answer_of_run,
    unopened_result,
)
from tapes_app.runs.services.session import (
    RunSession,
    build_agent,
    build_emulator,
    build_environment,
    describe_run,
    open_session,
)
from tapes_app.runs.services.store_node import NodeInProgress, RunStore, cut_off_call, describe_end
from tapes_app.runs.services.watch import RunWatch


@job_kind(RUN_KIND)
async def execute_run(context: JobContext) -> Outcome:
    """Run the agent from the stored tape, until it ends, waits or is stopped."""
    request = RunRequest.model_validate(context.job.request)
    context.result = unopened_result(context.job).model_dump(mode="json")
    session = await context.run_in_thread(open_session, context.job, request)
    context.result = None
    outcome = await _Run(context, session, request).go()
    await note_answer_of_run(context, outcome)
    return await notify_end(context, request, outcome)


class _Run:
    """One attempt at a run."""

    def __init__(self, context: JobContext, session: RunSession, request: RunRequest) -> None:
        job = context.job
        assert job.tape_id is not None, "a run has a tape"
        self._context = context
        self._session = session
        self._request = request
        self._node_runs: dict[str, NodeInProgress] = {}
        """By prompt id: agents that were called together are at work at the same time."""

        self._cut_off: CutOffCall | None = None
        self._emulations: list[LLMCall] = []
        """Calls of the emulator whose observation is not stored yet. One action at a time is
        emulated, because an emulator reads what the tape holds."""

        self._agent = session.live.agent
        progress = RunProgress.read(job.checkpoint, step_count=len(session.tape))
        self._watch = RunWatch(context, request, progress.begin(datetime.now(UTC)))
        self._store = RunStore(
            context.commit,
            tape_id=job.tape_id,
            project_id=job.project_id,
            owner_id=job.owner_id,
            step_count=len(session.tape),
        )

    async def go(self) -> Outcome:
        """Run the loop and return how it ended; what was done is stored in any case."""
        job = self._context.job
        current_run.set(RunPlace(job.id, job.project_id))  # for this job's task and its tools
        await self._context.commit(self._begin)
        try:
            outcome = await self._loop()
        except asyncio.CancelledError:
            if not self._context.cancelled_by:
                await self._keep_progress()  # the next attempt continues from the time spent here
                raise
            reason = f"Cancelled by {self._context.cancelled_by}."
            for prompt_id in tuple(self._node_runs):
                await self._keep_cut_off_call(prompt_id, reason)
            outcome = Outcome("cancelled", self._with_cut(reason), self._result("cancelled"))
        except FencedError:
            raise
        except StudioError as error:
            is_endless = isinstance(error, EndlessTurnError)
            status: RunStatus = "loop_limit" if is_endless else "error"
            result = self._result(status, code_lines=list_code_lines(error))
            outcome = Outcome("failed", error.message, result, error.code)
        except Exception:
            self._context.result = self._result("error")
            await self._keep_progress()
            raise
        await self._keep_progress()
        return outcome

    def _begin(self) -> list[protocol.Event]:
        job, progress = self._context.job, self._watch.progress
        assert progress.began_at is not None, "it goes to work"
        store_checkpoint(job.id, progress.to_json())
        return [
            protocol.RunStarted(
                tape_id=self._store.tape_id,
                agent=self._session.live.agent.name,
                step_count=len(self._session.tape),
                attempt=job.attempt,
                began_at=progress.began_at,
                seconds_before=progress.seconds_before,
            )
        ]

    async def _loop(self) -> Outcome:
        await self._report_progress()
        self._agent = build_agent(self._session, self._request, self._context)
        environment = build_environment(
            self._session,
            self._request,
            self._context,
            emulator=build_emulator(self._agent, self._note_emulation),
            use_approval=self._watch.use_approval,
        )
        async with describe_run(self._session, self._context).opened(environment) as opened:
            return await self._take_turns(opened)

    async def _take_turns(self, environment: Environment) -> Outcome:
        """Let agent and environment take turns, and store what they do."""
        loop = main_loop(
            self._agent,
            self._session.tape,
            environment,
            recorded_outputs=self._session.recorded_outputs,
            max_loops=self._request.max_turns,
            supervisor=self._watch,
        )
        async with aclosing(loop) as events:
            async for event in events:
                if isinstance(event, engine.LoopFinished):
                    return self._end(event)
                await self._take(event)
                await self._context.yield_loop()
        raise AssertionError("the main loop always ends with LoopFinished")

    async def _take(self, event: engine.LoopEvent) -> None:
        match event:
            case engine.NodeStarted():
                self._begin_node_run(event)
            case engine.DeltaReceived():
                self._stream(event.prompt_id, event.delta)
            case engine.PartialStepMade():
                partial = event.step
                self._context.emit(
                    protocol.StepPartial(
                        prompt_id=event.prompt_id, text=partial.text, tool_name=partial.tool_name
                    )
                )
            case engine.StepAdded():
                await self._take_step(event)
            case engine.NodeFinished() | engine.NodeFailed():
                await self._end_node_run(event)
            case engine.NodeCancelled():
                await self._keep_cut_off_call(event.prompt_id, event.reason)
            case _:
                return

    def _begin_node_run(self, event: engine.NodeStarted) -> None:
        self._node_runs[event.prompt.id] = NodeInProgress(event)
        self._context.emit(
            protocol.NodeStarted(
                agent=event.agent,
                node=event.node,
                prompt_id=event.prompt.id,
                has_call=bool(event.prompt),
                lane=event.lane,
            )
        )

    def _stream(self, prompt_id: str, delta: LLMDelta) -> None:
        if (node_run := self._node_runs.get(prompt_id)) is not None:
            node_run.text.append(delta.text)
            node_run.reasoning.append(delta.reasoning)
        self._context.emit(
            protocol.StepDelta(
                prompt_id=prompt_id,
                text=delta.text,
                reasoning=delta.reasoning,
                tool_index=delta.tool_index,
                tool_name=delta.tool_name,
                tool_arguments=delta.tool_arguments,
            )
        )

    async def _take_step(self, event: engine.StepAdded) -> None:
        step = event.step
        if (node_run := self._node_runs.get(step.metadata.prompt_id)) is not None:
            node_run.steps.append(event)
        elif self._watch.was_read(step.metadata.id):
            job_id, message_id = self._context.job.id, step.metadata.id
            await self._store.add(
                [step], writer="person", also=lambda: take_message(job_id, message_id).events
            )
        else:
            await self._add_observation(step)

    def _note_emulation(self, call: LLMCall) -> None:
        self._emulations.append(call)
        self._watch.note_call(call)

    async def _add_observation(self, step: Step) -> None:
        """Store an observation, with the call of a model that emulated it."""
        own = [one for one in self._emulations if one.prompt.id == step.metadata.prompt_id]
        self._emulations = [one for one in self._emulations if one not in own]
        await self._keep_emulations()
        await self._store.add([step], *own, also=self._checkpoint() if own else None)

    async def _keep_emulations(self) -> None:
        """Store the emulator's calls that led to no observation."""
        calls, self._emulations = self._emulations, []
        for call in calls:
            await self._store.add([], call, also=self._checkpoint())

    def _checkpoint(self) -> Work:
        return partial(store_checkpoint, self._context.job.id, self._watch.progress.to_json())

    async def _end_node_run(self, event: engine.NodeFinished | engine.NodeFailed) -> None:
        """Store a node run: with its steps if it succeeded, only its call if it failed."""
        node_run = self._node_runs.pop(event.prompt_id, None)
        is_kept, error = True, ""
        if isinstance(event, engine.NodeFailed):
            is_kept, error = event.keeps_steps, event.error
        steps = [added.step for added in node_run.steps] if node_run and is_kept else []
        await self._add_node_run(event, steps, event.call, error)
        if not error:
            await self._report_progress()

    async def _report_progress(self) -> None:
        self._watch.outside_stop = await notify_progress(self._context, self._request)

    async def _keep_cut_off_call(self, prompt_id: str, reason: str) -> None:
        """Store the interrupted call, with the text that was received so far, if it was sent."""
        node_run = self._node_runs.pop(prompt_id, None)
        if node_run is None or not node_run.started.prompt:
            return
        call = cut_off_call(self._agent, node_run, reason)
        await self._add_node_run(node_run.started, [], call, reason)

    async def _add_node_run(
        self,
        run: engine.NodeStarted | engine.NodeFinished | engine.NodeFailed,
        steps: list[Step],
        call: LLMCall | None,
        error: str,
    ) -> None:
        prompt_id = run.prompt.id if isinstance(run, engine.NodeStarted) else run.prompt_id
        self._watch.note_call(call)
        call_id = await self._store.add(
            steps,
            call,
            ended=describe_end(run.agent, run.node, prompt_id, call, error),
            also=self._checkpoint(),
        )
        if error and call_id is not None and not steps:
            self._cut_off = CutOffCall(call_id=call_id, agent=run.agent, node=run.node)

    async def _keep_progress(self) -> None:
        await self._keep_emulations()
        await self._context.checkpoint(self._watch.progress.rest().to_json())

    def _end(self, finished: engine.LoopFinished) -> Outcome:
        result = self._result(finished.status, finished)
        match finished.status:
            case "external_input_needed":
                asks = RunResult.model_validate(result).asks
                hears = asks is not None and not asks.can_approve and asks.data_schema is None
                message = asks.message if asks is not None else finished.message
                return Outcome("waiting", message, result, accepts_messages=hears)
            case "paused":
                return Outcome("paused", finished.message, result)
            case "unknown_action":
                code = UnknownActionError.code
                return Outcome("failed", finished.message, result, error_code=code)
            case "loop_limit":
                return Outcome("failed", finished.message, result, error_code="loop_limit")
            case "finished" | "ok":
                return Outcome("succeeded", finished.message, result)
            case "no_actions" | "until" | "budget":
                return Outcome("succeeded", self._with_cut(finished.message), result)

    def _with_cut(self, sentence: str) -> str:
        """Append a sentence on interrupted actions to the message on how the run ended."""
        return " ".join(filter(None, (sentence, describe_cut(self._watch.cut_actions))))

    def _result(
        self,
        status: RunStatus,
        finished: engine.LoopFinished | None = None,
        code_lines: tuple[CodeLine, ...] = (),
    ) -> dict[str, object]:
        progress, count = self._watch.progress, self._store.step_count
        spent = progress.spent
        result = RunResult(
            status=status,
            step_count=count,
            new_step_count=count - progress.first_step_count,
            tokens=spent.tokens,
            input_tokens=spent.input_tokens,
            cache_read_tokens=spent.cache_read_tokens,
            output_tokens=spent.output_tokens,
            cost_micro_usd=None if spent.unpriced_count else spent.micro_usd,
            seconds=round(spent.seconds, 3),
            call_count=spent.call_count,
            cached_call_count=spent.cached_call_count,
            asks=self._asks(finished),
            hit=describe_hit(finished) if finished is not None else None,
            cut_off=self._cut_off,
            refused_call=describe_refused(finished),
            cut_actions=self._watch.cut_actions,
            code_lines=code_lines,
        )
        return result.model_dump(mode="json")

    def _asks(self, finished: engine.LoopFinished | None) -> Asks | None:
        asks = describe_asked(finished) if finished is not None else None
        pending = finished.waits_for if finished is not None else None
        if asks is None or pending is None or not self._watch.was_started(pending):
            return asks
        return asks.model_copy(update={"message": f"{asks.message} {_ALREADY_STARTED}"})


_ALREADY_STARTED = (
    "It was approved earlier, and the run stopped before its result arrived, so it may already "
    "have run."
)
