"""Several named drafts of one person on one tape; experiments on several edits."""

from django.conf import settings
from django.db import migrations, models

import tapes_app.models.json_text


class Migration(migrations.Migration):
    dependencies = [
        ("tapes_app", "0025_tapes_by_task"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="draftrecord", name="one_draft_per_person_and_tape"),
        migrations.AddField(
            model_name="draftrecord",
            name="letter",
            field=models.CharField(default="A", max_length=1),
        ),
        migrations.AddField(
            model_name="draftrecord",
            name="name",
            field=models.CharField(blank=True, default="", max_length=60),
        ),
        migrations.AddConstraint(
            model_name="draftrecord",
            constraint=models.UniqueConstraint(
                fields=("tape", "person", "letter"), name="one_draft_per_person_tape_and_letter"
            ),
        ),
        migrations.AddField(
            model_name="experimentrecord",
            name="arm_words",
            field=tapes_app.models.json_text.JsonTextField(default=dict),
        ),
        migrations.AddField(
            model_name="taperecord",
            name="edit_words",
            field=models.CharField(blank=True, default="", max_length=200),
        ),
        migrations.AddField(
            model_name="experimentbranchrecord",
            name="has_told_tape",
            field=models.BooleanField(default=False),
        ),
    ]
