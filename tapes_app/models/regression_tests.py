"""Regression tests: tapes whose frozen beginning agents are run from, each with its check."""

from django.db import models

from tapes_app.models.json_text import JsonTextField
from tapes_app.models.tapes import TapeRecord


class RegressionTestRecord(models.Model):
    """What makes a tape a regression test; its datasets are the suites that it is in."""

    tape = models.OneToOneField(
        TapeRecord, on_delete=models.CASCADE, related_name="regression_test"
    )
    kept_count = models.PositiveIntegerField()
    """How many leading steps a run keeps; steps appended to the tape later are not part of the
    test."""

    pass_check = JsonTextField()
    """The condition for passing, in the form of Run N's checks."""

    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "regression_test"
        verbose_name = "regression test"

    def __str__(self) -> str:
        return f"regression test {self.tape_id}"
