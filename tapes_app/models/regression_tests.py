"""Regression tests: tapes from whose frozen beginning agents are run, each with its check."""

from django.db import models

from tapes_app.models.json_text import JsonTextField
from tapes_app.models.tapes import TapeRecord


class RegressionTestRecord(models.Model):
    """What makes a tape a regression test; in which suites it is, its datasets say."""

    tape = models.OneToOneField(
        TapeRecord, on_delete=models.CASCADE, related_name="regression_test"
    )
    kept_count = models.PositiveIntegerField()
    """How many leading steps a run keeps; what is appended to the tape later is no part of it."""

    pass_check = JsonTextField()
    """What passes, as checks of Run N are written."""

    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "regression_test"
        verbose_name = "regression test"

    def __str__(self) -> str:
        return f"regression test {self.tape_id}"
