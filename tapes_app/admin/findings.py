"""What people, judges and the linter say about tapes."""

from django.contrib import admin

from tapes_app import models
from tapes_app.admin.recorded import RecordedAdmin


@admin.register(models.AnnotationRecord)
class AnnotationAdmin(RecordedAdmin):
    list_display = ["kind", "name", "value", "source", "owner", "tape_id", "created_at"]
    list_filter = ["project", "kind", "source", ("deleted_at", admin.EmptyFieldListFilter)]
    search_fields = ["=id", "=tape__id", "=name", "text"]


@admin.register(models.LintRuleRecord)
class LintRuleAdmin(RecordedAdmin):
    list_display = ["name", "project", "severity", "is_enabled", "updated_at"]
    list_filter = ["project", "severity", "is_enabled"]
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


@admin.register(models.RubricRecord)
class RubricAdmin(RecordedAdmin):
    list_display = ["name", "project", "version_count", "updated_at"]
    list_filter = ["project"]
    search_fields = ["=id", "name"]


@admin.register(models.RubricVersionRecord)
class RubricVersionAdmin(RecordedAdmin):
    list_display = ["rubric", "number", "created_at"]
    search_fields = ["=id", "rubric__name"]


@admin.register(models.QueueRecord)
class QueueAdmin(RecordedAdmin):
    list_display = ["name", "project", "mode", "done_count", "item_count", "deleted_at"]
    list_filter = ["project", "mode"]
    search_fields = ["=id", "name"]


@admin.register(models.QueueItemRecord)
class QueueItemAdmin(RecordedAdmin):
    list_display = ["queue_id", "number", "tape_id", "answer_count", "place_count"]
    search_fields = ["=id", "=queue__id", "=tape__id"]
    ordering = ["queue", "number"]


@admin.register(models.AnswerRecord)
class AnswerAdmin(RecordedAdmin):
    list_display = ["item_id", "number", "person", "score", "held_until", "answered_at"]
    search_fields = ["=id", "=queue__id", "=item__id"]
    ordering = ["item", "number"]


@admin.register(models.QueueSkipRecord)
class QueueSkipAdmin(RecordedAdmin):
    list_display = ["item_id", "person"]
    search_fields = ["=item__id"]
