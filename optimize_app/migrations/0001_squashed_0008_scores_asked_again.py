"""All tables as they are after 0008, for new databases; older ones go through what it replaces."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import tapes_app.models.json_text


class Migration(migrations.Migration):
    replaces = [
        ("optimize_app", "0001_training"),
        ("optimize_app", "0002_serving"),
        ("optimize_app", "0003_set_facts"),
        ("optimize_app", "0004_scores"),
        ("optimize_app", "0005_pinned_suites"),
        ("optimize_app", "0006_pairwise_verdicts"),
        ("optimize_app", "0007_verdict_calls"),
        ("optimize_app", "0008_scores_asked_again"),
    ]

    initial = True

    dependencies = [
        ("auth", "__first__"),
        ("tapes_app", "0042_agent_drafts"),
    ]

    operations = [
        migrations.CreateModel(
            name="ScoringRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("sweep_id", models.UUIDField(db_index=True)),
                ("scorer", tapes_app.models.json_text.JsonTextField()),
                ("digest", models.CharField(max_length=64)),
                ("tokens", models.BigIntegerField(default=0)),
                ("micro_usd", models.BigIntegerField(default=0)),
                ("call_count", models.PositiveIntegerField(default=0)),
                ("unpriced_call_count", models.PositiveIntegerField(default=0)),
                ("job_id", models.UUIDField(null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.projectrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "scoring",
                "db_table": "scoring",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("sweep_id", "digest"), name="scoring_once_per_sweep_and_scorer"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ScoreRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("value", models.FloatField(null=True)),
                ("passed", models.BooleanField(null=True)),
                ("explanation", models.TextField(blank=True, default="")),
                ("earlier_call_ids", tapes_app.models.json_text.JsonTextField(default=list)),
                ("preferred", models.CharField(blank=True, default="", max_length=20)),
                ("asked_again_at", models.DateTimeField(null=True)),
                (
                    "judge_call",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.llmcallrecord",
                    ),
                ),
                (
                    "tape",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tapes_app.taperecord",
                    ),
                ),
                (
                    "scoring",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="scores",
                        to="optimize_app.scoringrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "score",
                "db_table": "score",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("scoring", "tape"), name="score_once_per_scoring"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SweptVersionRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sweep_id", models.UUIDField()),
                ("variant", models.PositiveSmallIntegerField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tapes_app.datasetrecord",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tapes_app.agentversionrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "measured version",
                "db_table": "swept_version",
                "indexes": [
                    models.Index(
                        fields=["version", "dataset", "-created_at"], name="swept_version_newest"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("sweep_id", "variant", "dataset"), name="variant_once_per_dataset"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TrainingSetRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(max_length=200)),
                ("job_id", models.UUIDField(unique=True)),
                ("request", tapes_app.models.json_text.JsonTextField(default=dict)),
                ("content_hash", models.CharField(max_length=64)),
                ("train_count", models.PositiveIntegerField()),
                ("held_out_count", models.PositiveIntegerField()),
                ("tape_count", models.PositiveIntegerField()),
                ("size_bytes", models.PositiveBigIntegerField()),
                ("left_out", tapes_app.models.json_text.JsonTextField(default=list)),
                ("facts", tapes_app.models.json_text.JsonTextField(default=dict)),
                ("stands_on", tapes_app.models.json_text.JsonTextField(default=list)),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.projectrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "training set",
                "db_table": "training_set",
                "indexes": [
                    models.Index(fields=["project", "-created_at", "-id"], name="training_set_new")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "name"), name="training_set_name_once_per_project"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AdapterRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(max_length=200)),
                ("job_id", models.UUIDField(unique=True)),
                ("base", models.CharField(max_length=500)),
                ("config", tapes_app.models.json_text.JsonTextField(default=dict)),
                ("steps", models.PositiveIntegerField()),
                ("loss", models.FloatField(null=True)),
                ("held_out_loss", models.FloatField(null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.projectrecord",
                    ),
                ),
                (
                    "training_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adapters",
                        to="optimize_app.trainingsetrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "adapter",
                "db_table": "adapter",
                "indexes": [
                    models.Index(fields=["project", "-created_at", "-id"], name="adapter_newest")
                ],
            },
        ),
        migrations.CreateModel(
            name="ServedModelRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(max_length=120)),
                ("base", models.CharField(max_length=500)),
                ("job_id", models.UUIDField()),
                ("is_wanted", models.BooleanField(default=True)),
                ("model_id", models.UUIDField(blank=True, null=True)),
                ("parity", tapes_app.models.json_text.JsonTextField(default=dict)),
                (
                    "adapter",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="served",
                        to="optimize_app.adapterrecord",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.projectrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "served model",
                "db_table": "served_model",
                "indexes": [models.Index(fields=["job_id"], name="served_model_by_server")],
                "constraints": [
                    models.UniqueConstraint(fields=("project", "name"), name="served_name_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="TrainingSetTapeRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("side", models.CharField(max_length=10)),
                ("example_count", models.PositiveIntegerField()),
                (
                    "tape",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tapes_app.taperecord",
                    ),
                ),
                (
                    "training_set",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sources",
                        to="optimize_app.trainingsetrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "tape of a training set",
                "verbose_name_plural": "tapes of training sets",
                "db_table": "training_set_tape",
                "indexes": [
                    models.Index(fields=["tape", "training_set"], name="training_set_by_tape")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("training_set", "tape"), name="tape_once_per_training_set"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DatasetScorerRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("scorer", tapes_app.models.json_text.JsonTextField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "dataset",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tapes_app.datasetrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "scorer of a dataset",
                "verbose_name_plural": "scorers of datasets",
                "db_table": "dataset_scorer",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("dataset", "name"), name="scorer_name_once_per_dataset"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PinnedSuiteRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "agent",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tapes_app.agentrecord",
                    ),
                ),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tapes_app.datasetrecord",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.projectrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "pinned suite",
                "db_table": "pinned_suite",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("agent", "dataset"), name="suite_pinned_once_per_agent"
                    )
                ],
            },
        ),
    ]
