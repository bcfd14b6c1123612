from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def move_tag_changes(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    """Copy what can still be taken back, under the ids that pages may hold."""
    changes = apps.get_model("tapes_app", "TapeChangeRecord").objects
    for old in apps.get_model("tapes_app", "TagChangeRecord").objects.iterator():
        before = [[f"+{name}", ids] for name, ids in old.added.items()]
        before += [[f"-{name}", ids] for name, ids in old.removed.items()]
        changes.create(
            id=old.id, project_id=old.project_id, owner_id=old.owner_id, name="tags", before=before
        )
        # Its age counts: nothing is taken back after a day.
        changes.filter(id=old.id).update(created_at=old.created_at)


class Migration(migrations.Migration):
    dependencies = [("tapes_app", "0018_datasets")]

    operations = [
        migrations.RunPython(move_tag_changes, migrations.RunPython.noop),
        migrations.DeleteModel(name="TagChangeRecord"),
    ]
