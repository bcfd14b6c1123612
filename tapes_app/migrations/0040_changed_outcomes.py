"""Tapes know which outcome they had before it was changed, and when that was."""

from django.db import migrations, models
from django.db.models import Q


def read_answers(apps, schema_editor):
    """Fill in what answers in queues changed so far; changes on tapes themselves left no trace."""
    tapes = apps.get_model("tapes_app", "TapeRecord").objects
    told = apps.get_model("tapes_app", "AnnotationRecord").objects.filter(
        step__isnull=True,
        kind="score",
        source="person",
        deleted_at__isnull=True,
        details__contains="outcome_before",
    )
    rows = told.order_by("-updated_at", "-id").values_list("tape_id", "details", "updated_at")
    first = {}
    for tape_id, details, updated_at in rows.iterator():
        if isinstance(details, dict) and "outcome_before" in details:
            first[tape_id] = (details["outcome_before"], updated_at)
    for tape_id, (before, changed_at) in first.items():
        # An answer that agreed changed nothing.
        changed = tapes.filter(~Q(outcome=before), id=tape_id)
        changed.update(outcome_before=before, outcome_changed_at=changed_at)


class Migration(migrations.Migration):
    dependencies = [("tapes_app", "0039_import_parts")]

    operations = [
        migrations.AddField(
            model_name="taperecord",
            name="outcome_before",
            field=models.CharField(max_length=8, null=True),
        ),
        migrations.AddField(
            model_name="taperecord",
            name="outcome_changed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.RunPython(read_answers, migrations.RunPython.noop),
    ]
