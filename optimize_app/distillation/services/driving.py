"""Driving a round: the student is served, then it and the teacher each run their tasks."""

from typing import Any, Literal
from uuid import UUID

from optimize_app.distillation.course import Drivers
from optimize_app.distillation.services.stopping import stop_serving
from optimize_app.distillation.services.under_way import DistillationFailedError, UnderWay
from optimize_app.serving.request import ServeRequest
from optimize_app.serving.services import serving
from tapes_app.batches.services import reruns
from tapes_app.batches.services.rerun_request import RerunRequest
from tapes_app.batches.services.reruns import Rerun
from tapes_app.engine.errors import ConflictError
from tapes_app.experiments.services.control import retry_experiment
from tapes_app.experiments.store.experiments import count_calls
from tapes_app.jobs.store.events import FencedError
from tapes_app.projects.domain.wording import count_of

RunName = Literal["teacher_run", "student_run"]
_ANSWERING = ("starting", "ready")


class Driving:
    """The first half of a round: it makes a batch of tapes for each driver."""

    def __init__(self, under_way: UnderWay) -> None:
        self._at = under_way

    def is_over(self, drivers: Drivers) -> bool:
        """Check what is in progress, start what comes next, and return whether driving is done.

        Raises:
            DistillationFailedError: the student is not served, or driving produced no tape.
        """
        at = self._at
        if at.round.is_driven:
            return True
        waits_for_teacher = drivers.teacher and at.round.student_run is None
        if waits_for_teacher and not self._has_run("teacher_run", drivers, at.request.teacher_id):
            return False
        if drivers.student:
            model = self._serve()
            if model is None or not self._has_run("student_run", drivers, model):
                return False
        stop_serving(at.person, at.round)
        at.keep(lambda: {"is_driven": True, **self._count_teacher()})
        return True

    def _serve(self) -> UUID | None:
        """Return the student as an LLM model; `None` while it is not ready."""
        at = self._at
        if at.round.served_id is None:
            at.keep(self._start_serving)
            return None
        model = serving.load_served(at.person, at.round.served_id)
        if model.state == "ready":
            return model.model_id
        if model.state == "starting":
            at.report_progress(f"{model.name} is being served. {model.message}".rstrip())
        elif at.is_later_attempt:
            at.keep(self._start_serving)
        else:
            raise DistillationFailedError(
                f"{at.place}: the student {model.name} is {model.state}, so it cannot drive. "
                f"{model.message}".rstrip()
            )
        return None

    def _start_serving(self) -> dict[str, Any]:
        at = self._at
        known = [one for one in serving.list_served(at.person) if one.adapter_id == at.student]
        was_served = any(one.state in _ANSWERING for one in known)
        model = serving.serve(at.person, ServeRequest(adapter_id=at.student))
        return {"served_id": model.id, "was_served": was_served}

    def _has_run(self, name: RunName, drivers: Drivers, model: UUID | None) -> bool:
        at = self._at
        run_id: UUID | None = getattr(at.round, name)
        if run_id is None:
            at.keep(lambda: {name: self._start(name, drivers, model)})
            return False
        shown = reruns.load_rerun(at.person, run_id)
        if shown.is_going_on:
            who = "teacher" if name == "teacher_run" else "student"
            tasks = count_of(shown.tape_count, "task")
            at.report_progress(f"the {who} drives, {shown.done_count:,} of {tasks}")
            return False
        if at.is_later_attempt and (shown.states.failed or shown.states.cancelled):
            self._retry(run_id)
            return False
        if shown.batch_id is None:
            raise DistillationFailedError(
                f"{at.place}: driving it produced no tape. {_explain(shown)}"
            )
        if not count_calls(run_id):
            raise DistillationFailedError(
                f"{at.place}: the batch {shown.batch_name!r} has no LLM calls. Open its tapes "
                "to see why their runs ended."
            )
        return True

    def _start(self, name: RunName, drivers: Drivers, model: UUID | None) -> UUID:
        at = self._at
        request = RerunRequest(
            tape_ids=drivers.student if name == "student_run" else drivers.teacher,
            agent_version_id=at.request.agent_version_id,
            model_id=model,
            max_turns=at.request.max_turns,
            batch_name=at.request.name_of(at.number),
        )
        if name == "student_run":
            request = request.model_copy(update={"parameters": at.request.parameters})
        else:
            own_name = at.request.name_of(at.number, by_teacher=at.share < 1)
            budget = at.left.of_runs()
            request = request.model_copy(update={"batch_name": own_name, "budget": budget})
        return reruns.start_rerun(at.person, request).id

    def _retry(self, run_id: UUID) -> None:
        """Rerun what failed because its worker died."""

        def retry() -> dict[str, Any]:
            retry_experiment(self._at.person, run_id)
            return {}

        try:
            self._at.keep(retry)
        except FencedError:
            raise
        except ConflictError:  # the failed runs were deleted, or the budget is used up
            self._at.keep(dict)

    def _count_teacher(self) -> dict[str, int]:
        """Return how many calls the teacher made as a driver, and their cost where known."""
        run_id = self._at.round.teacher_run
        if run_id is None:
            return {"labels": 0, "micro_usd": 0, "unpriced_labels": 0}
        run = reruns.load_rerun(self._at.person, run_id)
        return {
            "labels": run.llm_call_count,
            "micro_usd": run.spent.micro_usd,
            "unpriced_labels": run.unpriced_call_count,
        }


def _explain(shown: Rerun) -> str:
    if shown.message:
        return shown.message
    return "; ".join(one.why for one in shown.left_out) or shown.stopped_reason
