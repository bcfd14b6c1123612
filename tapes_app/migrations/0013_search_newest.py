from django.db import migrations, models

from tapes_app.migrations import _search_index as search_index


def drop_kind_index(apps, schema_editor):
    """Drop what led SQLite to read all steps of a kind where it should read those of some tapes.

    By name, not by altering the column: Django would write the whole table anew on SQLite.
    """
    step = apps.get_model("tapes_app", "StepRecord")
    for name in schema_editor._constraint_names(step, ["kind"], index=True, unique=False):
        schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")


def restore_kind_index(apps, schema_editor):
    step = apps.get_model("tapes_app", "StepRecord")
    for statement in schema_editor._field_indexes_sql(step, step._meta.get_field("kind")):
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [
        ("tapes_app", "0012_reruns"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunPython(drop_kind_index, restore_kind_index),
            ],
            state_operations=[
                migrations.AlterField(
                    model_name="steprecord",
                    name="kind",
                    field=models.CharField(max_length=100),
                ),
            ],
        ),
        migrations.RunPython(search_index.install_stretches, search_index.remove_stretches),
    ]
