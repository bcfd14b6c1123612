"""The job of a distillation: it starts reruns, sets, finetunes and servers, and waits for them."""

from optimize_app.distillation.request import DISTILLATION_KIND
from optimize_app.distillation.services.driving import Driving
from optimize_app.distillation.services.learning import Learning
from optimize_app.distillation.services.stopping import end_round
from optimize_app.distillation.services.under_way import UnderWay
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.services.stages import run_stages
from tapes_app.projects.domain.wording import count_of


@job_kind(DISTILLATION_KIND)
async def execute_distillation(context: JobContext) -> Outcome:
    """Continue with the round in progress, until the last one is over."""
    return await run_stages(context, await context.run_in_thread(_Rounds, context))


class _Rounds:
    """One attempt at all rounds; it finds what was started before and does not start it again."""

    def __init__(self, context: JobContext) -> None:
        self._at = UnderWay(context)
        self._driving = Driving(self._at)
        self._learning = Learning(self._at)

    def advance(self) -> Outcome | None:
        """Check what is in progress, and start what comes next; return `None` until all is over.

        Raises:
            DistillationFailedError: a stage ended without producing what the next one needs.
            StudioError: the next stage cannot be started.
        """
        at = self._at
        if at.course.is_between_rounds:
            spent = at.explain_spent() if at.course.rounds else ""
            if spent or at.course.done_count == at.request.rounds:
                return self._finish(spent)
            at.course = at.course.with_new_round()
        drivers = at.draw()
        if self._driving.is_over(drivers):
            self._learning.is_over(drivers)
        return None

    def stop(self) -> None:
        end_round(self._at.person, self._at.course)

    def _finish(self, spent: str) -> Outcome:
        course = self._at.course
        last = course.rounds[-1]
        name = self._at.request.name_of(course.done_count)
        rounds, labels = count_of(course.done_count, "round"), count_of(course.labels, "label")
        message = f"{name} is the student after {rounds} and {labels} of the teacher. {spent}"
        result = {
            "adapter_id": str(last.adapter_id),
            "training_set_id": str(last.training_set_id),
            "rounds": course.done_count,
            "labels": course.labels,
            "micro_usd": course.micro_usd,
        }
        return Outcome(message=message.rstrip(), result=result)
