"""Branches that were judged until now have told their tapes."""

from django.db import migrations


def mark_told(apps, schema_editor):
    branches = apps.get_model("tapes_app", "ExperimentBranchRecord")
    branches.objects.filter(passed__isnull=False).update(has_told_tape=True)


class Migration(migrations.Migration):
    dependencies = [("tapes_app", "0026_fixes")]

    operations = [migrations.RunPython(mark_told, migrations.RunPython.noop)]
