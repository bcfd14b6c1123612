from uuid import uuid4

from django.db import migrations, models

import tapes_app.models.json_text


class Migration(migrations.Migration):

    dependencies = [
        ('tapes_app', '0040_changed_outcomes'),
    ]

    operations = [
        migrations.CreateModel(
            name='BudgetRecord',
            fields=[
                ('id', models.UUIDField(default=uuid4, editable=False, primary_key=True, serialize=False)),
                ('tokens', models.BigIntegerField(null=True)),
                ('micro_usd', models.BigIntegerField(null=True)),
                ('calls', models.BigIntegerField(null=True)),
                ('used_tokens', models.BigIntegerField(default=0)),
                ('used_micro_usd', models.BigIntegerField(default=0)),
                ('used_calls', models.BigIntegerField(default=0)),
                ('held', tapes_app.models.json_text.JsonTextField(default=dict)),
                ('longest_answers', tapes_app.models.json_text.JsonTextField(default=dict)),
                ('refusal', models.TextField(blank=True, default='')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name': 'budget',
                'db_table': 'budget',
            },
        ),
        migrations.AddField(
            model_name='experimentrecord',
            name='budget_id',
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name='experimentrecord',
            name='is_out_of_budget',
            field=models.BooleanField(default=False),
        ),
    ]
