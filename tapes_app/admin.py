"""Admin pages of the tape tables: who may do what is edited here, recorded data only read."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin, messages
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from tapes_app import models
from tapes_app.engine.errors import StudioError
from tapes_app.jobs.commands import request_cancel, requeue_job
from tapes_app.models.json_text import JsonTextField

_COUNT_LIMIT = 10_000
_PREVIEW_LENGTH = 200
_SHOWN_LENGTH = 100_000


class CappedPaginator(Paginator[Any]):
    """Counts no further than a limit: the tables of recorded data grow without one."""

    @cached_property
    def count(self) -> int:
        if isinstance(self.object_list, QuerySet):
            return int(self.object_list.order_by().values("pk")[:_COUNT_LIMIT].count())
        return len(self.object_list)


class RecordedAdmin(admin.ModelAdmin[Any]):
    """A table that is read here and changed nowhere: no adding, changing or deleting."""

    paginator = CappedPaginator
    show_full_result_count = False
    list_per_page = 50
    actions: Any = []
    hidden_fields: ClassVar[tuple[str, ...]] = ()
    """Fields that no page shows: secrets, and links that no page can follow."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        shown = [field for field in self.opts.fields if field.name not in self.hidden_fields]
        return [
            _json_column(field.name) if isinstance(field, JsonTextField) else field.name
            for field in shown
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return self.get_fields(request, obj)


@admin.register(models.ProjectRecord)
class ProjectAdmin(admin.ModelAdmin[models.ProjectRecord]):
    list_display = ["name", "created_at"]
    search_fields = ["name"]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False  # its rows refuse anyway; an empty project does no harm


@admin.register(models.MembershipRecord)
class MembershipAdmin(admin.ModelAdmin[models.MembershipRecord]):
    list_display = ["user", "project", "role"]
    list_filter = ["role", "project"]
    list_select_related = ["user", "project"]
    search_fields = ["user__username", "project__name"]
    autocomplete_fields = ["user", "project"]


@admin.register(models.TapeRecord)
class TapeAdmin(RecordedAdmin):
    list_display = [
        "title",
        "id",
        "project",
        "agent_name",
        "step_count",
        "error_count",
        "created_at",
        "deleted_at",
    ]
    list_filter = ["project", "has_error", ("deleted_at", admin.EmptyFieldListFilter)]
    list_select_related = ["project"]
    search_fields = ["=id", "=source_id", "=agent_name", "title"]
    ordering = ["-created_at", "-id"]


@admin.register(models.StepRecord)
class StepAdmin(RecordedAdmin):
    list_display = ["id", "log_id", "position", "kind", "agent", "node", "is_error", "gist"]
    list_filter = ["family", "writer", "is_error"]
    search_fields = ["=log__id", "=kind"]
    search_help_text = "A tape's id or a step kind, in full."
    ordering = ["-id"]
    hidden_fields = ("text",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("text")


@admin.register(models.AnnotationRecord)
class AnnotationAdmin(RecordedAdmin):
    list_display = ["kind", "name", "value", "source", "owner", "tape_id", "created_at"]
    list_filter = ["project", "kind", "source", ("deleted_at", admin.EmptyFieldListFilter)]
    list_select_related = ["owner"]
    search_fields = ["=id", "=tape__id", "=name", "text"]
    ordering = ["-created_at", "-id"]


@admin.register(models.LintRuleRecord)
class LintRuleAdmin(RecordedAdmin):
    list_display = ["name", "project", "severity", "is_enabled", "updated_at"]
    list_filter = ["project", "severity", "is_enabled"]
    list_select_related = ["project"]
    search_fields = ["=id", "name", "text"]


@admin.register(models.TapeLintRecord)
class TapeLintAdmin(RecordedAdmin):
    list_display = ["tape_id", "finding_count", "linted_at"]
    search_fields = ["=tape__id"]
    ordering = ["-linted_at"]


@admin.register(models.LintMarkRecord)
class LintMarkAdmin(RecordedAdmin):
    list_display = ["tape_id", "detector", "severity", "finding_count", "position"]
    list_filter = ["severity"]
    search_fields = ["=tape__id", "=detector"]
    ordering = ["-id"]


@admin.register(models.RubricRecord)
class RubricAdmin(RecordedAdmin):
    list_display = ["name", "project", "version_count", "updated_at"]
    list_filter = ["project"]
    list_select_related = ["project"]
    search_fields = ["=id", "name"]


@admin.register(models.RubricVersionRecord)
class RubricVersionAdmin(RecordedAdmin):
    list_display = ["rubric", "number", "created_at"]
    list_select_related = ["rubric"]
    search_fields = ["=id", "rubric__name"]
    ordering = ["-created_at"]


@admin.register(models.QueueRecord)
class QueueAdmin(RecordedAdmin):
    list_display = ["name", "project", "mode", "done_count", "item_count", "deleted_at"]
    list_filter = ["project", "mode"]
    list_select_related = ["project"]
    search_fields = ["=id", "name"]
    ordering = ["-created_at"]


@admin.register(models.QueueItemRecord)
class QueueItemAdmin(RecordedAdmin):
    list_display = ["queue_id", "number", "tape_id", "answer_count", "place_count"]
    search_fields = ["=id", "=queue__id", "=tape__id"]
    ordering = ["queue", "number"]


@admin.register(models.AnswerRecord)
class AnswerAdmin(RecordedAdmin):
    list_display = ["item_id", "number", "person", "score", "held_until", "answered_at"]
    list_select_related = ["person"]
    search_fields = ["=id", "=queue__id", "=item__id"]
    ordering = ["item", "number"]


@admin.register(models.QueueSkipRecord)
class QueueSkipAdmin(RecordedAdmin):
    list_display = ["item_id", "person"]
    list_select_related = ["person"]
    search_fields = ["=item__id"]
    ordering = ["-id"]


@admin.register(models.BatchRecord)
class BatchAdmin(RecordedAdmin):
    list_display = ["name", "project", "tape_count", "error_count", "created_at"]
    list_filter = ["project"]
    list_select_related = ["project"]
    search_fields = ["=id", "name"]
    ordering = ["-created_at"]


@admin.register(models.DraftRecord)
class DraftAdmin(RecordedAdmin):
    list_display = ["id", "tape_id", "person", "applied_count", "updated_at"]
    list_select_related = ["person"]
    search_fields = ["=tape__id", "=person__username"]
    ordering = ["-id"]


@admin.register(models.AgentRecord)
class AgentAdmin(RecordedAdmin):
    list_display = ["name", "project", "created_at", "deleted_at"]
    list_filter = ["project"]
    list_select_related = ["project"]
    search_fields = ["=id", "name"]


@admin.register(models.AgentVersionRecord)
class AgentVersionAdmin(RecordedAdmin):
    list_display = ["agent", "number", "digest", "created_at"]
    list_select_related = ["agent"]
    search_fields = ["=id", "=digest", "agent__name"]
    ordering = ["-created_at"]


@admin.register(models.ModelRecord)
class ModelAdmin(RecordedAdmin):
    list_display = ["name", "project", "litellm_model", "base_url", "has_key", "deleted_at"]
    list_filter = ["project"]
    list_select_related = ["project"]
    search_fields = ["=id", "name", "litellm_model"]
    hidden_fields = ("api_key_encrypted",)

    @admin.display(boolean=True, description="key stored")
    def has_key(self, record: models.ModelRecord) -> bool:
        return bool(record.api_key_encrypted)


@admin.register(models.LLMCallRecord)
class LLMCallAdmin(RecordedAdmin):
    list_display = [
        "id",
        "prompt_id",
        "model_name",
        "input_tokens",
        "output_tokens",
        "cost_micro_usd",
        "duration_seconds",
        "started_at",
    ]
    search_fields = ["=id", "=prompt_id", "=prompt_digest", "=model_name"]
    search_help_text = "An id, a prompt id, a prompt digest or a model name, in full."
    ordering = ["-created_at", "-id"]
    hidden_fields = ("settings", "llm", "prompt_node")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("output", "source", "exact")

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return [*super().get_fields(request, obj), "llm_said", "settings_said"]

    @admin.display(description="what the LLM says of itself")
    def llm_said(self, record: models.LLMCallRecord) -> str:
        return _preview(record.llm.body)

    @admin.display(description="tools and other prompt keys")
    def settings_said(self, record: models.LLMCallRecord) -> str:
        return _preview(record.settings.body)


@admin.register(models.PromptNodeRecord)
class PromptNodeAdmin(RecordedAdmin):
    list_display = ["digest_hex", "depth", "message_said"]
    list_display_links = None  # its key is binary and cannot stand in an address
    list_select_related = ["message"]
    ordering = ["digest"]

    @admin.display(description="digest")
    def digest_hex(self, record: models.PromptNodeRecord) -> str:
        return bytes(record.digest).hex()

    @admin.display(description="message")
    def message_said(self, record: models.PromptNodeRecord) -> str:
        return _preview(record.message.body)


@admin.register(models.ContentRecord)
class ContentAdmin(RecordedAdmin):
    list_display = ["__str__", "preview"]
    list_display_links = None  # its key is binary and cannot stand in an address
    ordering = ["digest"]

    @admin.display(description="content")
    def preview(self, record: models.ContentRecord) -> str:
        return _preview(record.body)


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
    list_select_related = ["project"]
    search_fields = ["=id", "=tape__id", "title"]
    ordering = ["-created_at", "-id"]
    actions: Any = ["cancel_jobs", "requeue_jobs"]

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """Say who may cancel and requeue; Django asks by this name."""
        return request.user.has_perm("tapes_app.change_jobrecord")

    @admin.action(description="Cancel the selected jobs", permissions=["operate"])
    def cancel_jobs(self, request: HttpRequest, chosen: QuerySet[models.JobRecord]) -> None:
        person = request.user.get_username()
        self._do(request, chosen, lambda job: request_cancel(*job, person=person), "cancelled")

    @admin.action(description="Queue the selected jobs again", permissions=["operate"])
    def requeue_jobs(self, request: HttpRequest, chosen: QuerySet[models.JobRecord]) -> None:
        self._do(request, chosen, lambda job: requeue_job(*job), "queued again")

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
    ordering = ["-id"]


@admin.register(models.ExperimentRecord)
class ExperimentAdmin(RecordedAdmin):
    list_display = ["__str__", "project", "tape_id", "branch_count", "stopped_reason", "created_at"]
    list_filter = ["project"]
    list_select_related = ["project"]
    search_fields = ["=id", "=tape__id", "name"]
    ordering = ["-created_at", "-id"]


@admin.register(models.ExperimentBranchRecord)
class ExperimentBranchAdmin(RecordedAdmin):
    list_display = ["number", "experiment_id", "tape_id", "arm", "passed", "score", "judged_by"]
    list_filter = ["arm", "passed", "judged_as"]
    search_fields = ["=experiment__id", "=tape__id", "outcome"]
    ordering = ["-experiment__created_at", "number"]


@cache
def _json_column(name: str) -> Callable[[Model], str]:
    """Return a column that shows JSON as text in ASCII: tapes hold what HTML cannot."""

    @admin.display(description=name)
    def show(record: Model) -> str:
        return _preview(getattr(record, name), _SHOWN_LENGTH)

    return show


def _preview(value: Any, length: int = _PREVIEW_LENGTH) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= length else f"{text[:length]}…"


@admin.register(models.TapeTagRecord)
class TapeTagAdmin(RecordedAdmin):
    list_display = ["name", "tape_id", "project"]
    list_filter = ["project"]
    list_select_related = ["project"]
    search_fields = ["=name", "=tape__id"]
    ordering = ["-id"]


@admin.register(models.TagChangeRecord)
class TagChangeAdmin(RecordedAdmin):
    list_display = ["id", "project", "owner", "created_at"]
    list_filter = ["project"]
    list_select_related = ["project", "owner"]
    search_fields = ["=id"]
    ordering = ["-created_at"]
