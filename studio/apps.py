"""The Django application of sign-in, health and the start command."""

from django.apps import AppConfig


class StudioConfig(AppConfig):
    name = "studio"
    verbose_name = "Studio"

    def ready(self) -> None:
        """Make ours the Celery application of every process: commands queue jobs as well."""
        from studio import celery  # noqa: F401
