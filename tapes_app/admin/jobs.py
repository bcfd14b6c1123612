"""Jobs, their events, and experiments of many runs."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html

from tapes_app import models
from tapes_app.admin.confirming import Question, ask, is_confirmed
from tapes_app.admin.recorded import RecordedAdmin, Related
from tapes_app.engine.errors import StudioError
from tapes_app.exchange.services.export_jobs import open_export
from tapes_app.exchange.services.export_request import EXPORT_KIND
from tapes_app.jobs.store.commands import request_cancel, requeue_job
from tapes_app.jobs.store.job import Job
from tapes_app.projects.api.file_answers import answer_resumable
from tapes_app.projects.domain.wording import count_of


@admin.register(models.BudgetRecord)
class BudgetAdmin(RecordedAdmin):
    list_display = ["id", "tokens", "micro_usd", "calls", "used_tokens", "used_calls", "created_at"]
    ordering = ["-created_at"]


@admin.register(models.JobRecord)
class JobAdmin(RecordedAdmin):
    grows = True
    list_display = [
        "name",
        "kind",
        "state",
        "project",
        "tape",
        "attempt",
        "progress",
        "created_at",
        "finished_at",
    ]
    list_filter = ["state", "project"]
    prefetch_in_list = ("project", "tape")
    search_fields = ["=id", "=tape__id"]
    search_help_text = "The id of a job or of a tape, in full."
    related = (
        Related("Events", models.JobEventRecord, "job"),
        Related("Experiment branches", models.ExperimentBranchRecord, "job"),
    )
    actions: Any = ["cancel_jobs", "requeue_jobs"]

    @admin.display(description="job")
    def name(self, record: models.JobRecord) -> str:
        return record.title or record.kind

    @admin.display(description="progress")
    def progress(self, record: models.JobRecord) -> str:
        total = "?" if record.progress_total is None else f"{record.progress_total:,}"
        return f"{record.progress_done:,} of {total}"

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        fields = super().get_fields(request, obj)
        is_export = isinstance(obj, models.JobRecord) and obj.kind == EXPORT_KIND
        return [*fields, "file"] if is_export else fields

    @admin.display(description="file")
    def file(self, record: models.JobRecord) -> str:
        if record.state != models.JobRecord.State.SUCCEEDED:
            return "-"
        return format_html(
            '<a href="{}">Download</a>', reverse("admin:export-file", args=[record.pk])
        )

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.answer_file)
        return [path("<uuid:job_id>/file/", view, name="export-file"), *super().get_urls()]

    def answer_file(self, request: HttpRequest, job_id: UUID) -> HttpResponseBase:
        """Send the file of an export to users who may export projects."""
        if not request.user.has_perm("tapes_app.change_projectrecord"):
            raise PermissionDenied
        record = get_object_or_404(models.JobRecord, id=job_id, kind=EXPORT_KIND)
        try:
            return answer_resumable(request, open_export(Job.of(record)))
        except StudioError as error:
            self.message_user(request, error.message, messages.WARNING)
        return HttpResponseRedirect(reverse("admin:tapes_app_jobrecord_change", args=[job_id]))

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may cancel and requeue; Django looks up this name."""
        return request.user.has_perm("tapes_app.change_jobrecord")

    @admin.action(description="Cancel the selected jobs", permissions=["operate"])
    def cancel_jobs(
        self, request: HttpRequest, chosen: QuerySet[models.JobRecord]
    ) -> TemplateResponse | None:
        if not is_confirmed(request):
            return ask(self, request, chosen, action="cancel_jobs", question=_CANCEL)
        person = request.user.get_username()
        self._do(request, chosen, lambda job: request_cancel(*job, person=person), "cancelled")
        return None

    @admin.action(description="Requeue the selected jobs", permissions=["operate"])
    def requeue_jobs(
        self, request: HttpRequest, chosen: QuerySet[models.JobRecord]
    ) -> TemplateResponse | None:
        if not is_confirmed(request):
            return ask(self, request, chosen, action="requeue_jobs", question=_REQUEUE)
        self._do(request, chosen, lambda job: requeue_job(*job), "requeued")
        return None

    def _do(
        self,
        request: HttpRequest,
        chosen: QuerySet[models.JobRecord],
        act: Callable[[tuple[UUID, UUID]], object],
        done: str,
    ) -> None:
        """Act on each job separately, so that one that fails does not stop the others."""
        count = 0
        for job in chosen:
            try:
                act((job.project_id, job.id))
            except StudioError as error:
                self.message_user(request, error.message, messages.WARNING)
            else:
                self.log_change(request, job, f"{done.capitalize()} by hand; it was {job.state}.")
                count += 1
        self.message_user(request, f"{count_of(count, 'job')} {done}.", messages.SUCCESS)


_CANCEL = Question(
    title="Cancel jobs",
    sentence="These jobs end: active ones stop at their next step and keep what they have done.",
    button="Cancel the jobs",
)
_REQUEUE = Question(
    title="Requeue jobs",
    sentence="These jobs return to their queues and continue from where they were.",
    button="Requeue the jobs",
)


@admin.register(models.JobEventRecord)
class JobEventAdmin(RecordedAdmin):
    grows = True
    list_display = ["id", "job", "seq", "attempt", "created_at"]
    prefetch_in_list = ("job",)
    search_fields = ["=job__id"]
    search_help_text = "The id of a job, in full."
    ordering = ["-pk"]


@admin.register(models.DrainedWorkerRecord)
class DrainedWorkerAdmin(RecordedAdmin):
    """Workers are drained and resumed on the start page, which lists all of them."""

    list_display = ["worker", "person", "created_at"]
    search_fields = ["=worker"]
    ordering = ["-created_at"]


@admin.register(models.ExperimentRecord)
class ExperimentAdmin(RecordedAdmin):
    list_display = ["__str__", "project", "tape", "branch_count", "stopped_reason", "created_at"]
    list_filter = ["project"]
    search_fields = ["=id", "=tape__id"]
    related = (Related("Branches", models.ExperimentBranchRecord, "experiment"),)


@admin.register(models.ExperimentBranchRecord)
class ExperimentBranchAdmin(RecordedAdmin):
    grows = True
    list_display = ["number", "experiment", "tape", "job", "arm", "passed", "score", "judged_by"]
    prefetch_in_list = ("experiment", "tape", "job")
    search_fields = ["=experiment__id", "=tape__id"]
    ordering = ["experiment", "number"]
