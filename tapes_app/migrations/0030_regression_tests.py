"""A tape may be a regression test, and a branch that begins at one has its check."""

import django.db.models.deletion
from django.db import migrations, models

import tapes_app.models.json_text


class Migration(migrations.Migration):
    dependencies = [("tapes_app", "0029_access_tokens")]

    operations = [
        migrations.AddField(
            model_name="experimentbranchrecord",
            name="pass_check",
            field=tapes_app.models.json_text.JsonTextField(null=True),
        ),
        migrations.CreateModel(
            name="RegressionTestRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kept_count", models.PositiveIntegerField()),
                ("pass_check", tapes_app.models.json_text.JsonTextField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "tape",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="regression_test",
                        to="tapes_app.taperecord",
                    ),
                ),
            ],
            options={"verbose_name": "regression test", "db_table": "regression_test"},
        ),
    ]
