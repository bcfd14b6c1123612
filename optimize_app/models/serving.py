"""Models that the studio itself serves."""

from django.db import models

from optimize_app.models.adapters import AdapterRecord
from tapes_app.models.json_text import JsonTextField
from tapes_app.models.projects import NamedRecord


class ServedModelRecord(NamedRecord):
    """A base model, with or without an adapter, that a server of the studio answers for."""

    name = models.CharField(max_length=120)
    """The server's name for it; a folder may have this name."""

    adapter = models.ForeignKey(
        AdapterRecord, on_delete=models.CASCADE, related_name="served", null=True, blank=True
    )
    """`null`: the base itself."""

    base = models.CharField(max_length=500)
    """What the server loads: a name, or the finetune of a full model."""

    job_id = models.UUIDField()
    """The server, which serves all models of its base in the project."""

    is_wanted = models.BooleanField(default=True)
    """Whether it should be served: no person has stopped it."""

    model_id = models.UUIDField(null=True, blank=True)
    """Its model in the project's list, once it has passed the parity probe."""

    parity = JsonTextField(default=dict)
    """The result of the parity probe when it was last loaded; empty before."""

    class Meta:
        db_table = "served_model"
        verbose_name = "served model"
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="served_name_once"),
        ]
        indexes = [models.Index(fields=["job_id"], name="served_model_by_server")]
