"""Changes of many tapes, kept so that they can be undone."""

from django.db import models

from tapes_app.models.json_text import JsonTextField
from tapes_app.models.projects import OwnedRecord


class TapeChangeRecord(OwnedRecord):
    """What one change of many tapes changed, kept for a day so that it can be undone."""

    name = models.CharField(max_length=30)
    """What was changed: `is_pinned`, `is_archived`, `is_deleted`, `tags`, `added_to_dataset`, …"""

    before = JsonTextField(default=list)
    """`[[value before, [tape id, …]], …]`: only tapes that had another value.

    For datasets, whose name implies the value before: `[[dataset id, [tape id, …]]]`. For tags:
    `[["+good", [tape id, …]], ["-bad", […]]]`, the tapes that gained and those that lost a tag.
    """

    class Meta:
        db_table = "tape_change"
        verbose_name = "change of tapes"
        verbose_name_plural = "changes of tapes"
        indexes = [models.Index(fields=["project", "created_at"], name="tape_change_by_age")]

    def __str__(self) -> str:
        return f"change of {self.name} at {self.created_at}"
