"""Words find titles, tasks and answers of tapes too; tapes know how many calls have no price."""

import django.db.models.deletion
from django.db import migrations, models

from tapes_app.migrations import _search_index as search_index

_TAPES_AT_ONCE = 500


def count_unpriced(apps, schema_editor):
    """Count the calls behind a tape's steps whose cost nobody knows, as its counters do."""
    tapes = apps.get_model("tapes_app", "TapeRecord").objects
    calls = apps.get_model("tapes_app", "LLMCallRecord").objects
    if not calls.filter(cost_micro_usd__isnull=True).exists():
        return
    called = list(tapes.filter(llm_call_count__gt=0).order_by().values_list("id", flat=True))
    for at in range(0, len(called), _TAPES_AT_ONCE):
        _count_some(apps, tapes.filter(id__in=called[at : at + _TAPES_AT_ONCE]))


def _count_some(apps, tapes):
    steps = apps.get_model("tapes_app", "StepRecord").objects
    spans_of = dict(tapes.values_list("id", "spans"))
    logs = {log for spans in spans_of.values() for log, _, _ in spans}
    unpriced = {}
    waiting = steps.filter(
        log_id__in=logs, llm_call__isnull=False, llm_call__cost_micro_usd__isnull=True
    )
    for log, position, call in waiting.values_list("log_id", "position", "llm_call_id"):
        unpriced.setdefault(str(log), []).append((position, call))
    tapes_by_count = {}
    for tape, spans in spans_of.items():
        found = {
            call
            for log, start, count in spans
            for position, call in unpriced.get(str(log), ())
            if start <= position < start + count
        }
        if found:
            tapes_by_count.setdefault(len(found), []).append(tape)
    for count, ids in tapes_by_count.items():
        tapes.filter(id__in=ids).update(unpriced_call_count=count)


class Migration(migrations.Migration):
    dependencies = [("tapes_app", "0027_branches_that_told")]

    operations = [
        migrations.AddField(
            model_name="taperecord",
            name="unpriced_call_count",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.CreateModel(
            name="TapeWordsRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField()),
                ("created_at", models.DateTimeField()),
                (
                    "tape",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tapes_app.taperecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "words of a tape",
                "verbose_name_plural": "words of tapes",
                "db_table": "tape_words",
            },
        ),
        migrations.RunPython(search_index.install_tape_words, search_index.remove_tape_words),
        migrations.RunPython(count_unpriced, migrations.RunPython.noop),
    ]
