"""Admin pages of training: read-only, because what they show never changes."""

from typing import ClassVar

from django.contrib import admin

from optimize_app import models
from tapes_app.admin.recorded import RecordedAdmin, Related


@admin.register(models.TrainingSetRecord)
class TrainingSetAdmin(RecordedAdmin):
    list_display = ["name", "project", "train_count", "held_out_count", "tape_count", "created_at"]
    list_filter = ["project"]
    search_fields = ["=id", "=content_hash", "name"]
    related = (
        Related("Tapes", models.TrainingSetTapeRecord, "training_set"),
        Related("Adapters", models.AdapterRecord, "training_set"),
    )


@admin.register(models.TrainingSetTapeRecord)
class TrainingSetTapeAdmin(RecordedAdmin):
    grows = True
    list_display = ["training_set", "tape", "side", "example_count"]
    orders_within: ClassVar = {"training_set": ("tape",)}
    search_fields = ["=tape__id", "=training_set__id"]


@admin.register(models.AdapterRecord)
class AdapterAdmin(RecordedAdmin):
    list_display = ["name", "project", "base", "training_set", "steps", "loss", "held_out_loss"]
    list_filter = ["project"]
    search_fields = ["=id", "=job_id", "name", "base"]


@admin.register(models.ServedModelRecord)
class ServedModelAdmin(RecordedAdmin):
    list_display = ["name", "project", "adapter", "base", "is_wanted", "created_at"]
    list_filter = ["project"]
    search_fields = ["=id", "name", "base"]


@admin.register(models.DatasetScorerRecord)
class DatasetScorerAdmin(RecordedAdmin):
    list_display = ["name", "dataset", "created_at"]
    search_fields = ["name", "=dataset__id"]


@admin.register(models.ScoringRecord)
class ScoringAdmin(RecordedAdmin):
    list_display = ["sweep_id", "project", "tokens", "micro_usd", "created_at"]
    list_filter = ["project"]
    search_fields = ["=id", "=sweep_id"]


@admin.register(models.ScoreRecord)
class ScoreAdmin(RecordedAdmin):
    grows = True
    list_display = ["scoring", "tape", "value", "passed"]
    orders_within: ClassVar = {"scoring": ("tape",)}
    search_fields = ["=tape__id", "=scoring__id"]


@admin.register(models.PinnedSuiteRecord)
class PinnedSuiteAdmin(RecordedAdmin):
    list_display = ["agent", "dataset", "project", "owner", "created_at"]
    list_filter = ["project"]
    search_fields = ["=id", "agent__name", "dataset__name"]


@admin.register(models.SweptVersionRecord)
class SweptVersionAdmin(RecordedAdmin):
    list_display = ["sweep_id", "variant", "version", "dataset", "created_at"]
    list_select_related = ["version__agent"]
    search_fields = ["=sweep_id", "=version__id", "=dataset__id"]
