"""Annotations of people and judges, and findings of the linter."""

from typing import ClassVar

from django.contrib import admin

from tapes_app import models
from tapes_app.admin.recorded import RecordedAdmin, Related


@admin.register(models.AnnotationRecord)
class AnnotationAdmin(RecordedAdmin):
    grows = True
    list_display = ["kind", "name", "value", "source", "owner", "tape", "created_at"]
    list_filter = ["project"]
    prefetch_in_list = ("owner", "tape")
    search_fields = ["=id", "=tape__id"]
    ordering = ["-pk"]
    orders_within: ClassVar = {"project": ("-created_at", "-id")}


@admin.register(models.LintRuleRecord)
class LintRuleAdmin(RecordedAdmin):
    list_display = ["name", "project", "severity", "is_enabled", "updated_at"]
    list_filter = ["project", "severity", "is_enabled"]
    search_fields = ["=id", "name", "text"]


@admin.register(models.DetectorOffRecord)
class DetectorOffAdmin(RecordedAdmin):
    list_display = ["__str__", "project", "detector"]
    list_filter = ["project"]


@admin.register(models.TapeLintRecord)
class TapeLintAdmin(RecordedAdmin):
    grows = True
    list_display = ["__str__", "tape", "finding_count", "linted_at"]
    search_fields = ["=tape__id"]
    ordering = ["tape"]


@admin.register(models.LintMarkRecord)
class LintMarkAdmin(RecordedAdmin):
    grows = True
    list_display = ["detector", "tape", "severity", "finding_count", "position"]
    search_fields = ["=tape__id"]


@admin.register(models.RubricRecord)
class RubricAdmin(RecordedAdmin):
    list_display = ["name", "project", "version_count", "updated_at"]
    list_filter = ["project"]
    search_fields = ["=id", "name"]
    related = (Related("Versions", models.RubricVersionRecord, "rubric"),)


@admin.register(models.RubricVersionRecord)
class RubricVersionAdmin(RecordedAdmin):
    list_display = ["__str__", "rubric", "number", "created_at"]
    search_fields = ["=id", "rubric__name"]


@admin.register(models.QueueRecord)
class QueueAdmin(RecordedAdmin):
    list_display = ["name", "project", "mode", "done_count", "item_count", "deleted_at"]
    list_filter = ["project", "mode"]
    search_fields = ["=id", "name"]
    related = (
        Related("Items", models.QueueItemRecord, "queue"),
        Related("Answers", models.AnswerRecord, "queue"),
    )


@admin.register(models.QueueItemRecord)
class QueueItemAdmin(RecordedAdmin):
    grows = True
    list_display = ["number", "queue", "tape", "answer_count", "place_count"]
    search_fields = ["=id", "=queue__id", "=tape__id"]
    ordering = ["queue", "number"]


@admin.register(models.AnswerRecord)
class AnswerAdmin(RecordedAdmin):
    grows = True
    list_display = ["number", "item", "queue", "person", "score", "held_until", "answered_at"]
    prefetch_in_list = ("item__queue",)
    search_fields = ["=id", "=item__id"]
    ordering = ["item", "number"]
    orders_within: ClassVar = {"queue": ("person", "-answered_at")}


@admin.register(models.QueueSkipRecord)
class QueueSkipAdmin(RecordedAdmin):
    list_display = ["__str__", "item", "person"]
    search_fields = ["=item__id"]
