"""What runs, judges and teachers that share a budget have spent, and what they have reserved."""

from uuid import uuid4

from django.db import models

from tapes_app.models.json_text import JsonTextField


class BudgetRecord(models.Model):
    """A budget: one row, which is locked for each reservation, so that nobody overdraws it."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    """The id of what it belongs to: an experiment, a rerun, or the job of a sweep, a training set
    or a run."""

    tokens = models.BigIntegerField(null=True)
    micro_usd = models.BigIntegerField(null=True)
    calls = models.BigIntegerField(null=True)
    """The limits; `None`: no limit."""

    used_tokens = models.BigIntegerField(default=0)
    used_micro_usd = models.BigIntegerField(default=0)
    used_calls = models.BigIntegerField(default=0)
    """What settled calls have used."""

    held = JsonTextField(default=dict)
    """The reservations of calls in progress, by key."""

    longest_answers = JsonTextField(default=dict)
    """Tokens of the longest answer of each model: what its next answer is expected to take."""

    refusal = models.TextField(blank=True, default="")
    """Why a call was not sent; empty while each call has fitted since the limits were set."""

    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "budget"
        verbose_name = "budget"

    def __str__(self) -> str:
        return f"budget of {self.id}"
