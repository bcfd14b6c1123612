"""Admin pages of training: only read, as what they show never changes."""

from django.contrib import admin

from optimize_app import models
from tapes_app.admin.recorded import RecordedAdmin


@admin.register(models.TrainingSetRecord)
class TrainingSetAdmin(RecordedAdmin):
    list_display = ["name", "project", "train_count", "held_out_count", "tape_count", "created_at"]
    list_filter = ["project"]
    search_fields = ["=id", "=content_hash", "name"]


@admin.register(models.TrainingSetTapeRecord)
class TrainingSetTapeAdmin(RecordedAdmin):
    list_display = ["training_set", "tape", "side", "example_count"]
    search_fields = ["=tape__id", "=training_set__id"]
    list_filter = ["side"]


@admin.register(models.AdapterRecord)
class AdapterAdmin(RecordedAdmin):
    list_display = ["name", "project", "base", "training_set", "steps", "loss", "held_out_loss"]
    list_filter = ["project"]
    search_fields = ["=id", "=job_id", "name", "base"]
