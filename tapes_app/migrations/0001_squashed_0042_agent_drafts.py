"""All tables as they are after 0042, for new databases; older ones go through what it replaces."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import tapes_app.models.json_text
from tapes_app.migrations import _search_index as search_index


class Migration(migrations.Migration):
    replaces = [
        ("tapes_app", "0001_initial"),
        ("tapes_app", "0002_search_index"),
        ("tapes_app", "0003_editor"),
        ("tapes_app", "0004_job_priority"),
        ("tapes_app", "0005_linter"),
        ("tapes_app", "0006_training_flags"),
        ("tapes_app", "0007_tasks_and_tags"),
        ("tapes_app", "0008_queues"),
        ("tapes_app", "0009_tag_changes"),
        ("tapes_app", "0010_query_columns"),
        ("tapes_app", "0011_lenses_and_orders"),
        ("tapes_app", "0012_reruns"),
        ("tapes_app", "0013_search_newest"),
        ("tapes_app", "0014_tape_changes"),
        ("tapes_app", "0015_corrections"),
        ("tapes_app", "0016_live_tapes"),
        ("tapes_app", "0017_search_beginnings"),
        ("tapes_app", "0018_datasets"),
        ("tapes_app", "0019_one_undo_log"),
        ("tapes_app", "0020_job_queries"),
        ("tapes_app", "0021_model_limits"),
        ("tapes_app", "0022_step_kind_families"),
        ("tapes_app", "0023_call_tokens"),
        ("tapes_app", "0024_served_models"),
        ("tapes_app", "0025_tapes_by_task"),
        ("tapes_app", "0026_fixes"),
        ("tapes_app", "0027_branches_that_told"),
        ("tapes_app", "0028_tape_words_and_unpriced_calls"),
        ("tapes_app", "0029_access_tokens"),
        ("tapes_app", "0030_regression_tests"),
        ("tapes_app", "0031_people"),
        ("tapes_app", "0032_dataset_versions"),
        ("tapes_app", "0033_detectors_off"),
        ("tapes_app", "0034_publications"),
        ("tapes_app", "0035_operators_desk"),
        ("tapes_app", "0036_sign_in_identities"),
        ("tapes_app", "0037_admin_lists"),
        ("tapes_app", "0038_shared_rate_limits"),
        ("tapes_app", "0039_import_parts"),
        ("tapes_app", "0040_changed_outcomes"),
        ("tapes_app", "0041_budgets"),
        ("tapes_app", "0042_agent_drafts"),
    ]

    initial = True

    dependencies = [
        ("auth", "__first__"),
    ]

    operations = [
        migrations.CreateModel(
            name="BudgetRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("tokens", models.BigIntegerField(null=True)),
                ("micro_usd", models.BigIntegerField(null=True)),
                ("calls", models.BigIntegerField(null=True)),
                ("used_tokens", models.BigIntegerField(default=0)),
                ("used_micro_usd", models.BigIntegerField(default=0)),
                ("used_calls", models.BigIntegerField(default=0)),
                ("held", tapes_app.models.json_text.JsonTextField(default=dict)),
                ("longest_answers", tapes_app.models.json_text.JsonTextField(default=dict)),
                ("refusal", models.TextField(blank=True, default="")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "budget",
                "db_table": "budget",
            },
        ),
        migrations.CreateModel(
            name="ContentRecord",
            fields=[
                ("digest", models.BinaryField(max_length=16, primary_key=True, serialize=False)),
                ("body", tapes_app.models.json_text.JsonTextField()),
            ],
            options={
                "verbose_name": "stored message",
                "db_table": "content",
            },
        ),
        migrations.CreateModel(
            name="DrainedWorkerRecord",
            fields=[
                ("worker", models.CharField(max_length=200, primary_key=True, serialize=False)),
                ("person", models.CharField(max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "drained worker",
                "db_table": "drained_worker",
            },
        ),
        migrations.CreateModel(
            name="ProjectRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=200, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("archived_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "project",
                "db_table": "project",
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="AgentRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True, default="")),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
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
                "verbose_name": "agent",
                "db_table": "agent",
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "name"), name="agent_name_once_per_project"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AgentVersionRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("number", models.PositiveIntegerField()),
                ("spec", tapes_app.models.json_text.JsonTextField()),
                ("digest", models.CharField(max_length=32)),
                ("note", models.TextField(blank=True, default="")),
                ("is_trial", models.BooleanField(default=False)),
                (
                    "agent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="versions",
                        to="tapes_app.agentrecord",
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
                "verbose_name": "agent version",
                "db_table": "agent_version",
                "ordering": ["agent", "-number"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("is_trial", False)),
                        fields=("agent", "number"),
                        name="agent_version_number_once",
                    ),
                    models.UniqueConstraint(
                        fields=("agent", "digest"), name="agent_version_digest_once"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AgentDraftRecord",
            fields=[
                (
                    "agent",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="draft",
                        serialize=False,
                        to="tapes_app.agentrecord",
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=0)),
                ("current", models.PositiveIntegerField(default=0)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "base",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.agentversionrecord",
                    ),
                ),
                (
                    "changed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "draft of an agent",
                "verbose_name_plural": "drafts of agents",
                "db_table": "agent_draft",
            },
        ),
        migrations.CreateModel(
            name="BatchRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(max_length=300)),
                ("tape_count", models.PositiveIntegerField(default=0)),
                ("error_count", models.PositiveIntegerField(default=0)),
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
                "verbose_name": "batch",
                "verbose_name_plural": "batches",
                "db_table": "batch",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "name"), name="batch_name_once_per_project"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TapeRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "source_id",
                    models.CharField(blank=True, db_index=True, default="", max_length=200),
                ),
                ("forked_at", models.PositiveIntegerField(null=True)),
                ("metadata", tapes_app.models.json_text.JsonTextField(default=dict)),
                ("context", tapes_app.models.json_text.JsonTextField(null=True)),
                ("title", models.CharField(blank=True, default="", max_length=300)),
                ("author", models.CharField(blank=True, default="", max_length=200)),
                ("agent_name", models.CharField(blank=True, default="", max_length=200)),
                ("digest", models.CharField(blank=True, default="", max_length=32)),
                ("import_part", models.UUIDField(editable=False, null=True)),
                ("spans", tapes_app.models.json_text.JsonTextField(default=list)),
                ("step_count", models.PositiveIntegerField(default=0)),
                ("own_step_count", models.PositiveIntegerField(default=0)),
                ("error_count", models.PositiveIntegerField(default=0)),
                ("has_error", models.BooleanField(default=False)),
                ("input_tokens", models.BigIntegerField(default=0)),
                ("cache_read_tokens", models.BigIntegerField(default=0)),
                ("output_tokens", models.BigIntegerField(default=0)),
                ("cost_micro_usd", models.BigIntegerField(default=0)),
                ("llm_call_count", models.PositiveIntegerField(default=0)),
                ("unpriced_call_count", models.PositiveIntegerField(default=0)),
                ("duration_seconds", models.FloatField(default=0)),
                ("task", models.CharField(blank=True, default="", max_length=200)),
                ("expected", models.TextField(blank=True, default="")),
                ("actual", models.TextField(blank=True, default="")),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[("pass", "Passed"), ("fail", "Failed")],
                        default="",
                        max_length=8,
                    ),
                ),
                ("outcome_before", models.CharField(max_length=8, null=True)),
                ("outcome_changed_at", models.DateTimeField(null=True)),
                ("score", models.FloatField(null=True)),
                ("edit_words", models.CharField(blank=True, default="", max_length=200)),
                ("version", models.PositiveIntegerField(default=0)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("pinned_at", models.DateTimeField(null=True)),
                ("archived_at", models.DateTimeField(null=True)),
                ("is_kept_from_training", models.BooleanField(default=False)),
                ("split", models.CharField(blank=True, default="", max_length=12)),
                ("deleted_at", models.DateTimeField(null=True)),
                (
                    "agent_version",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tapes",
                        to="tapes_app.agentversionrecord",
                    ),
                ),
                (
                    "batch",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tapes",
                        to="tapes_app.batchrecord",
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
                    "parent",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="children",
                        to="tapes_app.taperecord",
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
                    "root",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="family",
                        to="tapes_app.taperecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "tape",
                "db_table": "tape",
                "indexes": [
                    models.Index(fields=["project", "-created_at", "-id"], name="tape_newest"),
                    models.Index(fields=["-created_at", "-id"], name="tape_newest_of_all"),
                    models.Index(
                        condition=models.Q(
                            ("archived_at__isnull", True), ("deleted_at__isnull", True)
                        ),
                        fields=["project", "-created_at", "-id"],
                        name="tape_live",
                    ),
                    models.Index(fields=["batch", "-created_at", "-id"], name="tape_by_batch"),
                    models.Index(
                        fields=["agent_version", "-created_at", "-id"], name="tape_by_agent_version"
                    ),
                    models.Index(
                        fields=["project", "agent_name", "-created_at", "-id"], name="tape_by_agent"
                    ),
                    models.Index(fields=["project", "digest"], name="tape_by_digest"),
                    models.Index(fields=["project", "task", "-created_at"], name="tape_by_task"),
                    models.Index(
                        condition=models.Q(("has_error", True)),
                        fields=["project", "-created_at", "-id"],
                        name="tape_with_error",
                    ),
                    models.Index(
                        condition=models.Q(("pinned_at__isnull", False)),
                        fields=["project", "-created_at", "-id"],
                        name="tape_pinned",
                    ),
                    models.Index(
                        condition=models.Q(("archived_at__isnull", False)),
                        fields=["project", "-created_at", "-id"],
                        name="tape_archived",
                    ),
                    models.Index(fields=["project", "updated_at", "id"], name="tape_by_update"),
                    models.Index(fields=["project", "step_count", "id"], name="tape_by_steps"),
                    models.Index(fields=["project", "error_count", "id"], name="tape_by_errors"),
                    models.Index(fields=["project", "cost_micro_usd", "id"], name="tape_by_cost"),
                    models.Index(
                        fields=["project", "duration_seconds", "id"], name="tape_by_duration"
                    ),
                    models.Index(
                        condition=models.Q(("score__isnull", False)),
                        fields=["project", "score", "id"],
                        name="tape_by_score",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DatasetRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True, default="")),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("deleted_at", models.DateTimeField(null=True)),
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
                "verbose_name": "dataset",
                "db_table": "dataset",
                "indexes": [
                    models.Index(fields=["project", "-created_at", "-id"], name="dataset_newest")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("deleted_at__isnull", True)),
                        fields=("project", "name"),
                        name="dataset_name_once_per_project",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DatasetVersionRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("content_hash", models.CharField(max_length=64)),
                ("tape_count", models.PositiveIntegerField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "dataset",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="tapes_app.datasetrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "version of a dataset",
                "verbose_name_plural": "versions of datasets",
                "db_table": "dataset_version",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("dataset", "number"), name="version_number_once_per_dataset"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="IdentityRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("issuer", models.CharField(max_length=300)),
                ("subject", models.CharField(max_length=255)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="identities",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "identity",
                "verbose_name_plural": "identities",
                "db_table": "identity",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("issuer", "subject"), name="one_person_per_subject"
                    ),
                    models.UniqueConstraint(
                        fields=("user", "issuer"), name="one_subject_per_person"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="JobRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("kind", models.CharField(max_length=30)),
                ("queue", models.CharField(default="agents", max_length=20)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("waiting", "Waiting"),
                            ("paused", "Paused"),
                            ("succeeded", "Succeeded"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                (
                    "priority",
                    models.PositiveSmallIntegerField(
                        choices=[(0, "Person"), (10, "Bulk")], default=0
                    ),
                ),
                ("title", models.CharField(blank=True, default="", max_length=300)),
                ("request", tapes_app.models.json_text.JsonTextField(default=dict)),
                ("group", models.UUIDField(null=True)),
                ("group_limit", models.PositiveSmallIntegerField(null=True)),
                ("attempt", models.PositiveIntegerField(default=0)),
                ("lost_count", models.PositiveSmallIntegerField(default=0)),
                ("lease_expires_at", models.DateTimeField(null=True)),
                ("nudged_at", models.DateTimeField(null=True)),
                ("worker", models.CharField(blank=True, default="", max_length=200)),
                ("checkpoint", tapes_app.models.json_text.JsonTextField(null=True)),
                ("progress_done", models.PositiveIntegerField(default=0)),
                ("progress_total", models.PositiveIntegerField(null=True)),
                ("message", models.TextField(blank=True, default="")),
                ("error_code", models.CharField(blank=True, default="", max_length=50)),
                ("result", tapes_app.models.json_text.JsonTextField(null=True)),
                ("is_cancel_requested", models.BooleanField(default=False)),
                ("cancelled_by", models.CharField(blank=True, default="", max_length=200)),
                ("control", tapes_app.models.json_text.JsonTextField(default=dict)),
                ("last_seq", models.BigIntegerField(default=0)),
                ("pruned_seq", models.BigIntegerField(default=0)),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "batch",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="jobs",
                        to="tapes_app.batchrecord",
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
                (
                    "tape",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="jobs",
                        to="tapes_app.taperecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "job",
                "db_table": "job",
                "indexes": [
                    models.Index(
                        fields=["state", "queue", "priority", "created_at"], name="job_by_state"
                    ),
                    models.Index(fields=["project", "-created_at", "-id"], name="job_newest"),
                    models.Index(fields=["-created_at", "-id"], name="job_newest_of_all"),
                    models.Index(
                        fields=["state", "-created_at", "-id"], name="job_newest_of_state"
                    ),
                    models.Index(
                        fields=["project", "state", "-created_at", "-id"], name="job_newest_of_both"
                    ),
                    models.Index(fields=["state", "finished_at"], name="job_ended_in_state"),
                    models.Index(fields=["tape", "-created_at"], name="job_by_tape"),
                    models.Index(
                        condition=models.Q(("state", "running")),
                        fields=["lease_expires_at"],
                        name="job_by_lease",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="JobEventRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.BigIntegerField()),
                ("attempt", models.PositiveIntegerField()),
                ("payload", models.TextField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="tapes_app.jobrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "job event",
                "db_table": "job_event",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("job", "seq"), name="event_once_per_job_and_seq"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ModelRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(max_length=200)),
                ("litellm_model", models.CharField(max_length=300)),
                ("base_url", models.URLField(blank=True, default="", max_length=500)),
                ("api_key_env", models.CharField(blank=True, default="", max_length=100)),
                ("api_key_encrypted", models.BinaryField(blank=True, default=b"")),
                ("key_retired_at", models.DateTimeField(blank=True, null=True)),
                ("parameters", tapes_app.models.json_text.JsonTextField(blank=True, default=dict)),
                ("input_price", models.BigIntegerField(blank=True, null=True)),
                ("cache_read_price", models.BigIntegerField(blank=True, null=True)),
                ("cache_write_price", models.BigIntegerField(blank=True, null=True)),
                ("output_price", models.BigIntegerField(blank=True, null=True)),
                ("silence_seconds", models.FloatField(blank=True, null=True)),
                ("deadline_seconds", models.FloatField(blank=True, null=True)),
                ("max_attempts", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("limited_until", models.DateTimeField(blank=True, editable=False, null=True)),
                ("record_tokens", models.BooleanField(default=False)),
                ("is_served_here", models.BooleanField(default=False)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
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
                "verbose_name": "LLM model",
                "db_table": "model",
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("deleted_at__isnull", True)),
                        fields=("project", "name"),
                        name="model_name_once_per_project",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="MembershipRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[("owner", "Owner"), ("member", "Member"), ("viewer", "Viewer")],
                        default="member",
                        max_length=10,
                    ),
                ),
                ("last_seen_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="tapes_app.projectrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "membership",
                "db_table": "membership",
                "constraints": [
                    models.UniqueConstraint(fields=("project", "user"), name="one_role_per_project")
                ],
            },
        ),
        migrations.CreateModel(
            name="LintRuleRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(max_length=100)),
                ("text", models.TextField()),
                ("severity", models.CharField(max_length=10)),
                ("is_enabled", models.BooleanField(default=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
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
                "verbose_name": "linter rule",
                "db_table": "lint_rule",
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "name"), name="lint_rule_name_once_per_project"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LensRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(max_length=100)),
                ("is_shared", models.BooleanField(default=False)),
                ("look", tapes_app.models.json_text.JsonTextField(default=dict)),
                ("updated_at", models.DateTimeField(auto_now=True)),
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
                "verbose_name": "lens",
                "verbose_name_plural": "lenses",
                "db_table": "lens",
                "ordering": ["name", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "owner", "name"), name="lens_name_once_per_person"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="KindFamilyRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=100)),
                ("family", models.CharField(max_length=12)),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tapes_app.projectrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "family of a step kind",
                "verbose_name_plural": "families of step kinds",
                "db_table": "step_kind_family",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "kind"), name="family_once_per_step_kind"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="InvitationRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "role",
                    models.CharField(
                        choices=[("owner", "Owner"), ("member", "Member"), ("viewer", "Viewer")],
                        max_length=10,
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField()),
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
                "verbose_name": "invitation",
                "db_table": "invitation",
                "indexes": [
                    models.Index(fields=["project", "-created_at", "-id"], name="invitation_newest")
                ],
            },
        ),
        migrations.CreateModel(
            name="DetectorOffRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("detector", models.CharField(max_length=110)),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tapes_app.projectrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "detector turned off",
                "verbose_name_plural": "detectors turned off",
                "db_table": "detector_off",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "detector"), name="detector_off_once_per_project"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AgentPublicationRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("despite", models.TextField(blank=True, default="")),
                (
                    "agent",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="publications",
                        to="tapes_app.agentrecord",
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
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.agentversionrecord",
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
                "verbose_name": "publication of an agent",
                "verbose_name_plural": "publications of agents",
                "db_table": "agent_publication",
                "indexes": [
                    models.Index(fields=["agent", "-created_at", "-id"], name="publication_newest")
                ],
            },
        ),
        migrations.CreateModel(
            name="AccessTokenRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(max_length=100)),
                (
                    "access",
                    models.CharField(choices=[("read", "Read"), ("write", "Write")], max_length=5),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("hint", models.CharField(max_length=12)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
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
                "verbose_name": "access token",
                "db_table": "access_token",
                "ordering": ["name", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "owner", "name"), name="token_name_once_per_person"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PromptNodeRecord",
            fields=[
                ("digest", models.BinaryField(max_length=16, primary_key=True, serialize=False)),
                ("depth", models.PositiveIntegerField()),
                (
                    "message",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.contentrecord",
                    ),
                ),
                (
                    "parent",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.promptnoderecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "prompt node",
                "db_table": "prompt_node",
            },
        ),
        migrations.CreateModel(
            name="LLMCallRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("prompt_id", models.CharField(max_length=100)),
                ("prompt_digest", models.CharField(max_length=32)),
                ("model_name", models.CharField(blank=True, default="", max_length=300)),
                ("output", tapes_app.models.json_text.JsonTextField()),
                ("input_tokens", models.IntegerField(null=True)),
                ("cache_read_tokens", models.IntegerField(null=True)),
                ("cache_write_tokens", models.IntegerField(null=True)),
                ("output_tokens", models.IntegerField(null=True)),
                ("reasoning_tokens", models.IntegerField(null=True)),
                ("is_estimate", models.BooleanField(null=True)),
                ("cost_micro_usd", models.BigIntegerField(null=True)),
                ("started_at", models.DateTimeField(null=True)),
                ("duration_seconds", models.FloatField(null=True)),
                ("first_token_seconds", models.FloatField(null=True)),
                ("finish_reason", models.CharField(blank=True, default="", max_length=50)),
                ("is_cached", models.BooleanField(default=False)),
                ("error", models.TextField(blank=True, default="")),
                ("source", tapes_app.models.json_text.JsonTextField(null=True)),
                ("exact", tapes_app.models.json_text.JsonTextField(null=True)),
                ("import_part", models.UUIDField(editable=False, null=True)),
                (
                    "batch",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="llm_calls",
                        to="tapes_app.batchrecord",
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
                    "llm",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.contentrecord",
                    ),
                ),
                (
                    "settings",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.contentrecord",
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
                    "prompt_node",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.promptnoderecord",
                    ),
                ),
                (
                    "tape",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="made_calls",
                        to="tapes_app.taperecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "LLM call",
                "db_table": "llm_call",
                "indexes": [
                    models.Index(fields=["project", "prompt_id"], name="llm_call_by_prompt"),
                    models.Index(fields=["project", "prompt_digest"], name="llm_call_by_digest"),
                ],
            },
        ),
        migrations.CreateModel(
            name="CallTokensRecord",
            fields=[
                (
                    "call",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="tapes_app.llmcallrecord",
                    ),
                ),
                ("packed", models.BinaryField()),
            ],
            options={
                "verbose_name": "tokens of an LLM call",
                "verbose_name_plural": "tokens of LLM calls",
                "db_table": "llm_call_tokens",
            },
        ),
        migrations.CreateModel(
            name="RubricRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(max_length=200)),
                ("version_count", models.PositiveIntegerField(default=0)),
                ("updated_at", models.DateTimeField(auto_now=True)),
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
                "verbose_name": "rubric",
                "db_table": "rubric",
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "name"), name="rubric_name_once_per_project"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RubricVersionRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("definition", tapes_app.models.json_text.JsonTextField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "rubric",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="tapes_app.rubricrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "rubric version",
                "db_table": "rubric_version",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("rubric", "number"), name="rubric_version_number_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="QueueRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(max_length=200)),
                (
                    "mode",
                    models.CharField(
                        choices=[("single", "Single"), ("pairwise", "Pairwise")],
                        default="single",
                        max_length=10,
                    ),
                ),
                ("annotators_per_item", models.PositiveSmallIntegerField(default=1)),
                ("audit_percent", models.FloatField(default=0)),
                ("lock_minutes", models.PositiveIntegerField(default=30)),
                ("seed", models.CharField(max_length=40)),
                ("item_count", models.PositiveIntegerField(default=0)),
                ("done_count", models.PositiveIntegerField(default=0)),
                ("answer_count", models.PositiveIntegerField(default=0)),
                ("pair_count", models.PositiveIntegerField(default=0)),
                ("agreeing_count", models.PositiveIntegerField(default=0)),
                ("deleted_at", models.DateTimeField(null=True)),
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
                    "people",
                    models.ManyToManyField(
                        db_table="queue_person", related_name="+", to=settings.AUTH_USER_MODEL
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
                    "rubric_version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="queues",
                        to="tapes_app.rubricversionrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "annotation queue",
                "db_table": "queue",
                "indexes": [
                    models.Index(fields=["project", "-created_at", "-id"], name="queue_newest")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("deleted_at__isnull", True)),
                        fields=("project", "name"),
                        name="queue_name_once_per_project",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="QueueItemRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("key", models.CharField(max_length=100)),
                ("position", models.PositiveIntegerField(null=True)),
                ("place_count", models.PositiveSmallIntegerField()),
                ("answer_count", models.PositiveSmallIntegerField(default=0)),
                (
                    "queue",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="tapes_app.queuerecord",
                    ),
                ),
                (
                    "other_tape",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tapes_app.taperecord",
                    ),
                ),
                (
                    "tape",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="queue_items",
                        to="tapes_app.taperecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "queue item",
                "db_table": "queue_item",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("queue", "number"), name="queue_item_number_once"
                    ),
                    models.UniqueConstraint(fields=("queue", "key"), name="queue_item_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="AnswerRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("held_until", models.DateTimeField(null=True)),
                ("answered_at", models.DateTimeField(null=True)),
                ("values", tapes_app.models.json_text.JsonTextField(default=dict)),
                ("score", models.FloatField(null=True)),
                ("seconds", models.FloatField(default=0)),
                ("note", models.TextField(blank=True, default="")),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="tapes_app.queueitemrecord",
                    ),
                ),
                (
                    "queue",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="tapes_app.queuerecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "answer",
                "db_table": "queue_answer",
                "indexes": [
                    models.Index(
                        fields=["queue", "person", "-answered_at"], name="answer_of_person"
                    ),
                    models.Index(
                        condition=models.Q(("answered_at__isnull", True)),
                        fields=["queue", "item"],
                        name="answer_waiting",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("item", "number"), name="answer_place_once"),
                    models.UniqueConstraint(
                        fields=("item", "person"), name="answer_once_per_person"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="QueueSkipRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="skips",
                        to="tapes_app.queueitemrecord",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "skipped item",
                "db_table": "queue_skip",
                "constraints": [
                    models.UniqueConstraint(fields=("item", "person"), name="skip_once_per_person")
                ],
            },
        ),
        migrations.CreateModel(
            name="TapeChangeRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(max_length=30)),
                ("before", tapes_app.models.json_text.JsonTextField(default=list)),
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
                "verbose_name": "change of tapes",
                "verbose_name_plural": "changes of tapes",
                "db_table": "tape_change",
                "indexes": [
                    models.Index(fields=["project", "created_at"], name="tape_change_by_age")
                ],
            },
        ),
        migrations.CreateModel(
            name="TapeLintRecord",
            fields=[
                (
                    "tape",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="lint",
                        serialize=False,
                        to="tapes_app.taperecord",
                    ),
                ),
                ("tape_version", models.PositiveIntegerField()),
                ("stamp", models.CharField(max_length=32)),
                ("finding_count", models.PositiveIntegerField()),
                ("linted_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "verbose_name": "linter result",
                "db_table": "tape_lint",
            },
        ),
        migrations.CreateModel(
            name="StepRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=100)),
                ("family", models.CharField(max_length=12)),
                ("writer", models.CharField(max_length=12)),
                ("agent", models.CharField(blank=True, default="", max_length=500)),
                ("node", models.CharField(blank=True, default="", max_length=200)),
                ("prompt_id", models.CharField(blank=True, default="", max_length=100)),
                ("is_error", models.BooleanField(default=False)),
                ("gist", models.CharField(blank=True, default="", max_length=200)),
                ("text", models.TextField(blank=True, default="")),
                ("tools", models.CharField(max_length=500, null=True)),
                ("call_digest", models.CharField(max_length=32, null=True)),
                ("body", tapes_app.models.json_text.JsonTextField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "edited_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "llm_call",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="steps",
                        to="tapes_app.llmcallrecord",
                    ),
                ),
                (
                    "log",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="own_steps",
                        to="tapes_app.taperecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "step",
                "db_table": "step",
                "indexes": [
                    models.Index(
                        condition=models.Q(("edited_by__isnull", False)),
                        fields=["log", "position"],
                        name="step_edited",
                    ),
                    models.Index(
                        condition=models.Q(("is_error", True)),
                        fields=["log", "position"],
                        name="step_error",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("log", "position"), name="step_once_per_log_position"
                    )
                ],
            },
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
            options={
                "verbose_name": "regression test",
                "db_table": "regression_test",
            },
        ),
        migrations.CreateModel(
            name="LintMarkRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("detector", models.CharField(max_length=110)),
                ("severity", models.CharField(max_length=10)),
                ("finding_count", models.PositiveIntegerField()),
                ("position", models.PositiveIntegerField()),
                (
                    "project",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tapes_app.projectrecord",
                    ),
                ),
                (
                    "tape",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lint_marks",
                        to="tapes_app.taperecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "linter finding",
                "db_table": "lint_mark",
                "indexes": [
                    models.Index(fields=["project", "detector", "tape"], name="lint_mark_by_name")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tape", "detector"), name="lint_mark_once_per_tape"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ExperimentRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("name", models.CharField(blank=True, default="", max_length=300)),
                ("request", tapes_app.models.json_text.JsonTextField(default=dict)),
                ("arm_words", tapes_app.models.json_text.JsonTextField(default=dict)),
                ("branch_count", models.PositiveIntegerField(default=0)),
                ("clock_started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("stopped_reason", models.TextField(blank=True, default="")),
                ("is_out_of_budget", models.BooleanField(default=False)),
                ("budget_id", models.UUIDField(null=True)),
                ("judge_tokens", models.BigIntegerField(default=0)),
                ("judge_micro_usd", models.BigIntegerField(default=0)),
                (
                    "batch",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="experiments",
                        to="tapes_app.batchrecord",
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
                (
                    "revision",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.taperecord",
                    ),
                ),
                (
                    "tape",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="experiments",
                        to="tapes_app.taperecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "experiment",
                "db_table": "experiment",
                "indexes": [
                    models.Index(fields=["project", "-created_at", "-id"], name="experiment_newest")
                ],
            },
        ),
        migrations.CreateModel(
            name="ExperimentBranchRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("arm", models.CharField(max_length=20)),
                ("kept_count", models.PositiveIntegerField()),
                ("recorded_count", models.PositiveIntegerField()),
                ("base_tokens", models.BigIntegerField(default=0)),
                ("base_micro_usd", models.BigIntegerField(default=0)),
                ("spent_tokens", models.BigIntegerField(default=0)),
                ("spent_micro_usd", models.BigIntegerField(default=0)),
                ("step_count", models.PositiveIntegerField(default=0)),
                ("temperature", models.FloatField(null=True)),
                ("spark", models.TextField(blank=True, default="")),
                ("last_kind", models.CharField(blank=True, default="", max_length=100)),
                ("outcome", models.CharField(blank=True, default="", max_length=300)),
                ("first_divergence", models.PositiveIntegerField(null=True)),
                ("pass_check", tapes_app.models.json_text.JsonTextField(null=True)),
                ("passed", models.BooleanField(null=True)),
                ("score", models.FloatField(null=True)),
                (
                    "judged_as",
                    models.CharField(
                        blank=True,
                        choices=[("checker", "Checker"), ("judge", "Judge"), ("person", "Person")],
                        default="",
                        max_length=10,
                    ),
                ),
                ("judged_by", models.CharField(blank=True, default="", max_length=200)),
                ("reason", models.TextField(blank=True, default="")),
                ("has_told_tape", models.BooleanField(default=False)),
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
                    "experiment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="branches",
                        to="tapes_app.experimentrecord",
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.jobrecord",
                    ),
                ),
                (
                    "model",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tapes_app.modelrecord",
                    ),
                ),
                (
                    "tape",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="experiment_branches",
                        to="tapes_app.taperecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "experiment branch",
                "verbose_name_plural": "experiment branches",
                "db_table": "experiment_branch",
                "ordering": ["experiment", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("experiment", "number"), name="branch_number_once_per_experiment"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DraftRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("letter", models.CharField(default="A", max_length=1)),
                ("name", models.CharField(blank=True, default="", max_length=60)),
                ("operations", tapes_app.models.json_text.JsonTextField(default=list)),
                ("applied_count", models.PositiveIntegerField(default=0)),
                ("base_step_count", models.PositiveIntegerField(default=0)),
                ("version", models.PositiveIntegerField(default=0)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tape",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drafts",
                        to="tapes_app.taperecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "draft",
                "db_table": "draft",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tape", "person", "letter"),
                        name="one_draft_per_person_tape_and_letter",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DatasetVersionTapeRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("expected", models.TextField(blank=True, default="")),
                (
                    "version",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="tapes_app.datasetversionrecord",
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
            ],
            options={
                "verbose_name": "tape of a version",
                "verbose_name_plural": "tapes of versions",
                "db_table": "dataset_version_tape",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("version", "tape"), name="tape_once_per_dataset_version"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DatasetTapeRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("added_at", models.DateTimeField(auto_now_add=True)),
                (
                    "dataset",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="tapes_app.datasetrecord",
                    ),
                ),
                (
                    "tape",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="dataset_places",
                        to="tapes_app.taperecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "tape of a dataset",
                "verbose_name_plural": "tapes of datasets",
                "db_table": "dataset_tape",
                "indexes": [models.Index(fields=["tape", "dataset"], name="dataset_by_tape")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("dataset", "tape"), name="tape_once_per_dataset"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AnnotationRecord",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("field", models.CharField(blank=True, default="", max_length=300)),
                ("start", models.PositiveIntegerField(null=True)),
                ("end", models.PositiveIntegerField(null=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("note", "Note"),
                            ("score", "Score"),
                            ("label", "Label"),
                            ("correction", "Correction"),
                        ],
                        max_length=10,
                    ),
                ),
                ("name", models.CharField(blank=True, default="", max_length=200)),
                ("value", models.FloatField(null=True)),
                ("text", models.TextField(blank=True, default="")),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("person", "Person"),
                            ("judge", "Judge"),
                            ("checker", "Checker"),
                            ("linter", "Linter"),
                        ],
                        default="person",
                        max_length=10,
                    ),
                ),
                ("source_name", models.CharField(blank=True, default="", max_length=200)),
                ("details", tapes_app.models.json_text.JsonTextField(default=dict)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("deleted_at", models.DateTimeField(null=True)),
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
                    "step",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="annotations",
                        to="tapes_app.steprecord",
                    ),
                ),
                (
                    "tape",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="annotations",
                        to="tapes_app.taperecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "annotation",
                "db_table": "annotation",
                "indexes": [
                    models.Index(fields=["project", "-created_at", "-id"], name="annotation_newest")
                ],
            },
        ),
        migrations.CreateModel(
            name="TapeTagRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100)),
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
                    "tape",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tags",
                        to="tapes_app.taperecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "tag",
                "db_table": "tape_tag",
                "indexes": [models.Index(fields=["project", "name", "tape"], name="tape_by_tag")],
                "constraints": [
                    models.UniqueConstraint(fields=("tape", "name"), name="tag_once_per_tape")
                ],
            },
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
        migrations.CreateModel(
            name="AgentDraftStateRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("spec", tapes_app.models.json_text.JsonTextField()),
                ("size", models.PositiveIntegerField()),
                (
                    "draft",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="states",
                        to="tapes_app.agentdraftrecord",
                    ),
                ),
            ],
            options={
                "verbose_name": "state of a draft",
                "verbose_name_plural": "states of drafts",
                "db_table": "agent_draft_state",
                "ordering": ["draft", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("draft", "number"), name="agent_draft_state_once"
                    )
                ],
            },
        ),
        migrations.RunPython(search_index.install, search_index.remove),
        migrations.RunPython(search_index.install_stretches, search_index.remove_stretches),
        migrations.RunPython(search_index.install_beginnings, search_index.remove_beginnings),
        migrations.RunPython(search_index.install_tape_words, search_index.remove_tape_words),
    ]
