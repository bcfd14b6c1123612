"""The linter's findings on tapes, stored for lists and trends, and the rules that people wrote."""

from django.db import models

from tapes_app.models.projects import NamedRecord, ProjectRecord


class LintRuleRecord(NamedRecord):
    """A rule of a project; its text is read by `lint.rules`."""

    name = models.CharField(max_length=100)
    text = models.TextField()
    severity = models.CharField(max_length=10)
    is_enabled = models.BooleanField(default=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "lint_rule"
        verbose_name = "linter rule"
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], name="lint_rule_name_once_per_project"
            )
        ]


class DetectorOffRecord(models.Model):
    """A project has turned one of the studio's detectors off."""

    project = models.ForeignKey(
        ProjectRecord, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    detector = models.CharField(max_length=110)

    class Meta:
        db_table = "detector_off"
        verbose_name = "detector turned off"
        verbose_name_plural = "detectors turned off"
        constraints = [
            models.UniqueConstraint(
                fields=["project", "detector"], name="detector_off_once_per_project"
            )
        ]

    def __str__(self) -> str:
        return f"{self.detector} in {self.project}"


class TapeLintRecord(models.Model):
    """A tape was linted in this state, by these detectors and rules."""

    tape = models.OneToOneField(
        "tapes_app.TapeRecord", on_delete=models.CASCADE, primary_key=True, related_name="lint"
    )
    tape_version = models.PositiveIntegerField()
    stamp = models.CharField(max_length=32)
    """Digest of the linter's version and of the active rules."""

    finding_count = models.PositiveIntegerField()
    linted_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "tape_lint"
        verbose_name = "linter result"

    def __str__(self) -> str:
        return f"{self.finding_count} findings on {self.tape}"


class LintMarkRecord(models.Model):
    """A detector or rule found something on a tape; the finding itself is computed on request."""

    project = models.ForeignKey(
        ProjectRecord, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    tape = models.ForeignKey(
        "tapes_app.TapeRecord", on_delete=models.CASCADE, related_name="lint_marks", db_index=False
    )
    detector = models.CharField(max_length=110)
    severity = models.CharField(max_length=10)
    finding_count = models.PositiveIntegerField()
    position = models.PositiveIntegerField()
    """The first step concerned."""

    class Meta:
        db_table = "lint_mark"
        verbose_name = "linter finding"
        constraints = [
            models.UniqueConstraint(fields=["tape", "detector"], name="lint_mark_once_per_tape")
        ]
        indexes = [models.Index(fields=["project", "detector", "tape"], name="lint_mark_by_name")]

    def __str__(self) -> str:
        return f"{self.detector} on {self.tape}"
