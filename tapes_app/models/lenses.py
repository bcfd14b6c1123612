"""Lenses: saved views of the list of tapes."""

from django.db import models

from tapes_app.models.json_text import JsonTextField
from tapes_app.models.projects import NamedRecord


class LensRecord(NamedRecord):
    """A named query, order and table; for its owner alone, or for the entire project."""

    name = models.CharField(max_length=100)
    is_shared = models.BooleanField(default=False)
    look = JsonTextField(default=dict)
    """Query, order, columns and marks, as `LensLook` writes them."""

    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "lens"
        verbose_name = "lens"
        verbose_name_plural = "lenses"
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "owner", "name"], name="lens_name_once_per_person"
            )
        ]
