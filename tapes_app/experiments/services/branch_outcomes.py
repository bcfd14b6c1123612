"""What the run of a branch reports to its experiment: its spending, and its outcome."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter

from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.model.llm import LLM, LLMCall
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.experiments.domain.branch_states import ENDS, THE_BUDGET
from tapes_app.experiments.domain.check_kinds import Check
from tapes_app.experiments.domain.checks import Ended, decide, final_text
from tapes_app.experiments.services.judge_notes import note_judgement
from tapes_app.experiments.services.judging import ask_judge, build_judge, build_prompt
from tapes_app.experiments.services.request import (
    AnyCheck,
    ExperimentRequest,
    JudgeCheck,
    find_budget,
)
from tapes_app.experiments.store import branches as branch_storage
from tapes_app.experiments.store import experiments as storage
from tapes_app.experiments.store.branches import BranchLimits, BranchPlace, Judgement
from tapes_app.experiments.store.experiments import Spending
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.store.many_jobs import cancel_jobs, cancel_queued_jobs
from tapes_app.runs.domain.request import RunRequest
from tapes_app.runs.services.budgeted import BudgetedLLM
from tapes_app.runs.services.listeners import RunListener, add_run_listener
from tapes_app.tapes.store import calls as call_storage
from tapes_app.tapes.store import loading as tape_loading

RECHECK_KIND = "check_experiment"
_CHECK: TypeAdapter[Check] = TypeAdapter(Check)


async def note_spent(context: JobContext, branch_id: UUID, ending: "_Ending | None" = None) -> str:
    """Update a branch and return why its run should stop; empty while it may continue.

    `ending` is the outcome of a finished run, stored in the same transaction.

    Raises:
        NotFoundError: there is no such branch.
        FencedError: another worker has taken over the run.
    """
    noted: list[BranchLimits] = []

    def note() -> None:
        noted[:] = [branch_storage.note_progress(branch_id)]
        if ending is not None:
            branch_storage.set_outcome(
                branch_id, outcome=ending.outcome, first_divergence=ending.first_divergence
            )

    # Written by the shared writer, which commits other runs in the same transaction: a run that
    # waited for it would take twice as long.
    await context.commit(note)
    (limits,) = noted
    if limits.stopped_reason and not limits.is_out_of_budget:
        return limits.stopped_reason
    seconds = ExperimentRequest.model_validate(limits.request).budget.seconds
    elapsed = (datetime.now(UTC) - limits.clock_started_at).total_seconds()
    if seconds is None or elapsed < seconds:
        return ""
    reason = f"The time limit of {seconds:,.0f} s was reached."
    await context.run_in_thread(_stop_others, branch_id, limits, reason)
    return reason


def _stop_others(branch_id: UUID, limits: BranchLimits, reason: str) -> None:
    """Let the first run that notices a time limit stop the others.

    Outside of transactions: otherwise two runs could wait for each other's jobs.
    """
    if storage.stop_experiment(limits.experiment_id, reason):
        others = storage.list_unfinished_jobs(limits.experiment_id, but=branch_id)
        cancel_jobs(limits.project_id, others, person=THE_BUDGET)


def _stop_queued(branch_id: UUID, reason: str) -> None:
    """Start nothing more of an experiment whose budget has no room for a call.

    What is in progress may need no further call, and then it finishes and counts.
    """
    place = branch_storage.load_place(branch_id)
    if storage.stop_experiment(place.experiment_id, reason, is_out_of_budget=True):
        queued = storage.list_queued_jobs(place.experiment_id)
        cancel_queued_jobs(place.project_id, queued, person=THE_BUDGET)


class _Branches(RunListener):
    """Updates experiments with the runs of their branches."""

    async def note_progress(self, context: JobContext, request: RunRequest) -> str:
        if request.branch_id is None:
            return ""
        return await note_spent(context, request.branch_id)

    async def note_end(self, context: JobContext, request: RunRequest, outcome: Outcome) -> Outcome:
        if request.branch_id is None:
            return outcome
        return await end_branch(context, request.branch_id, outcome)


add_run_listener(_Branches())


async def end_branch(context: JobContext, branch_id: UUID, outcome: Outcome) -> Outcome:
    """Report to an experiment how the run of a branch ended; return the outcome of its job.

    If the agent's turn has finished, the run does not wait for the person's next message: the
    branches of a chat would stay unfinished forever. It does wait if the agent asks for approval or
    data.
    """
    status = (outcome.result or {}).get("status")
    if status in ENDS or (outcome.state == "waiting" and outcome.accepts_messages):
        await _finish_branch(context, branch_id, str(status))
        if outcome.state == "waiting":
            return replace(outcome, state="succeeded", message="", accepts_messages=False)
        return outcome
    reason = await note_spent(context, branch_id)
    if status == "budget" and not reason:
        await context.run_in_thread(_stop_queued, branch_id, outcome.message)
    return outcome


_NOTHING_DONE = "Not judged: the agent had nothing to do from this step. Run from an earlier step."


async def _finish_branch(context: JobContext, branch_id: UUID, status: str) -> None:
    """Store the outcome of a branch, and judge it.

    May be called repeatedly for the same branch: a worker that takes over repeats it.
    """
    ending = await context.run_in_thread(_read_ending, branch_id, status)
    stopped_reason = await note_spent(context, branch_id, ending)
    await _judge(context, ending, stopped_reason)


@job_kind(RECHECK_KIND)
async def recheck_branches(context: JobContext) -> Outcome:
    """Judge the unjudged branches of an experiment, one after the other."""
    experiment_id = UUID(context.job.request["experiment_id"])
    branch_ids = await context.run_in_thread(branch_storage.list_unjudged, experiment_id)
    for done, branch_id in enumerate(branch_ids):
        context.report_progress(done, len(branch_ids))
        ending = await context.run_in_thread(_read_ending, branch_id, "ok")
        place = ending.place
        await _judge(context, ending, "" if place.is_out_of_budget else place.stopped_reason)
    return Outcome("succeeded", "", {"judged": len(branch_ids)})


@dataclass(frozen=True, slots=True)
class _Ending:
    """A branch whose run has finished, with what its experiment needs to know about it."""

    place: BranchPlace
    ended: Ended
    outcome: str
    first_divergence: int | None

    @property
    def check(self) -> AnyCheck | Check | None:
        """The check that decides: the regression test's own, if the branch starts at one."""
        if self.place.pass_check is not None:
            return _CHECK.validate_python(self.place.pass_check)
        return ExperimentRequest.model_validate(self.place.request).check


def _read_ending(branch_id: UUID, status: str) -> _Ending:
    place = branch_storage.load_place(branch_id)
    tape = tape_loading.load_tape(place.tape_id, place.project_id)
    recorded = tape_loading.load_part(
        place.recorded_tape_id, place.project_id, start=place.recorded_count
    )
    return _Ending(
        place=place,
        ended=Ended(tape, place.kept_count, status),
        outcome=final_text(tape.steps[place.kept_count :]),
        first_divergence=find_divergence(tape, recorded, kept=place.kept_count),
    )


def find_divergence(tape: Tape, recorded: Sequence[Step], *, kept: int) -> int | None:
    """Return the first new step that differs from the recording, or `None` if none does.

    A branch that ends earlier than the recording has not diverged, nor has one where nothing more
    was recorded; a branch that continues past the end of the recording has.
    """
    if not recorded:
        return None
    for offset, step in enumerate(tape.steps[kept:]):
        if offset >= len(recorded) or _content_of(step) != _content_of(recorded[offset]):
            return kept + offset
    return None


def _content_of(step: Step) -> Any:
    """Return the content of a step, without tool call ids, which are new for every call."""
    body = step.to_json()
    body.pop("metadata", None)
    body.pop("tool_call_id", None)
    calls = body.get("tool_calls")
    if isinstance(calls, list):
        body["tool_calls"] = [
            {**call, "id": ""} if isinstance(call, dict) else call for call in calls
        ]
    return body


async def _judge(context: JobContext, ending: _Ending, stopped_reason: str) -> None:
    """Judge a branch, unless a person has, there is no check, or no step was added.

    `stopped_reason` is why its experiment asks no more judges.
    """
    check = ending.check
    if check is None or ending.place.judged_as == "person":
        return
    if not ending.ended.new_steps:
        judgement = Judgement(reason=_NOTHING_DONE)
    elif not isinstance(check, JudgeCheck):
        judgement = await context.run_in_thread(_decide, check, ending.ended)
    elif stopped_reason:
        judgement = Judgement(reason=f"Not judged: {stopped_reason}")
    else:
        await _ask_and_store(context, ending, check)
        return
    await context.commit(lambda: branch_storage.set_judgement(ending.place.id, judgement))


def _decide(check: Check, ended: Ended) -> Judgement:
    try:
        verdict = decide(check, ended)
    except InvalidInputError as error:
        return Judgement(reason=error.message)
    return Judgement("checker", check.kind, verdict.passed, verdict.score, verdict.reason)


async def _ask_and_store(context: JobContext, ending: _Ending, check: JudgeCheck) -> None:
    place = ending.place
    llm: LLM = await context.run_in_thread(build_judge, place.project_id, check.model_id)
    request = ExperimentRequest.model_validate(place.request)
    budget_id = find_budget(place.experiment_id, request, place.budget_id)
    if budget_id is not None:
        llm = BudgetedLLM(llm, budget_id, context)
    opinion = await ask_judge(llm, build_prompt(check.rubric, ending.ended))
    judgement = Judgement(reason=opinion.reason)
    if opinion.score is not None:
        passed = opinion.score >= check.pass_score
        judgement = Judgement("judge", llm.model_name, passed, opinion.score, opinion.reason)
    await context.commit(lambda: _store_opinion(ending, check, judgement, opinion.calls))


def _store_opinion(
    ending: _Ending, check: JudgeCheck, judgement: Judgement, calls: Sequence[LLMCall]
) -> None:
    """Store a judge's judgment with its calls, their cost and its note: all or nothing."""
    place = ending.place
    # The calls belong to no tape: they are about one, but behind none of its steps.
    call_ids = call_storage.save_calls(place.project_id, calls, owner=place.owner_id)
    judgement = replace(judgement, judge_call_id=call_ids[-1] if call_ids else None)
    storage.add_judge_spending(place.experiment_id, price_of(calls))
    note_judgement(place, check, judgement)
    branch_storage.set_judgement(place.id, judgement)


def price_of(calls: Sequence[LLMCall]) -> Spending:
    """Return what a judge has spent on the given calls."""
    tokens = [(call.usage.input_tokens or 0) + (call.usage.output_tokens or 0) for call in calls]
    return Spending(sum(tokens), sum(call.cost_micro_usd or 0 for call in calls))
