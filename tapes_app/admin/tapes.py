"""Tapes, their steps, and what people put around them."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from tapes_app import models
from tapes_app.admin.recorded import RecordedAdmin


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
    search_fields = ["=id", "=source_id", "=agent_name", "title"]


@admin.register(models.StepRecord)
class StepAdmin(RecordedAdmin):
    list_display = ["id", "log_id", "position", "kind", "agent", "node", "is_error", "gist"]
    list_filter = ["family", "writer", "is_error"]
    search_fields = ["=log__id", "=kind"]
    search_help_text = "A tape's id or a step kind, in full."
    hidden_fields = ("text",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("text")


@admin.register(models.BatchRecord)
class BatchAdmin(RecordedAdmin):
    list_display = ["name", "project", "tape_count", "error_count", "created_at"]
    list_filter = ["project"]
    search_fields = ["=id", "name"]


@admin.register(models.DatasetRecord)
class DatasetAdmin(RecordedAdmin):
    list_display = ["name", "project", "owner", "updated_at", "deleted_at"]
    list_filter = ["project", ("deleted_at", admin.EmptyFieldListFilter)]
    search_fields = ["=id", "name"]


@admin.register(models.DatasetTapeRecord)
class DatasetTapeAdmin(RecordedAdmin):
    list_display = ["tape_id", "dataset", "added_at"]
    search_fields = ["=dataset__id", "=tape__id"]


@admin.register(models.DraftRecord)
class DraftAdmin(RecordedAdmin):
    list_display = ["id", "tape_id", "person", "applied_count", "updated_at"]
    search_fields = ["=tape__id", "=person__username"]


@admin.register(models.TapeTagRecord)
class TapeTagAdmin(RecordedAdmin):
    list_display = ["name", "tape_id", "project"]
    list_filter = ["project"]
    search_fields = ["=name", "=tape__id"]


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
