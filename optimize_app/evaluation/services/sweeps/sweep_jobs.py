"""The job of a sweep: it starts a rerun for each cell, and waits for them."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any
from uuid import UUID

from optimize_app.evaluation.plan import Cell, Plan, Progress
from optimize_app.evaluation.request import SWEEP_KIND
from optimize_app.evaluation.services.scoring.scoring import count_unscored, queue_scoring
from optimize_app.evaluation.services.sweeps.budget import (
    Stopwatch,
    load_sweep_account,
    open_sweep_budget,
)
from optimize_app.evaluation.services.sweeps.stopping import end_runs
from tapes_app.batches.services import reruns
from tapes_app.batches.services.rerun_request import RerunRequest
from tapes_app.batches.services.reruns import Rerun
from tapes_app.engine.errors import ConflictError, NotFoundError
from tapes_app.experiments.domain.branch_states import THE_BUDGET
from tapes_app.experiments.services.control import retry_experiment
from tapes_app.jobs.domain.protocol import FINAL_STATES
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.services.stages import run_stages
from tapes_app.jobs.store.commands import requeue_job
from tapes_app.jobs.store.job import Job, load_job
from tapes_app.jobs.store.many_jobs import cancel_jobs
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import identify_owner

_AT_ONCE = 3
"""Limit of cells in progress; their runs share the workers with everything else."""

_KEPT_EVERY_SECONDS = 5.0
"""How much of a sweep's elapsed time is lost at most when its worker dies."""


@job_kind(SWEEP_KIND)
async def execute_sweep(context: JobContext) -> Outcome:
    """Start what has not been started yet, until every run of the plan has ended."""
    return await run_stages(context, await context.run_in_thread(_Sweep, context))


class _Sweep:
    """One attempt at a sweep; it finds cells started before and does not start them again."""

    def __init__(self, context: JobContext) -> None:
        job = context.job
        self._context = context
        self._person = identify_owner(job.owner_id, job.project_id)
        self._progress = Progress.model_validate(job.checkpoint or {})
        self._at_rest: dict[str, Rerun] = {}
        self._watch = Stopwatch(self._progress.seconds)
        # A sweep of an earlier version of the studio has no account yet.
        open_sweep_budget(job.id, self._read_plan(), self._progress.runs.values())

    def advance(self) -> Outcome | None:
        """Start the next cell if there is room for it.

        Raises:
            StudioError: a cell cannot be started.
        """
        plan = self._read_plan()
        if self._context.control.pause_asked_by:
            return self._hold(plan)
        if self._progress.is_held:
            self._go_on()
        going = self._look()
        if plan.retries > self._progress.retries:
            self._take_up_retry(plan, going)
        spent = load_sweep_account(self._context.job.id, plan).explain_used_up()
        is_late = self._watch.explain(plan.budget)
        reason = spent or is_late
        waiting = [] if reason else self._list_waiting(plan, going)
        self._report(plan, going)
        if is_late:
            self._stop(going, is_late)
        is_scoring = self._score(plan, spent)
        if self._watch.seconds - self._progress.seconds > _KEPT_EVERY_SECONDS:
            self._context.keep(self._note_time())
        if not going and not waiting:
            return None if is_scoring else self._finish(plan, reason)
        # One cell after the other: many runs at once would share a budget that finishes few, and
        # leave their judge nothing.
        if plan.budget.of_runs().limits_spending:
            has_room = not going and not (is_scoring and plan.has_judge)
        else:
            has_room = len(going) < _AT_ONCE
        if waiting and has_room:
            self._start(plan, waiting[0])
        return None

    def stop(self) -> None:
        self._context.keep(self._note_time())
        end_runs(self._person, self._progress)

    def _hold(self, plan: Plan) -> Outcome | None:
        """Start nothing more and hold what is in progress; pause once nothing is running."""
        progress, asked_by = self._progress, self._context.control.pause_asked_by
        if not progress.is_held:
            self._progress = progress.model_copy(update={"is_held": True})
            self._context.keep(self._note_time())
        if progress.scoring is not None:
            cancel_jobs(self._person.project_id, [progress.scoring], person=asked_by)
        going = self._look()
        for run in going:
            reruns.pause_rerun(replace(self._person, name=asked_by), run.id)
        self._report(plan, going)
        if going:
            return None
        self._context.keep(self._note_time())
        return Outcome("paused", f"Paused by {asked_by}.")

    def _go_on(self) -> None:
        """Resume what was held; a scoring that was ended starts again with what is left."""
        for run in reruns.load_reruns(self._person, list(self._progress.runs.values())):
            if run.is_held:
                reruns.continue_rerun(self._person, run.id)
        self._at_rest.clear()
        self._progress = self._progress.model_copy(update={"is_held": False, "scored": ()})
        self._context.keep(self._note_time())

    def _read_plan(self) -> Plan:
        """Read the plan again, as a person may amend it at any time."""
        return Plan.model_validate(self._load(self._context.job.id).request)

    def _look(self) -> list[Rerun]:
        """Return the reruns in progress, and record those that have ended."""
        open_cells = {
            run: key for key, run in self._progress.runs.items() if key not in self._at_rest
        }
        going = []
        for shown in reruns.load_reruns(self._person, list(open_cells)):
            if shown.is_going_on:
                going.append(shown)
            else:
                self._at_rest[open_cells[shown.id]] = shown
        return going

    def _take_up_retry(self, plan: Plan, going: Sequence[Rerun]) -> None:
        """Record what is to be retried; cells being stopped are retried once they have ended."""
        keys = {run: key for key, run in self._progress.runs.items()}
        again = (
            *(key for key, run in self._at_rest.items() if _is_to_be_retried(run)),
            *(keys[run.id] for run in going if run.stopped_reason),
        )
        changes = {"again": again, "retries": plan.retries}
        self._progress = self._progress.model_copy(update=changes)
        self._context.start_and_keep(self._note_time)

    def _note_time(self) -> Any:
        """Return the progress to be kept, with the time that it has taken so far."""
        self._progress = self._progress.model_copy(update={"seconds": self._watch.seconds})
        return self._progress.model_dump(mode="json")

    def _stop(self, going: Sequence[Rerun], reason: str) -> None:
        """Stop what is in progress, as its time is over."""
        for run in going:
            if not run.stopped_reason:
                with suppress(ConflictError):  # it has already ended
                    reruns.stop_rerun(self._person, run.id, by=THE_BUDGET, reason=reason)

    def _list_waiting(self, plan: Plan, going: Sequence[Rerun]) -> list[Cell]:
        """Return the cells to start or retry.

        A variant gets a second cell only after one of its runs has succeeded: a wrong key or an
        unknown model costs one batch and not all of them.
        """
        progress = self._progress
        keys = {run: key for key, run in progress.runs.items()}
        under_way = {keys[run.id] for run in going}
        unproven = {key[0] for key in progress.runs if key not in progress.again}
        for run in (*self._at_rest.values(), *going):
            if not _has_failed_so_far(run):
                unproven.discard(keys[run.id][0])
        return [
            cell
            for cell in plan.cells
            if (cell.key in progress.again and cell.key not in under_way)
            or (cell.key not in progress.runs and cell.key[0] not in unproven)
        ]

    def _score(self, plan: Plan, spent: str) -> bool:
        """Start scoring what has ended since; return whether a scoring is in progress.

        `spent`: why no further call is sent; empty while one may fit.
        """
        if plan.scoring is None:
            return False
        progress = self._progress
        last = None if progress.scoring is None else self._load(progress.scoring)
        if last is not None and last.state not in FINAL_STATES:
            return True
        if plan.has_judge and spent:
            return False
        # A judge that had no budget left resumes once the budget is larger.
        known = () if last is not None and count_unscored(last) else progress.scored
        rest = tuple(key for key in self._at_rest if key not in (*known, *progress.again))
        if not rest:
            return False
        request, made = plan.scoring, list[Progress]()

        def start() -> Any:
            queued = queue_scoring(self._person, self._context.job.id, plan.name, request)
            # One started by a person may have listed attempts before all of these had ended.
            scored = {*progress.scored, *rest} if queued.is_new else progress.scored
            update = {"scoring": queued.job.id, "scored": tuple(scored)}
            made.append(progress.model_copy(update=update))
            return made[-1].model_dump(mode="json")

        self._context.start_and_keep(start)
        self._progress = made[-1]
        return True

    def _load(self, job_id: UUID) -> Job:
        return load_job(self._person.project_id, job_id)

    def _start(self, plan: Plan, cell: Cell) -> None:
        run = self._progress.runs.get(cell.key)
        made: list[Progress] = []

        def start() -> Any:
            started = self._start_first(plan, cell) if run is None else self._start_again(run)
            timed = self._progress.model_copy(update={"seconds": self._watch.seconds})
            made.append(timed.started(cell.key, started))
            return made[-1].model_dump(mode="json")

        self._context.start_and_keep(start)
        self._progress = made[-1]
        self._at_rest.pop(cell.key, None)

    def _start_first(self, plan: Plan, cell: Cell) -> UUID:
        variant, seed = plan.variants[cell.variant], plan.attempts[cell.attempt]
        request = RerunRequest(
            tape_ids=plan.tasks[cell.group],
            agent_version_id=variant.agent_version_id,
            model_id=variant.model_id,
            parameters={**variant.parameters, **({} if seed is None else {"seed": seed})},
            tools=plan.tools,
            max_turns=plan.max_turns,
            batch_name=plan.batch_of(cell),
            concurrency=plan.concurrency,
        )
        sweep_id = self._context.job.id
        return reruns.start_rerun(self._person, request, shared_budget=sweep_id).id

    def _start_again(self, run: UUID) -> UUID | None:
        """Retry what failed in a rerun; `None` if nothing of it is left to retry."""
        try:
            retry_experiment(self._person, run)
            with suppress(ConflictError):  # all its tapes are made
                requeue_job(self._person.project_id, run)
        except NotFoundError:  # it was stopped before it had made a tape
            return None
        except ConflictError:  # the failed runs were deleted, or a person ran them again
            pass
        return run

    def _finish(self, plan: Plan, reason: str) -> Outcome:
        self._context.keep(self._note_time())
        left = len(plan.cells) - len(self._progress.runs)
        runs = count_of(sum(run.tape_count for run in self._at_rest.values()), "run")
        words = [f"{runs} in {count_of(len(self._progress.runs), 'batch')}."]
        if reason:
            words.append(reason)
        if left:
            words.append(f"{count_of(left, 'batch')} not run.")
        return Outcome(message=" ".join(words), result={"batches_not_run": left})

    def _report(self, plan: Plan, going: Sequence[Rerun]) -> None:
        """Report progress to people if it differs from what was reported last."""
        done = sum(run.done_count for run in (*self._at_rest.values(), *going))
        message = f"{done:,} of {count_of(plan.run_count, 'run')}"
        self._context.report_news(done, plan.run_count, message)


def _has_failed_so_far(run: Rerun) -> bool:
    """Whether nothing has succeeded yet; a stopped run says nothing about its variant."""
    states = run.states
    is_over = not run.is_going_on
    return not (states.succeeded or states.waiting or (is_over and not states.failed))


def _is_to_be_retried(run: Rerun) -> bool:
    states = run.states
    return bool(states.failed or states.cancelled or states.out_of_budget or not run.tape_count)
