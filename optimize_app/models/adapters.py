"""Adapters: the results of finetunes."""

from django.db import models

from optimize_app.models.training_sets import TrainingSetRecord
from tapes_app.models.json_text import JsonTextField
from tapes_app.models.projects import NamedRecord


class AdapterRecord(NamedRecord):
    """The result of one finetune: a LoRA adapter or a full model. Its files are in the run."""

    name = models.CharField(max_length=200)
    job_id = models.UUIDField(unique=True)
    """The finetune; its run folder has this name."""

    training_set = models.ForeignKey(
        TrainingSetRecord, on_delete=models.PROTECT, related_name="adapters"
    )
    base = models.CharField(max_length=500)
    config = JsonTextField(default=dict)
    """The resolved config, with all values filled in."""

    steps = models.PositiveIntegerField()
    loss = models.FloatField(null=True)
    """Loss of the last step."""

    held_out_loss = models.FloatField(null=True)
    """The best held-out loss."""

    class Meta:
        db_table = "adapter"
        verbose_name = "adapter"
        indexes = [models.Index(fields=["project", "-created_at", "-id"], name="adapter_newest")]
