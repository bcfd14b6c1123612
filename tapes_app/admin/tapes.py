"""Tapes, their steps, and what people add to them."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from tapes_app import models
from tapes_app.admin.columns import link_to
from tapes_app.admin.recorded import RecordedAdmin, Related


@admin.register(models.TapeRecord)
class TapeAdmin(RecordedAdmin):
    grows = True
    list_display = [
        "name",
        "project",
        "batch",
        "agent_version",
        "step_count",
        "error_count",
        "created_at",
        "deleted_at",
    ]
    list_filter = ["project"]
    prefetch_in_list = ("project", "batch", "agent_version__agent")
    search_fields = ["=id", "=source_id"]
    search_help_text = "The id of a tape, here or in its file, in full."
    related = (
        Related("Runs", models.JobRecord, "tape"),
        Related("Steps", models.StepRecord, "log"),
        Related("LLM calls", models.LLMCallRecord, "tape"),
        Related("Children", models.TapeRecord, "parent"),
        Related("Annotations", models.AnnotationRecord, "tape"),
        Related("Drafts", models.DraftRecord, "tape"),
        Related("Linter findings", models.LintMarkRecord, "tape"),
    )

    @admin.display(description="tape")
    def name(self, record: models.TapeRecord) -> str:
        return record.title or str(record.id)


@admin.register(models.TapeWordsRecord)
class TapeWordsAdmin(RecordedAdmin):
    grows = True
    list_display = ["id", "tape", "text", "created_at"]
    search_fields = ["=tape__id"]
    search_help_text = "A tape's id, in full."
    ordering = ["-pk"]


@admin.register(models.StepRecord)
class StepAdmin(RecordedAdmin):
    grows = True
    list_display = ["position", "show", "kind", "agent", "node", "error", "llm_call", "gist"]
    prefetch_in_list = ("log",)
    search_fields = ["=log__id", "=llm_call__id"]
    search_help_text = "The id of a tape or of an LLM call, in full."
    hidden_fields = ("text",)

    @admin.display(description="tape", ordering="log")
    def show(self, record: models.StepRecord) -> str:
        return link_to(record.log)

    @admin.display(description="error")
    def error(self, record: models.StepRecord) -> str:
        return "error" if record.is_error else "-"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("text")


@admin.register(models.BatchRecord)
class BatchAdmin(RecordedAdmin):
    list_display = ["name", "project", "tape_count", "error_count", "created_at"]
    list_filter = ["project"]
    search_fields = ["=id", "name"]
    related = (
        Related("Tapes", models.TapeRecord, "batch"),
        Related("Jobs", models.JobRecord, "batch"),
    )


@admin.register(models.DatasetRecord)
class DatasetAdmin(RecordedAdmin):
    list_display = ["name", "project", "owner", "updated_at", "deleted_at"]
    list_filter = ["project", ("deleted_at", admin.EmptyFieldListFilter)]
    search_fields = ["=id", "name"]


@admin.register(models.DatasetTapeRecord)
class DatasetTapeAdmin(RecordedAdmin):
    grows = True
    list_display = ["id", "tape", "dataset", "added_at"]
    orders_within: ClassVar = {"dataset": ("tape",)}
    search_fields = ["=dataset__id", "=tape__id"]


@admin.register(models.DatasetVersionRecord)
class DatasetVersionAdmin(RecordedAdmin):
    list_display = ["dataset", "number", "tape_count", "content_hash", "created_at"]
    search_fields = ["=dataset__id", "dataset__name"]


@admin.register(models.DatasetVersionTapeRecord)
class DatasetVersionTapeAdmin(RecordedAdmin):
    grows = True
    list_display = ["version", "tape", "expected"]
    search_fields = ["=tape__id", "=version__dataset__id"]


@admin.register(models.RegressionTestRecord)
class RegressionTestAdmin(RecordedAdmin):
    list_display = ["__str__", "tape", "kept_count", "created_at"]
    search_fields = ["=tape__id"]


@admin.register(models.DraftRecord)
class DraftAdmin(RecordedAdmin):
    grows = True
    list_display = ["id", "tape", "person", "applied_count", "updated_at"]
    search_fields = ["=tape__id"]


@admin.register(models.TapeTagRecord)
class TapeTagAdmin(RecordedAdmin):
    grows = True
    list_display = ["name", "tape", "project"]
    list_filter = ["project"]
    orders_within: ClassVar = {"project": ("name", "tape")}
    search_fields = ["=tape__id"]


@admin.register(models.TapeChangeRecord)
class TapeChangeAdmin(RecordedAdmin):
    list_display = ["id", "name", "project", "owner", "created_at"]
    list_filter = ["project", "name"]
    search_fields = ["=id"]


@admin.register(models.LensRecord)
class LensAdmin(RecordedAdmin):
    list_display = ["name", "project", "owner", "is_shared", "updated_at"]
    list_filter = ["project", "is_shared"]
    search_fields = ["=id", "name"]


@admin.register(models.KindFamilyRecord)
class KindFamilyAdmin(RecordedAdmin):
    list_display = ["kind", "family", "project"]
    list_filter = ["project", "family"]
    search_fields = ["=kind"]
