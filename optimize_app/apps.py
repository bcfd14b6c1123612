"""The Django application of training and evaluation."""

from django.apps import AppConfig


class OptimizeAppConfig(AppConfig):
    name = "optimize_app"
    verbose_name = "Optimizing"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register, in every process, the cleanup for jobs that start other jobs."""
        from tapes_app.jobs.store.started_jobs import register_ending

        register_ending("sweep", "optimize_app.evaluation.services.sweeps.stopping.end_started")
        register_ending("distillation", "optimize_app.distillation.services.stopping.end_started")
