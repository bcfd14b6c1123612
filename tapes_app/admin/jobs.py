"""Jobs, their events, and experiments of many runs."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from tapes_app import models
from tapes_app.admin.recorded import RecordedAdmin
from tapes_app.engine.errors import StudioError
from tapes_app.jobs.store.commands import request_cancel, requeue_job


@admin.register(models.JobRecord)
class JobAdmin(RecordedAdmin):
    list_display = [
        "title",
        "kind",
        "state",
        "project",
        "attempt",
        "progress_done",
        "progress_total",
        "created_at",
        "finished_at",
    ]
    list_filter = ["state", "kind", "queue", "project"]
    search_fields = ["=id", "=tape__id", "title"]
    actions: Any = ["cancel_jobs", "requeue_jobs"]

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """Say who may cancel and requeue; Django asks by this name."""
        return request.user.has_perm("tapes_app.change_jobrecord")

    @admin.action(description="Cancel the selected jobs", permissions=["operate"])
    def cancel_jobs(self, request: HttpRequest, chosen: QuerySet[models.JobRecord]) -> None:
        person = request.user.get_username()
        self._do(request, chosen, lambda job: request_cancel(*job, person=person), "cancelled")

    @admin.action(description="Requeue the selected jobs", permissions=["operate"])
    def requeue_jobs(self, request: HttpRequest, chosen: QuerySet[models.JobRecord]) -> None:
        self._do(request, chosen, lambda job: requeue_job(*job), "requeued")

    def _do(
        self,
        request: HttpRequest,
        chosen: QuerySet[models.JobRecord],
        act: Callable[[tuple[UUID, UUID]], object],
        done: str,
    ) -> None:
        """Act on each job by itself: one that cannot be does not keep the others from it."""
        count = 0
        for job in chosen.values_list("project_id", "id"):
            try:
                act(job)
            except StudioError as error:
                self.message_user(request, error.message, messages.WARNING)
            else:
                count += 1
        self.message_user(request, f"{count} jobs {done}.", messages.SUCCESS)


@admin.register(models.JobEventRecord)
class JobEventAdmin(RecordedAdmin):
    list_display = ["id", "job_id", "seq", "attempt", "created_at"]
    search_fields = ["=job__id"]


@admin.register(models.ExperimentRecord)
class ExperimentAdmin(RecordedAdmin):
    list_display = ["__str__", "project", "tape_id", "branch_count", "stopped_reason", "created_at"]
    list_filter = ["project"]
    search_fields = ["=id", "=tape__id", "name"]


@admin.register(models.ExperimentBranchRecord)
class ExperimentBranchAdmin(RecordedAdmin):
    list_display = ["number", "experiment_id", "tape_id", "arm", "passed", "score", "judged_by"]
    list_filter = ["arm", "passed", "judged_as"]
    search_fields = ["=experiment__id", "=tape__id", "outcome"]
    ordering = ["-experiment__created_at", "number"]
